"""The tracked files: names that every system can check out, and a root with nothing in it that no tool asks for."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# What is in the root, and what demands it there.
DEMANDED = {
    "README.md": "readers, and the package's page",
    "CONTRIBUTING.md": "GitHub links it from a new pull request",
    "LICENSE": "the packages carry it",
    "pyproject.toml": "pip and the development tools",
    "setup.py": "setuptools: compiles the grammar into the package",
    "MANIFEST.in": "setuptools: the grammar's sources in the source distribution",
    "gcn_lsp": "the package",
    "grammar": "the grammar, a package of its own",
    "editors": "the clients",
    "tests": "the tests and benchmarks",
    "packaging": "the registries",
    ".ci": "contributors",
    ".github": "GitHub Actions",
    ".gitattributes": "git",
    ".gitignore": "git",
    ".pre-commit-hooks.yaml": "pre-commit",
    "action.yml": "GitHub Actions",
}

# Names of devices, which Windows refuses as files with any ending.
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: which files are tracked is not known")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if path]


def unfit(path: str) -> bool:
    """Whether some system cannot check the path out."""
    parts = path.split("/")
    return (
        re.fullmatch(r"[A-Za-z0-9._/+-]+", path) is None
        or any(part.split(".")[0].lower() in RESERVED for part in parts)
        or any(part.endswith(".") for part in parts)
    )


@pytest.mark.parametrize("path", ["a:b", "a b.s", "aux.py", "x/NUL/y", "com1", "name.", 'quote".s', "naïve.s"])
def test_what_some_system_cannot_check_out(path: str) -> None:
    assert unfit(path)


def test_every_system_can_check_the_files_out(tracked: list[str]) -> None:
    assert [path for path in tracked if unfit(path)] == []


def test_no_two_names_differ_only_in_case(tracked: list[str]) -> None:
    names = {*tracked, *(str(folder) for path in tracked for folder in Path(path).parents)}
    assert len({name.lower() for name in names}) == len(names)


def test_the_root_has_what_a_tool_demands_there_and_nothing_else(tracked: list[str]) -> None:
    assert {path.split("/")[0] for path in tracked} == set(DEMANDED)
