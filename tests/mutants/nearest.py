"""The tests of a module, in groups: of its name, importers, users and package, and of the rules that need it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_MOST = 12  # files of a group of importers or users; more of them say little about the module


def groups(root: Path, module: Path) -> Iterator[tuple[str, list[str]]]:
    """The groups of test files for a module, with their names; no file is in two. Paths are relative to `root`."""
    own = twin(module)
    folder = Path("tests", *module.parts[1:2])
    imported = _name(module)
    users = [path for path in modules(root, module.parts[0]) if imported in imports(root / path)]
    tests = modules(root, "tests", "test_*.py")
    seen: set[Path] = set()
    for name, paths in (
        ("name", [own]),
        ("import", [path for path in tests if imported in imports(root / path)][:_MOST]),
        ("user", [twin(path) for path in users][:_MOST]),
        ("folder", [path for path in tests if path.parent == own.parent]),
        ("package", [path for path in tests if folder in path.parents]),
        ("rules", [path for path in tests if path.parts[1] == "rules"] if module in needed_by_rules(root) else []),
    ):
        fresh = [path for path in paths if path not in seen and (root / path).exists()]
        seen.update(fresh)
        yield name, [str(path) for path in fresh]


@cache
def needed_by_rules(root: Path) -> set[Path]:
    """The modules that the rules import, directly or not. Other modules cannot change what a rule finds."""
    by_name = {_name(path): path for path in modules(root, "gcn_lsp")}
    found: set[Path] = set()
    todo = set(modules(root, "gcn_lsp/rules"))
    while todo:
        module = todo.pop()
        found.add(module)
        todo |= {by_name[name] for name in imports(root / module) & by_name.keys()} - found
    return found


def twin(module: Path) -> Path:
    """The test file of a module's name."""
    return Path("tests", *module.parts[1:-1], f"test_{module.stem}.py")


def _name(module: Path) -> str:
    return ".".join(module.with_suffix("").parts).removesuffix(".__init__")


def modules(root: Path, folder: str, pattern: str = "*.py") -> list[Path]:
    """The files of a folder, relative to `root`."""
    return sorted(path.relative_to(root) for path in (root / folder).rglob(pattern))


@cache
def imports(path: Path) -> set[str]:
    """The modules and names that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.update((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
    return found
