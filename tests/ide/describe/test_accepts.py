"""What an operand is said to take."""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.describe import accepts


@pytest.mark.parametrize(
    ("target", "mnemonic", "operand", "text"),
    [
        ("gfx1200", "s_ceil_f16", "src0", "SGPR, f16 or a constant"),
        ("gfx1200", "s_cmp_lt_f32", "src1", "SGPR, f32 or a constant"),
        ("gfx900", "v_ldexp_f16", "src1", "VGPR or SGPR, i16 or an inline constant; less in some forms"),
        ("gfx908", "v_accvgpr_write_b32", "src0", "VGPR, i32 or an inline constant"),
        ("gfx90a", "v_accvgpr_write_b32", "src0", "VGPR or SGPR, i32 or an inline constant"),
        ("gfx908", "v_madmk_f16", "src0", "VGPR, f16 or a constant"),
        ("gfx1100", "v_fmamk_f32", "src0", "VGPR or SGPR, f32 or a constant"),
        ("gfx1100", "v_cmp_class_f16", "src1", "VGPR or SGPR, i32 or a constant; less in some forms"),
    ],
)
def test_the_type_is_that_of_the_values(target: str, mnemonic: str, operand: str, text: str) -> None:
    loaded = isa.load_target(target)
    assert accepts.operands(loaded.forms(mnemonic), loaded)[operand] == text
