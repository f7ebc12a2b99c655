"""Which of 1024 VGPRs the operands of an instruction mean."""

import pytest

from gcn_lsp import rules
from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import effects, registers
from gcn_lsp.analysis.machine.effects import model_for
from gcn_lsp.isa import load_target
from gcn_lsp.program import program as asm_program
from gcn_lsp.text import SourceText
from tests.analysis.support import program
from tests.instruction.support import assemble
from tests.support.check import findings

SECOND = 0b01_10_11_10  # what is written: 1; third source: 2; second: 3; first: 2

CASES = [
    ("v_add_f32 v0, v1, v2", "v513, v770", "v256"),
    ("v_fma_f32 v0, v1, v2, v3", "v513, v515, v770", "v256"),
    ("v_fmac_f32 v0, v1, v2", "v256, v513, v770", "v256"),
    ("v_fmamk_f32 v0, v1, 0x5, v2", "v[513:514]", "v256"),
    ("v_fmaak_f32 v0, v1, v2, 0x5", "v513, v770", "v256"),
    ("v_mov_b32 v0, s1", "s1", "v256"),
    ("v_readfirstlane_b32 s0, v1", "v513", "s0"),
    ("v_dual_mul_f32 v0, v1, v2 :: v_dual_fmamk_f32 v3, v4, 0x5, v5", "v513, v[516:517], v770", "v256, v259"),
    ("ds_store_2addr_b32 v0, v1, v2", "v512, v514, v769", ""),
    ("ds_load_b32 v0, v1", "v513", "v256"),
    ("global_load_b32 v0, v1, s[2:3]", "v513, s[2:3]", "v256"),
    ("global_store_b32 v0, v1, s[2:3]", "v512, v769, s[2:3]", ""),
    ("buffer_store_b32 v0, v1, s[4:7], null offen", "v256, v513, s[4:7]", ""),
    ("v_mqsad_u32_u8 v[254:257], v[2:3], v0, v[244:247]", "v[514:515], v[756:759], v768", "v[510:513]"),
]


@pytest.mark.parametrize(("text", "reads", "writes"), CASES)
def test_where_each_kind_of_operand_has_its_bits(text: str, reads: str, writes: str) -> None:
    instruction = assemble(text, "gfx1250")
    found = effects.model_for(load_target("gfx1250", "")).of(instruction, SECOND)
    hidden = registers.EXEC | registers.MODE
    assert registers.describe(found.reads & ~hidden, 9) == reads
    assert registers.describe(found.writes, 9) == writes


def test_equal_choices_are_one_effect() -> None:
    model, instruction = model_for(load_target("gfx1250", "")), assemble("v_mov_b32 v0, v1", "gfx1250")
    assert model.of(instruction, 0b11) is model.of(instruction, 0b1111)
    assert model.of(instruction, 0b1100) is model.of(instruction)


def masks(text: str) -> "list[tuple[str, str]]":
    """What each instruction of a text reads and writes of VGPRs."""
    graph = graphs.of(program(text, "gfx1250"))
    assert graph is not None
    return [
        (registers.describe(registers.vectors(effects.reads)), registers.describe(registers.vectors(effects.writes)))
        for segment in graph.nodes
        for effects in (site.effects for site in segment.sites)
    ]


def test_a_setting_lasts_until_the_next_and_to_where_control_goes_elsewhere() -> None:
    text = "k:\n s_set_vgpr_msb 0x41\nloop:\n v_mov_b32 v0, v1\n s_cbranch_scc0 loop\n v_mov_b32 v0, v1\n"
    found = masks(
        text + " s_set_vgpr_msb 0x4100\n v_mov_b32 v0, v1\n s_set_vgpr_msb 1\n s_endpgm\nf:\n v_mov_b32 v0, v1\n"
    )
    assert [pair for pair in found if pair != ("", "")] == [("v257", "v256")] * 2 + [("v1", "v0")] * 2


def test_mode_sets_them_too_where_the_target_has_that() -> None:
    text = "k:\n s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), 0x1005\n v_mov_b32 v0, v1\n s_endpgm\n"
    assert masks(text)[1] == ("v1", "v256")


