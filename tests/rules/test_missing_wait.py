"""Registers that are used while an operation in flight may still write them: the finding, its place, and the fix."""

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

LOAD, USE = "global_load_dword v1, v0, s[2:3]", "v_add_f32 v1, v1, v1"


def test_the_first_demonstration() -> None:
    check_diagnostics(
        """\
k:
  global_load_dword v1, v0, s[2:3]
  v_add_f32 v1, v1, v1
//              ^^ error[missing-wait]: this reads `v1`, which `global_load_dword` on line 2 may not have written yet; wait for vmcnt(0) first
  s_endpgm
"""  # noqa: E501
    )


def test_in_a_loop() -> None:
    text = f"k:\n{LOAD}\nl:\ns_waitcnt vmcnt(0)\n{USE}\n{LOAD}\ns_cbranch_scc1 l\n{USE}\ns_endpgm\n"
    (found,) = (each for each in findings(text) if each.rule == "missing-wait")
    assert found.where.line == 7
    # Round the loop: the use at its head is of what its end has loaded.
    check_no_finding(text.replace(f"l\n{USE}", "l"), "missing-wait")
    endless = f"k:\nl:\n{USE}\n{LOAD}\ns_cbranch_scc1 l\ns_endpgm\n"
    (found,) = (each for each in findings(endless) if each.rule != "endless-loop")
    assert (found.rule, found.where.line) == ("missing-wait", 2)


def test_through_a_macro_the_fix_goes_into_its_body_if_every_call_needs_it() -> None:
    body = ".macro use\n  {}" + USE + "\n.endm\n"
    call = f"k:\n{LOAD}\nuse\n{LOAD}\nuse\ns_endpgm\n"
    check_fix(body.format("") + call, body.format("s_waitcnt vmcnt(0)\n  ") + call)
    once = f"k:\n{LOAD}\nuse\nuse\ns_endpgm\n"
    found = [each for each in findings(body.format("") + once) if each.rule == "missing-wait"]
    assert [each.where.line for each in found] == [1]


def test_through_a_macro_the_fix_goes_before_the_calls_that_need_it() -> None:
    body = f".macro use\n  s_nop 0\n  {USE}\n.endm\n"
    check_fix(
        f"{body}k:\n  {LOAD}\n  use\n  use\n  s_endpgm\n",
        f"{body}k:\n  {LOAD}\n  s_waitcnt vmcnt(0)\n  use\n  use\n  s_endpgm\n",
    )
    check_fix(
        f"{body}k:\n  {LOAD}\n  use\n  use\n  {LOAD}\n  use\n  s_endpgm\n",
        f"{body}k:\n  {LOAD}\n  s_waitcnt vmcnt(0)\n  use\n  use\n  {LOAD}\n  s_waitcnt vmcnt(0)\n  use\n  s_endpgm\n",
    )


def test_a_wait_before_a_call_does_not_count_what_the_macro_issues() -> None:
    more = "global_load_dword v2, v0, s[2:3]"
    body = f".macro use\n  {more}\n  {USE}\n.endm\n"
    before = f"{body}k:\n  {LOAD}\n  {more}\n{{}}  use\n  use\n  s_endpgm\n"
    check_fix(before.format(""), before.format("  s_waitcnt vmcnt(1)\n"))


@pytest.mark.parametrize(
    "body",
    [
        f"{LOAD}\n.if \\one\n  s_waitcnt vmcnt(0)\n.endif\n  {USE}",  # in flight from the macro itself
        f"s_nop 0\n.Ll\\@:\n.if \\one\n  s_waitcnt vmcnt(0)\n.endif\n  {USE}",  # a branch may enter here
    ],
)
def test_no_wait_before_a_call_that_would_not_be_enough(body: str) -> None:
    text = f".macro use one\n  {body}\n.endm\nk:\n  {LOAD}\n  use 0\n  {LOAD}\n  use 1\n  s_endpgm\n"
    (found,) = (each for each in findings(text) if each.rule == "missing-wait")
    assert not found.fixes


def test_across_a_join() -> None:
    check_diagnostics(
        """\
k:
  s_cbranch_scc1 1f
  global_load_dword v1, v0, s[2:3]
1:
  v_add_f32 v1, v1, v1
//              ^^ error[missing-wait]: wait for vmcnt(0) first
  s_endpgm
"""
    )


