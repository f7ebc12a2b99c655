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
            "x = __builtin_bit_cast(decltype(x), __builtin_amdgcn_rcpf(__builtin_bit_cast(float, a)));",
        ),
        ('asm volatile("s_sleep 3");', "__builtin_amdgcn_s_sleep(3);"),
        ('asm volatile("s_barrier\\n");', "__builtin_amdgcn_s_barrier();"),
        (
            'asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %3" : "=v"(d) : "v"(m), "v"(n), "v"(c));',
            "d = __builtin_amdgcn_mfma_f32_16x16x16f16(m, n, c, 0, 0, 0);",
        ),
    ],
)
@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")
def test_a_call_that_clang_takes(statement: str, call: str, tmp_path: Path) -> None:
    declared = "float z; float w; typedef float f4 __attribute__((ext_vector_type(4))); f4 c, d;"
    declared += " typedef _Float16 h4 __attribute__((ext_vector_type(4))); h4 m, n;"
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
        'asm volatile("v_rcp_f32 %0, %0" : "+v"(x));',
        'asm volatile("s_barrier" ::: "memory");',  # orders accesses to memory, which the builtin does not
        'asm volatile("v_rcp_f32 %0, %1\\n\\tv_rcp_f32 %0, %0" : "=v"(x) : "v"(a));',
    ],
)
def test_what_a_call_cannot_say(statement: str) -> None:
    assert called(in_function(statement)) is None


def test_a_target_without_the_builtin() -> None:
    text = in_function('asm volatile("v_permlane64_b32 %0, %1" : "=v"(x) : "v"(a));')
    assert called(text, "gfx90a") is None
    assert called(text, "gfx1250") is not None


def test_c_has_no_cast_of_bits() -> None:
    text = in_function('asm volatile("v_rcp_f32 %0, %1" : "=v"(x) : "v"(a));')
    assert [each.fixes for each in findings(text, suffix=".c") if each.rule == RULE] in ([], [()])
