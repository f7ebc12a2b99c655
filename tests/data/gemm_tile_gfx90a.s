; One 32x32 tile of D = A * B + C in FP16 by matrix instructions, for gfx90a; written for the tests.
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.altmacro
.noaltmacro

vgprValuA = 0
vgprValuB = vgprValuA + 4
vgprC = vgprValuB + 4
vgprAddress = 64
vgprLocal = 66
accC = 0
.set sgprKernArg, 0
.set sgprA, 8
.set sgprB, sgprA + 4
.set sgprLoop, sgprB + 4
.set MAX_UNROLL, (1 << 2) | 0

.macro mfma acc, a, b, cbsz=0
v_mfma_f32_32x32x8f16 a[accC+\acc:accC+\acc+15], v[vgprValuA+\a:vgprValuA+\a+1], v[vgprValuB+\b:vgprValuB+\b+1], a[accC+\acc:accC+\acc+15] cbsz:\cbsz
.endmacro

.macro wait vm=63, lgkm=15
.ifb \vm
s_waitcnt lgkmcnt(\lgkm)
.else
.if (\vm < 63) && (\lgkm < 15)
s_waitcnt vmcnt(\vm) & lgkmcnt(\lgkm)
.elseif \vm < 63
s_waitcnt vmcnt(\vm)
.elseif \lgkm < 15
s_waitcnt lgkmcnt(\lgkm)
.endif
.endif
.endm

.macro make_descriptor sgpr
s_mov_b32 s[\sgpr+2], 0x80000000
s_mov_b32 s[\sgpr+3], 0x00020000   // raw buffer, 32 bits
.endm

.text
.protected gemm_tile
.globl gemm_tile
.p2align 8
.type gemm_tile,@function
gemm_tile:
label_start:
s_load_dwordx2 s[sgprA:sgprA+1], s[sgprKernArg:sgprKernArg+1], 0x0
s_load_dwordx2 s[sgprB:sgprB+1], s[sgprKernArg:sgprKernArg+1], 8
s_load_dword s[sgprLoop], s[sgprKernArg:sgprKernArg+1], 0x10 // iterations
make_descriptor sgprA
make_descriptor sgprB
v_lshlrev_b32 v[vgprAddress+0], 4, v0
v_lshlrev_b32_e32 v[vgprLocal], 0x3, v0
v_mov_b32 v[vgprAddress+1], 0

/* accumulators to zero */
.set index, 0
.rept 16
v_accvgpr_write_b32 a[accC+index], 0x0
.set index, index + 1
.endr

wait lgkm=0
label_loop_begin:
buffer_load_dwordx4 v[vgprValuA:vgprValuA+3], v[vgprAddress], s[sgprA:sgprA+3], 0 offen offset:0
buffer_load_dwordx4 v[vgprValuB+0:vgprValuB+3], v[vgprAddress], s[sgprB:sgprB+3], 0, offen, offset:0 glc
wait vm=0, lgkm=0
.irpc half, 01
ds_write_b64 v[vgprLocal], v[vgprValuA+2*\half:vgprValuA+2*\half+1] offset:2048*\half
.endr
s_barrier
ds_read_b64 v[vgprValuA:vgprValuA+1], v[vgprLocal] offset:0+64*1
ds_read2st64_b32 v[vgprValuA+2:vgprValuA+3], v[vgprLocal] offset0:0 offset1:MAX_UNROLL
wait , 0
mfma 0, 0, 0
mfma acc=0, a=2, b=2
s_sub_u32 s[sgprLoop], s[sgprLoop], 0x1
s_cmp_lg_u32 s[sgprLoop], 0
s_cbranch_scc1 label_loop_begin // next iteration
s_nop 15

v_accvgpr_read_b32 v[vgprC+0], acc0
v_accvgpr_read_b32 v[vgprC+1], a[accC+1]
v_pk_fma_f32 v[vgprC:vgprC+1], v[vgprC:vgprC+1], v[vgprC:vgprC+1], v[vgprC:vgprC+1] op_sel_hi:[0,1,1]
v_pk_mul_f32 v[8:9], v[8:9], s[0:1] neg_lo:[0,1] neg_hi:[1,0]
v_fma_f64 v[10:11], -v[8:9], |v[8:9]|, 0.5
v_rcp_f64 v[10:11], 1.0
v_cvt_f16_f32 v[vgprC], v[vgprC]
global_atomic_add_f64 v[vgprAddress:vgprAddress+1], v[10:11], off
flat_store_dwordx2 v[vgprAddress:vgprAddress+1], v[vgprC:vgprC+1] offset:16
buffer_store_short v8, off, s[8:11], s1 offset:(16-4)*2
v_add_u32_sdwa v0, v1, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:WORD_1
v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
v_mov_b32_dpp v0, v1 row_newbcast:3
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf0
s_setprio 3
s_branch .Lend
.Lend:
s_endpgm
.Lfunc_end0:
.size gemm_tile, .Lfunc_end0-gemm_tile

.rodata
.p2align 6
.amdhsa_kernel gemm_tile
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_accum_offset 68
  .amdhsa_next_free_vgpr 68+16
  .amdhsa_next_free_sgpr 24
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_tg_split 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 1
amdhsa.kernels:
  - .name: gemm_tile
    .symbol: 'gemm_tile.kd'
    .agpr_count: 16
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 84
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
