import pytest

from tests.instruction.support import assemble


def told(line: str, cpu: str = "gfx900") -> list[tuple[str, str]]:
    return [(operand.kind, operand.text) for operand in assemble(line, cpu, {"four": 4}).operands]


@pytest.mark.parametrize(
    ("line", "operand"),
    [
        ("v_mov_b32 v0, 1.0", ("immediate", "1.0")),
        ("v_mov_b32 v0, -5", ("immediate", "-5")),
        ("v_mov_b32 v0, 0x1234", ("literal", "0x1234")),
        ("v_mov_b32 v0, v[four+1]", ("register", "v5")),
        ("s_mov_b64 vcc, shared_base", ("register", "src_shared_base")),
        ("s_mov_b32 s0, later", ("expression", "later")),
        ("v_rcp_f32 v0, -|v1|", ("register", "-|v1|")),
        ("s_waitcnt vmcnt(0) & lgkmcnt(four)", ("immediate", "vmcnt(0) lgkmcnt(4)")),
        ("s_getreg_b32 s0, hwreg(1, 0, four)", ("immediate", "hwreg(HW_REG_MODE, 0, 4)")),
        ("s_sendmsg sendmsg(MSG_INTERRUPT)", ("immediate", "sendmsg(MSG_INTERRUPT)")),
        ("s_branch loop", ("immediate", "loop")),
        ("ds_read_b32 v0, v1 offset:four*8", ("modifier", "offset:32")),
        ("v_add_f32 v0, v1, v2 mul:four", ("modifier", "mul:4")),
        ("v_pk_add_f16 v0, v1, v2 op_sel:[1,0]", ("modifier", "op_sel:[1,0]")),
        ("buffer_load_dword v0, off, s[0:3], 0 slc glc", ("modifier", "slc glc")),
        ("exp mrt0 v0, v0, v0, off", ("token", "off")),
    ],
)
def test_what_the_last_operand_tells(line: str, operand: tuple[str, str]) -> None:
    assert told(line)[-1] == operand


def test_a_signed_field_of_16_bits_has_its_sign() -> None:
    for line in ("s_movk_i32 s0, 0xfbc0", "s_addk_i32 s0, -1088", "s_cmpk_lt_i32 s0, 64448"):
        assert assemble(line).operands[-1].value == -1088
    assert assemble("s_cmpk_lt_u32 s0, 0xfbc0").operands[-1].value == 0xFBC0


def test_size_and_literal() -> None:
    assert assemble("v_mov_b32 v0, 64").size == 4
    assert assemble("v_mov_b32 v0, 65").size == 8
    assert assemble("v_mov_b32_e64 v0, 64").size == 8
