"""What is said of the legal line that is nearest to a rejected one."""

import pytest

from tests.instruction.support import assemble


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [
        ("gfx900", "s_load_dwordx4 s[2:5], s[0:1], 0x0", "the nearest legal ones are `s[0:3]` and `s[4:7]`"),
        ("gfx90a", "ds_read_b64 v[1:2], v0", "the nearest legal ones are `v[0:1]` and `v[2:3]`"),
        ("gfx900", "ds_read_b128 v[253:256], v0", "the nearest legal one is `v[252:255]`"),
        ("gfx900", "s_mov_b64 s[102:103], 0", "the nearest legal one is `s[100:101]`"),
        ("gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3", "are both even; one must be even"),
        ("gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v4", "the nearest legal ones are `v1` and `v3`"),
        ("gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5", "the nearest legal ones are `v4` and `v6`"),
        ("gfx900", "v_mad_f32 v0, v1, v2, v3 op_sel:[0,0,0,0]", "without `op_sel:[0,0,0,0]` the line is legal"),
        ("gfx803", "flat_load_dword v0, v[1:2] offset:8", "without `offset:8` the line is legal"),
        ("gfx1201", "global_load_b32 v0, v1, s[0:1] offset:4 slc", "without `slc` the line is legal"),
        ("gfx1030", "image_load v[0:2], v[1:2], s[0:7] dmask:0x3 dim:2D", "2 dwords, as in `v[0:1]`"),
        ("gfx1030", "image_load v[0:1], v[1:3], s[0:7] dmask:0x3 dim:2D", "a16 need 2, as in `v[1:2]`"),
    ],
)
def test_what_is_nearest(cpu: str, line: str, text: str) -> None:
    (problem,) = assemble(line, cpu).problems
    assert text in problem.message
    assert not any(fix.is_certain for fix in problem.fixes)
    offered = [fix.new_text for fix in problem.fixes if fix.new_text]
    assert all(f"`{new}`" in problem.message for new in offered)
    assert bool(offered) == ("nearest legal" in problem.message)


@pytest.mark.parametrize(
    ("cpu", "line", "offered"),
    [
        (
            "gfx90a",
            "v_mfma_f32_16x16x16f16 v[9:12], v[5:6], v[2:3], v[17:20]",
            [["v[8:11]", "v[10:13]"], ["v[4:5]", "v[6:7]"], ["v[16:19]", "v[18:21]"]],
        ),
        ("gfx900", "s_load_dwordx4 s[6:9], s[1:2], 0x0", [["s[4:7]", "s[8:11]"]]),
        ("gfx900", "s_and_b64 s[3:4], s[4:5], s[7:8]", [["s[2:3]", "s[4:5]"]]),
    ],
)
def test_several_misaligned_tuples_each_have_neighbours(cpu: str, line: str, offered: list[list[str]]) -> None:
    problems = assemble(line, cpu).problems
    assert [[fix.new_text for fix in problem.fixes] for problem in problems] == offered
    for problem in problems:
        assert not any(fix.is_certain for fix in problem.fixes)
        assert bool(problem.fixes) == ("the nearest legal ones are" in problem.message)


@pytest.mark.parametrize(
    ("cpu", "line", "right"),
    [
        ("gfx1030", "image_load v[0:1], [v[1:2], v3], s[0:7] dmask:0x3 dim:3D", "v1, v2"),
        ("gfx1200", "image_load v[0:1], [v1, v[4:5]], s[0:7] dmask:0x3 dim:3D", "v4, v5"),
        ("gfx1200", "image_load v[0:1], v[1:2], s[0:7] dmask:0x3 dim:2D", "[v1, v2]"),
    ],
)
def test_address_registers_one_by_one(cpu: str, line: str, right: str) -> None:
    (problem,) = assemble(line, cpu).problems
    assert f"takes one dword, as in `{right}`" in problem.message
    (fix,) = problem.fixes
    assert fix.new_text == right
    assert assemble(line[: fix.start] + right + line[fix.end :], cpu).code


