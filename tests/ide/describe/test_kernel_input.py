"""What a kernel is started with, at the cursor: inputs in registers, arguments and packet fields that loads read."""

import pytest

from tests.support.ide import hover_text

DESCRIPTOR = """
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 20
{fields}
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 26
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {{.name: out, .offset: 0, .size: 8, .type_name: 'float*', .value_kind: global_buffer}}
      - {{.name: x, .offset: 8, .size: 8, .type_name: 'float*', .value_kind: global_buffer}}
      - {{.name: n, .offset: 16, .size: 4, .type_name: uint, .value_kind: by_value}}
      - {{.offset: 24, .size: 4, .value_kind: hidden_block_count_x}}
      - {{.offset: 36, .size: 2, .value_kind: hidden_group_size_x}}
.end_amdgpu_metadata
"""
GFX90A = (
    "  .amdhsa_accum_offset 4\n  .amdhsa_user_sgpr_dispatch_ptr 1\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
    "  .amdhsa_system_vgpr_workitem_id 2"
)
KERNARG_ONLY = "  .amdhsa_user_sgpr_kernarg_segment_ptr 1"
PLUS = "s_add_u32 s10, s2, 0x8\ns_addc_u32 s11, s3, 0\n"


def hover(code: str, target: str = "gfx90a", fields: str = GFX90A) -> str:
    """The hover at `$0` in the code of a kernel."""
    return hover_text(f"copy:\n{code}\ns_endpgm\n{DESCRIPTOR.format(fields=fields)}", target) or ""


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("s_load_dwordx2 s[8:9], s[2$0:3], 0x8", "- kernarg segment pointer (in `s[2:3]`)"),
        ("s_load_dword s8, s[0$0:1], 0x4", "- dispatch packet pointer (in `s[0:1]`)"),
        ("s_lshl_b32 s8, s$04, 8", "- work-group id x (in `s4`)"),
        ("v_lshlrev_b32 v1, 2, v$00", "- work-item id y (in `v0`, bits 19:10)"),
        ("s_mov_b64 s[8:9], s[2:3]\ns_load_dword s12, s[8$0:9], 0x8", "- kernarg segment pointer (in `s[2:3]`)"),
        (f"{PLUS}s_load_dword s12, s[10$0:11], 0x0", "- kernarg segment pointer (in `s[2:3]`), plus 8 bytes"),
        (
            "s_mov_b32 s8, s2\ns_mov_b32 s9, s3\ns_load_dword s12, s[8$0:9], 0x0",
            "- kernarg segment pointer (in `s[2:3]`)",
        ),
        ("s_mov_b32 s8, s4\ns_mov_b32 s9, s8\ns_lshl_b32 s10, s$09, 8", "- work-group id x (in `s4`)"),
        ("v_mov_b32 v2, v0\nv_lshlrev_b32 v1, 2, v$02", "- work-item id y (in `v0`, bits 19:10)"),
        # Over a call, in registers that functions preserve.
        (
            "s_mov_b64 s[34:35], s[2:3]\ns_swappc_b64 s[30:31], s[14:15]\ns_load_dword s12, s[34$0:35], 0x8",
            "- kernarg segment pointer (in `s[2:3]`)",
        ),
        ("s_mov_b32 s36, s4\ns_swappc_b64 s[30:31], s[14:15]\ns_mov_b32 s8, s$036", "- work-group id x (in `s4`)"),
    ],
)
def test_a_register_that_still_holds_an_input(code: str, row: str) -> None:
    assert row in hover(code)


