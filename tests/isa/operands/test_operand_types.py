"""Source types that LLVM's operands have otherwise."""

import re

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.operands import operand_types


@pytest.mark.parametrize(
    ("mnemonic", "operand", "name"),
    [
        ("s_cmp_lt_f32", "src1", "FP32"),
        ("s_cmp_nlg_f16", "src0", "FP16"),
        ("s_rndne_f16", "src0", "FP16"),
        ("s_cvt_hi_f32_f16", "src0", "FP16"),
        ("s_cvt_f16_f32", "src0", "FP32"),
        ("s_cvt_f32_i32", "src0", ""),
        ("s_cmp_lt_i32", "src0", ""),
        ("v_cmp_class_f64", "src1", "INT32"),
        ("v_cmp_class_f64", "src0", ""),
        ("v_ldexp_f16", "src1", "INT16"),
        ("v_wmma_f32_16x16x16_f16", "src2", "FP32"),
        ("v_mfma_i32_16x16x4i8", "src2", "INT32"),
    ],
)
def test_source_type(mnemonic: str, operand: str, name: str) -> None:
    assert operand_types.source_type(mnemonic, operand) == name


@pytest.mark.parametrize("row", operand_types.ROWS, ids=lambda row: row[0])
def test_every_row_is_needed(row: tuple[str, tuple[str, ...], str]) -> None:
    """LLVM's operand has another type; the row can go once it has not."""
    pattern, operands, _ = row
    kinds = {
        (form.mnemonic, operand.name, operand.kind.type.rpartition("_")[2])
        for target in map(isa.load_target, ("gfx900", "gfx950", "gfx1200"))
        for mnemonic in target.mnemonics
        if re.fullmatch(pattern, mnemonic)
        for form in target.forms(mnemonic)
        for operand in form.operands
        if operand.name in operands and "REG_I" in operand.kind.type
    }
    assert any(operand_types.source_type(mnemonic, operand) != kind for mnemonic, operand, kind in kinds)