@pytest.mark.parametrize(
    ("cpu", "line", "right"),
    [
        ("gfx900", "v_add_f32_e64 v0, 0x1234, v1", "v_add_f32 v0, 0x1234, v1"),
        ("gfx900", "v_add_f32_e32 v0, v1, s2", "v_add_f32 v0, v1, s2"),
        ("gfx1100", "v_mov_b32_sdwa v0, v1", "v_mov_b32 v0, v1"),
        ("gfx803", "buffer_load_dword_e64 v1, off, s[4:7], 0", "buffer_load_dword v1, off, s[4:7], 0"),
        ("gfx900", "global_load_dwordx v[0:1], v1, s[0:1]", "global_load_dwordx2 v[0:1], v1, s[0:1]"),
    ],
)
def test_the_mnemonic_that_takes_the_operands(cpu: str, line: str, right: str) -> None:
    (problem,) = assemble(line, cpu).problems
    (fix,) = problem.fixes
    assert line[: fix.start] + fix.new_text + line[fix.end :] == right
    assert assemble(right, cpu).code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "v_fma_f32 v0, v1, v2, 0x1234"),
        ("gfx900", "v_add_f32_e32 v0, v1, s[2:3]"),  # wrong in any encoding
        ("gfx900", "s_load_dwordx4 s[2:5], v0, 0x0"),
        ("gfx900", "v_mad_f32 v0, v1, v2 op_sel:[0,0,0,0]"),  # and an operand is missing
        ("gfx900", "v_add_f32 v256, v0, v1"),
    ],
)
def test_nothing_is_said_where_that_is_not_all(cpu: str, line: str) -> None:
    (problem, *_) = assemble(line, cpu).problems
    assert not any(word in problem.message for word in ("nearest", "without"))


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("global_load_dword v1, v[28:29], s[2:3]", "global_load_dword v1, v28, s[2:3]"),
        ("v_add_f64 v[0:1], v2, v[4:5]", "v_add_f64 v[0:1], v[2:3], v[4:5]"),
        ("s_mov_b64 s2, 0", "s_mov_b64 s[2:3], 0"),
    ],
)
def test_the_tuple_that_is_named_is_a_fix(line: str, right: str) -> None:
    (problem,) = assemble(line, "gfx942").problems
    assert problem.rule == "wrong-register-width"
    (fix,) = problem.fixes
    assert line[: fix.start] + fix.new_text + line[fix.end :] == right
    assert not fix.is_certain
    assert assemble(right, "gfx942").code


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("v_add_f64 v[0:1], v[1+1], v[4:5]", "v_add_f64 v[0:1], v[1+1:1+1+1], v[4:5]"),
        ("v_add_f32 v0, v[1+1:1+2], v4", "v_add_f32 v0, v[1+1], v4"),
    ],
)
def test_a_computed_register_keeps_its_first_index(line: str, right: str) -> None:
    (problem,) = assemble(line, "gfx942").problems
    (fix,) = problem.fixes
    assert line[: fix.start] + fix.new_text + line[fix.end :] == right
    assert assemble(right, "gfx942").code


def test_no_fix_begins_a_tuple_at_a_computed_register_that_cannot_begin_one() -> None:
    (problem,) = assemble("s_mov_b64 s[1+2], 0", "gfx942").problems
    assert problem.fixes == ()


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("global_load_dword v0, v[2:3] offset:16", ["global_load_dword v0, v[2:3], off offset:16"]),
        (
            "buffer_load_dword v1, v2, s[8:11], 0 glc",
            ["buffer_load_dword v1, v2, s[8:11], 0 idxen glc", "buffer_load_dword v1, v2, s[8:11], 0 offen glc"],
        ),
    ],
)
def test_a_missing_word_is_a_fix(line: str, fixed: list[str]) -> None:
    (problem,) = assemble(line).problems
    assert [line[: fix.start] + fix.new_text + line[fix.end :] for fix in problem.fixes] == fixed
    assert all(assemble(each).code for each in fixed)


