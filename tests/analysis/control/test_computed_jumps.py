"""Jumps to addresses that the instructions before them make from the program counter."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.waits import waits
from gcn_lsp.program import problems
from tests.analysis.support import program

# The last two are as a disassembler prints them: the distance counts from the end of `s_getpc_b64`.
ENDS = [
    " s_add_u32 s0, s0, far-here\n s_addc_u32 s1, s1, 0\n",
    " s_add_i32 s4, far, 4\n s_add_u32 s0, s0, s4\n s_addc_u32 s1, s1, 0\n",
    " s_mov_b32 s4, far-here\n s_add_u32 s0, s4, s0\n s_addc_u32 s1, 0, s1\n",
    " s_add_u32 s0, s0, 16\n s_addc_u32 s1, s1, 0\n",
    " s_movk_i32 s4, 0x1000\n s_add_i32 s4, s4, 0xfffff01c\n s_add_u32 s0, s0, s4\n s_addc_u32 s1, s1, 0\n",
]


def ways(text: str) -> "list[tuple[int, ...]]":
    """The nodes to which each jump of a text goes."""
    built = program(text, "gfx90a")
    assert [found.problem.message for found in problems.of(built)] == []
    graph = graphs.of(built)
    assert graph is not None
    return [graph.successors[node] for node, segment in enumerate(graph.nodes) if segment.flow == "jump"]


@pytest.mark.parametrize("end", ENDS)
def test_forward(end: str) -> None:
    here = "here:\n" if "here" in end else ""
    text = f"k:\n s_getpc_b64 s[0:1]\n{here}{end} s_setpc_b64 s[0:1]\nb:\n s_nop 0\nfar:\n s_endpgm\n"
    built = program(text, "gfx90a")
    graph = graphs.of(built)
    assert graph is not None
    (found,) = ways(text)
    assert [graph.nodes[node].sites[0].mnemonic for node in found] == ["s_endpgm"]
    assert graph.open_ends == set()


@pytest.mark.parametrize("lines_before", [0, 58, 59, 60, 61, 62, 63])  # the jump may be in the next chunk
def test_backward(lines_before: int) -> None:
    before = "\n" * lines_before
    text = (
        f"{before}far:\n s_nop 0\nk:\n s_getpc_b64 s[0:1]\n s_add_i32 s4, far, 4\n s_abs_i32 s4, s4\n"
        " s_sub_u32 s0, s0, s4\n s_subb_u32 s1, s1, 0\n s_setpc_b64 s[0:1]\n"
    )
    assert ways(text) == [(0,)]


@pytest.mark.parametrize("lines_before", [0, 59, 60, 61, 62, 63])
def test_by_a_number_from_wherever_a_chunk_ends(lines_before: int) -> None:
    before = "\n" * lines_before
    text = f"{before}k:\n s_getpc_b64 s[0:1]\n{ENDS[3]} s_setpc_b64 s[0:1]\nb:\n s_nop 0\nfar:\n s_endpgm\n"
    graph = graphs.of(program(text, "gfx90a"))
    assert graph is not None
    (found,) = ways(text)
    assert [graph.nodes[node].sites[0].mnemonic for node in found] == ["s_endpgm"]


@pytest.mark.parametrize(
    "end",
    [
        "",  # a loop of its own that nobody means
        " s_add_u32 s0, s0, s4\n",
        " s_add_u32 s0, s0, far-here\n s_mov_b32 s0, s5\n",
        " s_add_u32 s0, s0, far-here\n s_load_dword s0, s[2:3], 0\n",
        " s_sub_u32 s0, s0, far-here\n",
        " s_abs_i32 s4, s4\n s_sub_u32 s0, s0, s4\n",
        " s_add_u32 s0, s0, 2\n",  # into the middle of an instruction
    ],
)
def test_unknown(end: str) -> None:
    assert ways(f"k:\n s_getpc_b64 s[0:1]\nhere:\n{end} s_setpc_b64 s[0:1]\nfar:\n s_endpgm\n") == [()]
    assert ways("f:\n s_setpc_b64 s[30:31]\n") == [()]


def test_what_is_in_flight_comes_along() -> None:
    text = """k:
 global_load_dword v1, v0, s[2:3]
 s_cbranch_scc0 near
 s_getpc_b64 s[0:1]
 s_add_i32 s4, far, 4
 s_add_u32 s0, s0, s4
 s_addc_u32 s1, s1, 0
 s_setpc_b64 s[0:1]
near:
 s_waitcnt vmcnt(0)
far:
 s_waitcnt vmcnt(0)
 v_mov_b32 v2, v1
 s_endpgm
