"""The steps of an expansion, from the main file to the line."""

from gcn_lsp.preproc.provenance import Frame, Written


def test_the_chain_of_a_frame_begins_with_the_outermost() -> None:
    outer = Frame("include", "a.inc", Written(None, 3), 0, 10)
    middle = Frame("macro", "m", Written("a.inc", 1, outer), 0, 4)
    inner = Frame("rept", "0", Written("a.inc", 2, middle), 0, 4)
    assert inner.chain() == (outer, middle, inner)
    assert inner.parent is middle
    assert outer.chain() == (outer,)
    assert outer.parent is None
