// y[i] = a * x[i] + y[i] for gfx90a, four elements a work-item; the mistakes in it are what the tests look for.
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"

.set s_kernarg, 0               // s[0:1]: address of the arguments
.set s_group, 2
.set s_x, 4                     // s[4:5]: address of x
.set s_y, 6                     // s[6:7]: address of y
.set s_a, 8
.set v_index, 0
.set v_address, 2               // v[2:3]
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
    s_load_dwordx4 s[s_x:s_x+3], s[s_kernarg:s_kernarg+1], 0x0
    s_load_dwordx2 s[9:10], s[s_kernarg:s_kernarg+1], 0x10
    s_waitcnt lgkmcnt(0)
    s_lshl_b32 s3, s[s_group], 8
    v_add_u32 v[v_index], s3, v[v_index]
    v_mov_b32 v[v_index+1], 0
    s_mov_b32 s11, 4
next:
    element_address s_x
    global_load_dword v[v_x], v[v_address:v_address+1], off
    element_address s_y
    global_load_dword v[v_y], v[v_address:v_address+1], off
    s_waitcnt vmcnt(0)
    v_fma_f32 v[v_y], s[s_a], v[v_x], v[v_y]
    v_cmp_lt_f32 vcc, 0, v[v_y]
    s_cbranch_vccz skip
    global_store_dword v[v_address:v_address+1], v[v_y], off
skip:
    s_add_u32 s4, s4, 0x100
    s_sub_u32 s11, s11, 1
    s_cmp_lg_u32 s11, 0
    s_cbranch_scc1 next
    s_endpgm

.section .rodata,"a"
.p2align 6
.amdhsa_kernel saxpy
    .amdhsa_kernarg_size 20
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_ofset 8
.end_amdhsa_kernel