@pytest.mark.parametrize(
    ("line", "legal"),
    [
        ("global_load_dwordx2 v[3:4], v0, s[0:1]", ["v[2:3]", "v[4:5]"]),
        ("s_load_dwordx2 s[11:12], s[0:1], 0x0", ["s[10:11]", "s[12:13]"]),
    ],
)
def test_the_nearest_tuples_are_fixes_to_choose_from(line: str, legal: list[str]) -> None:
    (problem,) = assemble(line, "gfx90a").problems
    assert [fix.new_text for fix in problem.fixes] == legal
    assert not any(fix.is_certain for fix in problem.fixes)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("s_movk_i32 s0, 0x12345", "s_mov_b32 s0"),
        ("s_addk_i32 s0, 0x12345", "s_add_i32 s0, s0"),
        ("s_cmpk_lt_u32 s0, 0x12345", "s_cmp_lt_u32 s0"),
        ("s_cmovk_i32 s0, 0x12345", "s_cmov_b32 s0"),
    ],
)
def test_the_instruction_that_takes_a_literal(line: str, text: str) -> None:
    (problem,) = assemble(line, "gfx900").problems
    assert [fix.new_text for fix in problem.fixes] == [text]
    assert "takes a literal" in problem.message


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("flat_store_dword v5, v[9:10]", "flat_store_dword v[9:10], v5"),
        ("flat_load_dword v[2:3], v1", "flat_load_dword v1, v[2:3]"),
        ("ds_write_b64 v[2:3], v1 offset:8", "ds_write_b64 v1, v[2:3] offset:8"),
        ("global_store_dword v1, v[2:3], off", "global_store_dword v[2:3], v1, off"),
    ],
)
def test_two_operands_in_the_place_of_each_other(line: str, fixed: str) -> None:
    (problem,) = assemble(line, "gfx900").problems
    (fix,) = problem.fixes
    assert problem.rule == "wrong-register-width"
    assert line[: fix.start] + fix.new_text + line[fix.end :] == fixed
    assert not fix.is_certain


@pytest.mark.parametrize("line", ["flat_store_dword v5, v9", "v_add_f32 v[0:1], v2, v3"])
def test_a_width_that_no_exchange_mends(line: str) -> None:
    assert all("exchanged" not in problem.message for problem in assemble(line, "gfx900").problems)


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("v_add_co_u32 v1, vcc, v9, 64*64*64", "v_add_co_u32 v1, vcc, 64*64*64, v9"),
        ("v_mul_f32 v1, v2, 0x3fb8aa3b", "v_mul_f32 v1, 0x3fb8aa3b, v2"),
        ("v_and_b32 v1, v2, 0xffff", "v_and_b32 v1, 0xffff, v2"),
    ],
)
def test_a_literal_becomes_the_first_source(line: str, fixed: str) -> None:
    (problem,) = assemble(line, "gfx900").problems
    (fix,) = problem.fixes
    assert line[: fix.start] + fix.new_text + line[fix.end :] == fixed
    assert fix.is_certain
    assert assemble(fixed, "gfx900").code


@pytest.mark.parametrize(
    "line", ["v_sub_f32 v1, v2, 0x3fb8aa3b", "v_add_f32 v1, s2, 0x3fb8aa3b", "v_lshlrev_b32 v1, v2, 0xffff"]
)
def test_a_literal_that_cannot_come_first(line: str) -> None:
    (problem,) = assemble(line, "gfx900").problems
    assert not problem.fixes


@pytest.mark.parametrize(
    ("cpu", "line", "right"),
    [
        ("gfx942", "global_store_dword v5, v8, s[8:9] th:TH_STORE_NT", "global_store_dword v5, v8, s[8:9]"),
        ("gfx90a", "global_load_dword v4, v3, s[4:5] dlc // x", "global_load_dword v4, v3, s[4:5] // x"),
        (
            "gfx90a",
            "buffer_load_dword v1, off, s[4:7], 0 dlc offset:4",
            "buffer_load_dword v1, off, s[4:7], 0 offset:4",
        ),
        ("gfx90a", "global_atomic_add v4, v3, s[4:5] dlc", None),  # a policy may say what an atomic returns
        ("gfx900", "v_mad_f32 v0, v1, v2, v3 op_sel:[0,0,0,0]", None),
    ],
)
def test_a_cache_policy_that_the_target_lacks_is_removed(cpu: str, line: str, right: str | None) -> None:
    (problem,) = assemble(line, cpu).problems
    fixed = [line[: fix.start] + fix.new_text + line[fix.end :] for fix in problem.fixes]
    assert fixed == ([right] if right is not None else [])