@pytest.mark.parametrize(
    "code",
    [
        "s_mov_b32 s2, 0\ns_load_dword s12, s[2$0:3], 0x8",
        "s_mov_b64 s[8:9], s[2:3]\ns_mov_b32 s9, 0\ns_load_dword s12, s[8$0:9], 0x8",
        "s_add_u32 s10, s2, s12\ns_addc_u32 s11, s3, 0\ns_load_dword s12, s[10$0:11], 0x0",
        "s_add_u32 s10, s2, 8\ns_load_dword s12, s[10$0:11], 0x0",
        "loop:\ns_add_u32 s2, s2, 8\ns_addc_u32 s3, s3, 0\ns_load_dword s12, s[2$0:3], 0x0\ns_cbranch_scc0 loop",
        "s_swappc_b64 s[30:31], s[14:15]\ns_load_dword s12, s[2$0:3], 0x0",
        "s_mov_b64 s[2$0:3], 0",
        "s_mov_b32 s8, s4\ns_swappc_b64 s[30:31], s[14:15]\ns_mov_b32 s9, s$08",
        "v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2]\nv_lshlrev_b32 v1, 2, v$02",
    ],
)
def test_a_register_that_does_not(code: str) -> None:
    assert "Holds what the kernel started with" not in hover(code)


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        (
            "s_load$0_dwordx2 s[8:9], s[2:3], 0x8",
            ["- `s[8:9]`: argument 1 `x`, `float*`: a 64-bit pointer to global memory"],
        ),
        ("s_load$0_dword s8, s[2:3], 0x10", ["- `s8`: argument 2 `n`, `uint`"]),
        (
            "s_load$0_dwordx8 s[8:15], s[2:3], 0x0",
            ["- `s[8:9]`: argument 0 `out`", "- `s[10:11]`: argument 1 `x`", "- `s12`: argument 2 `n`", "- `s14`: "],
        ),
        (f"{PLUS}s_load$0_dword s12, s[10:11], 0x8", ["- `s12`: argument 2 `n`, `uint`"]),
        ("s_load$0_dword s8, s[2:3], 0x18", ["- `s8`: argument 3 `hidden_block_count_x`: number of whole work-groups"]),
        ("s_load$0_dword s8, s[2:3], 0x24", ["- `s8`: argument 4 `hidden_group_size_x`: work-items of a work-group"]),
        ("s_load$0_dword s8, s[0:1], 0x4", ["- `s8`: work-items of a work-group along x", "along y"]),
    ],
)
def test_what_a_load_reads(code: str, rows: list[str]) -> None:
    found = hover(code)
    assert "Loads:" in found
    for row in rows:
        assert row in found, found


@pytest.mark.parametrize(
    "code", ["s_load$0_dword s8, s[2:3], s12", "s_load$0_dword s8, s[6:7], 0x0", "s_load$0_dword s8, s[2:3], 0x80"]
)
def test_a_load_of_something_else(code: str) -> None:
    assert "Loads:" not in hover(code)


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("s_load_dwordx4 s[8:11], s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b64 s[12:13], s[10$0:11]", "argument 1 `x`"),
        ("s_load_dword s8, s[2:3], 0x10\ns_mov_b32 s9, s8\ns_lshl_b32 s10, s$09, 2", "argument 2 `n`, `uint`"),
        (
            "s_load_dwordx2 s[8:9], s[2:3], 0x8\ns_add_u32 s12, s8, 16\ns_addc_u32 s13, s9, 0\n"
            "s_load_dword s14, s[12$0:13], 0x0",
            "argument 1 `x`, `float*`: a 64-bit pointer to global memory, plus 16 bytes",
        ),
    ],
)
def test_a_register_that_holds_what_was_loaded(code: str, row: str) -> None:
    found = hover(code)
    assert "Holds what was loaded" in found
    assert f"- {row}" in found, found
    assert found.count("- argument") == 1, found


@pytest.mark.parametrize(
    "code",
    [
        "s_load_dword s8, s[2:3], 0x10\ns_cbranch_scc0 1f\ns_mov_b32 s8, 1\n1:\ns_lshl_b32 s10, s$08, 2",
        "s_load_dword s8, s[2:3], 0x10\ns_lshl_b32 s8, s8, 1\ns_lshl_b32 s10, s$08, 2",
        "s_load_dword s8, s[6:7], 0x10\ns_lshl_b32 s10, s$08, 2",
    ],
)
def test_a_register_that_may_hold_something_else(code: str) -> None:
    assert "Holds what was loaded" not in hover(code)


def test_a_narrow_load_reads_no_more_than_its_width() -> None:
    found = hover("s_load$0_u16 s8, s[0:1], 0xc", "gfx1200", KERNARG_ONLY)
    assert "argument 1 `x`" in found
    assert "argument 2" not in hover("s_load$0_u16 s8, s[0:1], 0xe", "gfx1200", KERNARG_ONLY)


@pytest.mark.parametrize(
    ("code", "skipped", "row"),
    [
        ("s_mov_b64 s[20:21], s[6$0:7]", 0, "- argument 1 `x`, `float*`: a 64-bit pointer to global memory"),
        ("s_lshl_b32 s20, s$08, 2", 0, "- argument 2 `n`, `uint`, preloaded"),
        ("s_lshl_b32 s20, s$06, 2", 2, "- argument 2 `n`, `uint`, preloaded"),
    ],
)
def test_preloaded_arguments(code: str, skipped: int, row: str) -> None:
    preloaded = f"  .amdhsa_user_sgpr_kernarg_preload_length 5\n  .amdhsa_user_sgpr_kernarg_preload_offset {skipped}"
    assert row in hover(code, "gfx90a", f"{GFX90A}\n{preloaded}")


