"""Which branch of a conditional is interpreted."""

import pytest

from gcn_lsp.preproc.state import Branch
from gcn_lsp.syntax.directives import CONDITIONS
from gcn_lsp.syntax.expressions import UNKNOWN
from tests.preproc.recorder import run, texts

# Each word with arguments for which its condition holds, and for which it does not.
HOLDS = [
    (".if", "1", "0"), (".ifne", "2", "0"), (".ifeq", "0", "1"), (".ifge", "0", "-1"), (".ifgt", "1", "0"),
    (".ifle", "0", "1"), (".iflt", "-1", "0"), (".ifdef", "a", "b"), (".ifndef", "b", "a"), (".ifnotdef", "b", "a"),
    (".ifc", "x, x", "x, y"), (".ifnc", "x, y", "x, x"), (".ifeqs", '"x", "x"', '"x", "y"'),
    (".ifnes", '"x", "y"', '"x", "x"'), (".ifb", "", "x"), (".ifnb", "x", ""),
]  # fmt: skip


def test_every_opener_is_here() -> None:
    assert {word for word, _, _ in HOLDS} == CONDITIONS


@pytest.mark.parametrize(("word", "holds", "fails"), HOLDS)
def test_a_condition(word: str, holds: str, fails: str) -> None:
    text = "a = 1\n{} {}\ns_nop 1\n.else\ns_nop 2\n.endif"
    assert texts(text.format(word, holds)) == ["s_nop 1"]
    assert texts(text.format(word, fails)) == ["s_nop 2"]


def test_the_first_branch_that_holds_is_taken() -> None:
    text = ".if {}\ns_nop 1\n.elseif {}\ns_nop 2\n.else\ns_nop 3\n.endif"
    assert [texts(text.format(*each)) for each in ((1, 1), (0, 1), (0, 0))] == [["s_nop 1"], ["s_nop 2"], ["s_nop 3"]]


def test_neither_branch_of_an_unknown_condition_is_taken() -> None:
    recorder, state = run(".if a\ns_nop 1\n.else\ns_nop 2", symbols={"a": UNKNOWN})
    assert recorder.texts == []
    assert [condition.branch for condition in state.conditions] == [Branch.UNKNOWN]


@pytest.mark.parametrize("text", [".else", ".elseif 1", ".endif", ".if 1\n.else\n.else\n.endif"])
def test_a_branch_out_of_place(text: str) -> None:
    assert [rule for rule, _ in run(text)[0].problems] == ["stray-block-end"]
