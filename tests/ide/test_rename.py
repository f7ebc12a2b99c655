"""Renaming across a file and those it is assembled with, and what is not renamed."""

import textwrap

import pytest

from tests.support.ide import rename_target, renamed


def check(text: str, new: str, expected: str, others: tuple[str, ...] = ()) -> None:
    assert renamed(text, new, others=others) == textwrap.dedent(expected).strip()


def test_label() -> None:
    text = "lo$0op:\n  s_branch loop ; loop\nloop2: s_branch loop\ns_add_u32 s0, s0, loop@rel32@lo+4"
    expected = "again:\n  s_branch again ; loop\nloop2: s_branch again\ns_add_u32 s0, s0, again@rel32@lo+4"
    check(text, "again", expected)


def test_symbol_in_an_index_and_with_several_assignments() -> None:
    check(
        ".set acc, 4\n.set acc, acc+1\nv_mov_b32 v[ac$0c], acc",
        "base",
        ".set base, 4\n.set base, base+1\nv_mov_b32 v[base], base",
    )


def test_macro_and_a_symbol_of_the_same_name_keep_apart() -> None:
    text = ".macro size\n.endm\n.set size, 4\nsi$0ze\ns_mov_b32 s0, size\n.purgem size"
    check(text, "m", ".macro m\n.endm\n.set size, 4\nm\ns_mov_b32 s0, size\n.purgem m")


def test_parameter_with_its_default_and_its_name_in_calls() -> None:
    check(
        """
        .macro M dst, src=\\dst
        v_mov_b32 v[\\ds$0t], \\src
        v_mov_b32 v\\dst\\()0, \\dst2
        .endm
        M dst=1
        M 1, src=dst
        """,
        "to",
        """
        .macro M to, src=\\to
        v_mov_b32 v[\\to], \\src
        v_mov_b32 v\\to\\()0, \\dst2
        .endm
        M to=1
        M 1, src=dst
        """,
    )


def test_parameter_from_a_call_and_with_its_backslash() -> None:
    check(".macro M a\ns_nop \\a\n.endm\nM $0a=1", "count", ".macro M count\ns_nop \\count\n.endm\nM count=1")
    check(".macro M a\ns_nop \\$0a\n.endm\nM 1", "\\count", ".macro M count\ns_nop \\count\n.endm\nM 1")


def test_a_kernel_with_its_descriptor_and_metadata() -> None:
    check(
        """
        .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
        .globl kern
        .type kern,@function
        ke$0rn: s_endpgm
        .size kern, .-kern
        .amdhsa_kernel kern
        .amdhsa_next_free_vgpr 1
        .amdhsa_next_free_sgpr 1
        .end_amdhsa_kernel
        .globl kern.kd
        .amdgpu_metadata
        amdhsa.kernels:
          - .name: kern
            .symbol: 'kern.kd'
            .args:
              - .name: kern
        .end_amdgpu_metadata
        """,
        "gemm",
        """
        .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
        .globl gemm
        .type gemm,@function
        gemm: s_endpgm
        .size gemm, .-gemm
        .amdhsa_kernel gemm
        .amdhsa_next_free_vgpr 1
        .amdhsa_next_free_sgpr 1
        .end_amdhsa_kernel
        .globl gemm.kd
        .amdgpu_metadata
        amdhsa.kernels:
          - .name: gemm
            .symbol: 'gemm.kd'
            .args:
              - .name: kern
        .end_amdgpu_metadata
        """,
    )


def test_across_includes_in_both_directions() -> None:
    text = """
        //- main.s
        .include "sizes.inc"
        s_mov_b32 s0, si$0ze
        //- sizes.inc
        .set size, 4
        //- other.s
        .include "sizes.inc"
        s_mov_b32 s1, size // size
        """
    expected = """
        //- main.s
        .include "sizes.inc"
        s_mov_b32 s0, count
        //- sizes.inc
        .set count, 4
        //- other.s
        .include "sizes.inc"
        s_mov_b32 s1, {} // size
        """
    check(text, "count", expected.format("size"))
    check(text, "count", expected.format("count"), others=("other.s",))


def test_a_parameter_that_calls_in_other_files_name() -> None:
    check(
        """
        //- lib.inc
        .macro M $0a
        s_nop \\a
        .endm
        //- main.s
        .include "lib.inc"
        M a=1 // a=2
        """,
        "count",
        """
        //- lib.inc
        .macro M count
        s_nop \\count
        .endm
        //- main.s
        .include "lib.inc"
        M count=1 // a=2
        """,
        others=("main.s",),
    )


@pytest.mark.parametrize(
    ("text", "new", "because"),
    [
        ("lo$0op:", "1x", "not a valid name"),
        ("lo$0op:", "v1", "is a register"),
        ("lo$0op:\nother:", "other", "already"),
        ("lo$0op:\n.set other, 1", "other", "already"),
        (".macro M\n.endm\n$0M", "s_nop", "is a mnemonic"),
        (".macro M\n.endm\n.macro N\n.endm\n$0M", "N", "already"),
        (".macro M a, b\ns_nop \\$0a\n.endm", "b", "already"),
        (".altmacro\n.macro M a\ns_nop \\$0a\n.endm", "b", ".altmacro"),
        ("v_mov$0_b32 v0, v1", "x", "nothing here"),
    ],
)
def test_refused(text: str, new: str, because: str) -> None:
    assert because in renamed(text, new)


def test_what_can_be_renamed() -> None:
    assert rename_target("s_branch lo$0op\nloop:") == "loop"
    assert rename_target(".macro M a\ns_nop \\a$0\n.endm") == "a"
    assert rename_target("v_mov_b32 v$01, v2") == "v1"
    assert rename_target("s_load_dwordx2 s[2:$03], s[0:1], 0") == "s[2:3]"
    for text in (
        "v_mov_b32 vcc_l$0o, v2",
        "v_mov$0_b32 v1, v2",
        "$0.set x, 1",
        "s_mov_b32 s0, nowher$0e",
        "s_branch 1$0f\n1:",
        "s_mov_b32 s0, .amdgcn.gfx_gen$0eration_number",
        "loop: // lo$0op",
        "s_nop 1$02",
    ):
        assert rename_target(text) is None, text


def test_a_label_that_a_macro_makes() -> None:
    assert rename_target(".macro M name\nx_\\name:\n.endm\nM 1\ns_branch x$0_1") is None
