"""Instructions carried out on a wave."""

import numpy as np
import pytest

from gcn_lsp import isa
from gcn_lsp.machine import operation
from gcn_lsp.machine.operation import Inexecutable, bind
from gcn_lsp.machine.registers import Wave
from tests.instruction.support import assemble
from tests.machine.surroundings import Surroundings

LANES = 64


def executed(target: str, text: str, lanes: int = LANES, **registers: int) -> Wave:
    """A wave after one instruction. registers: their values before, `v1` in all lanes."""
    instruction = assemble(text, target)
    assert instruction.code, instruction.problems
    wave = Wave(lanes, 32, 32)
    for name, value in registers.items():
        if name == "mode":
            wave.mode = value
        elif name == "exec":
            wave.exec = value
        elif name == "vcc":
            wave.vcc = value
        elif name == "scc":
            wave.scc = value
        elif name[0] == "v":
            wave.vgprs[int(name[1:])] = value
        else:
            wave.sgprs[int(name[1:])] = value
    bound = bind(instruction, isa.load_target(target))
    assert not isinstance(bound, Inexecutable), bound
    with np.errstate(all="ignore"):
        bound.execute(wave, Surroundings())
    assert wave.pc == len(instruction.code) or "branch" in text
    return wave


def made(target: str, text: str) -> operation.Compiled:
    """The code that an instruction has by itself, without what is kept of others."""
    loaded, instruction = isa.load_target(target), assemble(text, target)
    lanes = loaded.wavefront_size
    parts = operation._parts(instruction, loaded, instruction.code, lanes)
    found = operation._compiled(parts, instruction, loaded, instruction.code, lanes)
    assert isinstance(found, operation.Compiled)
    return found


@pytest.mark.parametrize(
    ("target", "one", "other"),
    [
        ("gfx1250", "s_load_b64 s[0:1], s[2:3]", "s_load_b64 s[0:1], s[2:3], 0x10"),
        ("gfx1250", "s_load_b64 s[0:1], s[2:3], s4", "s_load_b64 s[0:1], s[2:3], s4 offset:16"),
        ("gfx942", "s_load_dword s0, s[2:3], 0x10", "s_load_dword s0, s[2:3], s4"),
        ("gfx90a", "ds_read_b32 v0, v1", "ds_read_b32 v0, v1 offset:16"),
        ("gfx1250", "v_cvt_f32_fp8 v0, v1", "v_cvt_f32_fp8 v0, v1 byte_sel:2"),
    ],
)
def test_instructions_share_code_only_if_it_is_the_same(target: str, one: str, other: str) -> None:
    """The first of a shape decides what the code of the others is."""
    for before, text in ((one, other), (other, one)):
        operation._SHAPES.clear()
        loaded = isa.load_target(target)
        instructions = [assemble(each, target) for each in (before, text)]
        bound = [bind(each, loaded, lanes=loaded.wavefront_size) for each in instructions]
        assert isinstance(bound[1], operation.BoundInstruction)
        kept = {each.source for each in operation._SHAPES.values() if isinstance(each, operation.Compiled)}
        assert kept == {made(target, before).source, made(target, text).source}


ONE, TWO, HALF = 0x3F80_0000, 0x4000_0000, 0x3F00_0000


