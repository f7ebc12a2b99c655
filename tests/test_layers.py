"""Imports go down the table of layers, from packages and from modules at the top, and never in a circle."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "gcn_lsp"

# What each package or module at the top may import of ours, besides itself.
ALLOWED: dict[str, set[str]] = {
    "__init__": set(),
    "_tree_sitter_gcn": set(),
    "text": set(),
    "isa": set(),
    "flow": set(),
    "patterns": set(),
    "records": set(),
    "garbage_collection": {"flow"},
    "syntax": {"_tree_sitter_gcn", "flow", "text"},
    "preproc": {"flow", "syntax", "text"},
    "instruction": {"flow", "isa", "syntax", "text"},
    "program": {"instruction", "flow", "isa", "preproc", "syntax", "text"},
    "analysis": {"program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "machine": {"analysis", "program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
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
    "debug": {"running", "machine", "project", "analysis", "program", "text"},
    "running": {
        *("machine", "project", "rules", "findings", "views", "analysis", "program", "instruction", "flow", "isa"),
        *("preproc", "syntax", "text"),
    },
    "project": {
        *("views", "ide", "rules", "findings", "program", "instruction", "isa", "syntax", "text"),
        *("__init__", "garbage_collection"),
    },
    "api": {
        *("project", "ide", "rules", "findings", "analysis", "views", "program", "instruction", "flow", "isa"),
        *("syntax", "text"),
    },
    "mcp": {"__init__", "api", "text"},
    "server": {
        *("views", "project", "ide", "rules", "findings", "program", "instruction", "flow", "isa", "syntax", "text"),
        *("__init__", "garbage_collection"),
    },
    "cli": {
        *(
            "api",
            "mcp",
            "site",
            "views",
            "project",
            "ide",
            "rules",
            "findings",
            "program",
            "instruction",
            "isa",
            "syntax",
            "text",
        ),
        *("__init__", "garbage_collection", "machine", "running", "debug"),
    },
    "__main__": {"cli"},
}
OPEN_TO_ALL = {"patterns", "records"}
ONLY_IN = {
    "pygls": "server",
    "lsprotocol": "server",
    "numpy": "machine or running or debug",
    "mcp": "mcp",
    "mcp_types": "mcp",
}


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


def layer_of(module: str) -> str:
    """The row of a module of ours, or of a name that `gcn_lsp` itself has."""
    first = module.split(".")[1] if "." in module else "__init__"
    return first if first in ALLOWED or (ROOT / first).exists() or (ROOT / f"{first}.py").exists() else "__init__"


def forbidden(importer: str, imported: set[str]) -> Iterator[str]:
    """The imports that the table does not allow a module, each with the reason."""
    layer = layer_of(importer)
    for module in sorted(imported):
        first = module.split(".")[0]
        if first == "gcn_lsp":
            serves = (importer, layer_of(module)) == ("gcn_lsp.cli.serve", "server")
            if not serves and layer_of(module) not in ALLOWED[layer] | OPEN_TO_ALL | {layer}:
                may = ", ".join(sorted(ALLOWED[layer])) or "no other package"
                yield f"{importer} imports {module}, but {layer} may import only {may}"
        if layer not in ONLY_IN.get(first, layer).split(" or "):
            yield f"{importer} imports {module}, but only {ONLY_IN[first]} may import {first}"


def unlisted(root: Path) -> set[str]:
    """The packages and modules at the top of `root` that have no row in the table."""
    packages = {path.parent.name for path in root.glob("*/__init__.py")}
    modules = {path.name.split(".")[0] for pattern in ("*.py", "*.pyi", "*.so") for path in root.glob(pattern)}
    return (packages | modules) - ALLOWED.keys()


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_layers(layer: str) -> None:
    for path in sorted([*(ROOT / layer).rglob("*.py"), *ROOT.glob(f"{layer}.py")]):
        for message in forbidden(module_name(path), imports(path)):
            refuse(message)


@pytest.mark.parametrize(
    ("importer", "imported", "message"),
    [
        ("garbage_collection", "gcn_lsp.server.app", "garbage_collection may import only flow"),
        ("isa.target", "gcn_lsp.garbage_collection", "isa may import only no other package"),
        ("rules.dead_write", "gcn_lsp.cli", "rules may import only analysis"),
        ("rules.dead_write", "lsprotocol.types", "only server may import lsprotocol"),
        ("rules.dead_write", "numpy", "only machine or running or debug may import numpy"),
        ("cli.check", "gcn_lsp.server.app", "cli may import only __init__"),
        ("isa.target", "gcn_lsp.__version__", "isa may import only no other package"),
    ],
)
def test_a_forbidden_import_is_reported(importer: str, imported: str, message: str) -> None:
    (found,) = forbidden(f"gcn_lsp.{importer}", {imported})
    assert found.startswith(f"gcn_lsp.{importer} imports {imported}, but {message}")


def test_an_allowed_import_is_not_reported() -> None:
    assert not list(
        forbidden("gcn_lsp.cli.serve", {"gcn_lsp.server.app", "gcn_lsp.garbage_collection", "gcn_lsp.__version__"})
    )
    assert not list(forbidden("gcn_lsp.server.app", {"lsprotocol.types", "gcn_lsp.server.hover", "re"}))


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


def test_every_package_and_module_at_the_top_is_listed() -> None:
    assert unlisted(ROOT) == set()


def test_a_package_or_module_without_a_row_is_found(tmp_path: Path) -> None:
    for name in (
        "isa/__init__.py",
        "fresh/__init__.py",
        "folder/data.txt",
        "garbage_collection.py",
        "loose.py",
        "_c.abi3.so",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert unlisted(tmp_path) == {"fresh", "loose", "_c"}


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in ROOT.rglob("*.py") if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []
