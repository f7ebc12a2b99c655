"""`gcn-lsp completion` and `gcn-lsp manual`: what shells ask, and the page for man(1)."""

import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import COMMANDS, main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_of_the_shell(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert f"_GCN_LSP_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout, text=True, check=True)


def completed(*words: str) -> list[str]:
    """What the last of `words` is completed to, as the script asks for it."""
    environment = {
        **os.environ,
        "_GCN_LSP_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("gcn-lsp", *words)),
        "COMP_CWORD": str(len(words)),
    }
    code = "from gcn_lsp.cli.main import main; main(prog_name='gcn-lsp')"
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("comp",), ["compare", "compile-command", "completion"]),
        (
            ("check", "--target", "gfx90"),
            ["gfx900", "gfx902", "gfx904", "gfx906", "gfx908", "gfx909", "gfx90a", "gfx90c"],
        ),
        (("check", "--ignore", "misaligned-r"), ["misaligned-register"]),
        (("check", "--ignore", "x,misaligned-r"), ["x,misaligned-register"]),
        (("explain", "misaligned-r"), ["misaligned-register"]),
        (("explain", "v_mfma_f32_32x32x1f"), ["v_mfma_f32_32x32x1f32"]),
    ],
)
def test_words_are_completed(words: tuple[str, ...], expected: list[str]) -> None:
    assert completed(*words) == expected


def test_the_manual_has_every_command_and_option() -> None:
    page = CliRunner().invoke(main, ["manual"]).stdout
    for name in COMMANDS:
        written = name.replace("-", "\\-")
        assert f".SS gcn\\-lsp {written} " in page
    assert ".B \\-\\-defsym NAME=VALUE" in page
    assert all(heading in page for heading in ("NAME", "SYNOPSIS", "EXIT STATUS", "FILES", "ENVIRONMENT"))


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed (Debian package groff)")
def test_the_manual_is_troff_without_a_warning() -> None:
    page = CliRunner().invoke(main, ["manual"]).stdout
    result = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True, check=True
    )
    assert result.stderr == ""
