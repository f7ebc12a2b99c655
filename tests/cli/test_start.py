"""The answers that the command gives before click is loaded: those that click would give."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gcn_lsp.cli import start
from gcn_lsp.cli.main import main

_REPORT = "import os, sys; sys.argv = ['gcn-lsp', {!r}]\nos._exit = sys.exit\n"
_REPORT += "try:\n    from gcn_lsp.cli.start import run\n    run()\nfinally:\n    print(*sys.modules, file=sys.stderr)"


def asked(argument: str) -> tuple[str, list[str]]:
    """What the command prints, and the modules that it loads for that."""
    run = subprocess.run(
        [sys.executable, "-c", _REPORT.format(argument)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "82"},  # two of which stay empty; click's runner takes 80 for what is left
    )
    return run.stdout, run.stderr.split()


@pytest.mark.parametrize("columns", [40, 52, 61, 80, 100, 110, 200])
def test_the_page_is_as_click_makes_it(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.argv", ["gcn-lsp"])
    context = main.make_context("gcn-lsp", [], resilient_parsing=True)
    assert start.page("gcn-lsp") == context.get_help() + "\n"


@pytest.mark.parametrize("argument", ["--version", "--help", "-h"])
def test_an_answer_loads_no_library(argument: str) -> None:
    output, modules = asked(argument)
    assert output == CliRunner().invoke(main, [argument], prog_name="gcn-lsp").output
    ours = {"gcn_lsp", "gcn_lsp.cli", "gcn_lsp.cli.start", "gcn_lsp.garbage_collection"}
    assert {name for name in modules if name.startswith("gcn_lsp") and not name.startswith("__")} == ours
    assert not {"click", "msgspec", "rich"} & set(modules)


def test_other_arguments_are_for_click() -> None:
    run = subprocess.run([sys.executable, "-m", "gcn_lsp", "--nonsense"], capture_output=True, text=True)
    assert run.returncode == 2
    assert "No such option" in run.stderr
    assert "python -m gcn_lsp --help" in run.stderr


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_a_full_disk_is_one_sentence(argument: str) -> None:
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "gcn_lsp", argument], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.stderr == "Error: cannot write the output: No space left on device\n"
    assert run.returncode == 2


@pytest.mark.parametrize("package", ["msgspec", "click"])
def test_a_package_that_is_missing_is_one_sentence(package: str) -> None:
    code = (
        f"import runpy, sys; sys.modules[{package!r}] = None; sys.argv[1:] = ['check', 'kernel.s']; "
        "runpy.run_module('gcn_lsp', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"Error: the package {package} is not installed; `pip install gcn-lsp` installs all it needs"
    ]
