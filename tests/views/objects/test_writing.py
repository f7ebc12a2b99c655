"""Edited texts go back into the objects that they are from, and LLVM's readers take the result without a warning."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gcn_lsp.program import program
from gcn_lsp.program.program import Options
from gcn_lsp.text import SourceText
from gcn_lsp.views.objects import elf, view, writing
from tests.support import llvm
from tests.views.objects.test_disassembly import LLD, SOURCE, made

READERS = [name for name in ("llvm-readelf-22", "llvm-objdump-22") if shutil.which(name)]

pytestmark = [
    pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING),
    pytest.mark.skipif(not LLD, reason="ld.lld is not installed (Debian package lld-22)"),
]

SECOND = """
	.text
	.globl other
	.protected other
	.p2align 8
	.type other,@function
other:
	s_mov_b32 s0, 1
	s_endpgm
.Lother:
	.size other, .Lother-other
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel other
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 1
	.end_amdhsa_kernel
"""


@pytest.fixture
def original(tmp_path: Path) -> bytes:
    return linked(tmp_path, SECOND)


def linked(folder: Path, more: str, source: str = SOURCE) -> bytes:
    text = source.replace("\ts_getpc_b64 s[6:7]\n", "").format(target="gfx900:xnack-", accum="")
    return made(folder, "original", (text + more).encode(), "gfx900:xnack-", is_linked=True)


def written(original: bytes, text: bytes) -> bytes:
    return writing.into(original, built(text))


def built(text: bytes) -> program.Program:
    return program.build(SourceText.from_bytes("x.s", text), Options("gfx900", "-xnack"))


def check(folder: Path, data: bytes, text: bytes) -> None:
    """The object says what the text says, and LLVM reads it in silence."""
    found = view.of(data).text
    assert code_of(found) == code_of(text)
    path = folder / "new.co"
    path.write_bytes(data)
    for name in READERS:
        done = subprocess.run([name, "-a" if "readelf" in name else "-d", path], capture_output=True, text=True)
        assert done.returncode == 0
        assert not done.stderr


def code_of(text: bytes) -> bytes:
    return built(text).section_bytes(".text")


def test_nothing_changed_is_the_same_file(original: bytes) -> None:
    assert written(original, view.of(original).text) == original


def test_code_of_the_same_size_stays_in_place(tmp_path: Path, original: bytes) -> None:
    text = view.of(original).text.replace(b"s_add_u32 s2, s2, 1", b"s_add_u32 s2, s2, 2")
    data = written(original, text)
    assert len(data) == len(original)
    assert sum(one != other for one, other in zip(data, original, strict=True)) == 1
    check(tmp_path, data, text)


def test_code_that_grows_moves_what_follows(tmp_path: Path, original: bytes) -> None:
    nops = b"\ts_nop 0\n" * 100
    text = view.of(original).text.replace(b"\ts_mov_b32 s2, 0\n", b"\ts_mov_b32 s2, 0\n" + nops)
    data = written(original, text)
    check(tmp_path, data, text)
    before, after = ({symbol.name: symbol for symbol in elf.read(each).symbols} for each in (original, data))
    assert after["scale"].size == before["scale"].size + 400
    assert after["other"].value > before["other"].value
    sections = {each.name: each for each in elf.read(data).sections}
    entry = int.from_bytes(sections[".rodata"].data[64 + 16 : 64 + 24], "little", signed=True)
    assert after["other.kd"].value + entry == after["other"].value
    assert after["_DYNAMIC"].value == sections[".dynamic"].address


def test_descriptors_are_written(tmp_path: Path, original: bytes) -> None:
    text = view.of(original).text.replace(
        b".amdhsa_group_segment_fixed_size 512", b".amdhsa_group_segment_fixed_size 1024"
    )
    data = written(original, text)
    assert b".amdhsa_group_segment_fixed_size 1024" in view.of(data).text


def test_one_kernel_in_its_place(tmp_path: Path, original: bytes) -> None:
    text = view.of(original, kernel="other").text.replace(b"s_mov_b32 s0, 1", b"s_mov_b32 s0, 2")
    data = written(original, text)
    assert len(data) == len(original)
    assert b"s_mov_b32 s0, 2" in view.of(data).text


def test_the_last_kernel_may_grow_alone(tmp_path: Path, original: bytes) -> None:
    text = view.of(original, kernel="other").text.replace(b"\ts_endpgm", b"\ts_nop 1\n" * 40 + b"\ts_endpgm")
    data = written(original, text)
    assert view.of(data).text.count(b"s_nop 1") == 40


def test_a_kernel_without_room_is_refused(original: bytes) -> None:
    text = view.of(original, kernel="scale").text.replace(b"\ts_endpgm", b"\ts_nop 1\n" * 400 + b"\ts_endpgm")
    with pytest.raises(writing.NotWritable, match="edit the text of the whole object"):
        written(original, text)


def test_data_after_the_code_is_refused(tmp_path: Path) -> None:
    original = linked(tmp_path, SECOND + '\t.section .data,"aw",@progbits\n\t.globl d\nd:\n\t.long 1\n')
    text = view.of(original).text
    assert written(original, text) == original
    with pytest.raises(writing.NotWritable, match=r"`\.data` after it may be known by its place"):
        written(original, text.replace(b"\ts_mov_b32 s2, 0\n", b"\ts_mov_b32 s2, 0\n\ts_nop 0\n"))


NOPS = b"\ts_nop 0\n" * 64


@pytest.mark.parametrize("returns", ["", "\ts_setpc_b64 s[30:31]\n"])
def test_addresses_that_are_sums_of_labels_move_with_the_code(tmp_path: Path, returns: str) -> None:
    text = SOURCE.format(target="gfx900:xnack-", accum="").replace("\ts_branch .Lend\n", f"{returns}\ts_branch .Lend\n")
    original = made(tmp_path, "original", (text + SECOND).encode(), "gfx900:xnack-", is_linked=True)
    found = view.of(original).text
    assert written(original, found) == original
    edited = found.replace(b"\ts_mov_b32 s2, 0\n", b"\ts_mov_b32 s2, 0\n" + NOPS)
    again = view.of(written(original, edited)).text
    assert without_places(again) == without_places(edited)


def without_places(text: bytes) -> list[bytes]:
    return [line for line in re.sub(rb"\.L[0-9a-f]+", b".L", text).split(b"\n") if b".fill" not in line]


def test_numbers_added_to_the_program_counter_are_refused_where_code_moves(tmp_path: Path) -> None:
    text = SOURCE.format(target="gfx900:xnack-", accum="").replace(".Lend-.Lpc", "0x1000")
    original = made(tmp_path, "original", (text + SECOND).encode(), "gfx900:xnack-", is_linked=True)
    found = view.of(original).text
    assert written(original, found) == original
    for line in (b"\ts_mov_b32 s2, 0\n", b"\ts_endpgm\n"):
        with pytest.raises(writing.NotWritable, match="the program counter and a number"):
            written(original, found.replace(line, NOPS + line, 1))


def test_only_code_before_such_a_number_is_refused_in_a_kernel_alone(tmp_path: Path) -> None:
    text = SOURCE.format(target="gfx900:xnack-", accum="").replace(".Lend-.Lpc", "0x1000")
    original = made(tmp_path, "original", (text + SECOND).encode(), "gfx900:xnack-", is_linked=True)
    found = view.of(original, kernel="scale").text
    data = written(original, found.replace(b"\ts_endpgm\n", b"\ts_nop 0\n\ts_endpgm\n"))
    assert b"s_nop 0" in view.of(data).text
    with pytest.raises(writing.NotWritable, match="the program counter and a number"):
        written(original, found.replace(b"\ts_mov_b32 s2, 0\n", b"\ts_nop 0\n\ts_mov_b32 s2, 0\n"))


def test_other_metadata_is_refused(original: bytes) -> None:
    text = view.of(original).text.replace(b".vgpr_count: 17", b".vgpr_count: 18")
    with pytest.raises(writing.NotWritable, match="other metadata"):
        written(original, text)


def test_a_text_of_something_else_is_refused(original: bytes) -> None:
    with pytest.raises(writing.NotWritable, match="they are: scale, other"):
        written(original, b"\ts_endpgm\n")


def test_a_prefetch_is_no_address(tmp_path: Path) -> None:
    text = view.of(linked(tmp_path, SECOND)).text.replace(b"gfx900:xnack-", b"gfx1250")
    read = b"\ts_get_pc_i64 s[4:5]\n\ts_mov_b32 s6, 31\n"
    hint = read + b"\ts_prefetch_inst s[4:5], 0x0, s6, 0\n"
    for lines, count in ((read, 1), (hint, 0), (hint + read, 1)):
        made = program.build(SourceText.from_bytes("x.s", text + b"\t.text\n" + lines), Options("gfx1250"))
        assert len(list(writing._added_numbers(made))) == count
