"""What a wheel holds: the package without what only maintainers run."""

import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

setuptools = pytest.importorskip("setuptools")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The modules that setup.py and pyproject.toml put into a wheel."""
    given: dict[str, Any] = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(setuptools, "setup", given.update)
    exec((ROOT / "setup.py").read_text(), {"__name__": "setup", "__file__": str(ROOT / "setup.py")})
    where = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    packages = setuptools.find_packages(str(ROOT), **where)
    distribution = setuptools.Distribution({"packages": packages, "script_name": "setup.py"})
    command = given["cmdclass"]["build_py"](distribution)
    command.ensure_finalized()
    return {f"{package}.{module}" for package, module, _ in command.find_all_modules()}


def test_the_generator_of_the_tables_is_left_out(modules: set[str]) -> None:
    assert (ROOT / "gcn_lsp" / "isa" / "generate.py").exists()
    assert [name for name in modules if name.startswith("gcn_lsp.isa.generat")] == []


def test_every_other_module_is_there(modules: set[str]) -> None:
    present = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "gcn_lsp").rglob("*.py")}
    assert {name for name in present if not name.startswith("gcn_lsp.isa.generat")} == modules
