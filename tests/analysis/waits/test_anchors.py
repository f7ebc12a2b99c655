"""The places of waits that must come before a clause or a delay."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.waits import anchors
from tests.analysis.support import program

LOAD = "global_load_b32 v{}, v20, s[2:3]"


def anchor(lines: list[str], needs: dict[str, int], target: str = "gfx1100") -> tuple[int, dict[str, int]]:
    """The line before which the wait for the last line must be placed, and the counts there."""
    graph = graphs.of(program("\n".join(lines) + "\n", target))
    assert graph is not None
    (segment,) = graph.nodes
    site, found = anchors.anchor(graph, segment.sites[-1], needs)
    return site.index, found


@pytest.mark.parametrize(
    ("lines", "needs", "expected"),
    [
        (["v_nop", "v_mov_b32 v1, v2"], {"vmcnt": 2}, (1, {"vmcnt": 2})),
        (["v_nop", "s_delay_alu instid0(VALU_DEP_1)", "v_mov_b32 v1, v2"], {"vmcnt": 2}, (1, {"vmcnt": 2})),
        # The second of a clause needs its address: one less is in flight before the clause.
        (["v_nop", "s_clause 0x1", LOAD.format(1), LOAD.format(2)], {"vmcnt": 3}, (1, {"vmcnt": 2})),
        (["v_nop", "s_clause 0x1", LOAD.format(1), LOAD.format(2)], {"lgkmcnt": 0}, (1, {"lgkmcnt": 0})),
        (["s_clause 0x1", LOAD.format(1), LOAD.format(2), "v_mov_b32 v9, 0"], {"vmcnt": 3}, (3, {"vmcnt": 3})),
        # What the clause itself loads cannot be waited for before it.
        (["s_clause 0x1", LOAD.format(20), LOAD.format(2)], {"vmcnt": 0}, (2, {"vmcnt": 0})),
    ],
)  # fmt: skip
def test_anchor(lines: list[str], needs: dict[str, int], expected: tuple[int, dict[str, int]]) -> None:
    assert anchor(lines, needs) == expected


def test_a_chunk_ends_within_a_clause() -> None:
    """Wherever the border is, which depends on the edits before, the wait goes before the clause."""
    load = LOAD.format(2)
    for before in range(55, 70):
        lines = ["v_nop"] * before + ["s_clause 0x3", LOAD.format(1), LOAD.format(3), LOAD.format(4), load]
        graph = graphs.of(program("\n".join(lines) + "\n", "gfx1100"))
        assert graph is not None
        site, found = anchors.anchor(graph, graph.nodes[-1].sites[-1], {"vmcnt": 5})
        assert site.item.statement.line == b"s_clause 0x3"
        assert found == {"vmcnt": 2}
