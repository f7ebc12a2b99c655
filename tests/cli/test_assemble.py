"""`gcn-lsp assemble`: refuses what it must, and overwrites nothing unless asked."""

from pathlib import Path

from click.testing import CliRunner

from gcn_lsp.cli.main import main
from tests.support.elf import code_object

OBJECT = code_object(bytes.fromhex("800080be000081bf"), [("k", 0, 8, 1)])


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["assemble", *arguments])
    return result.exit_code, result.output


def test_an_object_for_a_linker_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.o").write_bytes(OBJECT)
    (tmp_path / "k.s").write_text("k:\n\ts_endpgm\n")
    code, output = run(str(tmp_path / "k.s"), "--into", str(tmp_path / "k.o"), "-o", str(tmp_path / "new.o"))
    assert code == 2
    assert "it is not linked yet" in output
    assert not (tmp_path / "new.o").exists()


def test_errors_in_the_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "k.o").write_bytes(OBJECT)
    (tmp_path / "k.s").write_text("k:\n\ts_mov_b32 s0, v1\n")
    code, output = run(str(tmp_path / "k.s"), "--into", str(tmp_path / "k.o"), "-o", str(tmp_path / "new.o"))
    assert code == 1
    assert "wrong-operand-kind" in output


def test_an_existing_output_stays(tmp_path: Path) -> None:
    (tmp_path / "k.o").write_bytes(OBJECT)
    (tmp_path / "k.s").write_text("k:\n\ts_endpgm\n")
    code, output = run(str(tmp_path / "k.s"), "--into", str(tmp_path / "k.o"), "-o", str(tmp_path / "k.o"))
    assert code == 2
    assert "exists" in output
    assert (tmp_path / "k.o").read_bytes() == OBJECT
