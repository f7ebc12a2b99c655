"""The value of registers at a place: constants, entry values, sums, and results of other instructions."""

import pytest

from gcn_lsp.analysis.machine.arithmetic import Value
from gcn_lsp.analysis.values import reaching, symbolic
from gcn_lsp.analysis.values.symbolic import EntryRegisters, Result
from tests.analysis.support import program

LOOP = "k:\n s_mov_b32 s0, 5\nloop:\n s_mov_b32 s1, s0\n{} s_cbranch_scc1 loop\n s_nop 0\n s_endpgm\n"
JOIN = "k:\n s_cbranch_scc0 b\n s_mov_b32 s0, 5\n s_branch e\nb:\n s_mov_b32 s0, {}\ne:\n s_nop 0\n s_endpgm\n"


def value(text: str, file: str, first: int, count: int = 1, target: str = "gfx900") -> "Value | None":
    """The value of registers before the `s_nop` of a text."""
    built = program(text, target)
    place = reaching.on_line(built, text[: text.index("s_nop")].count("\n"))
    assert place is not None
    return symbolic.at(built, place.graph, place.site, file, first, count)


def straight(text: str, file: str, first: int, count: int = 1, target: str = "gfx900") -> "Value | None":
    """The same after instructions that semicolons separate."""
    return value(
        "k:\n" + "".join(f" {each}\n" for each in text.split(";")) + " s_nop 0\n s_endpgm\n", file, first, count, target
    )


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        ("s_mov_b32 s1, s8", ("s", 8), Value(0, EntryRegisters(8))),
        ("s_mov_b32 s1, s8; s_mov_b32 s8, 0", ("s", 1), Value(0, EntryRegisters(8))),
        ("s_mov_b32 s1, 5; s_mov_b32 s2, s1", ("s", 2), Value(5)),
        ("s_mov_b64 s[2:3], s[8:9]", ("s", 2, 2), Value(0, EntryRegisters(8))),
        ("s_add_u32 s2, s8, 16; s_addc_u32 s3, s9, 0", ("s", 2, 2), Value(16, EntryRegisters(8))),
        ("s_mov_b32 s2, s8; s_mov_b32 s3, s9", ("s", 2, 2), Value(0, EntryRegisters(8))),
        ("v_and_b32 v1, 0x3ff, v0", ("v", 1), Value(0, EntryRegisters(0), mask=0x3FF)),
        ("v_mov_b32 v1, v0; v_and_b32 v2, 0xff, v1", ("v", 2), Value(0, EntryRegisters(0), mask=0xFF)),
    ],
)
def test_straight_code(text: str, asked: "tuple[str, int]", found: Value) -> None:
    assert straight(text, *asked) == found


def test_a_whole_sum() -> None:
    assert straight("s_add_nc_u64 s[2:3], s[8:9], 32", "s", 2, 2, "gfx1250") == Value(32, EntryRegisters(8))


@pytest.mark.parametrize(
    "text", ["s_add_u32 s2, s8, 16; s_addc_u32 s3, s10, 0", "s_add_u32 s2, s8, 16; s_addc_u32 s3, s9, 1"]
)
def test_halves_that_do_not_belong_together(text: str) -> None:
    assert straight(text, "s", 2, 2) is None


def test_the_result_of_a_load() -> None:
    found = straight("s_load_dwordx4 s[4:7], s[0:1], 0x0; s_add_u32 s6, s6, 8; s_addc_u32 s7, s7, 0", "s", 6, 2)
    assert found is not None
    assert isinstance(found.base, Result)
    assert (found.base.site.mnemonic, found.base.first, found.number) == ("s_load_dwordx4", 6, 8)


def test_joins_agree_or_are_unknown() -> None:
    assert value(JOIN.format("5"), "s", 0) == Value(5)
    assert value(JOIN.format("6"), "s", 0) is None
    assert value(JOIN.format("s9"), "s", 0) is None


def test_a_loop() -> None:
    assert value(LOOP.format(""), "s", 1) == Value(5)
    assert value(LOOP.format(" s_mov_b32 s0, 6\n"), "s", 1) is None


def test_one_path_from_the_entry() -> None:
    assert value("k:\n s_cbranch_scc0 e\n s_mov_b32 s0, 5\ne:\n s_nop 0\n s_endpgm\n", "s", 0) is None


def test_a_call_of_unknown_code() -> None:
    assert straight("s_mov_b32 s4, 5; s_swappc_b64 s[30:31], s[2:3]", "s", 4) is None


def test_words() -> None:
    text = "k:\n s_mov_b64 s[4:5], -1\n s_mov_b32 s7, 2\n s_nop 0\n s_endpgm\n"
    built = program(text)
    place = reaching.on_line(built, 3)
    assert place is not None
    assert symbolic.words(built, place.graph, place.site, 4, 4) == (0xFFFFFFFF, 0xFFFFFFFF, None, 2)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s_mov_b32 m0, 0x40002", 0x40002),
        ("s_movk_i32 m0, 5", 5),
        ("s_mov_b32 s3, 0x40000; s_or_b32 s3, s3, 2; s_mov_b32 m0, s3", None),
        ("s_mov_b32 s3, 0x40000; s_add_u32 s3, s3, 2; s_mov_b32 m0, s3", 0x40002),
        ("s_mov_b32 m0, s3; s_sub_u32 m0, m0, 2", None),
        ("s_mov_b32 s3, 8; s_sub_u32 m0, s3, 2", 6),
        ("s_mov_b32 s3, 8; s_sub_u32 m0, 2, s3", None),
        ("s_mov_b32 m0, 8; s_addk_i32 m0, -1", 7),
        ("s_mov_b32 m0, -1; s_add_u32 m0, m0, 2", 1),
        ("s_mov_b32 s3, 8; s_mov_b32 m0, s3; s_mov_b32 s3, 0", 8),
    ],
)
def test_m0(text: str, found: "int | None") -> None:
    assert m0("k:\n" + "".join(f" {each}\n" for each in text.split(";")) + " s_nop 0\n s_endpgm\n") == found


@pytest.mark.parametrize(("other", "found"), [(5, 5), (6, None)])
def test_m0_where_paths_meet(other: int, found: "int | None") -> None:
    assert m0(JOIN.format(other).replace("s0", "m0")) == found


def m0(text: str) -> "int | None":
    """The constant in M0 before the `s_nop` of a text."""
    built = program(text, "gfx900")
    place = reaching.on_line(built, text[: text.index("s_nop")].count("\n"))
    assert place is not None
    return symbolic.m0(built, place.graph, place.site)


def test_a_sum_in_a_single_sgpr_is_another_value() -> None:
    assert isinstance((straight("s_add_u32 s2, s8, 4", "s", 2) or Value(0)).base, Result)
