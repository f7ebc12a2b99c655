.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl saxpy
.p2align 8
.type saxpy,@function
saxpy:
  s_load_dwordx4 s[12:15], s[4:5], 0x0
  s_load_dwordx2 s[8:9], s[4:5], 0x10
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s7, s6, 8
  v_add_u32 v0, s7, v0
  v_cmp_gt_u32 vcc, s9, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz done
  v_lshlrev_b32 v1, 2, v0
  global_load_dword v2, v1, s[12:13]
  global_load_dword v3, v1, s[14:15]
  s_waitcnt vmcnt(0)
  v_mac_f32 v3, s8, v2
  global_store_dword v1, v3, s[14:15]
done:
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel saxpy
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel
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
    .max_flat_workgroup_size: 256
    .args:
      - {.name: x, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: y, .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a, .size: 4, .offset: 16, .value_kind: by_value, .type_name: float}
      - {.name: n, .size: 4, .offset: 20, .value_kind: by_value}
...
.end_amdgpu_metadata