@pytest.mark.parametrize(
    ("target", "text", "before", "after"),
    [
        ("gfx900", "v_add_f32 v0, v1, v2", {"v1": ONE, "v2": ONE}, TWO),
        ("gfx900", "v_add_f32_e64 v0, -v1, |v2| mul:2", {"v1": HALF, "v2": 0xBF80_0000, "mode": 0xC0}, ONE),
        ("gfx900", "v_add_f32_e64 v0, v1, v2 clamp", {"v1": ONE, "v2": ONE}, ONE),
        ("gfx900", "v_add_u32 v0, v1, v2", {"v1": 0xFFFF_FFFF, "v2": 3}, 2),
        ("gfx900", "v_fma_f32 v0, v1, v2, s3", {"v1": 0x3F80_0001, "v2": 0x3F80_0001, "s3": 0xBF80_0000}, 0x3480_0000),
        ("gfx900", "v_mul_hi_u32 v0, v1, v2", {"v1": 0xFFFF_FFFF, "v2": 0xFFFF_FFFF}, 0xFFFF_FFFE),
        ("gfx900", "v_lshlrev_b32 v0, 4, v1", {"v1": 0xF000_0001}, 0x10),
        ("gfx900", "v_bfe_i32 v0, v1, 4, 8", {"v1": 0x0FF0}, 0xFFFF_FFFF),
        ("gfx900", "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]", {"v1": 0x3C00_4000, "v2": 0x3C00_3C00},
         0x4200_4000),
        ("gfx900", "v_cvt_f16_f32 v0, v1", {"v1": 0x3F80_1FFF, "v0": 0xFFFF_FFFF}, 0x3C01),
        ("gfx1030", "v_cvt_f16_f32 v0, v1", {"v1": 0x3F80_1FFF, "v0": 0xFFFF_FFFF}, 0xFFFF_3C01),
        ("gfx1100", "v_mov_b16 v0.h, v1.l", {"v1": 0x1234, "v0": 0x7777_7777}, 0x1234_7777),
        ("gfx900",
         "v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_0",
         {"v0": 0x1111_1111, "v1": 0x0005_0000, "v2": 0xFF02}, 0x1111_0711),
        ("gfx900", "v_perm_b32 v0, v1, v2, v3", {"v1": 0x0405_0607, "v2": 0x0001_0203, "v3": 0x0C0D_0700}, 0x00FF_0403),
        ("gfx900", "v_cndmask_b32 v0, v1, v2, vcc", {"v1": 1, "v2": 2, "vcc": (1 << 64) - 1}, 2),
        ("gfx900", "v_mov_b32 v0, 0.5", {}, HALF),
        ("gfx1150", "v_fmaak_f32 v0, 0x40000001, v1, 0x40000001", {"v1": ONE}, 0x4080_0001),
        ("gfx900", "v_mad_i32_i24 v0, v1, v2, -3", {"v1": 0xFFFFFF, "v2": 5}, 0xFFFF_FFF8),
        ("gfx900", "v_div_fixup_f32 v0, v1, v2, v3", {"v1": 0, "v2": 0xBF80_0000, "v3": 0}, 0x8000_0000),
        ("gfx900", "v_div_fixup_f32 v0, v1, v2, v3", {"v1": 0, "v2": ONE, "v3": 0}, 0),
        ("gfx900", "v_mad_u64_u32 v[0:1], s[0:1], 0, v1, 3", {"v0": 9, "v1": 5}, 3),
        ("gfx1030", "v_lshlrev_b16 v0, v1, v2 op_sel:[1,0,0]", {"v0": 0x7777_7777, "v1": 0x0004_0008, "v2": 1},
         0x7777_0010),
        ("gfx950", "v_cvt_scalef32_f16_fp8 v0, v1, v2 op_sel:[1,0,1]",
         {"v0": 0x7777_7777, "v1": 0x3840_4850, "v2": ONE}, 0x4400_7777),
        ("gfx950", "v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3 op_sel:[0,0,1,0]",
         {"v0": 0x7777_7777, "v1": ONE, "v2": TWO, "v3": ONE}, 0x7777_4277),
        ("gfx942", "v_cvt_sr_fp8_f32 v0, v1, v2 op_sel:[0,0,1,1]", {"v0": 0x7777_7777, "v1": ONE, "v2": 0},
         0x4077_7777),
        ("gfx942", "v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]", {"v0": 0x7777_7777, "v1": ONE, "v2": TWO},
         0x4840_7777),
        ("gfx1200", "v_cvt_sr_fp8_f32 v0, v1, v2 byte_sel:2", {"v0": 0x7777_7777, "v1": ONE, "v2": 0}, 0x7738_7777),
        ("gfx1030", "v_fma_f16 v0, v1, v2, v3 op_sel:[0,0,1,1]",
         {"v0": 0x7777_7777, "v1": 0x3C00, "v2": 0x4000, "v3": 0x4200_0000}, 0x4500_7777),
        ("gfx1250", "v_bitop3_b16 v0.h, v1.l, 0xff, v2.l bitop3:0x80", {"v0": 0x1111_2222, "v1": 0x5678, "v2": 0x9A},
         0x0018_2222),
        ("gfx950", "v_bitop3_b16 v0, v1, v1, v2 bitop3:0x80 op_sel:[0,1,0,1]",
         {"v0": 0x1111_2222, "v1": 0x1234_5678, "v2": 0xEF9A}, 0x0210_2222),
    ],
)  # fmt: skip
def test_results_of_lanes(target: str, text: str, before: dict[str, int], after: int) -> None:
    wave = executed(target, text, **before)
    assert {f"{value:#x}" for value in wave.vgprs[0].tolist()} == {f"{after:#x}"}
    assert wave.written_vgprs[0].all()


def test_lanes_that_are_off_keep_their_values() -> None:
    wave = executed("gfx900", "v_mov_b32 v0, v1", v0=7, v1=9, exec=0b101)
    assert wave.vgprs[0, :4].tolist() == [9, 7, 9, 7]
    assert wave.written_vgprs[0, :4].tolist() == [True, False, True, False]


def test_copies_to_accumulators_obey_exec() -> None:
    wave = executed("gfx908", "v_accvgpr_write_b32 a0, v1", v1=9, exec=0b101)
    assert wave.accvgprs[0, :4].tolist() == [9, 0, 9, 0]


def test_a_comparison_writes_0_for_lanes_that_are_off() -> None:
    wave = executed("gfx900", "v_cmp_eq_u32 vcc, v0, v1", exec=0xF0, vcc=(1 << 64) - 1)
    assert wave.vcc == 0xF0


