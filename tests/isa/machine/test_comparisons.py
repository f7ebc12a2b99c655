"""Comparisons by mnemonic, on the targets that have them."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.machine import comparisons


@pytest.mark.parametrize(
    ("mnemonic", "found"),
    [
        ("v_cmp_gt_u32", "gt"),
        ("v_cmp_le_i16", "le"),
        ("v_cmp_eq_u16", "eq"),
        ("v_cmp_ne_u32", None),
        ("v_cmp_gt_f32", None),
        ("v_cmp_gt_u64", None),
        ("v_cmpx_gt_u32", None),
        ("s_cmp_gt_u32", None),
    ],
)
def test_relation(mnemonic: str, found: "str | None") -> None:
    assert comparisons.relation_of_lanes(mnemonic) == found


def test_mirrored_twice_is_the_same() -> None:
    assert all(comparisons.MIRRORED[other] == one for one, other in comparisons.MIRRORED.items())


@pytest.mark.parametrize("target", ["gfx600", "gfx900", "gfx1250"])
def test_a_target_has_instructions_with_each_start(target: str) -> None:
    names = isa.load_target(target).mnemonics
    for start in (*comparisons.STARTS, *comparisons.SELECTIONS):
        assert any(name.startswith(start) for name in names), start
