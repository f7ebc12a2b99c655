"""The command itself: help, version, start-up."""

import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import COMMANDS, main


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_has_the_first_sentence_of_the_help(command: str) -> None:
    found = main.get_command(click.Context(main), command)
    assert found is not None
    assert found.get_short_help_str(1000) == COMMANDS[command]


def test_help_loads_no_command() -> None:
    code = "import sys; sys.argv[1:] = ['--help']\nfrom gcn_lsp.cli.main import main\ntry: main()\n"
    code += "except SystemExit: pass\nprint('loaded', *(name for name in sys.modules if name.startswith('gcn_lsp')))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = output.splitlines()[-1].split()[1:]
    assert sorted(loaded) == [
        *("gcn_lsp", "gcn_lsp.cli", "gcn_lsp.cli.main", "gcn_lsp.cli.start", "gcn_lsp.garbage_collection")
    ]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_is_one_sentence(tmp_path: Path, form: str) -> None:
    kernel = tmp_path / "kernel.s"
    kernel.write_text("; gcn-lsp: target=gfx90a\n  s_mov_b32 s0, v1\n")
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "gcn_lsp", "check", "--format", form, str(kernel)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert result.stderr == "Error: cannot write the output: No space left on device\n"
    assert result.returncode == 2


@pytest.mark.parametrize(
    ("command", "sentence"),
    [("check -", "the standard input is closed"), ("serve", "the standard input or output is closed")],
)
def test_a_closed_input_is_one_sentence(command: str, sentence: str) -> None:
    result = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m gcn_lsp {command} <&-"], capture_output=True, text=True
    )
    assert result.returncode == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_help_lists_the_commands() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert "..." not in result.output.partition("Commands:")[2]  # where click cuts a sentence off
    assert result.exit_code == 0
    assert all(command in result.stdout for command in COMMANDS)


def test_unknown_command_is_wrong_use() -> None:
    assert CliRunner().invoke(main, ["nonsense"]).exit_code == 2


def test_version_loads_nothing_of_the_assembler() -> None:
    code = "import sys; sys.argv[1:] = ['--version']\nfrom gcn_lsp.cli.main import main\ntry: main()\n"
    code += "except SystemExit: pass\nprint([name for name in sys.modules if name.startswith('gcn_lsp')])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.startswith("gcn-lsp ")
    assert "gcn_lsp.instruction" not in output
    assert "gcn_lsp.isa" not in output


@pytest.mark.parametrize(
    ("arguments", "function", "passed"),
    [
        ((), "serve_stdio", ()),
        (("--stdio",), "serve_stdio", ()),
        (("--tcp", "--port", "4000"), "serve_tcp", ("127.0.0.1", 4000)),
        (("--ws", "--host", "0.0.0.0"), "serve_ws", ("0.0.0.0", 2087)),
    ],
)
def test_serve_starts_the_chosen_transport(arguments: tuple[str, ...], function: str, passed: tuple[object]) -> None:
    with patch(f"gcn_lsp.server.main.{function}") as start:
        assert CliRunner().invoke(main, ["serve", *arguments]).exit_code == 0
    start.assert_called_once_with(*passed)


def test_a_mistyped_command_or_option_is_answered_with_the_nearest_one() -> None:
    command = CliRunner().invoke(main, ["chek"])
    option = CliRunner().invoke(main, ["check", "--formt", "json", "x.s"])
    assert (command.exit_code, option.exit_code) == (2, 2)
    assert "Did you mean 'check'?" in command.output
    assert "--format" in option.output
