"""Code that depends on what only the build knows: nothing that follows from it is an error."""

import pytest

from tests.support.check import build, check_diagnostics, check_no_finding, findings
from tests.support.fixture import parse


def errors(text: str) -> list[tuple[str, int]]:
    found = findings(text)
    return [(each.rule, each.where.line) for each in found if each.severity.value in ("error", "warning")]


@pytest.mark.parametrize(
    "text",
    [
        # A macro call in both branches sets the symbol.
        ".macro alloc n\n.set \\n, 7\n.endm\n.if FOO\nalloc t\n.else\nalloc t\n.endif\ns_mov_b32 s[t], 0",
        ".macro inner n\n\\n = 7\n.endm\n.macro alloc n\ninner \\n\n.endm\n.if FOO\nalloc t\n.endif\ns_mov_b32 s[t], 0",
        # It had a value before, which it may have lost.
        "t = 101\n.macro bump\nt = t + 1\n.endm\n.if FOO\nbump\n.endif\ns_mov_b64 s[t:t+1], 0",
        "t = 101\n.rept FOO\nt = t + 1\n.endr\ns_mov_b64 s[t:t+1], 0",
        # Names of the build in operands.
        "s_movk_i32 s0, 0 + HW",
        "ds_write2_b32 v0, v1, v2 offset1:LDS_SIZE",
        "v_mov_b32 v[FIRST], 0",
        "s_waitcnt vmcnt(0 + COUNT)",
        "v_mad_f32 v0, v1, SCALE, v2",
        # Assertions about values that come later as a default.
        '.macro assert x\n.if !\\x\n.error "no"\n.endif\n.endm\nassert (MULT % 4 == 0)\n.ifndef MULT\nMULT = 4\n.endif',
        # A macro that calls itself until the build's value stops it.
        ".macro down n\n.if \\n > FOO\ndown \\n - 1\n.endif\n.endm\ndown 5\ns_nop 0",
    ],
)
def test_what_only_the_build_knows_is_no_error(text: str) -> None:
    assert errors(text) == []
    assert "build-defined-symbols" in {each.rule for each in findings(text)}


@pytest.mark.parametrize(
    "unknown",
    [
        ".if FOO\ns_waitcnt lgkmcnt(0)\n.endif",
        ".if FOO\ns_nop 0\n.else\ns_waitcnt lgkmcnt(0)\n.endif",
        ".macro wait\ns_waitcnt lgkmcnt(0)\n.endm\n.if FOO\nwait\n.endif",
        ".if FOO\n.macro wait\ns_waitcnt lgkmcnt(0)\n.endm\n.endif\nwait",
        ".rept FOO\ns_waitcnt lgkmcnt(0)\n.endr",
        "s_waitcnt lgkmcnt(FOO)",
        '.include "missing.inc"',
    ],
)
def test_a_wait_may_be_in_it(unknown: str) -> None:
    load = "s_load_dword s0, s[4:5], 0x0\n"
    check_no_finding(f"{load}{unknown}\nv_mov_b32 v0, s0", "missing-wait")


def test_what_comes_after_it_is_followed_again() -> None:
    check_diagnostics(
        """
        .ifdef FOO
        .endif
        .if FOO
        //  ^^^ information[build-defined-symbols]
        s_nop 0
        .endif
        s_load_dword s0, s[4:5], 0x0
        v_mov_b32 v0, s0
        //            ^^ error[missing-wait]
        """
    )


def test_a_branch_without_code_hides_nothing() -> None:
    text = "s_load_dword s0, s[4:5], 0x0\n.if FOO\nt = 1\n.endif\nv_mov_b32 v0, s0"
    assert errors(text) == [("missing-wait", 4)]


def test_the_names_are_known() -> None:
    program = build(parse("s_movk_i32 s0, 0 + HW\n.if FOO\n.endif\n.set KNOWN, 1\ns_nop KNOWN"))
    assert program.build_defined == ("HW", "FOO")


def test_a_name_that_the_file_sets_later_is_an_error() -> None:
    assert errors("v_mov_b32 v[v_acc], 0\n.set v_acc, 4") == [("undefined-symbol", 0)]


