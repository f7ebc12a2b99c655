"""Statements of one instruction that clang has a builtin for, and those where a call would not mean the same."""

import shutil
from pathlib import Path

import pytest

from gcn_lsp.text import SourceText, edited
from tests.support.inline import compiles, findings, in_function

RULE = "assembly-with-builtin"


def called(text: str, target: str = "gfx90a") -> str | None:
    """The source with the call; None if none is offered."""
    fixes = [each.fixes for each in findings(text, target) if each.rule == RULE and each.fixes]
    if not fixes:
        return None
    source = SourceText.from_bytes("source.hip", text.encode())
    return edited(source, fixes[0][0].edits).to_bytes().decode()


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ('asm("v_perm_b32 %0, %1, %2, %3" : "=v"(x) : "v"(a), "v"(b), "v"(p));', "x = __builtin_amdgcn_perm(a, b, p);"),
        (
            'asm volatile("v_alignbit_b32 %[r], %[a], %[b], %[c]" : [r] "=v"(x) : [c] "v"(p), [a] "v"(a), [b] "v"(b));',
            "x = __builtin_amdgcn_alignbit(a, b, p);",
        ),
        ('asm volatile("v_rcp_f32_e32 %0, %1" : "=v"(w) : "v"(z));', "w = __builtin_amdgcn_rcpf(z);"),
        (
            'asm volatile("v_rcp_f32 %0, %1" : "=v"(x) : "v"(a));',
            "x = __builtin_bit_cast(__typeof__(x), __builtin_amdgcn_rcpf(__builtin_bit_cast(float, a)));",
        ),
        ('asm volatile("s_sleep 3");', "__builtin_amdgcn_s_sleep(3);"),
        ('asm volatile("s_barrier\\n");', "__builtin_amdgcn_s_barrier();"),
        (
            'asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %3" : "=v"(d) : "v"(m), "v"(n), "v"(c));',
            "d = __builtin_amdgcn_mfma_f32_16x16x16f16(m, n, c, 0, 0, 0);",
        ),
        (
            'asm("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(d) : "v"(m), "v"(n));',
            "d = __builtin_amdgcn_mfma_f32_16x16x16f16(m, n, d, 0, 0, 0);",
        ),
        (
            'asm("v_mfma_f32_16x16x16f16 %0, %1, %2, %3" : "=v"(d) : "v"(own[0]), "v"(n), "v"(c));',
            "d = __builtin_amdgcn_mfma_f32_16x16x16f16(own[0], n, c, 0, 0, 0);",
        ),
        (
            'asm("v_mfma_f32_16x16x16f16 %0, %1, %2, %3" : "=v"(d) : "v"(grid[0][1]), "v"(n), "v"(c));',
            "(__builtin_bit_cast(_Float16 __attribute__((ext_vector_type(4))), grid[0][1]), n, c, 0, 0, 0);",
        ),
        ('asm volatile("s_setprio %0" : : "n"(2 + 1));', "__builtin_amdgcn_s_setprio(2 + 1);"),
        (
            'asm("v_perm_b32 %[r], %[a], %[b], %[r]" : [r] "=v"(x) : [a] "v"(a), [b] "v"(b), "[r]"(p));',
            "x = __builtin_amdgcn_perm(a, b, p);",
        ),
        (
            'asm("v_perm_b32 %0, %1, %2, %0" : "=v"(h) : "v"(a), "v"(b), "0"(h));',  # of 16 bits, which C converts
            "h = __builtin_amdgcn_perm(a, b, h);",
        ),
        (
            'asm("v_cvt_pkrtz_f16_f32 %0, %1, %2" : "=v"(words[a + 1]) : "v"(z), "v"(w));',
            "words[a + 1] = __builtin_bit_cast(__typeof__(words[a + 1]), __builtin_amdgcn_cvt_pkrtz(z, w));",
        ),
        (
            'if (a) asm volatile("v_perm_b32 "\n               "%0, %1, %2, %3"\n      : "=v"(x)\n\n'
            '      : "v"(a), "v"(b), "v"(p)); else x = 0;',
            "  if (a) x = __builtin_amdgcn_perm(a, b, p); else x = 0;\n}",
        ),
    ],
)
@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")
def test_a_call_that_clang_takes(statement: str, call: str, tmp_path: Path) -> None:
    declared = "float z; float w; typedef float f4 __attribute__((ext_vector_type(4))); f4 c; f4 d;"
    declared += " unsigned short h = 0; int words[8];"
    declared += " typedef _Float16 h4 __attribute__((ext_vector_type(4))); h4 m; h4 n; h4 own[2]; h4 grid[2][2];"
    text = in_function(f"{declared}\n  {statement}")
    fixed = called(text)
    assert fixed is not None
    assert call in fixed
    assert compiles(fixed, tmp_path)


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "v"(a), "v"(b));',  # C++ has an operator
        'asm volatile("v_rcp_f32 %0, -%1" : "=v"(x) : "v"(a));',
        'asm volatile("v_rcp_f32 %0, %1 clamp" : "=v"(x) : "v"(a));',
        'asm volatile("v_rcp_f32 %0, 1.0" : "=v"(x));',
        'asm volatile("s_waitcnt vmcnt(0)");',
        'asm volatile("v_rcp_f32 %0, %1" : "+v"(x) : "v"(a));',  # the old value is an operand, which nothing reads
        'asm volatile("v_perm_b32 %0, %1, %1, %2" : "=v"(x) : "v"(a++), "v"(p));',
        'asm volatile("v_perm_b32 %0, %1, %2, %0" : "+v"(*q.next()) : "v"(a), "v"(b));',
        'asm volatile("s_barrier" ::: "memory");',  # orders accesses to memory, which the builtin does not
        'asm volatile("v_rcp_f32 %0, %1\\n\\tv_rcp_f32 %0, %0" : "=v"(x) : "v"(a));',
    ],
)
def test_what_a_call_cannot_say(statement: str) -> None:
    assert called(in_function(statement)) is None


