"""The needed waits: orders, joins, loops, macros, full counters, and everything that needs no wait."""

import random

import pytest

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.waits import waits
from gcn_lsp.program import problems
from gcn_lsp.program.program import Program
from tests.analysis.support import program

KERNEL = ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 64\n.amdhsa_next_free_sgpr 64\n.end_amdhsa_kernel\n"


def needs(text: str, target: str = "gfx900") -> list[tuple[str, dict[str, int]]]:
    return needs_of(program(text, target))


def needs_of(built: Program) -> list[tuple[str, dict[str, int]]]:
    assert [found.problem.message for found in problems.of(built)] == []
    found = waits.of(built)
    assert found is not None
    return [(_text(each.site), dict(each.needs)) for each in found.missing]


def _text(site: Site) -> str:
    statement = site.item.statement
    return statement.line[statement.start : statement.end].decode()


LOAD, USE = "global_load_dword v1, v0, s[2:3]", "v_add_f32 v1, v1, v1"


def test_a_load_read_before_its_wait() -> None:
    assert needs(f"k:\n {LOAD}\n {USE}\n s_endpgm\n") == [(USE, {"vmcnt": 0})]
    assert needs(f"k:\n {LOAD}\n s_waitcnt vmcnt(0)\n {USE}\n s_endpgm\n") == []


def test_in_a_loop() -> None:
    text = f"k:\n v_mov_b32 v1, 0\nloop:\n {USE}\n {LOAD}\n s_cbranch_scc1 loop\n s_endpgm\n"
    assert needs(text) == [(USE, {"vmcnt": 0})]


def test_through_a_macro() -> None:
    text = f".macro load r\n global_load_dword v\\r, v0, s[2:3]\n.endm\nk:\n load 1\n load 2\n {USE}\n s_endpgm\n"
    assert needs(text) == [(USE, {"vmcnt": 1})]


def test_across_a_join_the_worse_side_counts() -> None:
    text = f"k:\n {LOAD}\n s_cbranch_scc1 1f\n global_load_dword v2, v0, s[2:3]\n1:\n {USE}\n s_endpgm\n"
    assert needs(text) == [(USE, {"vmcnt": 0})]
    waiting = text.replace("1:\n", "1:\n s_waitcnt vmcnt(0)\n")
    assert needs(waiting) == []


def test_a_wait_on_one_side_only() -> None:
    text = f"k:\n {LOAD}\n s_cbranch_scc1 1f\n s_waitcnt vmcnt(0)\n1:\n {USE}\n s_endpgm\n"
    assert needs(text) == [(USE, {"vmcnt": 0})]


# A loop that is unrolled twice: each half loads into a buffer of its own and has an exit; behind both the number of
# rounds decides which buffer was filled first.
TWO_EXITS = """k:
 global_load_dword v1, v0, s[2:3]
loop:
 global_load_dword v2, v0, s[2:3]
 s_waitcnt vmcnt(1)
 v_add_f32 v3, v3, v1
 s_sub_u32 s4, s4, 1
 s_cbranch_scc1 out
 global_load_dword v1, v0, s[2:3]
 s_waitcnt vmcnt(1)
 v_add_f32 v3, v3, v2
 s_sub_u32 s4, s4, 1
 s_cbranch_scc0 loop
out:
 global_load_dword v4, v0, s[2:3]
 s_and_b32 s5, s6, 1
 s_cbranch_scc0 even
{first}
 s_branch end
even:
{second}
end:
 s_endpgm
"""


def test_ways_that_come_together_part_again_where_each_is_right() -> None:
    both = TWO_EXITS.replace(" global_load_dword v4, v0, s[2:3]\n", "")
    first, second = "\n".join(["s_nop 0"] * 40 + ["v_mov_b32 v5, v1"]), "v_mov_b32 v5, v2"
    assert needs(both.format(first=first, second=second)) == []
    # One end that is wrong after one exit is wrong.
    assert needs(both.format(first=first, second="s_nop 0")) == [("v_mov_b32 v5, v1", {"vmcnt": 0})]
    # So it is if both exits are wrong for an end.
    assert needs(TWO_EXITS.format(first="v_mov_b32 v5, v4", second=second)) == [
        ("v_mov_b32 v5, v4", {"vmcnt": 0}),
        ("v_mov_b32 v5, v2", {"vmcnt": 1}),
    ]


