"""Wheels for other platforms: what .ci/wheels.py knows agrees with the package, and it is not easily taken in."""

import importlib.util
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
NAMES = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64", "ARM64": "aarch64"}


@pytest.fixture(scope="module")
def wheels() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wheels", ROOT / ".ci" / "wheels.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_platforms_are_those_of_cibuildwheel(wheels: ModuleType) -> None:
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    systems = ("linux", "macos", "windows")
    made = {
        (system.partition(".")[0], machine)
        for machine, system, *_ in (row.triple.split("-") for row in wheels.PLATFORMS)
    }
    assert made == {(system, NAMES[name]) for system in systems for name in configured[system]["archs"]}


def test_the_same_sources_are_compiled(wheels: ModuleType) -> None:
    setup = (ROOT / "setup.py").read_text()
    assert [str(path.relative_to(ROOT)) for path in wheels.SOURCES] == re.findall(r'"(grammar/[\w/]+\.c)"', setup)
    assert f'("Py_LIMITED_API", "{wheels.OLDEST_PYTHON}")' in setup


def test_what_is_taken_from_python_is_what_windows_is_told_of(wheels: ModuleType) -> None:
    binding = wheels.SOURCES[0].read_text()
    called = set(re.findall(r"\b(Py[A-Z]\w+)\(", binding))
    assert called == set(wheels.PYTHON_DLL.split()[3:])


PLATFORM = "musllinux_1_2_aarch64"
LIBRARY = "_tree_sitter_gcn.abi3.so"


def elf(machine: int) -> bytes:
    return b"\x7fELF" + bytes(14) + machine.to_bytes(2, "little") + b"PyInit__tree_sitter_gcn\0"


def look(wheels: ModuleType, folder: Path, tag: str, name: str, library: bytes) -> None:
    """Has a made-up wheel looked at as one for `PLATFORM`."""
    (platform,) = [row for row in wheels.PLATFORMS if row.tag == PLATFORM]
    with zipfile.ZipFile(folder / "made.whl", "w") as archive:
        archive.writestr(f"gcn_lsp/{name}", library)
        archive.writestr("gcn_lsp-1.dist-info/WHEEL", f"Wheel-Version: 1.0\nTag: cp310-abi3-{tag}\n")
    wheels.check(folder / "made.whl", platform)


def test_a_right_wheel_is_taken(wheels: ModuleType, tmp_path: Path) -> None:
    look(wheels, tmp_path, PLATFORM, LIBRARY, elf(183))


@pytest.mark.parametrize(
    ("tag", "name", "library"),
    [
        ("musllinux_1_2_x86_64", LIBRARY, elf(183)),
        (PLATFORM, "_tree_sitter_gcn.pyd", elf(183)),
        (PLATFORM, LIBRARY, elf(62)),
        (PLATFORM, LIBRARY, b"MZ" + elf(183)),
        (PLATFORM, LIBRARY, elf(183)[:20]),
    ],
)
def test_a_wrong_wheel_is_not(wheels: ModuleType, tmp_path: Path, tag: str, name: str, library: bytes) -> None:
    with pytest.raises(AssertionError):
        look(wheels, tmp_path, tag, name, library)
