"""Blocks, ways and register pressure of kernels."""

import pytest

from gcn_lsp.ide import control_flow
from gcn_lsp.ide.control_flow import ControlFlow
from gcn_lsp.program import program
from gcn_lsp.program.program import Program
from gcn_lsp.text import SourceText

KERNEL = """\
entry:
  s_load_dwordx2 s[0:1], s[4:5], 0x0
  s_cbranch_scc0 done
  v_mov_b32 v1, 0
loop:
  v_add_f32 v2, v1, v0
  v_add_f32 v1, v2, v0
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 loop
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
done:
  s_endpgm
"""


def built(text: str, target: str = "gfx90a") -> Program:
    return program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target))


def flow(text: str, kernel: str = "entry") -> ControlFlow:
    found = control_flow.control_flow(built(text), kernel)
    assert found is not None
    return found


def ways(found: ControlFlow) -> list[str]:
    return [f"{edge.source} {edge.kind} {edge.target}" for edge in found.edges]


def test_blocks_and_ways() -> None:
    found = flow(KERNEL)
    assert [(block.labels, block.first_line, block.last_line) for block in found.blocks] == [
        (("entry",), 1, 2),
        ((), 3, 3),
        (("loop",), 5, 9),
        ((), 10, 11),
        (("done",), 13, 13),
    ]
    assert ways(found) == [
        "0 next 1", "0 branch 4", "1 next 2", "2 next 3", "2 back 2", "3 next 4",
    ]  # fmt: skip
    assert [block.waits for block in found.blocks] == [0, 0, 0, 1, 0]
    assert [block.is_exit for block in found.blocks] == [False, False, False, False, True]


def test_pressure_holds_around_a_loop() -> None:
    loop = flow(KERNEL).blocks[2]
    # v0 and v1 are needed in the next round; the first addition may write v2 into the register of v1, which it uses up.
    assert [each.vgprs for each in loop.instructions] == [2, 2, 2, 2, 2]
    # s6 counts, and s[0:1] are for the store behind the loop.
    assert loop.sgprs == 3
    assert flow(KERNEL).blocks[4].vgprs == 0


def test_half_registers_take_a_whole_one() -> None:
    found = flow("entry:\n v_pk_add_f16 v0, v1, v2\n v_pk_add_f16 v3, v0, v0\n s_endpgm\n")
    assert [each.vgprs for each in found.blocks[0].instructions] == [2, 1, 0]


def test_long_blocks_are_not_cut_where_the_text_is() -> None:
    found = flow("entry:\n" + "  v_mov_b32 v0, v0\n" * 1000 + "  s_endpgm\n")
    assert [len(block.instructions) for block in found.blocks] == [1001]
    assert found.edges == ()


def test_calls_and_ways_to_where_nobody_knows() -> None:
    text = "entry:\n s_call_b64 s[2:3], f\n s_setpc_b64 s[8:9]\nf:\n s_setpc_b64 s[2:3]\n"
    found = flow(text)
    assert "0 call 2" in ways(found)
    assert [block.leaves for block in found.blocks] == [False, True, True]


def test_instructions_of_a_macro_stand_on_the_line_of_its_call() -> None:
    found = flow(".macro m\n v_mov_b32 v0, 0\n s_nop 0\n.endm\nentry:\n m\n s_endpgm\n")
    assert [(each.text, each.line) for each in found.blocks[0].instructions] == [
        ("v_mov_b32 v0, 0", 5),
        ("s_nop 0", 5),
        ("s_endpgm", 6),
    ]


def test_kernels_are_those_with_descriptors_or_else_what_nothing_leads_to() -> None:
    assert control_flow.kernels(built(KERNEL)) == ("entry",)
    two = "f:\n s_endpgm\nk:\n s_endpgm\n.amdhsa_kernel k\n.end_amdhsa_kernel\n"
    assert control_flow.kernels(built(two)) == ("k",)
    without = program.build(SourceText.from_bytes("k.s", KERNEL.encode()), program.Options(None))
    assert control_flow.kernels(without) == ("entry",)