def test_a_carry_goes_through_lanes() -> None:
    wave = executed("gfx900", "v_addc_co_u32 v0, vcc, v1, v2, vcc", v1=0xFFFF_FFFF, v2=0, vcc=0b10)
    assert wave.vcc == 0b10
    assert wave.vgprs[0, :3].tolist() == [0xFFFF_FFFF, 0, 0xFFFF_FFFF]


@pytest.mark.parametrize(
    ("text", "before", "register", "after", "scc"),
    [
        ("s_add_u32 s0, s1, s2", {"s1": 0xFFFF_FFFF, "s2": 1}, 0, 0, 1),
        ("s_and_b64 s[0:1], s[2:3], s[4:5]", {"s2": 6, "s4": 3}, 0, 2, 1),
        ("s_bfe_u32 s0, s1, 0x80004", {"s1": 0xABCDE}, 0, 0xCD, 1),
        ("s_cselect_b32 s0, 1, 2", {"scc": 1}, 0, 1, 1),
        ("s_movk_i32 s0, 0x8000", {}, 0, 0xFFFF_8000, 0),
        ("s_flbit_i32_b32 s0, s1", {"s1": 0x0100_0000}, 0, 7, 0),
        ("v_readlane_b32 s0, v1, 5", {"v1": 77}, 0, 77, 0),
    ],
)
def test_results_of_the_wave(text: str, before: dict[str, int], register: int, after: int, scc: int) -> None:
    wave = executed("gfx900", text, **before)
    assert (int(wave.sgprs[register]), wave.scc) == (after, scc)


def test_a_branch_that_is_taken() -> None:
    assert executed("gfx900", "s_cbranch_scc1 -3", scc=1).pc == (4 - 12) % 2**64
    assert executed("gfx900", "s_cbranch_scc1 -3", scc=0).pc == 4


def test_both_halves_of_a_pair_read_before_they_write() -> None:
    wave = executed("gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0", 32, v0=1, v1=2)
    assert (int(wave.vgprs[0, 0]), int(wave.vgprs[1, 0])) == (2, 1)


def test_a_swap() -> None:
    wave = executed("gfx900", "v_swap_b32 v0, v1", v0=1, v1=2)
    assert (int(wave.vgprs[0, 9]), int(wave.vgprs[1, 9])) == (2, 1)


def test_dpp_reads_other_lanes_and_leaves_out_those_without_one() -> None:
    instruction = "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf"
    wave = executed("gfx900", instruction, v0=5, v1=6)
    assert wave.vgprs[0, :3].tolist() == [5, 6, 6]


def test_what_cannot_be_executed_says_why() -> None:
    instruction = assemble("exp mrt0, v0, v1, v2, v3", "gfx900")
    assert bind(instruction, isa.load_target("gfx900")) == Inexecutable(
        "Exports are not executed: there is no pipeline that takes them."
    )


@pytest.mark.parametrize("text", ["ds_pk_add_f16 v1, v2", "global_atomic_pk_add_f16 v[4:5], v2, off"])
def test_a_packed_atomic_changes_both_halves(text: str) -> None:
    surroundings = Surroundings()
    space = "lds" if text.startswith("ds") else "global"
    surroundings.bytes.update({(space, 0x40 + place): byte for place, byte in enumerate((0, 0x44, 0, 0x42))})
    wave = Wave(LANES, 8)
    wave.exec, wave.vgprs[1], wave.vgprs[2], wave.vgprs[4] = 1, 0x40, 0x4000_3C00, 0x40
    bound = bind(assemble(text, "gfx942"), isa.load_target("gfx942"))
    assert not isinstance(bound, Inexecutable), bound
    bound.execute(wave, surroundings)
    assert [surroundings.bytes[space, 0x40 + place] for place in range(4)] == [0, 0x45, 0, 0x45]


def test_registers_by_number_are_swapped() -> None:
    instruction = assemble("v_swaprel_b32 v1, v2", "gfx1200")
    wave = Wave(32, 16, m0_number=125)
    wave.m0, wave.vgprs[3], wave.vgprs[6] = 2 << 16 | 4, 30, 60
    bound = bind(instruction, isa.load_target("gfx1200"))
    assert not isinstance(bound, Inexecutable), bound
    bound.execute(wave, Surroundings())
    assert (set(wave.vgprs[3]), set(wave.vgprs[6])) == ({60}, {30})


def test_lanes_take_different_branches() -> None:
    selectors = np.resize(np.array([0, 7, 11, 12, 13], np.uint32), LANES)
    instruction = assemble("v_perm_b32 v0, v1, v2, v3", "gfx900")
    wave = Wave(LANES, 8)
    wave.exec, wave.vgprs[1], wave.vgprs[2], wave.vgprs[3] = (1 << LANES) - 1, 0x8122_3344, 0x5566_7788, selectors
    bound = bind(instruction, isa.load_target("gfx900"))
    assert not isinstance(bound, Inexecutable), bound
    bound.execute(wave, Surroundings())
    assert (wave.vgprs[0, :5] & 0xFF).tolist() == [0x88, 0x81, 0xFF, 0, 0xFF]
