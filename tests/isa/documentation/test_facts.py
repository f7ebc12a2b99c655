"""What entries say of EXEC, NaN, denormals, clauses and gfx1250, where one document alone misleads."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation


def _text(name: str, target: str) -> str:
    entry = documentation.entry(name, isa.load_target(target))
    assert entry is not None
    return " ".join((entry.summary, entry.operation, *entry.notes, *entry.hazards))


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("s_clause", "gfx1010", "s_nop and s_sleep may be in it"),
        ("s_clause", "gfx1030", "clauses of their own; LLVM mixes them"),
        ("s_clause", "gfx1100", "allows those that read no SGPR"),
        ("s_clause", "gfx1200", "s_sleep, other scalar ALU instructions"),
        ("ds_pk_add_f16", "gfx942", "denormals are treated as MODE.FP_DENORM says"),
        ("ds_pk_add_rtn_bf16", "gfx1200", "denormals are treated as MODE.FP_DENORM says"),
        ("ds_add_f64", "gfx942", "denormals are kept, whatever MODE says"),
        ("global_atomic_add_f32", "gfx942", "AMD's document says that denormals become 0, LLVM that they are kept"),
        ("buffer_atomic_add_f32", "gfx1151", "AMD's document says that denormals become 0, LLVM that they are kept"),
        ("global_atomic_add_f32", "gfx1200", "Denormals in memory are kept"),
        ("ds_max_f32", "gfx906", "a signalling NaN wins and is made quiet"),
        ("ds_max_f32", "gfx906", "the value that is kept is unchanged"),
        ("global_atomic_min_f64", "gfx942", "a signalling NaN wins and is made quiet"),
        ("ds_min_num_f32", "gfx1200", "A NaN loses against a number"),
        ("ds_cmpst_f32", "gfx900", "the value that is written is flushed too"),
        ("v_wmma_f32_16x16x16_f16", "gfx1100", "EXEC is ignored"),
        ("v_swmmac_f32_16x16x32_bf8_bf8", "gfx1200", "EXEC is ignored"),
        ("v_wmma_f32_16x16x32_f16", "gfx1250", "EXEC must be all ones"),
        ("lds_direct_load", "gfx1151", "each quad with an active lane"),
        ("ds_permute_b32", "gfx900", "it is not defined whose value arrives"),
        ("s_nop", "gfx1200", "Up to s_nop 15 both agree"),
        ("s_nop", "gfx1250", "1 to 128 slots"),
        ("image_bvh_intersect_ray", "gfx1030", "direction z and inverse x"),
        ("image_bvh_intersect_ray", "gfx1100", "AMD's tables have the order of gfx10"),
        ("export", "gfx1200", "which must be final at the first"),
        ("exp", "gfx1030", "the last one's mask counts"),
        ("global_load_block", "gfx1200", "must not load into the registers of its own address"),
        ("s_buffer_prefetch_data", "gfx1200", "The size of the buffer is not checked"),
        ("s_set_vgpr_msb", "gfx1250", "must not directly follow a write of MODE"),
        ("global_atomic_add_f32", "gfx942", "LLVM's compiler uses both"),
        ("v_swaprel_b32", "gfx1030", "nothing is exchanged"),
        ("s_atc_probe_buffer", "gfx900", "fetch into the scalar data cache"),
        ("v_screen_partition_4se_b32", "gfx906", "An engine owns tiles of 32 pixels"),
        ("s_clause", "gfx1100", "no clause is started"),
        ("s_clause", "gfx1250", "The first vector memory instruction of a kernel must not be in a clause"),
        ("v_perm_pk16_b4_u4", "gfx1250", "puts v_nop after it"),
        ("v_dual_add_f32", "gfx1100", "one even and one odd VGPR as src0"),
        ("v_cmp_lt_f32", "gfx900", "INVALID only with clamp"),
        ("v_cmpx_o_f16", "gfx1200", "with clamp a quiet one too"),
        ("v_mfma_f64_16x16x4_f64", "gfx942", "Unlike the other matrix instructions it raises exceptions"),
        ("v_mfma_f32_16x16x16_f16", "gfx942", "No exceptions are raised"),
        ("v_cvt_scalef32_sr_pk16_bf6_bf16", "gfx1250", "must not overlap a source"),
        ("global_load_tr_b64", "gfx1200", "addresses of lanes 0 to 31 alone count"),
        ("s_setreg_b32", "gfx1030", "LLVM puts none"),
        ("v_interp_p1_f32", "gfx900", "only where LDS has 16 banks"),
        ("buffer_load_b32", "gfx1250", "BUFFER = base + SOFFSET + stride * index + (offset + OFFSET)"),
        ("buffer_load_b32", "gfx1250", "with OOB_SELECT 1 also what ends beyond the record"),
        ("s_setprio_inc_wg", "gfx1250", "modulo 4"),
        ("s_monitor_sleep", "gfx1250", "in units of 64 clocks"),
        ("s_wakeup_barrier", "gfx1250", "It does not end s_barrier_wait"),
        ("s_wait_asynccnt", "gfx1250", "not loads with stores"),
        ("s_wait_tensorcnt", "gfx1250", "Tensor copies of a wave finish in order"),
        ("v_cvt_sr_pk_f16_f32", "gfx1250", "stochastic(S1.f32, S2[31:16])"),
        ("v_cvt_scale_pk8_f32_fp8", "gfx1250", "The destination must not overlap a source"),
        ("ds_load_tr16_b128", "gfx1250", "EXEC is ignored"),
        ("global_load_tr16_b128", "gfx1250", "All 32 lanes must be on; with EXEC 0 it does nothing"),
        ("ds_atomic_async_barrier_arrive_b64", "gfx1250", "bits 47:32 the number to start with"),
    ],
)
def test_entry_says(name: str, target: str, said: str) -> None:
    assert said in _text(name, target)


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("s_clause", "gfx1100", "and waits may not"),
        ("ds_pk_add_f16", "gfx942", "denormals are kept"),
        ("ds_permute_b32", "gfx900", "the highest of several senders"),
        ("v_wmma_f32_16x16x16_f16", "gfx1100", "EXEC must be all ones"),
        ("buffer_load_b32", "gfx1250", "ADD_TID_ENABLE"),
        ("lds_direct_load", "gfx1100", "into all active lanes"),
    ],
)
def test_entry_does_not_say(name: str, target: str, said: str) -> None:
    assert said not in _text(name, target)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("gfx908", "With all bits 0 every instruction is still issued"),
        ("gfx1030", "the hardware may skip vector ALU instructions that write no SGPR"),
        ("gfx1030", "Memory instructions are not skipped"),
        ("gfx1100", "only while nothing of their counter is in flight"),
    ],
)
def test_what_is_skipped_without_lanes(target: str, said: str) -> None:
    entry = documentation.special_register("exec", isa.load_target(target))
    assert entry is not None
    assert said in " ".join(entry.notes)


@pytest.mark.parametrize(
    ("register", "low", "name"),
    [
        ("MODE", 12, "DST_VGPR_MSB"),
        ("MODE", 26, "FLAT_SCRATCH_IS_NV"),
        ("STATE_PRIV", 16, "CLUSTER_BARRIER_COMPLETE"),
        ("STATUS", 17, "CLUSTER_TRAP_BARRIER_COMPLETE"),
        ("IB_STS2", 6, "CLUSTER_ID"),
        ("IB_STS2", 21, "WG_IN_CLUSTER"),
        ("PERF_SNAPSHOT_DATA", 20, "ASYNC_CNT"),
    ],
)
def test_fields_of_gfx1250(register: str, low: int, name: str) -> None:
    entry = documentation.hwreg(register, isa.load_target("gfx1250"))
    assert entry is not None
    assert [field.name for field in entry.fields if field.low == low] == [name]
