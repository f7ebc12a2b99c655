"""Each package imports only from the packages that it may know, and no module is in a circle with another."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "gcn_lsp"

# What each package may import of ours, besides itself.
ALLOWED: dict[str, set[str]] = {
    "text": set(),
    "isa": set(),
    "flow": set(),
    "syntax": {"flow", "text"},
    "preproc": {"flow", "syntax", "text"},
    "instruction": {"flow", "isa", "syntax", "text"},
    "program": {"instruction", "flow", "isa", "preproc", "syntax", "text"},
    "analysis": {"program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "findings": {"analysis", "views", "program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "views": {"program", "instruction", "flow", "isa", "syntax", "text"},
    "rules": {"findings", "analysis", "views", "program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "ide": {
        "rules",
        "findings",
        "analysis",
        "views",
        "program",
        "instruction",
        "flow",
        "isa",
        "preproc",
        "syntax",
        "text",
    },
    "site": {"ide", "isa"},
    "project": {"views", "ide", "rules", "findings", "program", "instruction", "isa", "syntax", "text"},
    "server": {
        *("views", "project", "ide", "rules", "findings", "program", "instruction", "flow", "isa", "syntax", "text"),
    },
    "cli": {"site", "views", "project", "ide", "rules", "findings", "program", "instruction", "isa", "syntax", "text"},
}
ONLY_IN_SERVER = {"pygls", "lsprotocol"}


def imports(path: Path) -> set[str]:
    """The modules and names that a file imports, at any depth of it, for types only or not."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path}: relative import"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def modules() -> dict[str, set[str]]:
    """Every module of ours with those that it imports."""
    paths = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}

    def module_of(imported: str) -> str:
        return imported if imported in paths else imported.rpartition(".")[0]

    return {
        name: {module for imported in imports(path) if (module := module_of(imported)) in paths and module != name}
        for name, path in paths.items()
    }


def module_name(path: Path) -> str:
    """The dotted name of a module of ours."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of a shortest circle, the first of them again at the end; empty when there is none."""
    found: list[str] = []
    for start in sorted(graph):
        paths = [[start]]
        seen: set[str] = set()
        while paths and (not found or len(paths[0]) + 1 < len(found)):
            path = paths.pop(0)
            for following in sorted(graph[path[-1]]):
                if following == start:
                    found, paths = [*path, start], []
                    break
                if following not in seen:
                    seen.add(following)
                    paths.append([*path, following])
    return found


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_layers(package: str) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        for module in sorted(imports(path)):
            parts = module.split(".")
            if parts[0] == "gcn_lsp" and len(parts) > 1 and parts[1] in ALLOWED and parts[1] != package:
                serves = package == "cli" and path.name == "serve.py" and parts[1] == "server"
                if not serves and parts[1] not in ALLOWED[package]:
                    may = ", ".join(sorted(ALLOWED[package])) or "no other package"
                    refuse(f"{module_name(path)} imports {module}, but {package} may import only {may}")
            if package != "server" and parts[0] in ONLY_IN_SERVER:
                refuse(f"{module_name(path)} imports {module}, but only server may import {parts[0]}")


def test_no_circle() -> None:
    found = circle(modules())
    if found:
        refuse("modules import one another in a circle: " + " -> ".join(found))


def refuse(message: str) -> None:
    """Fail with one line."""
    pytest.fail(message, pytrace=False)


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == ["b", "c", "b"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_every_package_is_listed() -> None:
    packages = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert packages <= set(ALLOWED)


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in ROOT.rglob("*.py") if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []
