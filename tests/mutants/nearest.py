"""The tests of a module, in groups: of its name, of its importers, of its package."""

import ast
from collections.abc import Iterator
from pathlib import Path

_MOST = 12  # test files that import the module; more of them say little about it


def groups(root: Path, module: Path) -> Iterator[tuple[str, list[str]]]:
    """The groups of test files for a module, with their names; no file is in two. Paths are relative to `root`."""
    inner = module.relative_to(module.parts[0])
    folder = root / "tests" / inner.parts[0]
    own = root / "tests" / inner.parent / f"test_{inner.stem}.py"
    named = [own] if own.exists() else []
    imported = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
    tests = sorted((root / "tests").rglob("test_*.py"))
    importing = [path for path in tests if path not in named and imported in imports(path)][:_MOST]
    beside = [path for path in sorted(own.parent.glob("test_*.py")) if path not in {*named, *importing}]
    package = [path for path in sorted(folder.rglob("test_*.py")) if path not in {*named, *importing, *beside}]
    for name, paths in (("name", named), ("import", importing), ("folder", beside), ("package", package)):
        yield name, [str(path.relative_to(root)) for path in paths]


def imports(path: Path) -> set[str]:
    """The modules and names that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.update((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
    return found
