"""Kernels that give data to other work-groups, by a flag or as the last one to be done; parts can be taken out."""

FLAG_GFX942 = """
k:
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_mov_b32 v1, 0
v_lshlrev_b32 v2, 2, v0
s_cmp_lg_u32 s2, 0
s_waitcnt lgkmcnt(0)
s_cbranch_scc1 take
global_store_dword v2, v0, s[4:5]
buffer_wbl2 sc1
s_waitcnt vmcnt(0)
v_mov_b32 v4, 1
global_store_dword v1, v4, s[6:7] sc1
s_endpgm
take:
global_load_dword v4, v1, s[6:7] sc1
s_waitcnt vmcnt(0)
v_readfirstlane_b32 s8, v4
s_cmp_eq_u32 s8, 1
s_cbranch_scc1 go
s_sleep 2
s_branch take
go:
buffer_inv sc1
global_load_dword v5, v2, s[4:5]
s_waitcnt vmcnt(0)
global_store_dword v2, v5, s[4:5] offset:4096
s_endpgm
"""
FLAG_GFX1201 = """
k:
s_load_b128 s[4:7], s[0:1], 0x0
v_mov_b32 v1, 0
v_lshlrev_b32 v2, 2, v0
s_cmp_lg_u32 ttmp9, 0
s_wait_kmcnt 0x0
s_cbranch_scc1 take
global_store_b32 v2, v0, s[4:5]
s_wait_storecnt 0x0
v_mov_b32 v4, 1
global_store_b32 v1, v4, s[6:7] scope:SCOPE_DEV
s_endpgm
take:
global_load_b32 v4, v1, s[6:7] scope:SCOPE_DEV
s_wait_loadcnt 0x0
v_readfirstlane_b32 s8, v4
s_cmp_eq_u32 s8, 1
s_cbranch_scc0 take
global_inv scope:SCOPE_DEV
global_load_b32 v5, v2, s[4:5]
s_wait_loadcnt 0x0
global_store_b32 v2, v5, s[4:5] offset:4096
s_endpgm
"""
LAST_GFX942 = """
k:
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_lshl_b32 s3, s2, 8
v_mov_b32 v1, 0
v_mov_b32 v3, 1
v_lshl_add_u32 v2, v0, 2, s3
s_waitcnt lgkmcnt(0)
global_store_dword v2, v0, s[4:5]
buffer_wbl2 sc1
s_waitcnt vmcnt(0)
global_atomic_add v4, v1, v3, s[6:7] sc0
s_waitcnt vmcnt(0)
buffer_inv sc1
v_readfirstlane_b32 s8, v4
s_cmp_lg_u32 s8, 7
s_cbranch_scc1 out
v_lshlrev_b32 v6, 2, v0
global_load_dword v5, v6, s[4:5] offset:64
s_waitcnt vmcnt(0)
global_store_dword v6, v5, s[4:5] offset:4096
out:
s_endpgm
"""
LAST_GFX1201 = """
k:
s_load_b128 s[4:7], s[0:1], 0x0
s_lshl_b32 s3, ttmp9, 8
v_mov_b32 v1, 0
v_mov_b32 v3, 1
v_lshl_add_u32 v2, v0, 2, s3
s_wait_kmcnt 0x0
global_store_b32 v2, v0, s[4:5]
s_wait_storecnt 0x0
global_atomic_add_u32 v4, v1, v3, s[6:7] th:TH_ATOMIC_RETURN scope:SCOPE_DEV
s_wait_loadcnt 0x0
global_inv scope:SCOPE_DEV
v_readfirstlane_b32 s8, v4
s_cmp_lg_u32 s8, 7
s_cbranch_scc1 out
v_lshlrev_b32 v6, 2, v0
global_load_b32 v5, v6, s[4:5] offset:64
s_wait_loadcnt 0x0
global_store_b32 v6, v5, s[4:5] offset:4096
out:
s_endpgm
"""
TARGETS = {FLAG_GFX942: "gfx942", FLAG_GFX1201: "gfx1201", LAST_GFX942: "gfx942", LAST_GFX1201: "gfx1201"}


def fixture(kernel: str, old: str = "", new: str = "") -> str:
    """A kernel as a fixture for its target, with one part replaced."""
    assert old in kernel
    return f"//- k.s target:{TARGETS[kernel]}{kernel.replace(old, new, 1) if old else kernel}"