WAYS = [
    # (text with one `v_mov_b32 v0, v1`, what that reads and writes)
    (" s_set_vgpr_msb 0x41\n s_branch far\nelsewhere:\n s_endpgm\nfar:\n v_mov_b32 v0, v1\n", ("v257", "v256")),
    (" s_set_vgpr_msb 0x41\n s_cbranch_scc0 far\n s_endpgm\nfar:\n v_mov_b32 v0, v1\n", ("v257", "v256")),
    (
        " s_cbranch_scc0 other\n s_set_vgpr_msb 0x41\n s_branch join\n"
        "other:\n s_set_vgpr_msb 0x41\njoin:\n v_mov_b32 v0, v1\n",
        ("v257", "v256"),
    ),
    (" s_cbranch_scc0 join\n s_set_vgpr_msb 0x40\njoin:\n v_mov_b32 v0, v1\n", ("v1", "")),
    (" s_cbranch_scc0 join\n s_set_vgpr_msb 0x01\njoin:\n v_mov_b32 v0, v1\n", ("", "v0")),
    ("loop:\n v_mov_b32 v0, v1\n s_set_vgpr_msb 0x41\n s_cbranch_scc0 loop\n", ("", "")),
    (" s_setreg_b32 hwreg(HW_REG_WAVE_MODE), s8\n v_mov_b32 v0, v1\n", ("", "")),
    (" s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 12, 2), s8\n v_mov_b32 v0, v1\n", ("v1", "")),
    (" s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), s8\n v_mov_b32 v0, v1\n", ("v1", "v0")),
    (" s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE), 0x1002\n v_mov_b32 v0, v1\n", ("v1", "v0")),
    (" s_set_vgpr_msb 0x41\n s_swap_pc_i64 s[0:1], s[2:3]\n v_mov_b32 v0, v1\n", ("", "")),
    (" s_set_vgpr_msb 0x41\n s_call_i64 s[0:1], f\n s_endpgm\nf:\n v_mov_b32 v0, v1\n", ("", "")),
    (" s_set_vgpr_msb unknown\n v_mov_b32 v0, v1\n", ("v1", "v0")),
]


@pytest.mark.parametrize(("body", "expected"), WAYS)
def test_the_setting_that_reaches_an_instruction_decides(body: str, expected: tuple[str, str]) -> None:
    found = [pair for pair in masks(f"k:\n{body} s_endpgm\n") if pair != ("", "")]
    assert found == [expected] * any(expected)


@pytest.mark.parametrize("setting", ["0x0", "0x1"])
def test_nothing_is_said_of_a_register_that_only_the_way_decides(setting: str) -> None:
    text = (
        f"k:\n global_load_b32 v1, v0, s[2:3]\n s_cbranch_scc0 join\n s_set_vgpr_msb {setting}\n"
        "join:\n v_mov_b32 v2, v1\n s_wait_loadcnt 0x0\n s_endpgm\n"
    )
    assert ("missing-wait" in [found.rule for found in findings(text, "gfx1250")]) == (setting == "0x0")


def test_a_load_to_an_unknown_register_counts() -> None:
    text = (
        "k:\n global_load_b32 v1, v0, s[2:3]\n s_cbranch_scc0 join\n s_set_vgpr_msb 0x40\njoin:\n"
        " global_load_b32 v3, v0, s[2:3]\n s_wait_loadcnt 0x1\n s_set_vgpr_msb 0x0\n v_mov_b32 v2, v1\n s_endpgm\n"
    )
    assert "missing-wait" not in [found.rule for found in findings(text, "gfx1250")]
    weak = text.replace("loadcnt 0x1", "loadcnt 0x2")
    assert "insufficient-wait" in [found.rule for found in findings(weak, "gfx1250")]


@pytest.mark.parametrize(("setting", "is_told"), [("0x0", True), ("0x1", False)])
def test_a_register_beyond_the_names_is_another_one(setting: str, is_told: bool) -> None:
    text = f"k:\n global_load_b32 v1, v0, s[2:3]\n s_set_vgpr_msb {setting}\n v_mov_b32 v2, v1\n s_endpgm\n"
    assert [found.rule for found in findings(text, "gfx1250") if found.rule == "missing-wait"] == [
        "missing-wait"
    ] * is_told


def test_an_edit_of_a_setting_reaches_later_chunks() -> None:
    text = (
        "k:\n s_set_vgpr_msb 0x0\n"
        + " s_nop 0\n" * 200
        + " global_load_b32 v1, v0, s[2:3]\n v_mov_b32 v2, v1\n s_endpgm\n"
    )
    source = SourceText.from_bytes("k.s", text.encode())
    options = asm_program.Options("gfx1250")
    before = asm_program.build(source, options)
    assert "missing-wait" in [found.rule for found in rules.check(before)]
    edited = source.replace(1, 16, 1, 19, b"0x1")
    after = asm_program.build(edited, options, before)
    assert rules.check(after) == rules.check(asm_program.build(edited, options))
    assert "missing-wait" not in [found.rule for found in rules.check(after)]


def test_an_edit_of_a_branch_changes_the_registers_where_it_leads_to() -> None:
    text = (
        "k:\n s_set_vgpr_msb 0x1\n s_cbranch_scc0 far\n s_endpgm\n"
        + " s_nop 0\n" * 200
        + "far:\n s_nop 0\n v_mov_b32 v2, v1\n s_endpgm\n"
    )
    options = asm_program.Options("gfx1250")
    before = asm_program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert reads_at_end(before) == "v257"
    edited = before.source.replace(1, 16, 1, 19, b"0x0")
    after = asm_program.build(edited, options, before)
    assert reads_at_end(after) == "v1"
    last = asm_program.build(edited.replace(1, 16, 1, 19, b"0x3"), options, after)
    assert reads_at_end(last) == "v769"


def reads_at_end(made: asm_program.Program) -> str:
    """What the last vector instruction reads."""
    graph = graphs.of(made)
    assert graph is not None
    assert all(graph.node_of(segment) == node for node, segment in enumerate(graph.nodes))
    return registers.describe(registers.vectors(graph.nodes[-1].sites[-2].effects.reads))