def test_a_wait_is_not_redundant_because_of_one_that_is_missing() -> None:
    text = f"k:\n {LOAD}\n {USE}\n s_waitcnt vmcnt(0)\n s_endpgm\n{KERNEL}"
    assert needs(text) == [(USE, {"vmcnt": 0})]
    assert redundant(text) == []


def test_reads_of_lds_write_a_register_in_order() -> None:
    text = "k:\n ds_read_b64 v[2:3], v0\n ds_read_b32 v3, v0 offset:8\n s_waitcnt lgkmcnt(0)\n s_endpgm\n"
    assert needs(text, "gfx942") == []
    assert needs(text.replace("ds_read_b32 v3, v0 offset:8", "v_mov_b32 v3, 0"), "gfx942") == [
        ("v_mov_b32 v3, 0", {"lgkmcnt": 0})
    ]


def test_branches_on_the_same_question_go_the_same_way() -> None:
    text = (
        f"k:\n {LOAD}\n s_cmp_eq_u32 s0, 1\n s_cbranch_scc1 1f\n s_waitcnt vmcnt(0)\n1:\n s_nop 0\n"
        f" s_cmp_lg_u32 s0, 1\n s_cbranch_scc0 2f\n {USE}\n2:\n s_endpgm\n"
    )
    assert needs(text) == []
    assert needs(text.replace("s_nop 0", "s_add_u32 s0, s0, 1")) == [(USE, {"vmcnt": 0})]
    assert needs(text.replace("s_cmp_lg_u32 s0, 1", "s_cmp_lg_u32 s0, 2")) == [(USE, {"vmcnt": 0})]
    assert needs(text.replace("s_cbranch_scc0 2f", "s_cbranch_scc1 2f")) == [(USE, {"vmcnt": 0})]


@pytest.mark.parametrize("others", [0, 2, 4, 8])
def test_many_other_questions_do_not_hide_the_one_that_matters(others: int) -> None:
    asked = "".join(
        f" s_cmp_eq_u32 s{number}, 1\n s_cbranch_scc1 1f\n s_nop 0\n1:\n" for number in range(1, others + 1)
    )
    text = (
        f"k:\n{asked} s_cmp_eq_u32 s0, 1\n s_cbranch_scc1 1f\n {LOAD}\n1:\n s_nop 0\n{asked}"
        f" s_cmp_eq_u32 s0, 1\n s_cbranch_scc1 2f\n s_waitcnt vmcnt(0)\n2:\n {USE}\n{asked} s_endpgm\n"
    )
    assert needs(text) == []
    assert needs(text.replace("s_cbranch_scc1 2f", "s_cbranch_scc0 2f")) == [(USE, {"vmcnt": 0})]


@pytest.mark.parametrize("lines", range(57, 63))
def test_a_question_is_known_wherever_its_lines_are_cut_into_chunks(lines: int) -> None:
    text = (
        "k:\n" + " s_nop 0\n" * lines + f" s_cmp_eq_u32 s0, 1\n s_cbranch_scc1 1f\n {LOAD}\n1:\n s_nop 0\n"
        f" s_cmp_lg_u32 s0, 1\n s_cbranch_scc0 2f\n s_waitcnt vmcnt(0)\n2:\n {USE}\n s_endpgm\n"
    )
    assert needs(text) == []
    assert needs(text.replace("s_cmp_lg_u32 s0, 1", "s_cmp_lg_u32 s0, 2")) == [(USE, {"vmcnt": 0})]


def test_a_use_after_a_finding_is_no_second_finding() -> None:
    assert needs(f"k:\n {LOAD}\n {USE}\n {USE}\n s_endpgm\n") == [(USE, {"vmcnt": 0})]


