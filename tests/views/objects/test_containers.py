"""Code objects are found in bundles, programs and archives; what is broken or hostile is one sentence."""

import random
import struct
import tracemalloc
import zlib

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.views.objects import containers, elf, view
from gcn_lsp.views.objects.elf import NotReadable
from tests.support.elf import BUNDLE as MAGIC
from tests.support.elf import Part, bundle, code_object

CODE = bytes.fromhex("000081bf")
OBJECT = code_object(CODE, [("k", 0, 4, 1), ("k.kd", 0, 64, 2)], [Part(".rodata", bytes(64), 1, 2, 64)])


def compressed(data: bytes, version: int = 2, method: int = 0, claimed: int | None = None) -> bytes:
    """A compressed bundle."""
    packed = zlib.compress(data) if method == 0 else zstandard.compress(data)
    size = len(data) if claimed is None else claimed
    if version == 1:
        return b"CCOB" + struct.pack("<HHIQ", 1, method, size, 0) + packed
    if version == 2:
        return b"CCOB" + struct.pack("<HHIIQ", 2, method, 24 + len(packed), size, 0) + packed
    return b"CCOB" + struct.pack("<HHQQQ", 3, method, 32 + len(packed), size, 0) + packed


# Eight entries for the same bytes.
OVERLAPPING = MAGIC + struct.pack("<Q", 8) + 8 * (struct.pack("<QQQ", 32 + 8 * 25, len(OBJECT), 1) + b"k") + OBJECT
BUNDLE = bundle(("host-x86_64-unknown-linux--", b""), ("hipv4-amdgcn-amd-amdhsa--gfx942", OBJECT))


def names(data: bytes) -> list[str]:
    return [part.name for part in containers.parts(data)]


def test_an_object_alone() -> None:
    assert list(containers.parts(OBJECT)) == [containers.ContainedObject("", OBJECT, 0)]


def test_the_entries_of_a_bundle_and_where_they_are() -> None:
    (part,) = containers.parts(BUNDLE)
    assert part.name == "hipv4-amdgcn-amd-amdhsa--gfx942"
    assert BUNDLE[part.offset :] == part.data == OBJECT


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("method", [0, 1])
def test_a_compressed_bundle(version: int, method: int) -> None:
    assert names(compressed(BUNDLE, version, method)) == ["hipv4-amdgcn-amd-amdhsa--gfx942"]


def test_a_program_with_code_for_gpus() -> None:
    program = code_object(b"", more=[Part(".hip_fatbin", BUNDLE)])
    program = program[:18] + (62).to_bytes(2, "little") + program[20:]  # x86-64
    assert containers.is_for_gpu(program)
    assert names(program) == ["hipv4-amdgcn-amd-amdhsa--gfx942"]
    assert "s_endpgm" in view.of(program).text.decode()


def test_a_program_without_any() -> None:
    program = OBJECT[:18] + (62).to_bytes(2, "little") + OBJECT[20:]
    assert not containers.is_for_gpu(program)
    with pytest.raises(NotReadable, match="no code for AMD GPUs"):
        list(containers.parts(program))


def test_what_is_too_short_to_say_what_it_is() -> None:
    assert all(containers.is_object(data) for data in (OBJECT[:2], OBJECT[:63], MAGIC[:4], b"CCOB"))
    assert not any(containers.is_container(data) for data in (b"", b"\x7f", b"CC", b"!<a", b"s_endpgm", b"__CLONE:"))


def member(name: str, data: bytes) -> bytes:
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)


def test_the_members_of_an_archive() -> None:
    archive = (
        b"!<arch>\n" + member("//", b"a-long-name.o/\n") + member("/0", OBJECT) + member("text.txt/", b"no object")
    )
    assert names(archive) == ["a-long-name.o"]


