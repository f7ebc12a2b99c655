import pytest

from tests.instruction.support import code_of


@pytest.mark.parametrize(
    ("cpu", "line", "code"),
    [
        # modifiers gathered from op_sel and the like; bits of sources that are not there read as one
        ("gfx900", "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]", "00488fd301050210"),
        ("gfx900", "v_pk_add_f16 v0, v1, v2", "00408fd301050218"),
        ("gfx900", "v_add_i16 v0, v1, v2 op_sel:[1,0,1]", "00489ed201050200"),
        ("gfx900", "v_mad_mix_f32 v0, -v1, |v2|, v3 op_sel:[0,1,0] op_sel_hi:[1,0,1]", "0052a0d301050e2c"),
        ("gfx900", "v_interp_p2_f16_e64 v10, v34, attr0.x, v87 op_sel:[1,0,1,1]", "0a6877d200445e05"),
        # exports: enabled channels, compressed data moved to the front
        ("gfx900", "exp mrt0 v0, v1, off, off", "030000c400010000"),
        ("gfx900", "exp mrt0 v0, v1, v2, v3 done compr vm", "0f1c00c400020000"),
        # sub-dword addressing: scalar sources, sign extension, the destination of a comparison
        ("gfx900", "v_add_f32_sdwa v0, s1, v2 src0_sel:BYTE_1", "f904000201168106"),
        ("gfx900", "v_mul_hi_i32_i24_sdwa v71, v39, sext(v0)", "f9008e0e2716060e"),
        ("gfx900", "v_cmp_eq_u32_sdwa s[4:5], v1, v2", "f904947d01840606"),
        ("gfx900", "v_cmp_eq_u32_sdwa vcc, v1, v2", "f904947d01000606"),
        # accumulation registers in memory instructions
        ("gfx90a", "global_load_dword a5, v[2:3], off", "008050dc0200ff05"),
        ("gfx90a", "ds_write_b64 v0, a[2:3]", "00009ada00020000"),
        # upper halves: a bit of the number in the short encodings, of op_sel in the long ones
        ("gfx1100:+real-true16", "v_add_f16 v5.h, v1.h, v2.l", "81050a65"),
        ("gfx1100:+real-true16", "v_ceil_f16_dpp v5.l, v1.h quad_perm:[0,1,2,3]", "fab80a7e81e400ff"),
        ("gfx1100:+real-true16", "v_add_f16_e64 v5.h, v1.h, v2.h", "055832d501050202"),
        ("gfx1100:+real-true16", "v_add_f16_e64 v5.h, s1, v2.h op_sel:[1,1,1]", "055832d501040202"),
        ("gfx1100:+real-true16", "v_interp_p2_f16_f32 v0.h, v1.l, v2, v3", "004003cd01050e04"),
        # literals after the instruction or in it
        ("gfx900", "v_madmk_f32 v0, 0x1234, 0x1234, v1", "ff02002e34120000"),
        ("gfx1250", "v_fmaak_f64 v[4:5], lit64(0x7e8), v[8:9], lit64(0x7e8)", "fe100848e807000000000000"),
        ("gfx900", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0x12345678", "011800ba78563412"),
        ("gfx1030", "v_add_f32_e64 v0, 0x12345678, v1", "000003d5ff02020278563412"),
        ("gfx1030", "v_dot2c_f32_f16_dpp v0, v65, v70 dpp8:[1,1,1,1,1,1,1,1]", "e98c000441499224"),
    ],
)
def test_encoding(cpu: str, line: str, code: str) -> None:
    assert code_of(line, cpu) == code