@pytest.mark.parametrize(("line", "kernel"), [(0, "a"), (1, "a"), (2, "b"), (9, "b")])
def test_the_kernel_of_a_line(line: int, kernel: str) -> None:
    text = "a:\n s_endpgm\nb:\n s_endpgm\n" + "".join(f".amdhsa_kernel {name}\n.end_amdhsa_kernel\n" for name in "ab")
    assert control_flow.kernel_at(built(text), line) == kernel


def test_no_code_no_graph() -> None:
    assert control_flow.control_flow(built(KERNEL), "nowhere") is None
    assert control_flow.control_flow(built("entry:\n"), "entry") is None


def test_a_jump_to_a_computed_address_is_a_way() -> None:
    text = (
        "entry:\n  s_getpc_b64 s[0:1]\n  s_add_i32 s2, far, 4\n  s_add_u32 s0, s0, s2\n  s_addc_u32 s1, s1, 0\n"
        "  s_setpc_b64 s[0:1]\nnear:\n  s_branch near\nfar:\n  s_endpgm\n"
    )
    found = flow(text)
    assert ways(found) == ["0 branch 1"]
    assert not any(block.leaves for block in found.blocks)


def test_labels_at_the_entry_do_not_depend_on_where_chunks_end() -> None:
    text = "first:\n  s_endpgm\n.Lend0:\n" + "; a comment\n" * 400 + "second:\n  s_nop 0\n  s_endpgm\n"
    before = built(text)
    lines = text.split("\n")
    for line in range(3, 403, 20):
        edited = "\n".join((*lines[:line], "; another", *lines[line:]))
        after = program.build(SourceText.from_bytes("k.s", edited.encode()), before.options, before)
        found = control_flow.control_flow(after, "second")
        assert found is not None
        assert found.blocks[0].labels == (".Lend0", "second")


@pytest.mark.parametrize("leads", ["s_cbranch_scc0 target", "s_call_b64 s[0:1], target"])
def test_labels_at_a_target_do_not_depend_on_where_chunks_end(leads: str) -> None:
    text = f"entry:\n  {leads}\n  s_endpgm\n.Lend:\n" + "; a comment\n" * 400 + "target:\n  s_nop 0\n  s_endpgm\n"
    before = built(text)
    lines = text.split("\n")
    for line in range(4, 404, 20):
        edited = "\n".join((*lines[:line], "; another", *lines[line:]))
        after = program.build(SourceText.from_bytes("k.s", edited.encode()), before.options, before)
        found = control_flow.control_flow(after, "entry")
        assert found is not None
        assert [block.labels for block in found.blocks if "target" in block.labels] == [(".Lend", "target")]


def test_code_that_only_the_build_knows_has_its_place() -> None:
    found = flow("entry:\n  s_nop 1\n.rept COUNT\n  s_nop 0\n.endr\n  s_nop 2\n  s_endpgm\n")
    assert [[each.text for each in block.instructions] for block in found.blocks] == [
        ["s_nop 1", ".rept COUNT"],
        ["s_nop 2", "s_endpgm"],
    ]


def test_the_block_at_the_entry_does_not_depend_on_where_chunks_end() -> None:
    text = "before:\n  s_endpgm\nentry:\n" + "  s_nop 0\n" * 400 + "  s_cbranch_scc0 before\n  s_endpgm\n"
    before = built(text)
    lines = text.split("\n")
    for line in range(3, 403, 20):
        edited = "\n".join((*lines[:line], "  s_nop 0", *lines[line:]))
        after = program.build(SourceText.from_bytes("k.s", edited.encode()), before.options, before)
        found = control_flow.control_flow(after, "entry")
        assert found is not None
        assert [len(block.instructions) for block in found.blocks] == [402, 1, 1]


def test_code_without_a_label_is_named_by_its_line() -> None:
    text = "; a comment\n  s_cbranch_scc0 done\n  s_nop 0\ndone:\n  s_endpgm\n.Lend:\n"
    assert control_flow.kernels(built(text)) == ("line 2",)
    assert control_flow.kernel_at(built(text), 0) == "line 2"
    assert ways(flow(text, "line 2")) == ["0 next 1", "0 branch 2", "1 next 2"]
    assert control_flow.control_flow(built(text), "line 3") is None