@pytest.mark.parametrize("mnemonic", ["v_permlane16_swap_b32", "v_permlane32_swap_b32"])
@pytest.mark.parametrize("operands", [': : "v"(a), "v"(b)', ': "+v"(a), "+v"(b)', ': "+v"(a) : "v"(b)'])
def test_a_result_that_no_operand_holds_is_not_lost(mnemonic: str, operands: str) -> None:
    """Their builtins return both registers, and a call alone would leave the operands as they were."""
    text = in_function(f'asm volatile("{mnemonic} %0, %1" {operands});')
    assert [each.message for each in findings(text, "gfx950") if each.rule == RULE] == []


def test_comments_are_not_lost() -> None:
    text = in_function('asm volatile("v_perm_b32 %0, %1, %2, %3" : "=v"(x)\n  : "v"(a), /* low */ "v"(b), "v"(p));')
    assert [each.fixes for each in findings(text) if each.rule == RULE] == [()]


def test_lines_of_a_macro_and_of_windows() -> None:
    body = 'asm("v_perm_b32 %0, %1, %2, %3" \\\n    : "=v"(x) : "v"(a), \\\n "v"(b), "v"(p)); \\\n  y = x;'
    for text in (f"#define SWAP() {body}\n{in_function('SWAP()')}", in_function("SWAP()")):
        fixed = called(text)
        assert (fixed is not None) == ("#define" in text)
        assert fixed is None or "_perm(" in fixed.partition(" \\\n")[0]
        assert fixed is None or fixed.partition(" \\\n")[2].startswith("  y = x;\nvoid f(")
    text = in_function('asm("v_perm_b32 %0, %1, %2, %3"\r\n : "=v"(x) : "v"(a), "v"(b), "v"(p));\r').replace(
        "\n  int", "\r\n  int"
    )
    assert "  x = __builtin_amdgcn_perm(a, b, p);\n}" in str(called(text)).replace("\r", "")


def test_a_target_without_the_builtin() -> None:
    text = in_function('asm volatile("v_permlane64_b32 %0, %1" : "=v"(x) : "v"(a));')
    assert called(text, "gfx90a") is None
    assert called(text, "gfx1250") is not None


def test_c_has_no_cast_of_bits() -> None:
    text = in_function('asm volatile("v_rcp_f32 %0, %1" : "=v"(x) : "v"(a));')
    assert [each.fixes for each in findings(text, suffix=".c") if each.rule == RULE] in ([], [()])