.amdhsa_kernel k
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 8
.amdhsa_accum_offset 8
.end_amdhsa_kernel
"""
    found = waits.of(program(text, "gfx90a"))
    assert found is not None
    assert found.redundant == ()
    late = waits.of(program(text.replace("far:\n s_waitcnt vmcnt(0)\n", "far:\n"), "gfx90a"))
    assert late is not None
    assert [each.site.item.statement.name for each in late.missing] == ["v_mov_b32"]


@pytest.mark.parametrize("lines_before", [0, 59, 60, 61, 62])  # the call may be in the next chunk
def test_a_call(lines_before: int) -> None:
    before = "\n" * lines_before
    text = (
        f"{before}k:\n s_getpc_b64 s[4:5]\n s_add_u32 s4, s4, f@rel32@lo+4\n s_addc_u32 s5, s5, f@rel32@hi+12\n"
        " s_swappc_b64 s[30:31], s[4:5]\n s_endpgm\nf:\n s_nop 0\n s_setpc_b64 s[30:31]\n"
    )
    graph = graphs.of(program(text, "gfx90a"))
    assert graph is not None
    assert [graph.nodes[node].labels for node in graph.calls.values()] == [("f",)]
    assert graph.open_ends == {node for node, segment in enumerate(graph.nodes) if segment.flow == "jump"}


def test_a_call_through_memory_stays_unknown() -> None:
    text = (
        "k:\n s_getpc_b64 s[4:5]\n s_add_u32 s4, s4, f@gotpcrel32@lo+4\n s_addc_u32 s5, s5, f@gotpcrel32@hi+12\n"
        " s_load_dwordx2 s[4:5], s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_swappc_b64 s[30:31], s[4:5]\nf:\n s_endpgm\n"
    )
    graph = graphs.of(program(text, "gfx90a"))
    assert graph is not None
    assert graph.calls == {}


# From gfx1250 the counter, the sum and the jump have 64 bits; gfx12 has another name for the low half of a sum.
WHOLE = "k:\n s_get_pc_i64 s[0:1]\n{}s_add_nc_u64 s[0:1], s[0:1], {}\n s_{}\n s_nop 0\nfar:\n s_endpgm\n"


@pytest.mark.parametrize("target", ["gfx1250", "gfx1310"])
@pytest.mark.parametrize("distance", ["far-here", "12"])
def test_jump_with_a_sum_of_64_bits(target: str, distance: str) -> None:
    graph = graphs.of(
        program(WHOLE.format("here:\n " if "here" in distance else " ", distance, "set_pc_i64 s[0:1]\nb:"), target)
    )
    assert graph is not None
    (jump,) = [node for node, segment in enumerate(graph.nodes) if segment.flow == "jump"]
    assert [graph.nodes[node].sites[0].mnemonic for node in graph.successors[jump]] == ["s_endpgm"]
    assert graph.open_ends == set()


@pytest.mark.parametrize("target", ["gfx1250", "gfx1310"])
@pytest.mark.parametrize("distance", ["far-here", "far@rel64"])
def test_call_with_a_sum_of_64_bits(target: str, distance: str) -> None:
    graph = graphs.of(
        program(
            WHOLE.format("here:\n " if "here" in distance else " ", distance, "swap_pc_i64 s[30:31], s[0:1]"), target
        )
    )
    assert graph is not None
    (call,) = [node for node, segment in enumerate(graph.nodes) if segment.flow == "call"]
    callee = graph.calls[call]
    assert graph.nodes[callee].labels == ("far",)


def test_jump_with_the_addition_of_gfx12() -> None:
    text = "k:\n s_getpc_b64 s[0:1]\nhere:\n s_add_co_u32 s0, s0, far-here\n s_add_co_ci_u32 s1, s1, 0\n"
    graph = graphs.of(program(f"{text} s_setpc_b64 s[0:1]\n s_nop 0\nfar:\n s_endpgm\n", "gfx1200"))
    assert graph is not None
    (jump,) = [node for node, segment in enumerate(graph.nodes) if segment.flow == "jump"]
    assert [graph.nodes[node].labels for node in graph.successors[jump]] == [("far",)]


@pytest.mark.parametrize("target", ["gfx1250", "gfx1310"])
@pytest.mark.parametrize("distance", ["far", "far-here", "4"])
def test_addition_to_the_counter(target: str, distance: str) -> None:
    text = f"k:\n s_add_pc_i64 {distance}\nhere:\n s_nop 0\nfar:\n s_endpgm\n"
    graph = graphs.of(program(text, target))
    assert graph is not None
    (end,) = graph.successors[0]
    assert [site.mnemonic for site in graph.nodes[end].sites] == ["s_endpgm"]
    assert graph.open_ends == set()


@pytest.mark.parametrize("operand", ["s[0:1]", "undefined"])
def test_addition_of_an_unknown_distance(operand: str) -> None:
    graph = graphs.of(program(f"k:\n s_add_pc_i64 {operand}\nhere:\n s_nop 0\nfar:\n s_endpgm\n", "gfx1250"))
    assert graph is not None
    assert graph.successors[0] == ()
