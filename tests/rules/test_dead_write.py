"""Results that nothing reads."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.rules import dead_write
from gcn_lsp.text import SourceText
from tests.support import fixture
from tests.support.check import build, check_diagnostics


def told(code: str, target: str = "gfx900") -> list[str]:
    """The statements about which there is a finding, in order."""
    built = build(fixture.parse(f"k:\n{code}\n ds_write_b32 v9, v9\n s_endpgm\n"), target)
    return [
        built.source.lines[found.where.line][found.where.start : found.where.end].decode()
        for found in dead_write.check(built)
    ]


def test_overwritten() -> None:
    check_diagnostics(
        """
        k:
          v_add_f32 v2, v0, v1
        //^^^^^^^^^^^^^^^^^^^^ hint[dead-write]: nothing reads `v2` after this
          v_mul_f32 v2, v0, v1
          ds_write_b32 v0, v2
          s_endpgm
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        "v_add_f32 v2, v0, v1\n ds_write_b32 v0, v2",
        # Other lanes of the register are read.
        "v_add_f32 v2, v0, v1\n s_mov_b64 exec, s[0:1]\n v_mul_f32 v2, v0, v1\n s_mov_b64 exec, -1"
        "\n ds_write_b32 v0, v2",
        # Another half of it.
        "v_add_f32 v2, v0, v1\n v_add_f16 v2, v0, v1\n ds_write_b32 v0, v2",
        # One of several results is used, and be it SCC.
        "s_add_u32 s0, s1, s2\n s_cbranch_scc1 e\n s_nop 0\ne:",
        "v_add_co_u32 v2, vcc, v0, v1\n v_addc_co_u32 v3, vcc, v0, v1, vcc\n ds_write_b32 v0, v3",
        # They do more than that.
        "s_mov_b32 m0, -1",
        "s_and_saveexec_b64 s[0:1], vcc",
        "s_getreg_b32 s0, hwreg(HW_REG_HW_ID)\n s_setreg_b32 hwreg(HW_REG_MODE), s0",
        "global_load_dword v2, v[0:1], off glc",
        "global_load_dwordx2 v[2:3], v[0:1], off\n s_waitcnt vmcnt(0)\n ds_write_b32 v0, v3",
        "buffer_load_dword v2, s[4:7], 0 offen lds",
        "ds_add_rtn_u32 v2, v0, v1",
        # A half of it, and lanes that are off in between.
        "ds_read_u8_d16 v2, v0\n ds_read_u8_d16_hi v2, v0\n s_waitcnt lgkmcnt(0)\n ds_write_b32 v0, v2",
        "ds_read_b32 v2, v0\n s_mov_b64 exec, s[0:1]\n ds_read_b32 v2, v1\n s_mov_b64 exec, -1\n ds_write_b32 v0, v2",
        "s_mov_b64 vcc, vcc",
        # Presets, and EXEC put aside.
        "s_mov_b32 s0, 0\n s_mov_b32 s0, 1\n s_mov_b32 m0, s0",
        "s_mov_b64 s[0:1], exec",
        "s_xor_b64 s[0:1], exec, s[0:1]",
        "v_readlane_b32 s0, v0, 3",
        # Somebody else may read them.
        "v_add_f32 v2, v0, v1\n s_trap 2",
        "v_add_f32 v2, v0, v1\n s_swappc_b64 s[0:1], s[2:3]",
        "v_add_f32 v2, v0, v1\n s_cbranch_scc1 elsewhere",
        "v_add_f32 v2, v0, v1\n .long 0x7e000302",  # v_mov_b32 v0, v2
        "v_add_f32 v2, v0, v1\n .long 0xffffffff",
        # Through M0 and GPR indexing.
        "v_add_f32 v2, v0, v1\n s_set_gpr_idx_on s0, gpr_idx(SRC0)\n v_mov_b32 v9, v0\n s_set_gpr_idx_off"
        "\n ds_write_b32 v0, v9",
        "s_add_u32 s8, s1, s2\n s_movrels_b32 s0, s4\n s_mov_b32 m0, s0",
    ],
)  # fmt: skip
def test_silent(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("s_mul_i32 s0, s1, s2", ["s_mul_i32 s0, s1, s2"]),
        ("s_mov_b32 s0, 3", ["s_mov_b32 s0, 3"]),
        ("v_cmp_eq_u32 vcc, v0, v1", ["v_cmp_eq_u32 vcc, v0, v1"]),
        ("ds_read_b32 v2, v0", ["ds_read_b32 v2, v0"]),
        ("s_load_dwordx2 s[2:3], s[0:1], 0x8", ["s_load_dwordx2 s[2:3], s[0:1], 0x8"]),
        (
            "global_load_dwordx2 v[2:3], v[0:1], off slc\n global_load_dword v4, v[0:1], off\n s_waitcnt vmcnt(0)\n"
            " v_mov_b32 v4, v0\n ds_write_b32 v0, v4",
            ["global_load_dword v4, v[0:1], off"],
        ),
        # In a loop that overwrites it first.
        (
            "loop:\n v_add_u32 v2, v0, v1\n v_mov_b32 v2, v0\n ds_write_b32 v0, v2\n s_cbranch_scc1 loop",
            ["v_add_u32 v2, v0, v1"],
        ),
        # Overwritten on both ways to a join.
        (
            "v_add_u32 v2, v0, v1\n s_cbranch_scc0 b\n v_mov_b32 v2, 0\n s_branch e\nb:\n v_mov_b32 v2, 1\n"
            "e:\n ds_write_b32 v0, v2",
            ["v_add_u32 v2, v0, v1"],
        ),
    ],
)
def test_told(code: str, found: list[str]) -> None:
    assert told(code) == found


