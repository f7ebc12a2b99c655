"""Metadata blocks: values with places, mistakes with places, and any text without an exception."""

import pytest

from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.metadata_tree import MetadataMistake
from tests.support import llvm, llvm_object

COMPLETE = """\
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 0x8
    .max_flat_workgroup_size: 256
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
...
"""


def read(text: str) -> metadata.MetadataDocument:
    return metadata.read(tuple(line.encode() for line in text.splitlines()))


def test_values_and_places() -> None:
    document = read(COMPLETE)
    assert document.mistakes == ()
    (kernel,) = document.kernels
    count = kernel.get(".vgpr_count")
    assert count is not None
    assert (count.number, count.line, count.start, count.end) == (8, 11, 17, 20)
    assert kernel.get(".agpr_count") is None


def test_columns_are_bytes() -> None:
    (kernel,) = read("amdhsa.version: [1, 2]\namdhsa.kernels:\n  - { .name: 'ü', .symbol: k.kd }\n").kernels
    symbol = kernel.get(".symbol")
    assert symbol is not None
    assert (symbol.start, symbol.end) == (28, 32)


WRONG = {
    "a key is missing": (".sgpr_count: 16", ".sgprs: 16", (3, 4)),
    "no number": (".sgpr_count: 16", ".sgpr_count: many", (10, 17)),
    "a number for a text": (".name: copy", ".name: 12", (3, 11)),
    "a key twice": (".sgpr_count: 16", ".vgpr_count: 16", (11, 4)),
    "an unknown kind": ("global_buffer", "globalbuffer", (14, 45)),
    "an unknown address space": (".address_space: global", ".address_space: gds", (14, 76)),
    "three numbers for two": ("[1, 2]", "[1, 2, 3]", (1, 16)),
    "an open bracket": (".sgpr_count: 16", ".sgpr_count: [16", None),
    "a tab": ("    .sgpr_count", "\t.sgpr_count", (10, 0)),
    "an alias": ("copy.kd", "*x", (4, 13)),
    "no map": ("amdhsa.version: [1, 2]", "- 1", None),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(name: str) -> None:
    old, new, place = WRONG[name]
    assert old in COMPLETE
    mistakes = read(COMPLETE.replace(old, new, 1)).mistakes
    assert mistakes
    if place is not None:
        assert any((mistake.line, mistake.start) == place for mistake in mistakes)


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("name", WRONG)
def test_llvm_refuses_it_too(name: str) -> None:
    old, new, _ = WRONG[name]
    assert assembles(COMPLETE)
    assert not assembles(COMPLETE.replace(old, new, 1))


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_knows_every_kind_of_argument() -> None:
    listed = "\n".join(f"      - {{ .size: 8, .offset: 0, .value_kind: {kind} }}" for kind in metadata.VALUE_KINDS)
    assert assembles(COMPLETE.replace("...", listed))


def assembles(text: str) -> bool:
    source = f".amdgpu_metadata\n{text}.end_amdgpu_metadata\n"
    return llvm_object.assemble(source.encode(), "gfx900").sections is not None


def test_tags_are_not_executed() -> None:
    document = read(COMPLETE.replace(".name: copy", ".name: !!python/object/apply:os.getcwd []"))
    assert [mistake.line for mistake in document.mistakes] == [3]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[" * 100_000,
        b"{" * 100_000,
        b"- " * 50_000,
        b"a: " * 50_000,
        b"&a [*a]",
        b"\xff\x00\xfe",
        b"'open",
        b"%YAML 9",
        b"!<",
        b"\t\t",
        b"? [a, b]: c",
        b"amdhsa.kernels: {a: b}",
        b"amdhsa.kernels: [1, [2], {}]",
    ],
)
def test_any_text(text: bytes) -> None:
    mistakes = metadata.read((text, text[:50])).mistakes
    assert all(isinstance(mistake, MetadataMistake) and 0 <= mistake.start <= mistake.end for mistake in mistakes)
    assert mistakes
