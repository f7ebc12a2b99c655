"""Code objects are read as their text, for the target that their header names."""

from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.program import program
from tests.support.elf import Part, code_object

CODE = bytes.fromhex("00000ac00000000002020068000081bf")  # s_load_dwordx4 s[0:3], ...; v_add_u32 v0, s2, v1


def load(path: Path, data: bytes, settings: project.Settings | None = None) -> project.FileSetup:
    path.write_bytes(data)
    return project.load(str(path), settings)


def test_an_object_is_its_text(tmp_path: Path) -> None:
    setup = load(tmp_path / "k.co", code_object(CODE, [("k", 0, 16, 1)]))
    assert setup.source is not None
    assert b"\ts_endpgm" in setup.source.lines
    assert setup.options.target == "gfx942"
    assert program.build(setup.source, setup.options).section_bytes(".text") == CODE


def test_the_wave_size_goes_along(tmp_path: Path) -> None:
    rodata = [Part(".rodata", bytes(64), 1, 2, 64)]
    data = code_object(bytes.fromhex("01040a50"), [("k", 0, 4, 1), ("k.kd", 0, 64, 2)], rodata, flags=0x36)
    setup = load(tmp_path / "k.co", data)
    assert setup.source is not None
    built = program.build(setup.source, setup.options)
    assert built.target is not None
    assert built.target.wavefront_size == 64
    assert built.section_bytes(".text") == bytes.fromhex("01040a50")


def test_an_option_wins(tmp_path: Path) -> None:
    setup = load(tmp_path / "k.co", code_object(CODE), project.Settings(target="gfx950"))
    assert setup.options.target == "gfx950"


def test_what_is_no_code_for_gpus_is_one_finding(tmp_path: Path) -> None:
    setup = load(tmp_path / "k.co", code_object(CODE)[:200])
    assert setup.source is None
    (finding,) = setup.findings
    assert "beyond its end" in finding.message


def test_the_view_says_what_a_line_stands_for(tmp_path: Path) -> None:
    files = project.Files()
    path = tmp_path / "k.co"
    path.write_bytes(code_object(CODE, [("k", 0, 16, 1)]))
    source, view = files.source(str(path)), files.view(str(path))
    assert source is not None
    assert view is not None
    origin = view.origin(source.lines.index(b"\ts_endpgm"))
    assert origin is not None
    assert origin.address == 12
    text = tmp_path / "k.s"
    text.write_text("s_endpgm\n")
    assert files.view(str(text)) is None


@pytest.mark.parametrize("name", ["k.co", "k.o", "k.s"])
def test_contents_count_and_not_names(tmp_path: Path, name: str) -> None:
    setup = load(tmp_path / name, code_object(CODE))
    assert setup.source is not None
    assert b"\ts_endpgm" in setup.source.lines
