"""The instructions whose sources may be exchanged."""

import pytest

from gcn_lsp.isa.machine.commuting import COMMUTES


@pytest.mark.parametrize(
    "name", ["v_add_co_u32", "v_mul_u32_u24", "v_max_f16", "v_xnor_b32", "v_addc_co_u32", "v_fmac_f32"]
)
def test_the_order_of_the_sources_does_not_matter(name: str) -> None:
    assert COMMUTES.fullmatch(name)


@pytest.mark.parametrize(
    "name", ["v_sub_u32", "v_lshlrev_b32", "v_add_lshl_u32", "v_and_or_b32", "v_max3_f32", "v_cndmask_b32"]
)
def test_the_order_matters(name: str) -> None:
    assert not COMMUTES.fullmatch(name)
