"""DWARF gives file, line and column for an address, with the calls that were inlined."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from gcn_lsp.views.objects import view
from gcn_lsp.views.objects.lines import Lines
from gcn_lsp.views.view import SourcePlace
from tests.support import dwarf
from tests.support.elf import code_object

CLANG, LLD = "clang-22", "ld.lld-22"
needs_clang = pytest.mark.skipif(not (shutil.which(CLANG) and shutil.which(LLD)), reason=f"needs {CLANG} and {LLD}")

SOURCE = """\
static float twice(float x) {
    return x * 2.0f;
}

static float more(float x) {
    return twice(x) + 1.0f;
}

kernel void scale(global float *out, global const float *in) {
    int i = __builtin_amdgcn_workitem_id_x();
    out[i] = more(in[i]);
}
"""


def described(lines: bytes) -> bytes:
    return code_object(bytes.fromhex("000080bf") * 5, [("k", 0, 20, 1)], dwarf.parts(lines))


def test_the_rows_of_a_table() -> None:
    lines = Lines(described(dwarf.table(dwarf.ROWS)))
    assert lines.line(0) == lines.line(4) == ("/src/k.cl", 7)
    assert lines.at(8) == SourcePlace("/src/k.cl", 9, 4)
    assert lines.at(16) is None
    assert not lines.is_empty


def test_an_object_without_any() -> None:
    lines = Lines(code_object(bytes(4)))
    assert lines.is_empty
    assert lines.at(0) is None


def test_a_line_of_the_view() -> None:
    found = view.of(described(dwarf.table(dwarf.ROWS)))
    line = found.line(8)
    assert line is not None
    assert found.place(line) == SourcePlace("/src/k.cl", 9, 4)
    assert found.place(0) is None


def test_a_broken_table_says_what_comes_before_the_fault() -> None:
    assert Lines(described(dwarf.table(dwarf.ROWS[:20]))).line(0) == ("/src/k.cl", 7)
    assert Lines(described(dwarf.table(b"\xff", line_range=0))).at(0) is None
    assert Lines(described(b"\xff\xff")).at(0) is None


@needs_clang
@pytest.mark.parametrize("version", [4, 5])
def test_inlined_calls(tmp_path: Path, version: int) -> None:
    data = compiled(tmp_path, f"-gdwarf-{version}", is_linked=True)
    place = next(place for place in places(data) if place.line == 2)  # in a function that is called in another
    file = str(tmp_path / "k.cl")
    assert (place.file, place.function) == (file, "twice")
    assert [(each.line, each.function) for each in place.inlined_at][:2] == [(6, "more"), (11, "scale")]


@needs_clang
@pytest.mark.parametrize("version", [4, 5])
def test_an_object_that_is_not_linked(tmp_path: Path, version: int) -> None:
    linked, raw = (compiled(tmp_path, f"-gdwarf-{version}", is_linked=linked) for linked in (True, False))
    assert [place.line for place in places(linked)] == [place.line for place in places(raw)]
    assert {place.file for place in places(raw)} == {str(tmp_path / "k.cl")}


@needs_clang
def test_broken_information_raises_nothing(tmp_path: Path) -> None:
    data = compiled(tmp_path, "-g", is_linked=True)
    for seed in range(300):
        source = random.Random(seed)
        changed = bytearray(data)
        for _ in range(source.randint(1, 8)):
            changed[source.randrange(64, len(changed))] = source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)))
        lines = Lines(bytes(changed))
        for address in (0, 0x1600, 0x1640, 1 << 63):
            lines.at(address)


def places(data: bytes) -> list[SourcePlace]:
    """The places of the lines of an object that have one."""
    found = view.of(data)
    every = (found.place(line) for line in range(len(found.text.splitlines())))
    return [place for place in every if place is not None]


def compiled(folder: Path, option: str, *, is_linked: bool) -> bytes:
    source, made, linked = folder / "k.cl", folder / "k.o", folder / "k.co"
    source.write_text(SOURCE)
    options = ["-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-O2", "-nogpulib", option]
    subprocess.run([CLANG, *options, "-c", source, "-o", made], check=True)
    if is_linked:
        subprocess.run([LLD, "-shared", made, "-o", linked], check=True)
    return (linked if is_linked else made).read_bytes()
