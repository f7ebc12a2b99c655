"""On which other targets a rejected line would be legal."""

import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.rejection import elsewhere
from gcn_lsp.program import program
from gcn_lsp.text import SourceText
from tests.support import llvm


def legal(line: str, target: str, mattr: str = "", before: str = "") -> str:
    """The targets that take the last line, in words."""
    source = SourceText.from_bytes("k.s", f"{before}{line}\n".encode())
    built = program.build(source, program.Options(target, mattr))
    item = next(item for chunk in built.chunks for item in chunk.items if item.kind == "instruction")
    assert item.instruction is not None
    return elsewhere.words(elsewhere.legal_on(built.assembler, (item.instruction,)).get(id(item.instruction), ()))


CASES = [
    ("gfx900", "v_add_f32 v0, s1, s2", "gfx10 and later"),
    ("gfx900", "v_fma_f32 v0, v1, v2, 0x1234", "gfx10 and later"),
    ("gfx900", "buffer_load_dword v1, off, s[4:7], 0 dlc", "gfx10 and gfx11"),
    ("gfx900", "ds_read_b32 a0, v1", "gfx90a, gfx942 and gfx950"),
    ("gfx900", "s_mov_b64 s[102:103], 0", "gfx6, gfx7, gfx10 and later"),
    ("gfx900", "s_waitcnt lgkmcnt(20)", "gfx10 to gfx12"),
    ("gfx1030", "v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xf", "gfx8 and gfx9"),
    ("gfx90a", "v_mfma_f32_4x4x1f32 a[1:4], v0, v1, a[1:4]", "gfx908"),
    ("gfx900", "buffer_load_dword v1, off, s[2:5], 0", ""),
    ("gfx900", "v_add_f32 v0, v1", ""),
]
# LLVM takes these elsewhere too, for something else.
OTHER_MEANINGS = [("gfx803", "v_add_u32 v0, v1, v2"), ("gfx900", "v_add_u32 v0, vcc, v1, v2")]


@pytest.mark.parametrize(("target", "line", "expected"), CASES)
def test_who_takes_it(target: str, line: str, expected: str) -> None:
    assert legal(line, target) == expected


@pytest.mark.parametrize(("target", "line"), OTHER_MEANINGS)
def test_another_instruction_of_the_same_name_is_not_meant(target: str, line: str) -> None:
    assert legal(line, target) == ""


def test_symbols_have_the_values_that_they_had() -> None:
    assert legal("s_waitcnt lgkmcnt(n)", "gfx900", before=".set n, 20\n") == "gfx10 to gfx12"
    assert legal("s_waitcnt lgkmcnt(n)", "gfx900", before=".set n, 100\n") == ""


def test_switches_that_others_have_too_count_there() -> None:
    line = "v_cndmask_b32 v0, v1, v2, s3"  # a mask of 32 lanes
    assert legal(line, "gfx900") == "gfx10 and later"
    assert legal(line, "gfx1030", "-wavefrontsize32,+wavefrontsize64") == "gfx1250"  # which has no others


def test_which_problems_are_asked_about() -> None:
    def asked(line: str) -> bool:
        built = program.build(SourceText.from_bytes("k.s", f"{line}\n".encode()), program.Options("gfx900"))
        item = built.chunks[0].items[0]
        assert item.instruction is not None
        return elsewhere.is_asked(item.instruction.problems[0], item.statement)

    assert asked("v_add_f32 v0, s1, s2")
    assert not asked("v_pk_add_f32 v[0:1], v[2:3], v[4:5]")  # who has it is in the message
    assert not asked("v_add_f32 v0, )")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), ""),
        (("gfx803",), "gfx8"),
        (("gfx600", "gfx700"), "gfx6 and gfx7"),
        (("gfx600", "gfx700", "gfx803", "gfx90a"), "gfx6 to gfx8 and gfx90a"),
        (("gfx906", "gfx908", "gfx1010", "gfx1030"), "gfx906, gfx908 and gfx10"),
        (("gfx803", "gfx1100", "gfx1150", "gfx1200", "gfx1250"), "gfx8, gfx11 and later"),
    ],
)
def test_words(names: tuple[str, ...], expected: str) -> None:
    assert elsewhere.words(names) == expected


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_agrees() -> None:
    rows = [(line, expected) for _, line, expected in CASES]
    representatives = [name for _, names in elsewhere.GROUPS for name in names]
    taken: dict[str, list[str]] = {line: [] for line, _ in rows}
    for name in representatives:
        found = llvm.assemble([line for line, _ in rows], name)
        for (line, _), reference in zip(rows, found, strict=True):
            if reference.code is not None:
                taken[line].append(name)
    assert {line: elsewhere.words(tuple(names)) for line, names in taken.items()} == dict(rows)


def test_a_target_with_some_mnemonics_has_their_forms() -> None:
    for name in ("gfx803", "gfx90a", "gfx1100"):
        whole = isa.load_target(name)
        mnemonics = ("v_add_f32", "v_addc_co_u32", "buffer_load_dword", "global_load_b32", "s_add_u32", "v_add_u32")
        some = isa.target_with(mnemonics, name)
        assert {each: some.forms(each) for each in mnemonics} == {each: whole.forms(each) for each in mnemonics}
        assert not some.forms("s_mov_b32")
