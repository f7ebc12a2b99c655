"""Macros during interpretation: what a call pastes, and the budget of pasted lines."""

import math

from gcn_lsp.preproc.calls import Budget, macro_depth, open_files
from gcn_lsp.preproc.provenance import Frame, Written
from tests.preproc.recorder import run, texts


def test_a_budget_is_used_up_for_good() -> None:
    budget = Budget(10)
    assert budget.take(10)
    assert (budget.left, budget.spent) == (0, 10)
    assert not budget.take(1)
    assert not budget.take(0)
    assert budget.spent == math.inf


def test_the_first_line_too_many_is_reported_once() -> None:
    recorder, _ = run(".rept 20000\ns_nop 0\n.endr\n.rept 2\ns_nop 1\n.endr")
    assert recorder.problems == [("expansion-limit", 0)]
    assert len(recorder.texts) == 100, "the first steps, since all of them are too many"


def test_a_repetition_that_is_left_early_may_have_any_count() -> None:
    body = ".set i, i+1\n.if i == 300\n.exitm\n.endif\ns_nop 0"
    recorder, _ = run(f".set i, 0\n.rept 1000000000\n{body}\n.endr")
    assert recorder.problems == []
    assert recorder.texts.count("s_nop 0") == 299


def test_only_macros_that_show_a_counter_count() -> None:
    assert texts(".macro m\ns_nop \\+\n.endm\n.macro n\ns_nop \\@\n.endm\nm\nm\nn") == ["s_nop 0", "s_nop 1", "s_nop 2"]


def test_the_way_to_a_frame() -> None:
    include = Frame("include", "a.s", Written(None, 3), 0, 4)
    macro = Frame("macro", "m", Written("a.s", 1, include), 0, 1)
    assert (macro_depth(None), macro_depth(include), macro_depth(macro)) == (0, 0, 1)
    assert open_files(macro) == ["a.s"]
    assert macro.chain() == (include, macro)
