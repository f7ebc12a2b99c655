"""Branches that are never assembled."""

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding
from gcn_lsp.program import program
from gcn_lsp.text import SourceText
from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "unreachable-branch"


def lines(text: str) -> list[tuple[int, int]]:
    """The first and last line of each unreachable branch, from 1."""
    return [_lines(finding) for finding in findings(text) if finding.rule == RULE]


def _lines(finding: Finding) -> tuple[int, int]:
    assert finding.unnecessary
    return finding.where.line + 1, (finding.last or finding.where).line + 1


def test_the_lines_of_the_branch_are_faded() -> None:
    check_diagnostics(
        """
        .if 1
          s_nop 1
        .else
          s_nop 2 // two
        //^^^^^^^^^^^^^^ hint[unreachable-branch]: a branch before this `.else` is always taken
        .endif
        """
    )


def test_several_lines_without_blank_ones_around() -> None:
    assert lines(".if 0\n\n  s_nop 1\n\n  s_nop 2\n\n.endif\n") == [(3, 5)]


def test_each_branch_by_itself_and_nested_ones_with_the_outer() -> None:
    assert lines(".if 0\ns_nop 0\n.elseif 1\ns_nop 1\n.elseif 1\ns_nop 2\n.else\n.if 1\ns_nop 3\n.endif\n.endif\n") == [
        (2, 2),
        (6, 6),
        (8, 10),
    ]


def test_taken_in_one_call_is_reachable() -> None:
    macro = ".macro wait n\n.if \\n > 4\ns_nop 4\n.else\ns_nop \\n\n.endif\n.endm\n"
    assert lines(macro + "wait 1\nwait 5\n") == []
    assert lines(macro + "wait 1\nwait 2\n") == [(3, 3)]
    assert lines(macro + "wait 5\n") == [(5, 5)]
    assert lines(macro + "s_nop 0\n") == []


def test_what_is_said_about_a_macro() -> None:
    check_diagnostics(
        r"""
        .macro wait n
        .if \n > 4
          s_nop \n
        //^^^^^^^^ hint[unreachable-branch]: never assembled: `.if \n > 4` is false in any call
        .endif
        .endm
        wait 3
        """
    )


def test_calls_far_apart() -> None:
    macro = ".macro wait n\n.if \\n > 4\ns_nop 4\n.endif\n.endm\n"
    far = "s_nop 0\n" * 200
    assert lines(macro + "wait 1\n" + far + "wait 5\n") == []
    assert lines(macro + "wait 1\n" + far + "wait 2\n") == [(3, 3)]


def test_branches_that_go_on_for_long() -> None:
    body = "s_nop 0\n" * 300
    assert lines(f".if 0\n.if 1\n{body}.endif\n.else\ns_nop 1\n.endif\n") == [(2, 303)]
    assert lines(f".if 1\n{body}.else\n{body}.endif\n") == [(303, 602)]


def test_repetitions_take_all_steps_together() -> None:
    assert lines(".irp x, 1, 2\n.if \\x == 2\ns_nop 2\n.endif\n.if \\x == 3\ns_nop 3\n.endif\n.endr\n") == [(6, 6)]


def test_what_the_build_decides_is_not_judged() -> None:
    check_no_finding(".if late\ns_nop 1\n.else\ns_nop 2\n.endif\n", RULE)
    check_no_finding(".ifndef size\n.set size, 4\n.endif\ns_nop size\n", RULE)


def test_checks_that_hold_are_not_faded() -> None:
    check_no_finding('.if 0\n.error "no"\n// never\n.endif\n', RULE)


def test_included_files_are_not_judged() -> None:
    check_no_finding(
        """
        //- kernel.s
        .include "part.inc"
        s_nop 0
        //- part.inc
        .if 0
        s_nop 1
        .endif
        """,
        RULE,
    )


def test_after_edits_it_is_as_when_built_anew() -> None:
    text = ".set n, 1\n" + ".if n\nv_mov_b32 v0, v1\n.else\nv_mov_b32 v0, v2\n.endif\n" * 60
    source = SourceText.from_bytes("kernel.s", text.encode())
    options = program.Options("gfx900")
    built = program.build(source, options)
    edited = source.replace(0, 8, 0, 9, b"0")
    found = rules.check(program.build(edited, options, built))
    assert found == rules.check(program.build(edited, options))
    assert len(found) == 60
