"""Inline assembly in Python programs that generate code."""

import pytest

from gcn_lsp import rules
from gcn_lsp.text import SourceText
from gcn_lsp.views.inline import document, python
from gcn_lsp.views.inline.targets import Targets


def found(text: str, target: str = "gfx942") -> list[tuple[str, str]]:
    source = SourceText.from_bytes("k.py", text.encode())
    findings = rules.check_inline(source, python.statements(text.encode()), Targets(((target, ""),)))
    lines = text.split("\n")
    return [(each.rule, lines[each.where.line][each.where.start : each.where.end]) for each in findings]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ('llvm.inline_asm(ty, [a, b], "v_add_u32 $0, $1, $2", "=v,v,v", flag=True)', b"v_add_u32 v2, v3, v4"),
        ('inline_asm(res=None, operands_=[], asm_string="s_nop 0", constraints="")', b"s_nop 0"),
        ('tl.inline_asm_elementwise("v_mov_b32 $0, $1", "=v,v", args=[x], pack=1)', b"v_mov_b32 v2, v3"),
        ('inline_asm(t, [], "s_nop 0\\n" "s_nop 1", "~{memory}")', b"s_nop 0\ns_nop 1"),
        ('inline_asm(t, [], ("s_nop 0\\n" + r"s_nop 1"), "")', b"s_nop 0\ns_nop 1"),
        ("inline_asm(t, [], '''s_nop 0\n  s_nop 1''', '')", b"s_nop 0\n  s_nop 1"),
        ('inline_asm(t, [], f"s_waitcnt vmcnt({n})", "")', b"s_waitcnt vmcnt(0)"),
        ('inline_asm(t, [x], "v_mov_b32 $0, ${1:c} ; $$", "=v,i")', b"v_mov_b32 v2, 0 ; $"),
        ('inline_asm(t, [x], "v_permlane32_swap_b32 $0, $1", "=v,=v,0,1")', b"v_permlane32_swap_b32 v2, v3"),
    ],
)
def test_calls(call: str, text: bytes) -> None:
    (statement,) = python.statements(f"x = {call}\n".encode())
    assert document.of(statement, "gfx950").text == text


@pytest.mark.parametrize(
    "call",
    [
        "inline_asm(t, [], text, constraints)",
        'inline_asm(t, [], "s_nop 0", constraints)',
        "def inline_asm(a, b): pass",
        '# inline_asm(t, [], "s_nop 0", "")',
        'inline_asm(t, [], "s_nop 0',
        "inline_asm(((((",
        'inline_asm(t, [], "s_nop 0", f"{c}")',
    ],
)
def test_what_is_not_written_out(call: str) -> None:
    assert python.statements(call.encode()) == ()


def test_findings_are_at_their_places() -> None:
    text = 'x = llvm.inline_asm(t, [p, b],\n  "ds_read_b32 $0, $1\\n"\n  "v_add_u32 $0, $0, $2", "=v,v,v,~{memory}")\n'
    assert found(text) == [("missing-wait", "$0"), ("missing-early-clobber", "=v")]
    assert found('inline_asm(t, [a], "v_mov_b33 $0, $1", "=v,v")') == [("unknown-mnemonic", "v_mov_b33")]
    assert found('inline_asm(t, [a], "v_mov_b32 $0, $2", "=v,v")') == [("missing-operand", "$2")]


def test_what_is_inserted_may_be_anything() -> None:
    assert found('inline_asm(t, [a], f"v_{op}_f32 $0, $1", "=v,v")') == []
    assert found('inline_asm(t, [a], f"v_mov_b32 {to}, $0", "v")') == []
