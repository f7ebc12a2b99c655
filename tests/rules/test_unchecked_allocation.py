"""Requests for VGPRs whose answer nothing reads."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "unchecked-allocation"
END = "  v_mov_b32 v40, v0\n  global_store_b32 v[0:1], v40, off\n  s_endpgm\n"


def test_an_answer_that_nothing_reads() -> None:
    check_diagnostics(
        """
.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
.globl k
k:
  s_alloc_vgpr s2
//^^^^^^^^^^^^^^^ information[unchecked-allocation]: nothing reads SCC after this
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 out
  v_mov_b32 v40, v0
  v_mov_b32 v1, 0
  global_store_b32 v1, v40, s[0:1]
out:
  s_endpgm
""",
        "gfx1200",
    )


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("s_alloc_vgpr 64", 1),
        ("s_alloc_vgpr 16", 0),  # what a wave starts with
        ("s_alloc_vgpr 32\n  s_alloc_vgpr 64", 2),
        ("s_alloc_vgpr 64\n  s_cbranch_scc0 k\n  s_alloc_vgpr 32", 0),  # fewer never fails
        ("s_alloc_vgpr 64\n  s_cselect_b32 s4, 1, 0", 0),
        ("s_alloc_vgpr 64\n  s_cbranch_vccz other\n  s_cselect_b32 s4, 1, 0\nother:", 0),  # one path is enough
        ("s_alloc_vgpr 64\n  s_setpc_b64 s[30:31]", 0),  # whoever comes next may read it
        ("s_add_u32 s4, s4, 1", 0),
    ],
)
def test_requests_that_may_fail(code: str, count: int) -> None:
    found = findings(f"k:\n  {code}\n{END}", "gfx1200")
    assert [each.rule for each in found].count(RULE) == count


def test_in_a_macro_it_is_one_finding_at_its_line() -> None:
    text = f".macro grow n\n  s_alloc_vgpr \\n\n.endm\nk:\n  grow 64\n  grow 64\n{END}"
    (found,) = [each for each in findings(text, "gfx1200") if each.rule == RULE]
    assert found.where.line == 1


def test_targets_without_it() -> None:
    check_no_finding(f"k:\n  s_alloc_vgpr 64\n{END}", RULE, "gfx1100")