def test_the_last_member_may_end_with_the_archive_but_not_beyond_it() -> None:
    archive = b"!<arch>\n" + member("a.o/", OBJECT)[: 60 + len(OBJECT)]
    assert names(archive) == ["a.o"]
    with pytest.raises(NotReadable, match="a member of the archive lies beyond its end"):
        names(archive[:-1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (MAGIC + struct.pack("<Q", 1 << 60), "claims 1152921504606846976 entries"),
        (MAGIC + struct.pack("<QQQQ", 1, 1 << 62, 1 << 62, 4) + b"hipv", "beyond its end"),
        (MAGIC, "ends within its header"),
        (OVERLAPPING, "overlap"),
        (bundle(*[("hip", compressed(MAGIC + bytes(1 << 24)))] * 12), "claims 16777240 bytes"),
        (compressed(BUNDLE, 3, 0, 1 << 60), "claims 1152921504606846976 bytes"),
        (compressed(BUNDLE + bytes(1 << 28), 2, 0, 0), "has more than"),
        (compressed(BUNDLE + bytes(1 << 28), 2, 1, 0), "has more than"),
        (compressed(bytes(1 << 28), 2, 0, 0), "holds something else"),
        (compressed(bytes(1 << 28), 2, 1, 0), "holds something else"),
        (b"CCOB" + bytes(8), "ends within its header"),
        (b"!<arch>\n" + b" " * 60, "without a size"),
        (OBJECT[:2], "ends within its header"),
        (OBJECT[:6], "ends within its header"),
        (OBJECT[:63], "ends within its header"),
        (MAGIC[:9], "ends within its header"),
        (OBJECT[:100], "beyond its end"),
        (OBJECT[:40] + struct.pack("<Q", 1 << 60) + OBJECT[48:], "beyond its end"),
        (b"text", "not a code object"),
    ],
)
def test_hostile_files_end_in_a_sentence(data: bytes, message: str) -> None:
    tracemalloc.start()
    with pytest.raises(NotReadable, match=message):
        view.of(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * len(data) + (64 << 20)


def test_a_bundle_in_a_bundle_without_end() -> None:
    data = BUNDLE
    for _ in range(6):
        data = bundle(("hip-amdgcn", data))
    with pytest.raises(NotReadable, match="nested too deeply"):
        list(containers.parts(data))


@settings(deadline=None)
@given(st.sampled_from((OBJECT, BUNDLE, compressed(BUNDLE))), st.integers(0, 1 << 30))
def test_mutated_files_raise_nothing_else(data: bytes, seed: int) -> None:
    check_mutated(data, seed)


@pytest.mark.slow
def test_fifty_thousand_mutated_files() -> None:
    for seed in range(50_000):
        check_mutated((OBJECT, BUNDLE, compressed(BUNDLE))[seed % 3], seed)


def check_mutated(data: bytes, seed: int) -> None:
    """Some bytes are others, or the end is missing: the file is read, or refused in a sentence."""
    source = random.Random(seed)
    changed = bytearray(data)
    for _ in range(source.randint(1, 8)):
        changed[source.randrange(len(changed))] = source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)))
    if source.random() < 0.2:
        del changed[source.randrange(len(changed)) :]
    try:
        found = view.of(bytes(changed))
    except NotReadable:
        return
    assert found.text.startswith(b"\t.amdgcn_target")


def test_sections_are_checked_before_anything_reads_them() -> None:
    with pytest.raises(NotReadable, match="no ELF file"):
        elf.read(b"\x7fELF")


def test_a_place_has_few_names() -> None:
    names = [(f"k{number}", 0, 4, 1) for number in range(5000)]
    assert len(elf.read(code_object(CODE, names[:4000])).symbols) == 4000
    with pytest.raises(NotReadable, match="5000 of its symbols name one place, 0x0 in section 1"):
        elf.read(code_object(CODE, names))


def test_a_symbol_in_a_section_that_is_not_there_is_left_out() -> None:
    code = elf.read(code_object(CODE, [("k", 0, 4, 1), ("k.kd", 0, 64, 99)]))
    assert [symbol.name for symbol in code.symbols] == ["k"]