def test_each_arm_is_checked_as_far_as_it_can_be() -> None:
    text = (
        ".if FOO\nv_nonsense v0\nv_add_f32 v0, v1, v2 clamp clamp\n.elseif BAR\ns_bogus s0\n"
        ".else\nv_add_f32 v0, v1,, v2\n.endif"
    )
    assert errors(text) == [
        ("unknown-mnemonic", 1), ("duplicate-modifier", 2), ("unknown-mnemonic", 4), ("syntax-error", 6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".if FOO\n.if BAR\nv_nonsense v0\n.endif\n.endif", [2]),
        (".if FOO\n.if 1\nv_nonsense v0\n.else\nv_nonsense v0\n.endif\n.endif", [2]),
        (
            ".set n, 4\n.if FOO\n.if n == 3\nv_bad v0\n.elseif n == 4\nv_nonsense v0\n.else\nv_bad v0\n.endif\n.endif",
            [5],
        ),
        (".if FOO\n.ifc a, b\nv_bad v0\n.else\nv_nonsense v0\n.endif\n.endif", [4]),
        (".set n, 4\n.if FOO\n.ifdef n\nv_nonsense v0\n.else\nv_bad v0\n.endif\n.endif", [3]),
        (".if FOO\n.ifndef n\nv_nonsense v0\n.else\nv_nonsense v0\n.endif\n.endif", [2, 4]),
        (".if FOO\n.nonsense 3\n.endif", [1]),
        (".if FOO\n.rept 3\nv_nonsense v0\n.endr\n.endif", [2]),
        (".rept FOO\nv_nonsense v0\n.endr", [1]),
        (".macro m\nv_nonsense v0\n.endm\n.if FOO\nm\n.endif", [1]),
        (".macro m x\n.if \\x == 4\nv_nonsense v0\n.else\nv_bad v0\n.endif\n.endm\n.if FOO\nm 4\n.endif", [2]),
        (".macro m x\n.if \\x\nv_nonsense v0\n.endif\n.endm\nm FOO", [2]),
        (".macro m op\n\\op v0\n.endm\n.if FOO\nm v_nonsense\n.endif", [1]),
    ],
)
def test_nested_arms_and_what_they_call_are_checked(text: str, expected: list[int]) -> None:
    assert [line for _, line in errors(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        ".if FOO == 90\nv_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]\n.else\ns_wait_loadcnt 0\n.endif",  # other targets
        ".if FOO\n.set n, 3\nv_mov_b32 v[n], v[other]\n.endif",
        ".macro add kind\n.if FOO\nv_add_f\\kind v0, v1, v2\n.endif\n.endm\nadd 7",
        ".if FOO\n.macro later\n.endm\n.endif\n.if FOO\nlater\n.endif",
        '.include "nothing"\n.if FOO\nof_the_include v0\n.endif',
        ".rept FOO\nof_\\@ v0\n.endr",
        ".altmacro\n.if FOO\n.irp op, v_mov_b32\nop v0, v1\n.endr\n.macro m op\nop v0\n.endm\n.endif",
        ".if FOO\n.irp op, v_mov_b32\n\\op v0, v1\n.endr\n.macro m op\nop v0\n.endm\n.endif",
        ".macro m op, x\n.if \\x\n\\op v0, v1\n.endif\n.endm\nm , FOO",
        ".macro in op\n\\op v0\n.endm\n.macro m op, x\n.if \\x\nin \\op\n.endif\n.endm\nm bad, FOO",
        ".macro m op, x\n.if \\x == 1\n\\op v0, v1\n.endif\n.endm\n.if FOO\nm bad, 2\n.endif",
        ".if FOO\n.set n, 3\n.if n == 4\n.else\nv_mov_b32 v[n], 0\n.endif\n.endif",
        ".if FOO\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.end_amdhsa_kernel\n.endif",
        ".if FOO\n.amd_amdgpu_hsa_metadata\nType: I32\n.end_amd_amdgpu_hsa_metadata\n.endif",
        ".if FOO\n.if 0\nnothing v0\n.endif\n.endif",
        ".if 0\n.if FOO\nnothing v0\n.endif\n.endif",
    ],
)
def test_what_may_be_right_in_an_arm_is_not_reported(text: str) -> None:
    assert [each for each in errors(text) if each[0] != "include-not-found"] == []
