"""The committed parser is the one that the grammar gives: regenerating it changes nothing.

The version of the tables is 14, which Neovim from 0.7 can load.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.grammar.sources import REPOSITORY

GRAMMAR = REPOSITORY / "grammar"
CLI = shutil.which("tree-sitter") or shutil.which("tree-sitter", path=str(Path.home() / ".cargo" / "bin"))


@pytest.mark.skipif(CLI is None, reason="the tree-sitter command is not installed (cargo install tree-sitter-cli)")
def test_the_parser_is_up_to_date(tmp_path: Path) -> None:
    assert CLI is not None
    for name in ("grammar.js", "tree-sitter.json", "package.json"):
        shutil.copy(GRAMMAR / name, tmp_path)
    subprocess.run([CLI, "generate", "--abi", "14"], cwd=tmp_path, check=True, capture_output=True)
    for name in ("parser.c", "grammar.json", "node-types.json"):
        assert (tmp_path / "src" / name).read_bytes() == (GRAMMAR / "src" / name).read_bytes(), name


@pytest.mark.skipif(CLI is None, reason="the tree-sitter command is not installed (cargo install tree-sitter-cli)")
def test_the_grammars_own_tests_pass() -> None:
    assert CLI is not None
    result = subprocess.run([CLI, "test"], cwd=GRAMMAR, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