def test_accumulators_are_read_back_as_tuples() -> None:
    assert told("v_accvgpr_read_b32 v2, a0\n v_accvgpr_read_b32 v3, a1\n ds_write_b32 v0, v2", "gfx908") == []


def test_an_excerpt_that_stores_nothing_is_not_judged() -> None:
    built = build(fixture.parse("k:\n v_add_f32 v1, v0, v0\n s_endpgm\n"))
    assert list(dead_write.check(built)) == []


def test_one_way_to_a_join_reads_it() -> None:
    assert told("v_add_u32 v2, v0, v1\n s_cbranch_scc0 e\n v_mov_b32 v2, 0\ne:\n ds_write_b32 v0, v2") == []


def test_a_loop_reads_it_in_its_next_round() -> None:
    assert told("loop:\n ds_write_b32 v0, v2\n v_add_u32 v2, v0, v1\n s_cbranch_scc1 loop") == []


MACRO = ".macro sum d, a\n v_add_u32 \\d, \\a, v0\n.endm\n"


def test_in_a_macro_once_if_in_every_call() -> None:
    built = build(fixture.parse(MACRO + "k:\n sum v1, v2\n sum v3, v4\n ds_write_b32 v0, v0\n s_endpgm\n"))
    assert [found.where.line for found in dead_write.check(built)] == [1]


def test_in_a_macro_not_if_one_call_needs_it() -> None:
    built = build(fixture.parse(MACRO + "k:\n sum v1, v2\n sum v3, v1\n ds_write_b32 v3, v3\n sum v3, v1\n s_endpgm\n"))
    assert list(dead_write.check(built)) == []


def test_after_an_edit() -> None:
    text = "k:\n v_add_u32 v2, v0, v1\n" + " s_nop 0\n" * 200 + " ds_write_b32 v0, v2\n s_endpgm\n"
    options = program.Options(target="gfx900")
    first = program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert list(dead_write.check(first)) == []
    source = SourceText.from_bytes("k.s", text.replace("v0, v2", "v0, v3").encode())
    again = list(dead_write.check(program.build(source, options, first)))
    assert again == list(dead_write.check(program.build(source, options)))
    assert [found.where.line for found in again] == [1]


def test_what_a_part_of_a_shader_writes_is_for_its_epilog() -> None:
    part = ".type a,@function\na:\n v_add_f32 v0, v0, v1\n.Lend:\n.size a, .Lend-a\n"
    function = ".type b,@function\nb:\n v_mov_b32 v0, 1\n ds_write_b32 v1, v0\n s_endpgm\n"
    assert list(dead_write.check(build(fixture.parse(part + function)))) == []
    fallen = part.replace(".size a, .Lend-a\n", "") + function
    assert [each.where.line for each in dead_write.check(build(fixture.parse(fallen)))] == [2]