def test_the_fix_is_the_weakest_wait_that_is_enough() -> None:
    more = "  global_load_dword v2, v0, s[2:3]\n"
    before = f"k:\n  {LOAD}\n{more}  {USE}\n  s_endpgm\n"
    check_fix(before, before.replace(f"  {USE}", f"  s_waitcnt vmcnt(1)\n  {USE}"))


def test_the_fix_is_merged_into_the_wait_before() -> None:
    before = (
        f"k:\n  {LOAD}\n  s_load_dword s9, s[2:3], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_mul_f32 v1, s9, v1\n  s_endpgm\n"
    )
    check_fix(before, before.replace("lgkmcnt(0)", "vmcnt(0) lgkmcnt(0)"))


def test_the_fix_stands_before_a_delay_and_before_a_clause() -> None:
    delay = "  s_delay_alu instid0(VALU_DEP_1)\n"
    before = f"k:\n  global_load_b32 v1, v0, s[2:3]\n{delay}  v_add_f32 v1, v1, v1\n  s_endpgm\n"
    check_fix(before, before.replace(delay, f"  s_waitcnt vmcnt(0)\n{delay}"), "gfx1100")
    clause = "  s_clause 0x1\n  global_load_b32 v3, v0, s[2:3]\n  global_load_b32 v4, v1, s[2:3]\n"
    before = f"k:\n  global_load_b32 v1, v0, s[2:3]\n{clause}  s_endpgm\n"
    check_fix(before, before.replace(clause, f"  s_waitcnt vmcnt(0)\n{clause}"), "gfx1100")


def test_the_operand_at_fault_is_underlined() -> None:
    check_diagnostics(
        r"""
        .macro use from
          v_add_f32 v9, \from, v8
        //              ^^^^^ error[missing-wait]: this reads `v1`
        .endm
        k:
          global_load_dword v1, v0, s[2:3]
          use v1
          ds_read_b64 v[2:3], v0
          v_add_f32 v3, v4, v4
        //          ^^ error[missing-wait]: this overwrites `v3`, which
          s_endpgm
        """,
    )


@pytest.mark.parametrize(
    ("fill", "use", "counter"),
    [
        ("global_load_async_to_lds_b128 v5, v4, s[2:3]", "ds_load_b32 v2, v3", "asynccnt"),
        ("cluster_load_async_to_lds_b32 v5, v4, s[2:3]", "ds_load_b32 v2, v3", "asynccnt"),
        ("tensor_load_to_lds s[4:7], s[8:15]", "ds_load_b32 v2, v3", "tensorcnt"),
        ("tensor_load_to_lds s[4:7], s[8:15]", "tensor_store_from_lds s[4:7], s[8:15]", "tensorcnt"),
        ("global_load_async_to_lds_b128 v5, v4, s[2:3]", "global_store_async_from_lds_b32 v2, v3, s[0:1]", "asynccnt"),
    ],
)
def test_lds_that_other_engines_fill(fill: str, use: str, counter: str) -> None:
    text = (
        "//- k.s target:gfx1250\nk:\n{}\n{}s_barrier_signal -1\ns_barrier_wait -1\n{}\ns_endpgm\n"
        ".rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.end_amdhsa_kernel\n"
    )
    (found,) = (each for each in findings(text.format(fill, "", use)) if each.rule == "missing-wait")
    assert f"{counter}(0)" in found.message
    check_no_finding(text.format(fill, f"s_wait_{counter} 0x0\n", use), "missing-wait")
    check_no_finding(text.format(fill, "ds_store_b32 v6, v7\n", use), "missing-wait")  # it may read this


@pytest.mark.parametrize("wait", ["s_waitcnt foo(0)", "s_waitcnt vmcnt(", "s_waitcnt vmcnt(99)", "s_wait vmcnt(0)"])
def test_a_wait_that_is_wrong_in_itself_may_be_the_one(wait: str) -> None:
    found = findings(f"k:\n{LOAD}\n{wait}\n{USE}\ns_endpgm\n")
    assert [each.where.line for each in found] == [2]
    found = findings(f"k:\n{LOAD}\n{wait}\n{LOAD}\ns_waitcnt vmcnt(0)\n{USE}\ns_endpgm\n")
    assert [each.where.line for each in found] == [2]
    assert "missing-wait" in [each.rule for each in findings(f"k:\n{wait}\n{LOAD}\n{USE}\ns_endpgm\n")]