def test_offsets_of_gfx6_count_dwords() -> None:
    assert "- `s8`: argument 2 `n`" in hover("s_load$0_dword s8, s[0:1], 0x4", "gfx600", KERNARG_ONLY)


def test_an_addition_of_64_bits() -> None:
    code = "s_add_nc_u64 s[8:9], s[0:1], 16\ns_load$0_b32 s12, s[8:9], 0x0"
    assert "- `s12`: argument 2 `n`" in hover(code, "gfx1200", KERNARG_ONLY)


def test_ids_in_trap_temporaries() -> None:
    found = hover("s_lshl_b32 s8, ttmp$09, 8", "gfx1200", KERNARG_ONLY)
    assert "- work-group id x (in `ttmp9`)" in found


def test_a_value_kind_in_the_metadata() -> None:
    text = DESCRIPTOR.format(fields=KERNARG_ONLY).replace("hidden_block_count_x", "hidden_block$0_count_x")
    found = hover_text(f"copy:\ns_endpgm\n{text}", "gfx900")
    assert found is not None
    assert "Number of whole work-groups in the grid along x" in found


FUNCTION = ".type f,@function\nf:\ns_waitcnt vmcnt(0) lgkmcnt(0)\n{}\ns_setpc_b64 s[30:31]\n"


@pytest.mark.parametrize(
    ("code", "target", "row"),
    [
        ("s_add_u32 s4, s3$02, 16", "gfx90a", "- stack pointer (in `s32`)"),
        ("s_load_dword s20, s[4$0:5], 0x4", "gfx90a", "- dispatch packet pointer (in `s[4:5]`)"),
        (
            "s_mov_b64 s[20:21], s[8:9]\ns_load_dword s22, s[20$0:21], 0x4",
            "gfx900",
            "- pointer to the hidden arguments",
        ),
        ("v_and_b32 v0, 0x3ff, v3$01", "gfx900", "- work-item id x (in `v31`, bits 9:0)"),
        ("s_mov_b32 s20, s1$02", "gfx1030", "- work-group id x (in `s12`)"),
        ("s_mov_b32 s20, ttmp$09", "gfx1200", "- work-group id x (in `ttmp9`)"),
        ("s_lshr_b32 s20, ttmp$07, 16", "gfx1201", "- work-group id z (in `ttmp7`, bits 31:16)"),
    ],
)
def test_a_register_of_a_function(code: str, target: str, row: str) -> None:
    assert row in (hover_text(FUNCTION.format(code), target) or "")


@pytest.mark.parametrize(
    ("code", "target"),
    [("s_mov_b32 s32, 0\ns_mov_b32 s20, s3$02", "gfx900"), ("s_mov_b32 s20, s1$02", "gfx1200")],
)
def test_a_register_that_a_function_has_changed(code: str, target: str) -> None:
    assert "was called with" not in (hover_text(FUNCTION.format(code), target) or "")


EXPLICIT_ONLY = "\n".join(line for line in DESCRIPTOR.splitlines() if "hidden" not in line and ".name: n," not in line)


@pytest.mark.parametrize(
    ("version", "offset", "name"),
    [
        ("[1, 2]", "0x10", "hidden_block_count_x"),
        ("[1, 1]", "0x10", "hidden_global_offset_x"),
        ("[1, 2]", "0x1c", "group_size_x"),
    ],
)
def test_hidden_arguments_that_the_metadata_leaves_out(version: str, offset: str, name: str) -> None:
    text = EXPLICIT_ONLY.format(fields=GFX90A).replace("[1, 2]", version)
    shown = hover_text(f"copy:\ns_load_d$0word s8, s[2:3], {offset}\ns_endpgm\n{text}", "gfx90a") or ""
    assert name in shown


@pytest.mark.parametrize(("base", "name"), [("s[8:9]", "hidden_block_count_x"), ("s[4:5]", "header")])
def test_what_a_function_loads(base: str, name: str) -> None:
    assert name in (hover_text(FUNCTION.format(f"s_load_d$0word s20, {base}, 0x0"), "gfx90a") or "")
