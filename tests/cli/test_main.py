"""The command itself: help, version, start-up."""

import subprocess
import sys
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import COMMANDS, main


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.stdout


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