@pytest.mark.parametrize("wait", ["s_wait_bvhcnt 0x0", "s_wait_xcnt 0x0"])
def test_a_wait_for_a_counter_that_only_siblings_have_is_none(wait: str) -> None:
    text = f"//- k.s target:gfx1310\nk:\nglobal_load_b32 v0, v[0:1], off\n{wait}\nv_mov_b32 v1, v0\ns_endpgm\n"
    assert [each.rule for each in findings(text)] == ["unsupported-on-target", "missing-wait"]


def test_what_only_a_replayed_access_needs_is_information() -> None:
    load = "//- k.s target:gfx1250\nk:\nglobal_load_b32 v1, v0, s[2:3]\n"
    (found,) = (each for each in findings(f"{load}v_mov_b32 v0, 0\ns_endpgm\n") if each.rule == "missing-wait")
    assert found.severity is Severity.INFORMATION
    assert "this overwrites `v0`, with which `global_load_b32` on line 2 is replayed" in found.message
    assert "wait for xcnt(0) first" in found.message
    (found,) = (each for each in findings(f"{load}v_mov_b32 v1, 0\ns_endpgm\n") if each.rule == "missing-wait")
    assert found.severity is Severity.ERROR


def test_an_image_sample_without_result_counts() -> None:
    sample = "image_sample {}, v0, s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_1D\n"
    text = f"//- k.s target:gfx1310\nk:\n{sample.format('v[1:4]')}{sample.format('off')}s_wait_samplecnt 0x{{}}\n"
    text += "v_mov_b32 v9, v1\ns_endpgm\n"
    check_no_finding(text.format(1), "insufficient-wait")
    assert "insufficient-wait" in [each.rule for each in findings(text.format(2))]


_SPLIT = """\
.text
.type k,@function
k:
flat_load_dword v2, v[0:1]
flat_load_dword v3, v[0:1] offset:4
s_waitcnt vmcnt(1)
v_add_u32 v2, v2, v2
s_waitcnt vmcnt(0)
v_add_u32 v3, v3, v3
s_swappc_b64 s[30:31], s[6:7]
flat_load_dword v2, v[0:1]
s_waitcnt vmcnt(0)
v_add_u32 v2, v2, v2
s_endpgm
.amdhsa_kernel k
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 32
.amdhsa_accum_offset 8
.amdhsa_tg_split {}
.end_amdhsa_kernel
"""


def test_flat_returns_in_order_in_a_kernel_without_lds() -> None:
    whole, split = _SPLIT.format(0), _SPLIT.format(1)
    assert [(each.rule, each.where.line) for each in findings(whole, "gfx90a") if "wait" in each.rule] == [
        ("insufficient-wait", 6),
        ("missing-wait", 12),
    ]
    check_no_finding(split, "missing-wait", "gfx90a")
    check_no_finding(split, "insufficient-wait", "gfx90a")
    late = split.replace("s_waitcnt vmcnt(1)\n", "")
    (found,) = (each for each in findings(late, "gfx90a") if each.rule == "missing-wait")
    assert "wait for vmcnt(1) first" in found.message


@pytest.mark.parametrize(("target", "counter"), [("gfx900", "lgkmcnt"), ("gfx1030", "lgkmcnt"), ("gfx1200", "dscnt")])
def test_a_flat_access_is_done_only_when_both_counters_are_down(target: str, counter: str) -> None:
    text = "k:\nflat_load_dword v1, v[2:3]\n{}\nv_mov_b32 v3, v1\ns_endpgm\n"
    memory, both = {
        "lgkmcnt": ("s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(0) lgkmcnt(0)"),
        "dscnt": ("s_wait_loadcnt 0", "s_wait_loadcnt_dscnt 0"),
    }[counter]
    (found,) = (each for each in findings(text.format(memory), target) if each.rule == "missing-wait")
    why = f"a flat access also counts in {counter}, since it may go to LDS; a `global_` access does not"
    assert found.message.endswith(f"first ({why})")
    assert found.severity is Severity.WARNING  # shipped kernels whose addresses are all in memory do without
    check_no_finding(text.format(both), "missing-wait", target)
    (neither,) = (each for each in findings(text.format("s_nop 0"), target) if each.rule == "missing-wait")
    assert "also counts" not in neither.message
    assert neither.severity is Severity.ERROR
    check_no_finding(text.format("s_waitcnt vmcnt(0)"), "missing-wait", "gfx803")


