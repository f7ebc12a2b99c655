"""Templates of inline assembly, formatted."""

import pytest

from gcn_lsp.ide import format_inline
from gcn_lsp.text import SourceText, edited
from gcn_lsp.views.inline import cpp, document, python


def formatted(text: str, suffix: str = "cpp") -> str:
    read = cpp if suffix == "cpp" else python
    (statement,) = read.statements(text.encode())
    edits = format_inline.formatted(document.of(statement, "gfx90a"), f"a.{suffix}")
    return edited(SourceText.from_bytes(f"a.{suffix}", text.encode()), edits).to_bytes().decode()


OPERANDS = ' : "=v"(x) : "v"(a), [b] "v"(b));'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"v_add_u32   %0 ,%1,   %[b]"', '"v_add_u32 %0, %1, %[b]"'),
        ('"v_add_u32 %0,%1,%[b]  ; sum\\n\\t"\n  "s_nop   3"', '"v_add_u32 %0, %1, %[b] ; sum\\n\\t"\n  "s_nop 3"'),
        ('"  v_mov_b32 %0, %1\\n    s_nop 0"', '"  v_mov_b32 %0, %1\\n    s_nop 0"'),
        ('"v_mov_b32 %0, "  "%1"', '"v_mov_b32 %0, "  "%1"'),
        ('"v_mov_b32 %0,"  "%1"', '"v_mov_b32 %0,"  " %1"'),
        ('R"(v_mov_b32  %0,%1)"', 'R"(v_mov_b32 %0, %1)"'),
        ('"v_foo   %0,\\x41 %9"', '"v_foo %0,\\x41 %9"'),
    ],
)
def test_blanks_between_words(before: str, after: str) -> None:
    assert formatted(f"void f(int a, int b) {{ int x; asm({before}{OPERANDS} }}") == (
        f"void f(int a, int b) {{ int x; asm({after}{OPERANDS} }}"
    )


def test_it_settles_and_keeps_the_code() -> None:
    source = f'void f(int a, int b) {{ int x; asm("v_add_u32   %0 ,%1,%[b]//c"{OPERANDS} }}'
    once = formatted(source)
    assert formatted(once) == once
    assert once.replace(" ", "") == source.replace(" ", "")


def test_a_call_in_python() -> None:
    source = 'x = llvm.inline_asm(t, [a], "v_mov_b32   $0,$1", "=v,v", has_side_effects=True)\n'
    assert '"v_mov_b32 $0, $1"' in formatted(source, "py")
