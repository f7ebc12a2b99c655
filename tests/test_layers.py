"""Each package imports only from the packages that it may know."""

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
    "findings": {"analysis", "program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "rules": {"findings", "analysis", "program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "ide": {"rules", "findings", "analysis", "program", "instruction", "flow", "isa", "preproc", "syntax", "text"},
    "site": {"ide", "isa"},
    "project": {"ide", "rules", "findings", "program", "instruction", "isa", "syntax", "text"},
    "server": {"project", "ide", "rules", "findings", "program", "instruction", "isa", "syntax", "text"},
    "cli": {"site", "project", "ide", "rules", "findings", "program", "instruction", "isa", "syntax", "text"},
}
ONLY_IN_SERVER = {"pygls", "lsprotocol"}


def imports(path: Path) -> set[str]:
    """The modules that a file imports, at any depth of it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path}: relative import"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@pytest.mark.parametrize("package", sorted(name for name in ALLOWED if (ROOT / name).is_dir()))
def test_layers(package: str) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        for module in imports(path):
            parts = module.split(".")
            if parts[0] == "gcn_lsp" and len(parts) > 1 and parts[1] in ALLOWED and parts[1] != package:
                serves = package == "cli" and path.name == "serve.py" and parts[1] == "server"
                assert serves or parts[1] in ALLOWED[package], f"{path} imports {module}"
            assert package == "server" or parts[0] not in ONLY_IN_SERVER, f"{path} imports {module}"


def test_every_package_is_listed() -> None:
    packages = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert packages <= set(ALLOWED)


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in ROOT.rglob("*.py") if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []
