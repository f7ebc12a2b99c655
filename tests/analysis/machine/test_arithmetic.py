"""The values that scalar instructions compute, in straight code."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import arithmetic, registers
from gcn_lsp.analysis.machine.arithmetic import Counter, Known, Value
from tests.analysis.support import program

M0 = registers.M0.bit_length() - 1


def known(text: str, target: str = "gfx900") -> Known:
    """The values after the instructions of a text, separated by semicolons."""
    graph = graphs.of(program("k:\n" + "\n".join(text.split(";")) + "\n", target))
    assert graph is not None
    values: Known = {}
    for site in graph.nodes[0].sites:
        values = arithmetic.after(values, site)
    return values


@pytest.mark.parametrize(
    ("text", "register", "word"),
    [
        ("s_mov_b32 s1, 5", 1, 5),
        ("s_mov_b32 s1, -1", 1, 0xFFFFFFFF),
        ("s_movk_i32 s1, -2", 1, 0xFFFFFFFE),
        ("s_mov_b32 s1, 1.0", 1, 0x3F800000),
        ("s_mov_b64 s[2:3], -1", 3, 0xFFFFFFFF),
        ("s_mov_b32 m0, 7", M0, 7),
        ("s_mov_b32 s1, 5; s_add_u32 s2, s1, 3", 2, 8),
        ("s_mov_b32 s1, 5; s_sub_u32 s2, 3, s1", 2, 0xFFFFFFFE),
        ("s_mov_b32 s1, -5; s_abs_i32 s2, s1", 2, 5),
        ("s_mov_b32 s1, 5; s_mov_b32 s2, s1", 2, 5),
    ],
)
def test_constants(text: str, register: int, word: int) -> None:
    assert known(text)[register].word == word


@pytest.mark.parametrize(
    "text", ["s_mov_b32 s1, 5; s_load_dword s1, s[4:5], 0x0", "s_mov_b32 s1, s7", "s_abs_i32 s1, s7"]
)
def test_what_is_not_known(text: str) -> None:
    assert 1 not in known(text)


def test_a_distance_from_the_program_counter() -> None:
    values = known("s_getpc_b64 s[0:1]; s_add_u32 s0, s0, far-4; s_addc_u32 s1, s1, 0; s_mov_b32 s4, s0")
    assert isinstance(values[0].base, Counter)
    assert (values[0].label, values[0].number, values[0].word) == ("far", 0, None)
    assert values[4] == values[0]
    assert 1 not in values


def test_two_program_counters_are_no_value() -> None:
    text = "s_getpc_b64 s[0:1]; s_getpc_b64 s[2:3]; s_add_u32 s4, s0, s2; s_sub_u32 s5, 4, s0; s_sub_u32 s0, s0, 4"
    values = known(text)
    assert 4 not in values
    assert 5 not in values
    assert values[0].number == -4


def test_the_constants_of_one_instruction() -> None:
    (item,) = (item for item in program(" s_mov_b64 s[4:5], 3\n").items())
    assert arithmetic.moved(item.item.instruction) == {4: Value(3), 5: Value(0)}
    assert arithmetic.moved(None) == {}