def parts(name: str, counter: str, thresholds: range, each: str) -> str:
    """A line for each part of a tile that there is, as Tensile loads and merges the last elements of a matrix."""
    lines = [f"{name}:", f"s_cmp_eq_u32 {counter}, 0", f"s_cbranch_scc1 {name}_end"]
    for place in thresholds:
        lines += [f"s_cmp_ge_u32 {counter}, {place}", f"s_cbranch_scc0 {name}_end", each.format(place)]
    return "\n".join((*lines, f"{name}_end:", ""))


def test_parts_of_two_tiles_are_loaded_and_merged_by_the_same_questions() -> None:
    load, merge = "buffer_load_dword v{}, v0, s[4:7], 0 offen", "s_waitcnt vmcnt(0)\nv_or_b32 v40, v40, v{}"
    first, second = range(11, 29, 2), range(51, 69, 2)
    loads = parts("load_a", "s25", first, load) + parts("load_b", "s26", second, load)
    merges = parts("merge_a", "s25", first, merge) + parts("merge_b", "s26", second, merge)
    reuse = "s_cmp_eq_u32 s25, 0\ns_cbranch_scc1 done\nv_mov_b32 v11, 0\n"
    text = f"; gcn-lsp: target=gfx90a\nk:\n{loads}{merges}{reuse}done:\ns_endpgm\n"
    check_no_finding(text, "missing-wait")
    weaker = text.replace("s_waitcnt vmcnt(0)\nv_or_b32 v40, v40, v11", "v_or_b32 v40, v40, v11")
    assert "missing-wait" in [each.rule for each in findings(weaker)]


def three_tiles(reuse: str) -> str:
    """Parts of three tiles, of which there are a thousand combinations."""
    load, merge = "buffer_load_dword v{}, v0, s[4:7], 0 offen", "s_waitcnt vmcnt(0)\nv_or_b32 v40, v40, v{}"
    tiles = (("a", "s25", range(11, 29, 2)), ("b", "s26", range(51, 69, 2)), ("c", "s27", range(71, 89, 2)))
    loads = "".join(parts(f"load_{name}", counter, places, load) for name, counter, places in tiles)
    merges = "".join(parts(f"merge_{name}", counter, places, merge) for name, counter, places in tiles)
    return f"; gcn-lsp: target=gfx90a\nk:\n{loads}{merges}{reuse}done:\ns_endpgm\n"


def test_parts_of_so_many_tiles_that_answers_are_dropped() -> None:
    reuse = "s_cmp_eq_u32 s25, 0\ns_cbranch_scc1 done\nv_mov_b32 v11, 0\nv_mov_b32 v13, 0\n"
    text = three_tiles(reuse)
    check_no_finding(text, "missing-wait")
    weaker = text.replace("s_waitcnt vmcnt(0)\nv_or_b32 v40, v40, v11", "v_or_b32 v40, v40, v11")
    (found,) = (each for each in findings(weaker) if each.rule == "missing-wait")
    assert "this reads `v11`" in found.message


def test_an_operation_that_another_one_seemed_to_be_behind() -> None:
    # On paths that do not exist v11 is in flight at its reuse, and a wait for it there would be one for v99 too.
    start = "buffer_load_dword v99, v0, s[4:7], 0 offen\n"
    reuse = "s_cmp_eq_u32 s25, 0\ns_cbranch_scc1 last\nv_mov_b32 v11, 0\nlast:\nv_mov_b32 v2, v99\n"
    text = three_tiles(reuse).replace("k:\n", f"k:\n{start}")
    (found,) = (each for each in findings(text) if each.rule == "missing-wait")
    assert "this reads `v99`" in found.message
    check_no_finding(text.replace("v_mov_b32 v2, v99", "s_waitcnt vmcnt(0)\nv_mov_b32 v2, v99"), "missing-wait")
