"""What `rules.check` does with every problem: places, call chains, fixes, repetitions."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp import rules
from gcn_lsp.findings import run
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.rule import Rule, RuleKind, RuleReport, Rules, Stage
from gcn_lsp.program import program
from gcn_lsp.text import Location, SourceText
from tests.support.check import check_no_fix, findings

OPTIONS = program.Options("gfx900")


def test_the_call_chain_is_told_from_the_inside_out() -> None:
    (finding,) = findings(
        r"""
        //- main.s target:gfx900
        .include "macros.inc"
        .macro outer to
          inner \to
        .endm
        .irp register, s0
          outer \register
        .endr
        //- macros.inc
        .macro inner to
          s_mov_b32 \to, v1
        .endm
        """
    )
    assert (finding.where.path, finding.where.line) == ("macros.inc", 1)
    assert [(related.where.path, related.where.line, related.message) for related in finding.related] == [
        ("main.s", 2, "expanded from a call of `inner`"),
        ("main.s", 5, "expanded from a call of `outer`"),
        ("main.s", 4, "repetition with `s0`"),
    ]


def test_an_include_is_part_of_the_chain() -> None:
    (finding,) = findings(
        """
        //- main.s target:gfx900
        .include "a.inc"
        //- a.inc
        s_mov_b32 s0, v1
        """
    )
    assert finding.where.path == "a.inc"
    assert [(related.where.line, related.message) for related in finding.related] == [(0, "included here")]


def test_a_mistake_in_a_repetition_is_told_once() -> None:
    assert len(findings(".rept 100\ns_mov_b32 s0, v1\n.endr\n")) == 1


def test_findings_are_in_the_order_of_the_text() -> None:
    text = "loop:\ns_branch nowhere\nloop:\ns_mov_b32 s0, v1 ; gcn-lsp: disable=nonsense\n.if 1\n"
    places = [(finding.where.line, finding.where.start) for finding in findings(text)]
    assert places == sorted(places)
    assert len(places) == 5


def test_no_fix_where_the_text_is_pasted() -> None:
    check_no_fix(
        r"""
        .macro operation name
          v_\name v0, v1
        .endm
        operation mov_b33
        """
    )


class Toys(dict[str, Rule], Rules):
    """Rules by name."""

    def kind(self, name: str) -> RuleKind:
        return self[name].kind


def toy(stage: Stage) -> Rule:
    """A rule that finds the start of the file."""

    def check(built: program.Program) -> list[Finding]:
        return [rule.at(Location(built.path, 0, 0, 0), "found")]

    rule = Rule(stage.name.lower(), Severity.WARNING, "", stage, check)
    return rule


def test_the_stages_run_in_their_order_up_to_the_last_one_that_is_wanted() -> None:
    toys = Toys({rule.name: rule for rule in map(toy, (Stage.HINTS, Stage.PATHS, Stage.TEXT, Stage.PROGRAM))})
    built = program.build(SourceText("k.s", (b"s_nop 0",)), OPTIONS)
    for number, stage in enumerate((Stage.PROGRAM, Stage.TEXT, Stage.PATHS, Stage.HINTS), 1):
        ran = [finding.rule for finding in run.check(toys, built, (), stage)]
        assert ran == ["program", "text", "paths", "hints"][:number]
        assert run.later(toys, stage) == toys.keys() - set(ran)


def test_a_rule_none_of_whose_findings_is_shown_is_not_run() -> None:
    ran = []

    def check(name: str) -> Callable[[program.Program], list[Finding]]:
        return lambda _: ran.append(name) or []  # type: ignore[func-returns-value]

    built = program.build(SourceText("k.s", (b"s_nop 0 ; gcn-lsp: disable=error",)), OPTIONS)
    toys = Toys(
        {name: Rule(name, Severity(name), "", Stage.PATHS, check(name)) for name in ("error", "information", "hint")}
    )
    run.check(toys, built, wanted=lambda finding: finding.severity is not Severity.HINT)
    assert ran == ["error", "information"]
    run.check(toys, built)
    assert ran[2:] == ["error", "information", "hint"]


def test_a_rule_that_a_comment_names_is_run_for_what_unused_comments_are() -> None:
    text = SourceText("k.s", (b"s_branch end // gcn-lsp: disable=unreachable-code", b"s_nop 0", b"end: s_endpgm"))
    built = program.build(text, OPTIONS)
    everything = [finding.rule for finding in rules.check(built)]
    for left_out in ({"unreachable-code"}, {"unreachable-code", "unused-suppression"}):
        kept = set(rules.RULES) - left_out

        def is_kept(finding: Finding, kept: set[str] = kept) -> bool:
            return finding.rule in kept

        shown = rules.check(built, wanted=is_kept)
        assert [finding.rule for finding in shown] == [name for name in everything if name in kept]


def test_a_rule_about_rules_knows_what_comments_switched_off_when_all_have_run() -> None:
    seen: list[RuleReport] = []

    def check(built: program.Program, report: RuleReport) -> list[Finding]:
        seen.append(report)
        return []

    about = Rule("about", Severity.HINT, "", Stage.COMMENTS, check_report=check)
    toys = Toys({rule.name: rule for rule in (toy(Stage.HINTS), about)})
    lines = (b"s_nop 0 ; gcn-lsp: disable=hints", b"s_nop 0 ; gcn-lsp: disable=paths")
    built = program.build(SourceText("k.s", lines), OPTIONS)
    run.check(toys, built, until=Stage.PATHS)
    assert run.check(toys, built) == []
    assert [report.used is not None and [used.rule for used in report.used] for report in seen] == [False, ["hints"]]
    assert [[comment.rule for comment in report.comments.own] for report in seen] == [["hints", "paths"]] * 2


def test_rules_that_have_to_wait_are_those_of_later_stages() -> None:
    assert "missing-wait" in rules.later(Stage.PROGRAM)
    assert "missing-wait" not in rules.later(Stage.PATHS)
    assert "over-wait" in rules.later(Stage.PATHS)
    assert rules.later(Stage.HINTS) == frozenset()


LINES = st.sampled_from(
    [
        b"s_nop 0",
        b"s_mov_b32 s0, v1",
        b"s_mov_b32 s0, v1 ; gcn-lsp: disable=wrong-operand-kind",
        b"s_nop 0 // gcn-lsp: disable-file=wrong-operand-kind",
        b"/* gcn-lsp: disable-file=duplicate-label",
        b"*/",
        b"loop:",
        b"s_branch loop",
        b".macro copy to",
        b"s_mov_b32 \\to, v1",
        b".endm",
        b"copy s0",
        b".if unroll > 1",
        b".else",
        b".endif",
        b".set unroll, 4",
        b".set unroll, unroll - 1",
        b".rept unroll",
        b".endr",
    ]
)


@settings(deadline=None)
@given(
    st.lists(LINES, min_size=1, max_size=200),
    st.lists(st.tuples(st.integers(0, 10_000), st.booleans(), st.lists(LINES, max_size=3)), max_size=4),
)
def test_after_edits_the_findings_are_those_of_a_fresh_start(
    lines: list[bytes], edits: list[tuple[int, bool, list[bytes]]]
) -> None:
    current = program.build(SourceText("k.s", tuple(lines)), OPTIONS)
    rules.check(current)
    for place, removes, added in edits:
        at = place % len(lines)
        lines = [*lines[:at], *added, *lines[at + removes :]] or [b""]
        source = SourceText("k.s", tuple(lines))
        current = program.build(source, OPTIONS, current)
        assert rules.check(current) == rules.check(program.build(source, OPTIONS))