ORDER = [
    # Target, operations in flight, the use, what it takes.
    ("gfx900", [LOAD, "buffer_store_dword v9, v8, s[4:7], 0 offen"], USE, {"vmcnt": 1}),
    ("gfx900", [LOAD, "flat_load_dword v9, v[6:7]"], USE, {"vmcnt": 0}),
    ("gfx900", ["flat_load_dword v1, v[6:7]"], USE, {"vmcnt": 0, "lgkmcnt": 0}),
    # Before gfx9 all of global memory is reached by FLAT.
    ("gfx803", ["flat_load_dword v1, v[6:7]", "flat_load_dword v9, v[6:7]"], USE, {"vmcnt": 1}),
    ("gfx803", ["ds_read_b32 v1, v0", "flat_load_dword v9, v[6:7]"], USE, {"lgkmcnt": 0}),
    ("gfx1030", [LOAD, "buffer_load_dword off, s[4:7], s8 lds"], USE, {"vmcnt": 1}),
    ("gfx1030", [LOAD, "flat_load_dword v9, v[6:7]"], USE, {"vmcnt": 1}),
    ("gfx1030", [LOAD, "global_store_dword v8, v9, s[4:5]"], USE, {"vmcnt": 0}),
    ("gfx900", ["ds_read_b32 v1, v0", "ds_read_b32 v2, v0"], USE, {"lgkmcnt": 1}),
    ("gfx900", ["ds_read_b32 v1, v0", "s_load_dword s9, s[2:3], 0x0"], USE, {"lgkmcnt": 0}),
    ("gfx1200", ["ds_load_b32 v1, v0", "s_load_b32 s9, s[2:3], 0x0"], USE, {"dscnt": 0}),
    ("gfx900", ["s_load_dword s1, s[2:3], 0x0", "s_load_dword s9, s[2:3], 0x0"], "s_not_b32 s1, s1", {"lgkmcnt": 0}),
    ("gfx900", ["ds_add_rtn_u32 v1, v2, v3 gds", "ds_read_b32 v4, v0"], USE, {"lgkmcnt": 0}),
    ("gfx1100", ["image_sample v1, [v4, v5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"], USE, {"vmcnt": 0}),
    ("gfx1200", ["image_sample v1, [v4, v5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"], USE, {"samplecnt": 0}),
    # It loads nothing, and answers through the counter of loads.
    ("gfx900", ["image_get_resinfo v1, v4, s[0:7] dmask:0x1 unorm"], USE, {"vmcnt": 0}),
    ("gfx1030", ["image_get_resinfo v1, v4, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D"], USE, {"vmcnt": 0}),
    ("gfx1200", ["image_get_resinfo v1, v4, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D"], USE, {"loadcnt": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("target", "before", "use", "expected"), ORDER)
def test_orders_of_return(target: str, before: list[str], use: str, expected: dict[str, int]) -> None:
    lines = "\n ".join(before)
    assert needs(f"k:\n {lines}\n {use}\n s_endpgm\n", target) == [(use, expected)]


OVERWRITES = [
    ("gfx900", LOAD, "v_mov_b32 v1, 0", {"vmcnt": 0}),
    # What goes to memory comes before younger loads; what goes to LDS is counted there too.
    ("gfx900", "flat_load_dword v1, v[2:3]\n s_waitcnt lgkmcnt(0)", LOAD, None),
    ("gfx900", "flat_load_dword v1, v[2:3]\n s_waitcnt lgkmcnt(0)", "v_mov_b32 v1, 0", {"vmcnt": 0}),
    ("gfx900", "flat_load_dword v1, v[2:3]", LOAD, {"lgkmcnt": 0}),
    ("gfx900", LOAD, "global_load_dword v1, v2, s[2:3]", None),  # the same kind writes in order
    ("gfx1200", "global_load_b32 v1, v0, s[2:3]", "global_load_b32 v1, v2, s[2:3]", {"loadcnt": 0}),
    ("gfx900", LOAD, "image_sample v1, v[4:5], s[0:7], s[8:11] dmask:0x1", {"vmcnt": 0}),
    ("gfx900", LOAD, "ds_read_b32 v1, v2", {"vmcnt": 0}),
    (
        "gfx1150",
        "image_sample v1, [v4, v5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "image_sample v1, [v4, v5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        {"vmcnt": 0},
    ),  # either may become a plain load
    (
        "gfx1100",
        "image_sample v1, [v4, v5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "image_sample v1, [v4, v5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        None,
    ),
    # What reads single samples is done by the sampler's unit, though it names no sampler.
    (
        "gfx1100",
        "image_sample v[0:3], v0, s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_1D",
        "image_msaa_load v[0:3], v[4:5], s[0:7] dmask:0x4 dim:SQ_RSRC_IMG_2D_MSAA_ARRAY unorm a16",
        None,
    ),
    (
        "gfx1100",
        "image_msaa_load v[0:3], v[4:5], s[0:7] dmask:0x4 dim:SQ_RSRC_IMG_2D_MSAA_ARRAY unorm a16",
        "global_load_b32 v1, v0, s[2:3]",
        {"vmcnt": 0},
    ),
    ("gfx900", "global_load_short_d16 v1, v0, s[2:3]", "global_load_short_d16_hi v1, v2, s[2:3]", None),
    # Accesses to LDS come back in order, unless one may be to memory.
    ("gfx900", "ds_read_b32 v1, v0", "ds_read_b32 v1, v2", None),
    ("gfx1100", "ds_load_u16 v1, v0", "ds_load_u16_d16_hi v1, v0 offset:8", None),
    ("gfx1200", "ds_load_b32 v1, v0", "ds_load_b32 v1, v2", None),
    ("gfx1100", "ds_load_b32 v1, v0", "flat_load_b32 v1, v[2:3]", {"lgkmcnt": 0}),
    # The halves of a VGPR are apart where there is no ECC that would write both.
    ("gfx1200", "global_load_d16_b16 v1, v0, s[2:3]", "global_load_d16_hi_b16 v1, v2, s[2:3]", None),
    ("gfx1200", "global_load_d16_b16 v1, v0, s[2:3]", "global_load_d16_b16 v1, v2, s[2:3]", {"loadcnt": 0}),
    ("gfx1100", "buffer_load_d16_b16 v1, off, s[4:7], 0", "ds_store_b16_d16_hi v0, v1", None),
    ("gfx1100", "buffer_load_d16_hi_b16 v1, off, s[4:7], 0", "ds_store_b16_d16_hi v0, v1", {"vmcnt": 0}),
    ("gfx1100", "buffer_load_d16_hi_b16 v1, off, s[4:7], 0", "ds_store_b16 v0, v1", None),
    ("gfx1100", "buffer_load_d16_hi_b16 v1, off, s[4:7], 0", "ds_store_b32 v0, v1", {"vmcnt": 0}),
    ("gfx906", "buffer_load_short_d16 v1, off, s[4:7], 0", "ds_write_b16_d16_hi v0, v1", {"vmcnt": 0}),
    ("gfx900", "s_load_dword s1, s[2:3], 0x0", "s_mov_b32 s1, 0", {"lgkmcnt": 0}),
    ("gfx600", "buffer_store_dword v1, off, s[4:7], 0", "v_mov_b32 v1, 0", {"expcnt": 0}),
    ("gfx700", "buffer_store_dword v1, off, s[4:7], 0", "v_mov_b32 v1, 0", None),
    ("gfx600", "buffer_store_dword v1, v2, s[4:7], 0 offen", "v_mov_b32 v2, 0", None),
    ("gfx600", "buffer_store_dword v1, off, s[4:7], 0", "s_mov_b32 s4, 0", None),
    ("gfx900", "exp mrt0 v1, v2, v3, off", "v_mov_b32 v2, 0", {"expcnt": 0}),
    ("gfx900", "exp mrt0 v1, v2, v3, off", "v_mov_b32 v5, v2", None),
    ("gfx900", "ds_add_u32 v1, v2 gds", "v_mov_b32 v2, 0", {"expcnt": 0}),
    ("gfx900", "ds_write_b32 v1, v2", "v_mov_b32 v2, 0", None),
    ("gfx1250", "global_load_b32 v1, v0, s[2:3]", "v_mov_b32 v0, 0", {"xcnt": 0}),
    ("gfx1250", "global_load_b32 v1, v0, s[2:3]", "global_load_b32 v0, v5, s[2:3]", None),
]


@pytest.mark.parametrize(("target", "before", "after", "expected"), OVERWRITES)
def test_overwrites(target: str, before: str, after: str, expected: "dict[str, int] | None") -> None:
    found = needs(f"k:\n {before}\n {after}\n s_endpgm\n", target)
    assert found == ([] if expected is None else [(after, expected)])


def test_what_the_same_unit_overwrites_has_been_translated_and_all_before_it() -> None:
    store, load = "global_store_b32 v0, v1, s[2:3]", "global_load_b32 v1, v2, s[2:3]"
    other, overwrite = "global_load_b32 v3, v2, s[2:3]", "v_mov_b32 v0, 0"
    assert needs(f"k:\n {store}\n {load}\n {overwrite}\n s_endpgm\n", "gfx1250") == []
    assert needs(f"k:\n {store}\n {other}\n {overwrite}\n s_endpgm\n", "gfx1250") == [(overwrite, {"xcnt": 1})]


@pytest.mark.parametrize(("count", "scalar_at", "is_enough"), [(2, 0, True), (2, 3, True), (3, 0, False), (2, 2, True)])
def test_younger_reads_of_lds_overtake_none_while_scalar_loads_are_in_flight(
    count: int, scalar_at: int, is_enough: bool
) -> None:
    reads = [f"ds_read_b32 v{number}, v0" for number in (1, 2, 3)]
    reads.insert(scalar_at, "s_load_dword s9, s[2:3], 0x0")
    use = "v_add_f32 v5, v1, v1"
    text = "k:\n {}\n s_waitcnt lgkmcnt({})\n {}\n s_endpgm\n".format("\n ".join(reads), count, use)
    assert needs(text, "gfx900") == ([] if is_enough else [(use, {"lgkmcnt": 0})])


def test_younger_reads_of_lds_count_beyond_a_label_if_every_path_has_them() -> None:
    use = "v_add_f32 v5, v1, v1"
    reads = "s_load_dword s9, s[2:3], 0x0\n ds_read_b32 v1, v0\n {}\n ds_read_b32 v3, v0\n"
    text = f"k:\n {reads}1:\n s_waitcnt lgkmcnt(2)\n {use}\n s_cbranch_scc1 1b\n s_endpgm\n"
    assert needs(text.format("ds_read_b32 v2, v0"), "gfx900") == []
    skipped = "s_cbranch_scc0 2f\n ds_read_b32 v2, v0\n2:"
    assert needs(text.format(skipped), "gfx900") == [(use, {"lgkmcnt": 0})]
    other = "s_cbranch_scc0 2f\n ds_read_b32 v2, v0\n s_branch 3f\n2:\n s_load_dword s8, s[2:3], 0x0\n3:"
    assert needs(text.format(other), "gfx900") == [(use, {"lgkmcnt": 0})]


@pytest.mark.parametrize("first", ["s_load_b32 s4, s[0:1], 0x0", "global_load_b32 v1, v0, s[0:1]"])
def test_scalar_loads_keep_no_order_with_what_is_translated(first: str) -> None:
    overwrite = "s_load_b64 s[0:1], s[2:3], 0x0"
    assert needs(f"k:\n {first}\n {overwrite}\n s_endpgm\n", "gfx1250") == [(overwrite, {"xcnt": 0})]


def test_what_has_arrived_has_been_translated() -> None:
    load, use = "global_load_b32 v1, v1, s[2:3]", "v_mov_b32 v1, 0"
    assert needs(f"k:\n {load}\n {use}\n s_endpgm\n", "gfx1250") == [(use, {"loadcnt": 0})]
    store = "global_store_b32 v1, v5, s[2:3]"
    text = f"k:\n {load}\n {store}\n {use}\n s_endpgm\n"
    assert needs(text, "gfx1250")[-1] == (use, {"xcnt": 0})


def test_exec_may_not_change_while_an_address_is_translated() -> None:
    text = "k:\n global_store_b32 v1, v5, s[2:3]\n s_mov_b32 exec_lo, 0\n s_endpgm\n"
    assert needs(text, "gfx1250") == [("s_mov_b32 exec_lo, 0", {"xcnt": 0})]


@pytest.mark.parametrize(
    "between",
    [
        "s_branch 1f\n1:",
        "s_barrier_signal -1",
        "s_barrier_wait -1",
        "s_cbranch_scc1 1f\n1:",
        "s_sendmsg 3",
        "s_sendmsg_rtn_b32 s8, sendmsg(MSG_RTN_GET_REALTIME)",
        "s_trap 1",
        "s_getreg_b32 s8, hwreg(HW_REG_WAVE_MODE)",
        "s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), s8",
        "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1",
    ],
)
def test_translations_are_over_where_the_hardware_waits_for_them(between: str) -> None:
    load, use = "global_load_b32 v1, v0, s[2:3]", "v_mov_b32 v0, 0"
    assert needs(f"k:\n {load}\n s_nop 0\n {use}\n s_endpgm\n", "gfx1250") == [(use, {"xcnt": 0})]
    assert needs(f"k:\n {load}\n {between}\n {use}\n s_endpgm\n", "gfx1250") == []
    assert needs(f"k:\n {load}\n {between}\n v_mov_b32 v3, v1\n s_endpgm\n", "gfx1250")  # not what is loaded


def test_a_wait_at_the_barrier_brings_its_flag() -> None:
    signal, use = "s_barrier_signal_isfirst -1", "s_cselect_b32 s4, -1, 0"
    assert needs(f"k:\n {signal}\n {use}\n s_endpgm\n", "gfx1200") == [(use, {"kmcnt": 0})]
    assert needs(f"k:\n {signal}\n s_barrier_wait -1\n {use}\n s_endpgm\n", "gfx1200") == []
    assert needs(f"k:\n {signal}\n s_barrier_wait 1\n {use}\n s_endpgm\n", "gfx1250") == [(use, {"kmcnt": 0})]


def test_a_flat_access_may_be_waited_for_as_one_of_lds() -> None:
    text = "k:\n flat_load_dword v1, v[6:7]\n s_waitcnt vmcnt(0)\n s_waitcnt lgkmcnt(0)\n s_endpgm\n"
    assert redundant(text, "gfx803") == []


def test_a_full_counter_makes_the_hardware_wait() -> None:
    loads = "\n ".join(f"global_load_dword v{number}, v0, s[2:3]" for number in range(2, 2 + 63))
    assert needs(f"k:\n {LOAD}\n {loads}\n{USE}\n s_endpgm\n") == []
    fewer = loads.rpartition("\n")[0]
    assert needs(f"k:\n {LOAD}\n {fewer}\n{USE}\n s_endpgm\n") == [(USE, {"vmcnt": 62})]


def test_exec_may_not_change_while_an_export_is_read() -> None:
    text = "k:\n exp mrt0 v1, v2, v3, off\n s_mov_b64 exec, 0\n s_endpgm\n"
    assert needs(text) == [("s_mov_b64 exec, 0", {"expcnt": 0})]


@pytest.mark.parametrize("label", ["", "l:\n"])
def test_lds_is_filled_where_as_many_loads_follow_as_the_counter_counts(label: str) -> None:
    fill, read = " buffer_load_dword off, s[4:7], s8 lds\n", "ds_read_b32 v1, v0"
    loads = [f" buffer_load_dword v{8 + number % 8}, off, s[4:7], 0\n" for number in range(70)]
    text = "k:\n{}" + "".join(loads[:40]) + "{}" + label + "".join(loads[40:]) + f" {read}\n s_endpgm\n"
    assert needs(text.format(fill, fill) + KERNEL) == []
    assert needs(text.format("", fill) + KERNEL) == [(read, {"vmcnt": 30})]


def test_lds_that_a_load_fills() -> None:
    fill, read = "buffer_load_dword off, s[4:7], s8 lds", "ds_read_b32 v1, v0"
    assert needs(f"k:\n {fill}\n {read}\n s_endpgm\n{KERNEL}") == [(read, {"vmcnt": 0})]
    assert needs(f"k:\n {fill}\n s_waitcnt vmcnt(0)\n {fill}\n {read}\n s_endpgm\n{KERNEL}") == []  # another buffer
    assert needs(f"k:\n {fill}\n ds_write_b32 v1, v2\n {read}\n s_endpgm\n{KERNEL}") == []
    assert needs(f"k:\n {fill}\n ds_bpermute_b32 v1, v2, v3\n s_endpgm\n{KERNEL}") == []


def test_nothing_is_known_behind_a_call() -> None:
    assert needs(f"k:\n {LOAD}\n s_swappc_b64 s[0:1], s[4:5]\n {USE}\n s_endpgm\n") == []


def test_the_kinds_on_both_sides_of_a_join_are_mixed() -> None:
    text = "k:\n ds_read_b32 v1, v0\n s_cbranch_scc1 1f\n s_load_dword s9, s[2:3], 0x0\n1:\n ds_read_b32 v2, v0\n"
    assert needs(f"{text} {USE}\n s_endpgm\n") == [(USE, {"lgkmcnt": 0})]


def redundant(text: str, target: str = "gfx900") -> list[str]:
    found = waits.of(program(text + KERNEL, target))
    assert found is not None
    return [_text(site) for site in found.redundant]


def test_waits_that_never_wait() -> None:
    again = "s_waitcnt vmcnt(0)"
    assert redundant(f"k:\n {LOAD}\n {again}\n v_mov_b32 v9, 0\n s_waitcnt vmcnt(1)\n s_endpgm\n") == [
        "s_waitcnt vmcnt(1)"
    ]
    assert redundant(f"k:\n {LOAD}\n s_waitcnt vmcnt(1)\n {again}\n s_endpgm\n") == ["s_waitcnt vmcnt(1)"]
    # A store has no register, but a wait for it is one for memory.
    assert redundant(f"k:\n global_store_dword v0, v1, s[2:3]\n {again}\n s_endpgm\n") == []
    assert redundant(f"k:\n {again}\n {LOAD}\nl:\n {again}\n {LOAD}\n s_cbranch_scc1 l\n s_endpgm\n") == [again]


def test_nothing_is_redundant_in_a_function() -> None:
    assert redundant("k:\n s_endpgm\nf:\n s_waitcnt vmcnt(0)\n s_setpc_b64 s[0:1]\n") == []


@pytest.mark.parametrize("lines", range(58, 68))
def test_a_kernel_begins_wherever_its_lines_are_cut_into_chunks(lines: int) -> None:
    function = "f:\n s_setpc_b64 s[0:1]\nf_end:\n"
    assert redundant(function + "\n" * lines + "k:\n s_waitcnt vmcnt(0)\n s_endpgm\n") == ["s_waitcnt vmcnt(0)"]


def test_a_kernel_with_a_header_begins_with_nothing_in_flight() -> None:
    header = "k:\n.amd_kernel_code_t\n.end_amd_kernel_code_t\n"
    found = waits.of(program(f"{header} s_waitcnt vmcnt(0)\n s_endpgm\n", "gfx900"))
    assert found is not None
    assert [_text(site) for site in found.redundant] == ["s_waitcnt vmcnt(0)"]


def test_what_is_in_flight_at_a_line() -> None:
    built = program(f"k:\n {LOAD}\n ds_read_b32 v2, v0\n global_load_dword v3, v0, s[2:3]\n s_nop 0\n s_endpgm\n")
    found = waits.of(built)
    assert found is not None
    site, in_flight = list(found.along(found.graph.nodes[0]))[3]
    assert _text(site) == "s_nop 0"
    assert [(counter, each.age, _text(each.site)) for counter, each in in_flight] == [
        ("vmcnt", 1, LOAD),
        ("vmcnt", 0, "global_load_dword v3, v0, s[2:3]"),
        ("lgkmcnt", 0, "ds_read_b32 v2, v0"),
    ]


LINES = [
    LOAD, USE, "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(1)", "s_waitcnt lgkmcnt(0)", "ds_read_b32 v2, v0",
    "v_add_f32 v2, v2, v1", "global_load_dword v3, v0, s[2:3]", "s_load_dword s1, s[2:3], 0x0", "s_add_u32 s1, s1, s1",
    "s_cmp_eq_u32 s1, 0", "global_store_dword v0, v3, s[2:3]", "v_mov_b32 v3, 0", "flat_load_dword v1, v[6:7]",
]  # fmt: skip


def random_lines(chance: random.Random, count: int) -> list[str]:
    lines = [chance.choice(LINES) for _ in range(count)]
    for number in range(6):
        lines.insert(chance.randrange(len(lines)), f"label{number}:")
        branch = chance.choice(("s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_vccz"))
        lines.insert(chance.randrange(len(lines)), f"{branch} label{number}")
    return [*lines, "s_endpgm"]


@pytest.mark.parametrize("seed", range(20))
def test_an_edit_finds_what_a_fresh_look_finds(seed: int) -> None:
    chance = random.Random(seed)
    lines = random_lines(chance, 300)
    built = program("\n".join(["k:", *lines]) + "\n" + KERNEL)
    for _ in range(6):
        at = chance.randrange(len(lines) - 1)
        lines[at : at + chance.randrange(3)] = [chance.choice(LINES) for _ in range(chance.randrange(3))]
        try:
            text = "\n".join(["k:", *lines]) + "\n" + KERNEL
            fresh = program(text)
            if any(True for _ in problems.of(fresh)):
                continue  # a label went
            built = program(text, previous=built)
        finally:
            pass
        edited, anew = waits.of(built), waits.of(fresh)
        assert edited is not None
        assert anew is not None
        assert needs_of(built) == needs_of(fresh)
        assert [_text(site) for site in edited.redundant] == [_text(site) for site in anew.redundant]


def test_an_edit_of_the_descriptor_changes_how_flat_returns() -> None:
    code = "k:\nflat_load_dword v2, v[0:1]\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v2\ns_endpgm\n"
    fields = ".amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 4\n.amdhsa_accum_offset 4\n"
    descriptor = f".amdhsa_kernel k\n{fields}.amdhsa_tg_split {{}}\n.end_amdhsa_kernel\n"
    built = program(code + descriptor.format(0), "gfx90a")
    assert len(needs_of(built)) == 1
    built = program(code + descriptor.format(1), "gfx90a", previous=built)
    assert not needs_of(built)
    assert len(needs_of(program(code + descriptor.format(0), "gfx90a", previous=built))) == 1


HALVES = [
    ("v_mov_b16_e32 v5.l, v0.h", True),
    ("v_mov_b16_e32 v0.h, 1", True),
    ("v_mov_b16_e32 v5.l, v0.l", True),
    ("v_mov_b16_e32 v5.l, v1.h", False),
    ("global_load_d16_hi_b16 v0, v2, s[0:1]", False),
    ("global_store_d16_hi_b16 v2, v0, s[0:1]", False),
]


@pytest.mark.parametrize("target", ["gfx1100", "gfx1200", "gfx1250"])
@pytest.mark.parametrize(("use", "must_wait"), HALVES)
def test_the_alu_waits_for_a_load_of_the_other_half(target: str, use: str, *, must_wait: bool) -> None:
    # As `llc` of LLVM 23 inserts them.
    counter = "vmcnt" if target == "gfx1100" else "loadcnt"
    text = f"k:\n global_load_d16_b16 v0, v2, s[0:1]\n {use}\n s_endpgm\n"
    assert [wait for _, wait in needs(text, target)] == [{counter: 0}] * must_wait


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("{load}.long 0xbf8c0f70\n{use}", []),  # s_waitcnt vmcnt(0)
        ("{load}.byte 0x70, 0xf, 0x8c, 0xbf\nl:\n{use}", []),
        ("{load}s_cbranch_scc0 l\n.long 0xbf8c0f70\n{use}l:\n", []),
        ("{load}s_branch l\n.long 0xbf8c0f70\nl:\n{use}", [6]),  # control does not run through it
        (".long 0xbf8c0f70\n{load}{use}", [4]),
        ("{load}.long 0xd3ac6000, 0x22f19\n{use}", [4]),  # another instruction
        ("{load}{use}.long 0xbf8c0f70\n", [3]),
    ],
)
def test_data_among_the_code_may_be_a_wait(code: str, lines: list[int]) -> None:
    text = code.format(load="global_load_dword v1, v0, s[2:3]\n", use="v_mov_b32 v2, v1\n")
    found = waits.of(program(f"k:\n{text}s_endpgm\n"))
    assert found is not None
    assert [each.site.item.written.top_line + 1 for each in found.missing] == lines
