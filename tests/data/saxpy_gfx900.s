// y[i] = a * x[i] + y[i] for gfx900, four elements a lane; written for the tests, so it uses many ways to write things.
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
# A line that a C preprocessor might have left.

.set elements_per_lane, 4
.set lane_shift, 2 + 2              ; log2 of the bytes a lane handles
.equ s_args, 4
s_x = 8
s_y = s_x + 2
.set s_a, s_y + 2
.set s_count, s_a + 1
.set v_x, 2
.set v_y, v_x + elements_per_lane
.set v_address, v_y + elements_per_lane
.equiv UNROLL, 1

/* Loads `count` dwords from `base` plus the lane's offset.
   The count is part of the mnemonic. */
.macro load_lanes dst:req, base:req, count=4, wait:vararg
  .if \count == 1
    global_load_dword v[\dst], v[v_address:v_address+1], off \wait
  .elseif \count <= 4
    v_add_co_u32 v[v_address], vcc, s[\base], v1
    v_mov_b32 v[v_address+1], s[\base+1]
    v_addc_co_u32_e32 v[v_address+1], vcc, 0, v[v_address+1], vcc
    global_load_dwordx\count v[\dst:\dst+\count-1], v[v_address:v_address+1], off offset:0 \wait
  .else
    .error "cannot load \count dwords"
  .endif
.endm

.macro skip_if_none reg, target=
  s_cmp_eq_u32 s[\reg], 0
  s_cbranch_scc1 \target\()_end
skipped_\@:
.endm

.text
.globl saxpy
.p2align 8
.type saxpy,@function
saxpy:
  s_load_dwordx4 s[s_x:s_x+3], s[s_args:s_args+1], 0x0 ; x and y
  s_load_dwordx2 s[s_a:s_a+1], s[s_args:s_args+1], 16
  s_waitcnt lgkmcnt(0)
  skip_if_none s_count, target=saxpy

  ; The offset of this lane.
  s_lshl_b32 s6, s6, 6
  v_add_u32 v0, s6, v0
  V_LSHLREV_B32 v1, lane_shift, v0
  v_cmp_gt_u32 vcc, s[s_count], v0
  s_and_saveexec_b64 s[14:15], vcc
  s_cbranch_execz saxpy_end

1:
.ifdef UNROLL
  load_lanes v_x, s_x, count=4
  load_lanes v_y, s_y, 4, glc slc
.else
  s_branch 1b
.endif
  s_waitcnt vmcnt(0) & lgkmcnt(0)
.set offset, 0
.rept elements_per_lane
  v_mac_f32 v[v_y+offset], s[s_a], v[v_x+offset]
  .set offset, offset + 1
.endr
  .irp index, 0, 1, 2, 3
    v_max_f32_e64 v[v_y+\index], |v[v_y+\index]|, -1.0 clamp
  .endr
  s_cbranch_scc1 2f
  global_store_dwordx4 v[v_address:v_address+1], v[v_y:v_y+elements_per_lane-1], off glc
2: s_nop 0
  v_mov_b32_sdwa v3, v4 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_add_f32_dpp v3, -v4, |v5| quad_perm:[0, 1, 2, 3] row_mask:0xf bank_mask:0b1111 bound_ctrl:0
  v_pk_add_f16 v3, v4, v5 op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0]
  ds_swizzle_b32 v3, v4 offset:swizzle(BITMASK_PERM, "01pip")
  ds_read2_b32 v[4:5], v3 offset0:4 offset1:010
  s_getreg_b32 s2, hwreg(HW_REG_MODE, 0, 4)
  s_sendmsg sendmsg(MSG_INTERRUPT)
  image_load v[4:7], v[8:9], s[16:23] dmask:0xf unorm glc
  tbuffer_load_format_x v4, v5, s[16:19], 0 format:[BUF_DATA_FORMAT_32, BUF_NUM_FORMAT_FLOAT] idxen offset:4095
  v_mul_f32 v3, 0x3fb8aa3b, v4 // log2(e)
  v_add_f32 v3, neg(v4), abs(v5)
  v_mov_b32 v3, 0.15915494 // a literal or an inline constant
  s_mov_b64 s[2:3], [s4,s5]
  s_mov_b32 s2, ((saxpy_end - saxpy) >> 2) & ~3 | 1
saxpy_end: saxpy_done:
  s_endpgm
.Lsaxpy_size:
  .size saxpy, .Lsaxpy_size-saxpy

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel saxpy
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr v_address + 2
  .amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
  .amdhsa_ieee_mode 0
.end_amdhsa_kernel

message:
  .asciz "saxpy; // not a comment\n\x21\041"
  .byte 'a', 0xff, -1
  .long message, 10, 0x10UL
  .float 1.5, .5, -2.0e-3
.p2alignl 2, 0

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: saxpy
    .symbol: saxpy.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 12
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
