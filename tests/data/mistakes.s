; A kernel with one mistake of many a kind, for trying things out: y[i] = a * x[i] + y[i].
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"

.set s_kernarg, 0                       // s[0:1]: address of the arguments
.set s_group, 2                         // s2: work-group number
.set s_x, 4                             // s[4:5]
.set s_y, 6                             // s[6:7]
.set s_a, 8
.set s_count, 9
.set v_index, 0
.set v_address, 2                       // v[2:3]
.set v_x, 4
.set v_y, 5

.macro element_address base
    v_lshlrev_b64 v[v_address:v_address+1], 2, v[v_index:v_index+1]
    v_mov_b32 v6, s[\base+1]
    v_add_co_u32 v[v_address], vcc, s[\base], v[v_address]
    v_addc_co_u32 v[v_address+1], vcc, v6, v[v_address+1], vcc
.endm

.text
.globl saxpy
.p2align 8
.type saxpy,@function
saxpy:
    s_load_dwordx4 s[s_x:s_x+2], s[s_kernarg:s_kernarg+1], 0x0
    s_load_dwordx2 s[7:8], s[s_kernarg:s_kernarg+1], 0x10
    s_waitcnt lgkmcnt(0)
    s_lshl_b32 s3, s_group, 8
    v_add_u32 v[v_index], s3, v[v_idx]
    v_cmp_gt_u32 vcc, s[s_count], v[v_index], v0
    s_and_saveexec_b64 s[10:11], vcc
    s_cbranch_execz done
    v_mov_b32 v[v_index+1], 0
    element_address s_x
    global_load_dword v[v_x], v[v_address:v_address+1], off offset:5000
    element_adress s_y
    global_load_dword v[v_y], v[3:4], off
    s_waitcnt vmcnt(0)
    v_fma_f32 v[v_y], s[s_a], v[v_x], s[s_count]
    v_mfma_f32_16x16x4f16 a[0:3], v[v_x:v_x+1], v[v_y:v_y+1], a[0:3] cbsz:9
    global_store_dword v[v_address:v_address+1], v[v_y], off dlc
    s_branch finished
done:
    s_endgpm

.section .rodata,"a"
.p2align 6
.amdhsa_kernel saxpy
    .amdhsa_user_sgpr_kernarg_segment_ptr 2
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_ofset 8
.end_amdhsa_kernel
