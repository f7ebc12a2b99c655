"""Stretches of straight code, whether all are wanted or those around some nodes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.analysis.control import graphs, straight
from tests.analysis.support import program

LINES = st.sampled_from(
    ("s_nop 0", "s_branch a", "s_cbranch_scc0 b", "a:", "b:", "c:", "s_endpgm", "s_branch 2", "s_setpc_b64 s[0:1]", "")
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=120))
def test_around_some_nodes_is_what_is_in_their_stretches(lines: list[str]) -> None:
    labels = {line: f"{line}" for line in ("a:", "b:", "c:")}
    text = [labels.pop(line, "s_nop 1") if line.endswith(":") else line for line in lines]
    found = graphs.of(program("\n".join(text)))
    assert found is not None
    stretches = straight.stretches(found)
    assert sorted(node for stretch in stretches for node in stretch) == list(range(len(found.nodes)))
    for stretch in stretches:
        for node in stretch:
            assert straight.around(found, [node]) == frozenset(stretch)
