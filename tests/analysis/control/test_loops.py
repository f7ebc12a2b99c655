"""Loops: their bodies, and all the rounds that begin at one head."""

from gcn_lsp.analysis.control import graphs, loops
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.program import program
from gcn_lsp.text.source import SourceText
from tests.support import fixture
from tests.support.check import build


def graph_of(code: str) -> Graph:
    graph = graphs.of(build(fixture.parse(code), "gfx900"))
    assert graph is not None
    return graph


def labels(graph: Graph, nodes: "set[int] | frozenset[int]") -> str:
    """The labels of nodes, a dot for a node without one."""
    return "".join("".join(graph.nodes[node].labels) or "." for node in sorted(nodes))


# Entered in its middle, as compilers write it, with two branches back.
_ENTERED = graph_of(
    "k:\n s_branch h\nt:\n s_cbranch_scc0 e\nh:\n s_cbranch_execz t\n s_cbranch_vccz n\n s_branch t\n"
    "n:\n s_branch t\ne:\n s_endpgm\n"
)


def test_what_leads_into_the_middle_is_not_part_of_the_body() -> None:
    head, last = _ENTERED.by_label["t"], _ENTERED.by_label["n"]
    assert labels(_ENTERED, loops.body(_ENTERED, head, last)) == "th.n"


def test_all_rounds_of_a_head() -> None:
    loop = loops.innermost(_ENTERED, _ENTERED.by_label["t"])
    assert loop is not None
    assert labels(_ENTERED, loop.body) == "th"
    assert labels(_ENTERED, loops.whole(_ENTERED, loop).body) == "th..n"


def test_nodes_that_each_round_passes() -> None:
    inner = loops.innermost(_ENTERED, _ENTERED.by_label["t"])
    assert inner is not None
    loop = loops.whole(_ENTERED, inner)
    passed = [each for each in "thn" if loops.is_passed_in_each_round(_ENTERED, loop, _ENTERED.by_label[each])]
    assert passed == ["t", "h"]


def test_only_the_loops_that_an_edit_touches_are_asked_about_again() -> None:
    asked: list[str] = []

    def instructions(graph: Graph, loop: loops.Loop, _: int) -> int:
        asked.append(graph.nodes[loop.head].labels[0])
        return sum(len(graph.nodes[node].sites) for node in loop.body)

    of_loops = loops.in_loops(
        in_segments(lambda segment, _: segment.flow == "conditional"),
        loops.innermost,
        instructions,
    )
    other, one = (f"{name}:\n" + "  s_nop 0\n" * 1000 + f"  s_cbranch_scc1 {name}\n" for name in "ab")
    shapes, version = set(), None
    for text, expected in (one, [1001, 1001]), (one.replace("s_nop 0", "s_nop 1\n  s_nop 2", 1), [1001, 1002]):
        version = program.build(_source(other + "  s_nop 3\n" * 1000 + text), program.Options("gfx900"), version)
        graph = graphs.of(version)
        assert graph is not None
        shapes.add(graph.shape)
        assert [found for _, _, found in of_loops(graph)] == expected
    assert len(shapes) == 1
    assert asked == ["k", "b", "b"]


def _source(text: str) -> SourceText:
    return SourceText.from_bytes("k.s", f"k:\n{text}  s_endpgm\n".encode())
