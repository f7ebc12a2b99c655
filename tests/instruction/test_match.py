import pytest

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from tests.instruction.support import assemble, code_of, statement_of


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("v_add_f32 v0, v1, v2", "V_ADD_F32_e32_vi"),
        ("v_add_f32_e64 v0, v1, v2", "V_ADD_F32_e64_vi"),
        ("v_add_f32 v0, v1, s2", "V_ADD_F32_e64_vi"),
        ("v_add_f32 v0, v1, v2 clamp", "V_ADD_F32_e64_vi"),
        ("v_add_f32 v0, v1, v2 dst_sel:WORD_0", "V_ADD_F32_sdwa_gfx9"),
        ("v_add_f32 v0, v1, v2 row_shl:1", "V_ADD_F32_dpp_vi"),
        ("v_add_f32_sdwa v0, v1, v2", "V_ADD_F32_sdwa_gfx9"),
        ("v_cmp_eq_u32 vcc, v0, v1", "V_CMP_EQ_U32_e32_vi"),
        ("v_cmp_eq_u32 s[0:1], v0, v1", "V_CMP_EQ_U32_e64_vi"),
        ("s_load_dword s0, s[2:3], s4", "S_LOAD_DWORD_SGPR_vi"),
        ("s_load_dword s0, s[2:3], 4", "S_LOAD_DWORD_IMM_vi"),
        ("buffer_load_dword v0, v[1:2], s[0:3], 0 idxen offen", "BUFFER_LOAD_DWORD_BOTHEN_vi"),
        ("global_load_dword v0, v[1:2], off", "GLOBAL_LOAD_DWORD_vi"),
        ("global_load_dword v0, v1, s[2:3]", "GLOBAL_LOAD_DWORD_SADDR_vi"),
    ],
)
def test_the_first_form_that_fits(line: str, form: str) -> None:
    found = assemble(line).form
    assert found is not None
    assert found.name == form


def test_slots_and_values_of_a_match() -> None:
    instruction = assemble("v_add_f32 v[acc+3], s2, |v4| mul:2", symbols={"acc": 32})
    told = [(operand.slot, operand.kind, operand.text) for operand in instruction.operands]
    assert told == [
        ("vdst", "register", "v35"),
        ("src0", "register", "s2"),
        ("src1", "register", "|v4|"),
        ("omod", "modifier", "mul:2"),
    ]
    assert (instruction.operands[0].file, instruction.operands[0].first, instruction.operands[0].count) == ("v", 35, 1)


def test_names_that_may_be_symbols() -> None:
    target = isa.load_target("gfx900")
    line = "buffer_load_dword v[data+1], v0, s[0:3], soff offen offset:step*4 glc"
    assert assembler.symbol_names(target, statement_of(line)) == ("data", "soff", "step")
    line = "s_setreg_b32 hwreg(HW_REG_MODE, first, 4), s0"
    assert assembler.symbol_names(target, statement_of(line)) == ("first",)
    assert assembler.symbol_names(target, statement_of("v_mov_b32 v0, v1 dst_sel:BYTE_1")) == ()


def test_forms_are_matched_once_for_each_shape_of_operands() -> None:
    target = isa.load_target("gfx900", "")
    candidates = assembler.context_of(target).candidates("v_sub_f32")
    candidates.found.clear()
    code_of("v_sub_f32 v0, v1, v2")
    code_of("v_sub_f32 v5, v6, v7")
    assert len(candidates.found) == 1


def test_an_alias_takes_addresses_in_brackets_too() -> None:
    operands = "v[4:7], [v9, v10, v[11:13], v[14:16], v[17:19]], s[4:7]"
    assert code_of(f"bvh_intersect_ray {operands}", "gfx1200") == code_of(
        f"image_bvh_intersect_ray {operands}", "gfx1200"
    )
