"""Which fixes are offered for a range."""

import re

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding, Fix, Severity
from gcn_lsp.ide.fixes import certain_edits, fixes, touching
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import Location, SourceText, TextEdit, edited


def finding(line: int, start: int, end: int, path: str = "kernel.s") -> Finding:
    where = Location(path, line, start, end)
    return Finding("rule", Severity.ERROR, where, "message", (), (Fix("Fix it", (TextEdit(where, "x"),)),))


def test_findings_that_touch_the_range() -> None:
    found = [finding(1, 4, 8), finding(2, 0, 3), finding(1, 4, 8, "other.inc"), finding(1, 10, 11)]
    assert touching(found, "kernel.s", 1, 8, 1, 9) == [found[0]]
    assert touching(found, "kernel.s", 1, 0, 2, 0) == [found[0], found[1], found[3]]
    assert touching(found, "kernel.s", 1, 12, 1, 13) == []


def test_a_cursor_is_about_its_line_and_first_about_what_it_touches() -> None:
    found = [finding(1, 4, 8), finding(2, 0, 3), finding(1, 10, 11)]
    assert touching(found, "kernel.s", 1, 10, 1, 10) == [found[2], found[0]]
    assert touching(found, "kernel.s", 1, 0, 1, 0) == [found[0], found[2]]


def test_fixing_all_leaves_other_files_alone() -> None:
    own, other = finding(1, 4, 8), finding(2, 0, 3, "other.inc")
    at_call = Finding("rule", Severity.ERROR, Location("kernel.s", 5, 0, 1), "message", (), other.fixes)
    assert certain_edits([own, at_call], "kernel.s") == own.fixes[0].edits


def test_at_a_call_is_offered_what_puts_the_macro_right_there() -> None:
    load, use = "  global_load_dword v1, v0, s[2:3]\n", "  v_add_f32 v1, v1, v1\n"
    text = f"; gcn-lsp: target=gfx900\n.macro use\n{use}.endm\nk:\n{load}  use\n  use\n  s_endpgm\n"
    program = build(SourceText.from_bytes("kernel.s", text.encode()), Options("gfx900"))
    found = rules.check(program)
    offered = [
        [each.fix.title for each in fixes(program, found, line, 3, line, 3) if each.repairs] for line in (2, 6, 7)
    ]
    assert offered == [["Wait for vmcnt(0) before this call"], ["Wait for vmcnt(0) before this call"], []]


HEAD = "; gcn-lsp: target=gfx900\n"


@pytest.mark.parametrize(
    ("line", "disabled"),
    [
        ("v_no_such v0", "v_no_such v0  ; gcn-lsp: disable=unknown-mnemonic"),
        ("v_no_such v0 // é  ", "v_no_such v0 // é  ; gcn-lsp: disable=unknown-mnemonic"),
        ("v_no_such /* x", "v_no_such /* x  ; gcn-lsp: disable=unknown-mnemonic"),
        ("v_no_such ; gcn-lsp: disable=dead-write", "v_no_such ; gcn-lsp: disable=dead-write,unknown-mnemonic"),
    ],
)
def test_a_finding_is_disabled_on_its_line(line: str, disabled: str) -> None:
    assert _after(HEAD + line + "\n", "unknown-mnemonic", "on this line") == HEAD + disabled + "\n"


@pytest.mark.parametrize("head", ["", "; gcn-lsp: disable-file=dead-write\n"])
def test_a_rule_is_disabled_in_the_file(head: str) -> None:
    after = _after(head + HEAD + "v_no_such v0\nv_no_such v1", "unknown-mnemonic", "in this file")
    added = head.replace("\n", ",unknown-mnemonic\n") or "; gcn-lsp: disable-file=unknown-mnemonic\n"
    assert after == added + HEAD + "v_no_such v0\nv_no_such v1"


def test_where_no_comment_can_be_only_the_file_is_offered() -> None:
    text = HEAD + '.ascii "abc\n'
    assert _titles(text, "malformed-directive") == ["Disable malformed-directive in this file"]
    text = HEAD + ".amdgpu_metadata\namdhsa.kernels: [\n.end_amdgpu_metadata\n"
    assert _titles(text, "malformed-metadata") == ["Disable malformed-metadata in this file"]


def test_a_rule_is_offered_once_for_a_line() -> None:
    titles = _titles(HEAD + "v_add_f32 v300, v301, v302\n", None)
    assert len(titles) == len(set(titles))


def _titles(text: str, rule: str | None) -> list[str]:
    program = build(SourceText.from_bytes("kernel.s", text.encode()), Options("gfx900"))
    found = [each for each in rules.check(program) if rule in (None, each.rule)]
    assert found
    where = found[0].where
    offered = fixes(program, found, where.line, where.start, where.line, where.start)
    return [each.fix.title for each in offered if not each.repairs]


def _after(text: str, rule: str, ending: str) -> str:
    """The text after a suppression of a rule is taken, which leaves no finding of it there."""
    source = SourceText.from_bytes("kernel.s", text.encode())
    program = build(source, Options("gfx900"))
    found = [each for each in rules.check(program) if each.rule == rule]
    where = found[0].where
    offered = fixes(program, found, where.line, where.start, where.line, where.end)
    (fix,) = (each.fix for each in offered if each.fix.title == f"Disable {rule} {ending}")
    after = edited(source, fix.edits)
    left = [each for each in rules.check(build(after, Options("gfx900"))) if each.rule in (rule, "unused-suppression")]
    assert [each for each in left if each.rule == rule or re.search(rule, each.message)] == []
    return after.to_bytes().decode()
