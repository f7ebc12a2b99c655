"""Code objects are read as their text, for the target that their header names."""

from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.program import program
from gcn_lsp.views.objects import view
from gcn_lsp.views.objects.elf import NotReadable
from tests.support.elf import Part, bundle, code_object

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


def test_the_header_decides_and_not_an_option(tmp_path: Path) -> None:
    setup = load(tmp_path / "k.co", code_object(CODE), project.Settings(target="gfx950"))
    assert (setup.options.target, setup.findings) == ("gfx942", ())


def test_a_target_chooses_the_object(tmp_path: Path) -> None:
    path = tmp_path / "k.hipfb"
    path.write_bytes(bundle(("gfx90a", code_object(CODE, flags=0x3F)), ("gfx942", code_object(CODE))))
    targets = [project.load(str(path), None, project.Files(name)).options.target for name in ("", "gfx942")]
    assert targets == ["gfx90a", "gfx942"]
    (finding,) = project.load(str(path), None, project.Files("gfx1100")).findings
    assert finding.message.endswith("it holds no code for gfx1100, but for gfx90a, gfx942")


def test_what_a_target_says_of_xnack_counts() -> None:
    data = code_object(CODE, flags=0x33F, abi=2)  # xnack+
    assert len(view.objects(data, "gfx90a")) == len(view.objects(data, "gfx90a:xnack+")) == 1
    with pytest.raises(NotReadable, match=r"no code for gfx90a:xnack-, but for gfx90a:xnack\+"):
        view.objects(data, "gfx90a:xnack-")


def test_what_a_function_has_beyond_the_limit_is_a_finding(tmp_path: Path) -> None:
    long = CODE * (view.MOST_CODE // len(CODE) + 1)
    setup = load(tmp_path / "k.co", code_object(long, [("k", 0, len(long), 1)]))
    (finding,) = setup.findings
    assert (finding.rule, finding.message) == (
        "expansion-limit",
        "the code is too long to be checked as a whole: the last 16 bytes are left out",
    )


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
