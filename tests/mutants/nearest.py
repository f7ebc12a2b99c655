"""The tests that need a module, in groups: of its name, importers, users and package, and of the rules.

In each group the files that need the fewest modules come first."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_PACKAGE = "gcn_lsp"
_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (?:\(([^)]*)\)|([^\n(]+))|import ([\w., ]+))", re.MULTILINE)
_COMMENT = re.compile(r"#.*")
_MOST = 12  # files of a group of importers or users; more of them say little about the module


Grouped = Iterable[tuple[str, list[str]]]


def groups(root: Path, module: Path) -> Grouped:
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
        ("rules", [path for path in tests if path.parts[1] == "rules"]),
    ):
        fresh = [path for path in paths if path not in seen and (root / path).exists() and module in needed(root, path)]
        fresh.sort(key=lambda path: len(needed(root, path)))
        seen.update(fresh)
        yield name, [str(path) for path in fresh]


@cache
def needed(root: Path, test: Path) -> set[Path]:
    """The modules that a test file needs, those that it imports and those that they need."""
    found: set[Path] = set()
    todo = {test, *(folder / "conftest.py" for folder in test.parents if (root / folder / "conftest.py").exists())}
    while todo:
        found |= todo
        todo = {each for module in todo for each in _imported(root, module)} - found
    return found


@cache
def _imported(root: Path, module: Path) -> set[Path]:
    """The modules that a module imports by name, those that it names in texts, and those of a folder that it names.

    With a text it imports one of a folder, or starts a process.
    """
    by_name = _by_name(root)
    names = {prefix for name in imports(root / module) for prefix in _prefixes(name)}
    if module != Path(_PACKAGE, "__init__.py"):  # what this imports on use, the test of it names itself
        text = (root / module).read_text()
        folders = {_name(module.parent)} if "{__name__}." in text else set()
        folders |= set(re.findall(rf"[\"']({_PACKAGE}(?:\.\w+)*)\.?[\"'{{]", text))
        names |= {name for folder in folders for name in by_name if f"{name}.".startswith(f"{folder}.")}
    return {by_name[name] for name in names & by_name.keys()}


@cache
def _by_name(root: Path) -> dict[str, Path]:
    return {_name(path): path for folder in (_PACKAGE, "tests") for path in modules(root, folder)}


def _prefixes(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(2, len(parts) + 1)]


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
    """The modules and names that a file imports, at its top or in a function."""
    found: set[str] = set()
    for module, several, names, modules_ in _IMPORT.findall(path.read_text()):
        listed = [name.split()[0] for name in _COMMENT.sub("", several or names or modules_).split(",") if name.strip()]
        found.update((module, *(f"{module}.{name}" for name in listed)) if module else listed)
    return found
