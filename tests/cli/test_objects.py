"""The commands take code objects like sources, and say where in them a finding is."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.views.objects import view
from tests.support import dwarf
from tests.support.elf import Part, bundle, code_object

# s_load_dword s0, s[4:5], 0x0; v_mov_b32 v0, s0; s_endpgm: the load is not waited for.
CODE = bytes.fromhex("020002c0000000000002007e000081bf")
K = (("k", 0, 16, 1),)


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


@pytest.fixture
def several(tmp_path: Path) -> str:
    found = tmp_path / "k.hipfb"
    found.write_bytes(bundle(("gfx90a", code_object(CODE, K, flags=0x3F)), ("gfx942", code_object(CODE, K))))
    return str(found)


def places(output: str) -> list[str]:
    """Where the errors of an output are."""
    return [line.partition(": error")[0] for line in output.split("\n") if ": error" in line]


def test_check_reads_every_object_of_a_file(several: str) -> None:
    name = Path(several).name
    found = places(run("check", several)[1])
    assert [each.rpartition("/")[2] for each in found] == [f"{name}:10:20", f"{name}(gfx942):10:20"]
    assert run("check", several)[1].endswith("1 file checked: 2 errors\n")


def test_a_target_chooses_among_objects(several: str) -> None:
    assert len(places(run("check", several, "--target", "gfx942")[1])) == 1
    code, output = run("check", several, "--target", "gfx1100")
    assert (code, "it holds no code for gfx1100, but for gfx90a, gfx942" in output) == (2, True)


def test_fix_shows_the_changes_of_every_object(several: str) -> None:
    output = run("fix", several)[1]
    assert [line.rpartition("/")[2] for line in output.split("\n") if line.startswith("+++")] == [
        "k.hipfb",
        "k.hipfb(gfx942)",
    ]


def test_settings_are_for_the_file_that_holds_an_object(several: str, tmp_path: Path) -> None:
    (tmp_path / "gcn-lsp.toml").write_text('[[files]]\nglob = "*.hipfb"\nignore = ["missing-wait"]\n')
    assert places(run("check", several)[1]) == []


def test_functions_beyond_the_limit_are_checked_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "MOST_CODE", 4 * (32 + 2 * 64))  # a symbol counts as 64 bytes
    path = tmp_path / "k.co"
    kernels = [(f"k{number}", 16 * number, 16, 1) for number in range(4)]
    path.write_bytes(code_object(4 * CODE, kernels))
    found = [each.rpartition("/")[2] for each in places(run("check", str(path))[1])]
    assert found == ["k.co:10:20", "k.co:18:20", "k.co(k2):10:20", "k.co(k3):10:20"]
    assert run("graph", "--kernel", "k3", str(path))[0] == 0
    assert run("graph", "--kernel", "k4", str(path))[0] == 2
