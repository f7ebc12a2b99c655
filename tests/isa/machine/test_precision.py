"""How exact operations are, and where it is said."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.machine import precision


@pytest.mark.parametrize(
    ("mnemonic", "target", "ulp"),
    [
        ("v_rcp_f32", "gfx700", "1"),
        ("v_rcp_f16", "gfx90a", "0.51"),
        ("v_rcp_f16", "gfx942", "1"),
        ("v_s_exp_f16", "gfx1200", "1"),
        ("v_sqrt_f64", "gfx950", "2 ** 29"),
        ("v_add_f64", "gfx900", "0.5"),
        ("v_dual_mul_f32", "gfx1200", "0.5"),
        ("v_mad_f32", "gfx908", "1"),
        ("v_cvt_f64_u32", "gfx1100", "0"),
        ("v_cvt_f16_f32", "gfx1100", "0.5"),
        ("v_add_f32", "gfx700", ""),
        ("v_sin_f32", "gfx1100", ""),
        ("v_cvt_i32_f32", "gfx1100", ""),
    ],
)
def test_ulp(mnemonic: str, target: str, ulp: str) -> None:
    assert precision.ulp(mnemonic, target) == ulp


@pytest.mark.parametrize(
    ("mnemonic", "target", "note"),
    [
        ("v_rsq_f32", "gfx1100", "The result is within 1 ULP."),
        ("v_fma_f32", "gfx942", "The result is correctly rounded: 0.5 ULP."),
        ("v_rcp_f64", "gfx90a", "The result is within 2 ** 29 ULP: about 23 bits of it are right."),
        ("v_cvt_u32_f32", "gfx900", "It raises the exception INEXACT only with clamp."),
    ],
)
def test_entries_say_it(mnemonic: str, target: str, note: str) -> None:
    entry = documentation.entry(mnemonic, isa.load_target(target))
    assert entry is not None
    assert note in entry.notes


@pytest.mark.parametrize("row", precision.ROWS, ids=lambda row: f"{row.mnemonics} {row.condition}")
def test_every_row_is_of_an_instruction(row: precision.PrecisionRow) -> None:
    targets = map(isa.load_target, ("gfx700", "gfx900", "gfx950", "gfx1030", "gfx1200"))
    assert any(
        precision.ulp(mnemonic, target.name) == row.ulp
        for target in targets
        for mnemonic in target.mnemonics
        if target.forms(mnemonic)
    )


def test_conversions_that_raise_inexact_with_clamp() -> None:
    assert precision.has_inexact_by_clamp("v_cvt_i16_f16", "gfx1200")
    assert not precision.has_inexact_by_clamp("v_cvt_f32_f16", "gfx1200")
    assert not precision.has_inexact_by_clamp("v_cvt_i32_f32", "gfx700")
