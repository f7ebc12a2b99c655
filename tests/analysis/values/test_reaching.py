"""The last writers of a register: in straight code, around loops, at joins, after calls."""

import pytest

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import reaching
from tests.analysis.support import program


def writers(text: str, line: int, register: str = "v0", target: str = "gfx900") -> tuple[list[str], bool, bool]:
    """The statements that wrote a register last before a line (from 1), and whether the entry and others may have."""
    mask = registers.of_tuple(register[0], int(register[1:]), 1) if register != "scc" else registers.SCC
    found = reaching.writers_of(program(text, target), line - 1, mask)
    assert found is not None
    written = [site.item.statement for site in found.sites]
    texts = [statement.line[statement.start : statement.end].decode() for statement in written]
    return texts, found.from_entry, found.by_unknown


def test_straight_code() -> None:
    text = "k:\n v_mov_b32 v0, 1\n v_mov_b32 v0, 2\n v_mov_b32 v1, v0\n s_endpgm\n"
    assert writers(text, 4) == (["v_mov_b32 v0, 2"], False, False)
    assert writers(text, 3) == (["v_mov_b32 v0, 1"], False, False)
    assert writers(text, 2) == ([], True, False)


def test_at_a_join() -> None:
    text = (
        "k:\n s_cbranch_scc0 b\n v_mov_b32 v0, 1\n s_branch e\nb:\n v_mov_b32 v0, 2\ne:\n v_mov_b32 v1, v0\n s_endpgm\n"
    )
    assert writers(text, 8) == (["v_mov_b32 v0, 1", "v_mov_b32 v0, 2"], False, False)


def test_one_way_from_the_entry() -> None:
    text = "k:\n s_cbranch_scc0 e\n v_mov_b32 v0, 1\ne:\n v_mov_b32 v1, v0\n s_endpgm\n"
    assert writers(text, 5) == (["v_mov_b32 v0, 1"], True, False)


def test_around_a_loop() -> None:
    text = "k:\n s_mov_b32 s0, 9\nloop:\n s_sub_u32 s0, s0, 1\n s_cmp_lg_u32 s0, 0\n s_cbranch_scc1 loop\n s_endpgm\n"
    assert writers(text, 4, "s0") == (["s_mov_b32 s0, 9", "s_sub_u32 s0, s0, 1"], False, False)
    assert writers(text, 6, "scc") == (["s_cmp_lg_u32 s0, 0"], False, False)


@pytest.mark.parametrize("partial", ["v_add_f16 v0, v1, v2", "v_writelane_b32 v0, s1, 3"])
def test_what_leaves_a_part_is_not_the_only_one(partial: str) -> None:
    text = f"k:\n v_mov_b32 v0, 1\n {partial}\n v_mov_b32 v1, v0\n s_endpgm\n"
    assert writers(text, 4) == (["v_mov_b32 v0, 1", partial], False, False)


def test_behind_a_call_and_among_data() -> None:
    text = "k:\n v_mov_b32 v0, 1\n s_call_b64 s[0:1], f\n v_mov_b32 v1, v0\n s_endpgm\nf:\n s_setpc_b64 s[0:1]\n"
    assert writers(text, 4) == ([], False, True)
    data = "k:\n v_mov_b32 v0, 1\n .long {}\n v_mov_b32 v1, v0\n s_endpgm\n"
    assert writers(data.format("0xffffffff"), 4) == ([], False, True)
    assert writers(data.format("0x7e000280"), 4) == ([".long 0x7e000280"], False, False)  # v_mov_b32 v0, 0


def test_a_line_without_instruction() -> None:
    assert reaching.writers_of(program("k:\n s_endpgm\n"), 0, registers.SCC) is None


def test_a_wrong_line_may_have_written_it_or_not() -> None:
    text = "k:\n v_mov_b32 v0, 1\n v_mov_b32 v1, v0\n v_addf32 v2, v2\n v_mov_b32 v3, v0\n s_endpgm\n"
    assert writers(text, 3) == (["v_mov_b32 v0, 1"], False, False)
    assert writers(text, 5) == (["v_mov_b32 v0, 1"], False, True)
    found = reaching.writers_of(program(text), 4, registers.of_tuple("v", 0, 1))
    assert found is not None
    assert [site.item.written.line for site in found.wrong] == [3]
