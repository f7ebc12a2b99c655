"""Where findings of included files are shown."""

import msgspec

from gcn_lsp.findings.at_call import at_call, beside
from gcn_lsp.findings.model import Finding
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.rules import check
from gcn_lsp.text import SourceText

INCLUDED = b""".macro LOAD to
  s_load_dword \\to, s[0:1], 0x0
.endm
.macro USE from
  s_mov_b32 s9, \\from
.endm
"""


def built(text: str, included: bytes = INCLUDED) -> Program:
    source = SourceText.from_bytes("dir/part.inc", included)
    return build(SourceText.from_bytes("k.s", text.encode()), Options("gfx900", include=lambda *_: source))


def shown(program: Program) -> list[Finding]:
    return [at_call(program, finding) for finding in check(program)]


def test_a_finding_in_a_macro_is_shown_at_the_call() -> None:
    (found,) = shown(built('.include "part.inc"\n.macro OUTER\n  USE s4\n.endm\nk:\nLOAD s4\n  OUTER\ns_endpgm'))
    assert (found.rule, found.where.path, found.where.line) == ("missing-wait", "k.s", 6)
    assert (found.where.start, found.where.end) == (2, 7)
    assert found.message.endswith(" (part.inc, line 5)")
    places = [(each.where.path, each.where.line, each.message) for each in found.related]
    assert places == [
        ("dir/part.inc", 4, "the line at fault"),
        ("dir/part.inc", 1, "in flight for `s4`; done at lgkmcnt(0)"),
        ("k.s", 2, "expanded from a call of `USE`"),
    ]


OWN = ".macro USE from\n  s_mov_b32 s9, \\from\n.endm\nk:\n  s_load_dword s4, s[0:1], 0x0\n  USE s4\n"


def test_a_finding_that_a_fix_at_the_call_resolves_is_shown_there_too() -> None:
    program = built(f"{OWN}  USE s4\n  s_endpgm\n")
    (found,) = (each for each in check(program) if each.rule == "missing-wait")
    moved = beside(program, found)
    assert moved is not None
    assert (found.where.line, moved.where.line, moved.fixes) == (1, 5, found.fixes)
    assert moved.message.endswith(" (k.s, line 2)")


def test_a_finding_that_every_call_has_is_in_the_macro_alone() -> None:
    program = built(f"{OWN}  s_endpgm\n")
    (found,) = (each for each in check(program) if each.rule == "missing-wait")
    assert found.fixes
    assert beside(program, found) is None
    assert beside(program, msgspec.structs.replace(found, fixes=())) is None


def test_a_finding_in_included_code_is_shown_at_the_include() -> None:
    (found,) = shown(built('s_nop 0\n.include "part.inc"\n', b"s_nop 0\nv_no_such v0\n"))
    assert (found.rule, found.where.path, found.where.line) == ("unknown-mnemonic", "k.s", 1)


def test_others_stay() -> None:
    program = built("k:\n.macro USE from\n  s_mov_b32 s9, \\from\n.endm\nUSE v1\ns_endpgm")
    assert shown(program) == check(program)
    assert [finding.where.line for finding in check(program)] == [2]
