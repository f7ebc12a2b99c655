"""All certain fixes of a file, until nothing is left to fix."""

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding, Fix, Severity
from gcn_lsp.ide import fix_all
from gcn_lsp.ide.fix_all import Fixed
from gcn_lsp.program import program
from gcn_lsp.text import Location, SourceText, TextEdit, edited
from tests.support import check, fixture


def apply(text: str, *only: str) -> Fixed:
    built = check.build(fixture.parse(text))
    return fix_all.fix_all(built, lambda finding: not only or finding.rule in only)


def text_of(fixed: Fixed) -> str:
    return fixed.program.source.to_bytes().decode()


def test_all_of_them_at_once() -> None:
    found = apply("s_waitcn 0\nds_read_b32 v0, v1 ofset:4\n")
    assert text_of(found) == "s_waitcnt 0\nds_read_b32 v0, v1 offset:4\n"
    assert found.rules == ("unknown-mnemonic", "unknown-modifier")
    assert len(found.edits) == 1
    assert not [finding for finding in found.findings if finding.severity is Severity.ERROR]


def test_edits_lead_from_the_first_text_to_the_last() -> None:
    before = check.build(fixture.parse("s_waitcn 0\nds_read_b32 v0, v1 ofset:4\n"))
    found = fix_all.fix_all(before, lambda _: True)
    source = before.source
    for edits in found.edits:
        source = edited(source, edits)
    assert source.lines == found.program.source.lines


def test_only_what_is_wanted() -> None:
    found = apply(
        ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgprs 8\n.end_amdhsa_kernel\ns_waitcn 0\n"
    )
    assert "descriptor-field" in found.rules
    found = apply("s_waitcn 0\n", "descriptor-field")
    assert (found.rules, text_of(found)) == ((), "s_waitcn 0\n")


def test_a_mistake_in_a_macro_is_mended_once() -> None:
    found = apply(".macro twice\ns_waitcn 0\n.endm\ntwice\ntwice\n")
    assert text_of(found) == ".macro twice\ns_waitcnt 0\n.endm\ntwice\ntwice\n"
    assert found.rules == ("unknown-mnemonic",)


def test_included_files_are_left_alone() -> None:
    found = apply('.include "other.inc"\ns_waitcn 1\n//- other.inc\ns_waitcn 0\n')
    assert text_of(found).rstrip("\n") == '.include "other.inc"\ns_waitcnt 1'
    assert found.elsewhere == 1


def made_up(monkeypatch: pytest.MonkeyPatch, fixes: "dict[str, tuple[TextEdit, ...]]") -> None:
    """Beside the real findings, one for each text that a line has, with a fix."""
    real = rules.check

    def check_more(built: program.Program, about_setup: tuple[Finding, ...] = ()) -> list[Finding]:
        found = real(built, about_setup)
        for number, line in enumerate(built.source.lines):
            for edit in fixes.get(line.decode(), ()):
                where = Location(built.path, number, edit.where.start, edit.where.end)
                made = Fix("apply", (TextEdit(where, edit.new_text),))
                found.append(Finding("made-up", Severity.HINT, where, "m", fixes=(made,)))
        return found

    monkeypatch.setattr(rules, "check", check_more)


def at(start: int, end: int, new: str) -> TextEdit:
    return TextEdit(Location("", 0, start, end), new)


def test_a_fix_that_brings_an_error_is_left_out_and_the_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"s_setprio {number}" for number in range(6)]
    made_up(monkeypatch, {text: (at(0, 9, "s_sleep" if text != "s_setprio 3" else "qqqqqqq"),) for text in texts})
    found = apply("\n".join(texts))
    assert text_of(found).split("\n") == [
        text.replace("s_setprio", "s_sleep") if text != "s_setprio 3" else text for text in texts
    ]
    assert (found.refused, len(found.rules)) == (1, 5)


def test_an_error_that_the_next_round_mends_does_not_count() -> None:
    loads = "tbuffer_load_format_x v3, v3, s[20:23], 0 {}\n"
    found = apply(f"//- k.s target:gfx900\n{loads.format('offen format:22') * 2}")
    wait = "s_waitcnt vmcnt(0)\n"
    assert text_of(found).strip() == f"{loads}{wait}{loads}".format(*["format:22 offen"] * 2).strip()
    assert not found.refused


def test_fixes_that_touch_each_other_wait_for_the_next_round(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up(
        monkeypatch,
        {
            "s_setprio 0": (at(0, 0, "s_setprio 2\n"), at(0, 9, "s_sleep")),
            "s_setprio 2": (at(10, 11, "3"),),
        },
    )
    found = apply("s_setprio 0")
    # The insertion comes first, and again in front of what is still there, until the rounds are over.
    assert len(found.edits) == fix_all.ROUNDS
    assert text_of(found).endswith("s_setprio 0")


def test_fixes_that_undo_each_other_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up(monkeypatch, {"s_nop 0": (at(6, 7, "1"),), "s_nop 1": (at(6, 7, "0"),)})
    found = apply("s_nop 0")
    assert len(found.edits) == 1


def test_one_edit_for_several_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up(monkeypatch, {"s_nop 0": (at(0, 0, "s_nop 2\n"),) * 2})
    built = check.build(fixture.parse("s_nop 0"))
    monkeypatch.setattr(fix_all, "ROUNDS", 1)
    found = fix_all.fix_all(built, lambda _: True)
    assert text_of(found) == "s_nop 2\ns_nop 0"
    assert found.rules == ("made-up", "made-up")


def test_a_choice_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    where = Location("kernel.s", 0, 0, 5)
    choice = tuple(Fix(name, (TextEdit(where, name),)) for name in ("s_sleep", "s_nop"))
    monkeypatch.setattr(rules, "check", lambda *_: [Finding("r", Severity.ERROR, where, "m", fixes=choice)])
    built = program.build(SourceText.from_bytes("kernel.s", b"s_nap 0"), program.Options("gfx900"))
    assert fix_all.fix_all(built, lambda _: True).edits == ()
