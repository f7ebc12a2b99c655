"""Matrix instructions that begin anew in each round of a loop."""

import pytest

from tests.support.check import check_diagnostics, check_silent, findings

TARGET = "gfx90a"
BEGIN, ADD = (
    "v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], 0",
    "v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], v[8:11]",
)
OTHER = "v_mfma_f32_16x16x16f16 v[16:19], v[0:1], v[2:3], 0"
STORE = "s_nop 15\n global_store_dwordx4 v12, v[8:11], s[6:7]\n s_nop 0"


def loop(body: str, before: str = "s_nop 0", after: str = STORE) -> str:
    return (
        f"k:\n s_mov_b32 s4, 16\n {before}\nnext:\n {body}\n s_sub_u32 s4, s4, 1\n s_cmp_lg_u32 s4, 0\n"
        f" s_cbranch_scc1 next\n {after}\n s_endpgm\n"
    )


def told(code: str, target: str = TARGET) -> list[str]:
    return [each.rule for each in findings(code, target) if each.rule == "lost-accumulation"]


def test_a_constant_is_added() -> None:
    check_diagnostics(
        """
          s_mov_b32 s4, 16
        next:
          v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], 0
        //                                                ^ warning[lost-accumulation]: this adds to `0` in each round
          s_sub_u32 s4, s4, 1
          s_cmp_lg_u32 s4, 0
          s_cbranch_scc1 next
          s_nop 15
          global_store_dwordx4 v12, v[8:11], s[6:7]
          s_endpgm
        """,
        TARGET,
    )


def test_another_tile_is_added() -> None:
    assert told(loop("v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], v[16:19]"))
    assert told(loop("v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[4:7]", after=STORE.replace("v[8:11]", "a[0:3]")))


def test_the_fix_adds_to_the_result() -> None:
    (found,) = (each for each in findings(loop(BEGIN), TARGET) if each.rule == "lost-accumulation")
    assert [(fix.title, fix.edits[0].new_text) for fix in found.fixes] == [("Add to `v[8:11]`", "v[8:11]")]
    check_silent(
        loop(ADD, before="v_mov_b32 v8, 0\n v_mov_b32 v9, 0\n v_mov_b32 v10, 0\n v_mov_b32 v11, 0\n s_nop 1"), TARGET
    )


@pytest.mark.parametrize(
    "code",
    [
        loop(ADD),
        # The first of several in a round.
        loop(f"{BEGIN}\n {ADD}"),
        # A reader in the loop, before it or after it.
        loop(f"{BEGIN}\n {STORE}"),
        loop(f"v_add_f32 v20, v20, v9\n s_nop 7\n {BEGIN}"),
        # Nothing reads it at all.
        loop(BEGIN, after="s_nop 0"),
        # Not in each round.
        loop(f"s_cmp_eq_u32 s4, 3\n s_cbranch_scc0 around\n {BEGIN}\naround:"),
        # Before the loop, and in the outer one of two.
        loop("s_nop 0", before=BEGIN),
        loop(
            f"{BEGIN}\n s_mov_b32 s5, 4\ninner:\n {ADD}\n s_sub_u32 s5, s5, 1\n s_cmp_lg_u32 s5, 0\n"
            f" s_cbranch_scc1 inner\n {STORE}",
            after="s_nop 0",
        ),
        # A function may read it.
        loop(f"{BEGIN}\n s_swappc_b64 s[30:31], s[28:29]"),
        loop("v_accvgpr_read_b32 v8, a0"),
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


def test_the_inner_loop_counts() -> None:
    inner = f"inner:\n {BEGIN}\n s_sub_u32 s5, s5, 1\n s_cmp_lg_u32 s5, 0\n s_cbranch_scc1 inner\n {STORE}"
    assert told(loop(inner, after="s_nop 0"))


def test_wmma() -> None:
    code = loop("v_wmma_f32_16x16x16_f16 v[8:15], v[0:7], v[16:23], 0", after="global_store_b128 v24, v[8:11], s[6:7]")
    assert told(code, "gfx1100")


def test_once_in_a_macro() -> None:
    macro = f".macro begin c\n v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], \\c\n.endm\n{loop('begin 0')}"
    (found,) = (each for each in findings(macro, TARGET) if each.rule == "lost-accumulation")
    assert found.fixes == ()
