"""The control flow graph: labels, branches, loops, calls, and unknown ends."""

from gcn_lsp.analysis.control import graph
from tests.analysis.support import program

LOOP = """\
start:
  s_mov_b32 s0, 4
loop:
  s_sub_u32 s0, s0, 1
  s_cmp_eq_u32 s0, 0
  s_cbranch_scc0 loop
1:
  s_cbranch_scc1 1b
  s_branch 2f
  s_nop 0
2:
  s_endpgm
"""


def shape(text: str) -> list[tuple[tuple[str, ...], int, tuple[int, ...]]]:
    found = graph.of(program(text))
    assert found is not None
    return [
        (segment.labels, len(segment.sites), after)
        for segment, after in zip(found.nodes, found.successors, strict=True)
    ]


def test_loops_and_local_labels() -> None:
    assert shape(LOOP) == [
        (("start",), 1, (1,)),
        (("loop",), 3, (2, 1)),
        (("1",), 1, (3, 2)),
        ((), 1, (5,)),
        ((), 1, (5,)),
        (("2",), 1, ()),
    ]


def test_calls_go_on_behind_and_name_the_function() -> None:
    found = graph.of(program("a:\n s_call_b64 s[0:1], f\n s_endpgm\nf:\n s_setpc_b64 s[0:1]\n"))
    assert found is not None
    assert (found.calls, found.successors, sorted(found.open_ends)) == ({0: 2}, [(1,), (), ()], [2])
    assert found.entries == (0, 2)


def test_code_that_falls_off_its_end() -> None:
    found = graph.of(program("a:\n s_nop 0\n"))
    assert found is not None
    assert found.fallen == {0}


def test_branches_by_distance() -> None:
    assert shape("a:\n s_branch 1\n s_nop 0\n s_nop 1\n s_branch -2\n") == [
        (("a",), 1, (2,)),
        ((), 1, (2,)),
        ((), 2, (2,)),
    ]


def test_sections_are_apart() -> None:
    text = "a:\n s_nop 0\n.section .other\n s_nop 1\n.text\n s_endpgm\n"
    assert shape(text) == [(("a",), 1, (2,)), ((), 1, ()), ((), 1, ())]


def test_code_that_begins_with_a_loop_is_come_to_from_outside() -> None:
    found = graph.of(program("a:\n s_nop 0\n s_cbranch_scc1 a\n s_endpgm\n"))
    assert found is not None
    assert found.entries == (0,)


def test_control_comes_into_a_loop_at_the_very_start() -> None:
    found = graph.of(program("a:\n s_nop 0\nb:\n s_cbranch_scc0 b\n s_branch a\nc:\n s_branch c\n"))
    assert found is not None
    assert found.entries == (0, 3)


def test_what_is_reached() -> None:
    text = "a:\n s_cbranch_scc0 b\n s_call_b64 s[0:1], f\n s_endpgm\nb:\n s_branch b\nf:\n s_setpc_b64 s[0:1]\n"
    found = graph.of(program(text))
    assert found is not None
    assert found.reached((0,)) == {0, 1, 2, 3}
    assert found.reached((0,), into_calls=True) == {0, 1, 2, 3, 4}
    assert found.reached((0,), barred=((0, 3),)) == {0, 1, 2}
    assert found.reached((1,), known={2}) == {1}
