"""Which nodes control comes to from one node, with the answers to repeated questions that are known there."""

from gcn_lsp.analysis.control import graphs, paths_onward
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment
from tests.analysis.support import program

# Nodes: 0 asks s0, 1 is the answer of no, 2 asks s1, 3 is no, 4 asks s0 again, 5 is no, 6 asks s1 again, 7 is no, 8.
TWICE = """\
k:
  s_cmp_eq_u32 s0, 0
  s_cbranch_scc1 a
  s_nop 1
a:
  s_cmp_eq_u32 s1, 0
  s_cbranch_scc1 b
  s_nop 3
b:
  {}
  s_cmp_eq_u32 s0, 0
  s_cbranch_scc1 c
  s_nop 5
c:
  s_cmp_eq_u32 s1, 0
  s_cbranch_scc1 d
  s_nop 7
d:
  s_endpgm
"""


def graph_of(between: str = "s_nop 0") -> Graph:
    found = graphs.of(program(TWICE.format(between)))
    assert found is not None
    return found


def ways(found: Graph, node: int, most: int = 100, answers: "int | None" = None) -> tuple[set[int], int]:
    """The nodes come to from one, and how many were passed."""
    passed: set[int] = set()

    def transfer(segment: Segment, state: int) -> int:
        passed.add(found.numbers[id(segment)])
        return state

    known = paths_onward.certain(found, found.entries)[node] if answers is None else answers
    assert known is not None
    return passed, paths_onward.follow(found, paths_onward.Start(node, known, 0), transfer, max, most)


def test_what_every_path_answers_is_known() -> None:
    found = graph_of()
    certain = paths_onward.certain(found, found.entries)
    assert [bool(each) for each in certain] == [False, True, False, True, False, False, False, False, False]


def test_the_same_question_is_answered_alike() -> None:
    assert ways(graph_of(), 1)[0] == {2, 3, 4, 5, 6, 7, 8}
    assert ways(graph_of(), 3)[0] == {4, 5, 6, 7, 8}, "the answer about s0 is not known after node 3"
    # After node 1 s0 is not 0, so control comes to node 5; and each answer about s1 comes to node 6 for itself.
    assert ways(graph_of(), 1)[1] == 1 + 1 + 2 + 2 + 2 + 1 + 1


def test_a_write_to_the_register_ends_an_answer() -> None:
    def skips(between: str) -> bool:
        passed: list[int] = []
        found = graph_of(between)

        def transfer(segment: Segment, state: int) -> "int | None":
            node = found.numbers[id(segment)]
            passed.append(node)
            return None if node == 5 else state

        known = paths_onward.certain(found, found.entries)[1]
        assert known is not None
        paths_onward.follow(found, paths_onward.Start(1, known, 0), transfer, max, 100)
        return 6 in passed

    assert not skips("s_nop 0")
    assert skips("s_mov_b32 s0, s3")


def test_the_number_of_segments_is_limited() -> None:
    assert ways(graph_of(), 0, 3)[1] == 3
