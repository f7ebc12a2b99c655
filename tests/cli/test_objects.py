"""The commands take code objects like sources, and say where in them a finding is."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from tests.support import dwarf
from tests.support.elf import Part, code_object

# s_load_dword s0, s[4:5], 0x0; v_mov_b32 v0, s0; s_endpgm: the load is not waited for.
CODE = bytes.fromhex("020002c0000000000002007e000081bf")


@pytest.fixture
def path(tmp_path: Path) -> str:
    found = tmp_path / "k.co"
    rodata = [Part(".rodata", bytes(64), 1, 2, 64)]
    found.write_bytes(code_object(CODE, [("k", 0, 16, 1), ("k.kd", 0, 64, 2)], rodata))
    return str(found)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    assert not isinstance(result.exception, Exception), result.exception
    return result.exit_code, result.stdout


def test_check_names_kernel_and_address(path: str) -> None:
    code, output = run("check", path)
    assert code == 1
    assert "error[missing-wait]" in output
    assert "(k+0x8, address 0x8)" in output


def test_check_names_the_line_of_the_source(tmp_path: Path) -> None:
    path = tmp_path / "k.co"
    path.write_bytes(code_object(CODE, [("k", 0, 16, 1)], dwarf.parts(dwarf.table())))
    assert "(k+0x8, address 0x8, compiled from /src/k.cl:9)" in run("check", str(path))[1]


def test_check_of_objects_as_json(path: str) -> None:
    found = json.loads(run("check", path, "--format", "json")[1])
    assert any("(k+0x8, address 0x8)" in str(row) for row in found)


def test_fix_shows_what_it_would_change_and_writes_nothing(path: str) -> None:
    before = Path(path).read_bytes()
    output = run("fix", path)[1]
    assert "+\ts_waitcnt lgkmcnt(0)" in output
    assert run("fix", "--write", path)[0] == 2
    assert Path(path).read_bytes() == before


def test_graph_and_report(path: str, tmp_path: Path) -> None:
    assert run("graph", path)[0] == 0
    assert "missing-wait" in run("report", "--html", path)[1]


def test_encode_gives_the_bytes(path: str, tmp_path: Path) -> None:
    assert run("encode", path, "--raw", str(tmp_path / "out"))[0] in (0, 1)
    assert "000081bf" in run("encode", path)[1]
