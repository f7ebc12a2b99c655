"""A line that is being typed: its placeholders and names without a value are no findings and have no lens."""

from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import being_typed, code_lens
from gcn_lsp.program.program import Program
from gcn_lsp.rules import check
from gcn_lsp.text import rendered
from tests.support.check import build
from tests.support.fixture import parse


def _program(*lines: str) -> Program:
    return build(parse("\n".join(lines)), "gfx1100")


def _found(program: Program, line: int) -> list[tuple[str, int]]:
    found = being_typed.without(program, line, check(program))
    return [(each.rule, each.where.line) for each in found]


PLACEHOLDERS = ("k:", "s_load_b128 sdst, sbase, soffset", "s_endpgm")


def test_placeholders_are_no_symbols() -> None:
    program = _program(*PLACEHOLDERS)
    assert program.build_defined == ()
    assert _found(program, 2) == [("undefined-symbol", 1)]
    assert _found(program, 1) == []


def test_a_name_that_is_begun_is_not_the_builds() -> None:
    program = _program("k:", "s_nop siz", "s_endpgm")
    assert _found(program, 0) == [("build-defined-symbols", 1)]
    assert _found(program, 1) == []
    assert not any("configuration" in _text(each) for each in code_lens.code_lenses(program, 1))
    assert any("configuration" in _text(each) for each in code_lens.code_lenses(program))


def _text(lens: code_lens.CodeLens) -> str:
    return rendered(lens.text, lens.where.path)


def test_a_name_that_another_line_needs_too_is_the_builds() -> None:
    program = _program("k:", "s_nop size", "s_nop size", "s_endpgm")
    assert _found(program, 1) == [("build-defined-symbols", 1)]


def test_a_symbol_may_be_called_like_an_operand() -> None:
    program = _program("k:", "s_load_b128 s[0:3], s[4:5], offset + 4", "s_endpgm")
    assert program.build_defined == ("offset",)


TILE = """\
tile:
  v_lshlrev_b32 v1, 3, v0
  global_load_dwordx2 v[2:3], v1, s[4:5]
  global_load_dwordx2 v[4:5], v1, s[6:7]
  s_waitcnt vmcnt(1)
  ds_write_b64 v1, v[2:3]
  s_waitcnt vmcnt(0)
  ds_write_b64 v1, v[4:5] offset:4096
  s_waitcnt lgkmcnt(0)
  s_barrier
loop:
  ds_read_b64 v[6:7], v1
  ds_read_b64 v[8:9], v1 offset:4096
  s_waitcnt lgkmcnt(0)
  v_mfma_f32_16x16x16_f16 a[0:3], v[6:7], v[8:9], a[0:3]
  s_sub_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 0
  s_cbranch_scc1 loop
  s_nop 5
  v_accvgpr_read_b32 v10, a0
  global_store_dword v1, v10, s[8:9]
  s_endpgm
""".splitlines()


def _elsewhere(line: int, text: str) -> set[tuple[str, int]]:
    """What is found on other lines than the one that is replaced, while that is being typed."""
    program = build(parse("\n".join((*TILE[:line], text, *TILE[line + 1 :]))), "gfx942")
    found = being_typed.without(program, line, check(program))
    return {(each.rule, each.where.line) for each in found if each.where.line != line}


def test_a_line_that_is_half_written_makes_no_finding_elsewhere() -> None:
    assert _elsewhere(0, TILE[0]) == set()
    for line, text in enumerate(TILE):
        written = text.rstrip()
        word_end = len(written) - len(written.lstrip()) + len(written.split()[0])
        halves = {written[: word_end // 2 + 1], written[:word_end], written[:-1] if "," in written else written}
        halves |= {written[: at + 1] for at, letter in enumerate(written) if letter == ","}
        for half in halves - {written} if line else ():
            assert _elsewhere(line, half) == set(), half


def test_a_rejected_load_still_counts() -> None:
    """The second load is misaligned: the wait for the first one is right as it is, and its absence is noticed."""
    assert _elsewhere(3, "  global_load_dwordx2 v[5:6], v1, s[6:7]") == set()
    program = build(parse("\n".join((*TILE[:3], "  global_load_dwordx2 v[5:6], v1, s[6:7]", *TILE[5:]))), "gfx942")
    assert ("missing-wait", 4) in {(each.rule, each.where.line) for each in check(program)}


WHOLE = """\
.macro zero first, last
  v_mov_b32 v\\first, 0
  .irp i, 1, 2
  v_mov_b32 v\\i, 0
  .endr
.endm
.globl k
k:
  s_load_b64 s[4:5], s[0:1], 0x0
  s_load_b32 s6, s[0:1], 0x8
  v_and_b32 v0, 0x3ff, v0
  s_waitcnt lgkmcnt(0)
  s_mul_i32 s3, s2, s6
  v_add_nc_u32 v0, v0, s3
  v_cmp_gt_u32 vcc_lo, s6, v0
  s_and_saveexec_b32 s7, vcc_lo
  s_cbranch_execz .Ldone
  v_lshlrev_b32 v0, 2, v0
  zero 1, 2
  global_store_b32 v0, v1, s[4:5]
.Ldone:
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_kernarg_size 12
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr 3
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 3
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
""".splitlines()


def test_a_kernel_is_typed_from_its_first_line_to_its_last_without_a_finding() -> None:
    for count in range(1, len(WHOLE) + 1):
        program = _program(*WHOLE[:count], "")
        found = being_typed.without(program, count, check(program))
        shown = [(each.rule, each.where.line) for each in found if each.severity in (Severity.ERROR, Severity.WARNING)]
        assert shown == [], WHOLE[count - 1]


def test_what_is_missing_is_said_of_a_file_that_is_edited_elsewhere() -> None:
    lines = ("k:", "s_cbranch_execz .Ldone", "s_nop 0", ".rept 2", "s_nop 0")
    program = _program(*lines)
    assert _found(program, 4) == []
    assert {rule for rule, _ in _found(program, 2)} == {"unterminated-block"}
    assert {rule for rule, _ in _found(program, 0)} == {"undefined-symbol", "unterminated-block"}
    assert ("undefined-symbol", 1) in _found(_program(*lines[:3], "s_endpgm"), 3)


def test_a_label_that_is_nearly_there_is_said() -> None:
    program = _program("k:", ".Lagain:", "s_nop 0", "s_cbranch_execz .Lagian", "s_nop 0")
    assert _found(program, 4) == [("undefined-symbol", 3)]


def test_a_line_that_does_not_assemble_yet_is_unfinished() -> None:
    macro = (".macro twice n", "s_nop \\n * 2", ".endm")
    for text in ("s_endpg", ".Ldon", "v_mov_b32 v0,", "s_load_b64 s[0:", "s_cbranch_scc0 .Ldon", "twice "):
        program = _program(*macro, "k:", text, ".Ldone:", "s_endpgm")
        found = [each for each in check(program) if each.severity is Severity.ERROR]
        assert found, text
        assert all(being_typed.is_unfinished(program, 4, each) for each in found), text
        assert not any(being_typed.is_unfinished(program, 3, each) for each in found)


def _may_go_on(*lines: str) -> set[tuple[str, bool]]:
    """Rules of what is wrong with the last of some lines, each with whether more at its end may change that."""
    program, line = _program(*lines), len(lines) - 1
    unfinished = (each for each in check(program) if being_typed.is_unfinished(program, line, each))
    return {(each.rule, being_typed.may_go_on(program, line, each)) for each in unfinished}


def test_what_is_half_written_may_go_on() -> None:
    for written in ("v_fma_f32 v2, v3, v[4], 1.0", "s_load_b64 s[2:3], s[0:1], 0x0", "s_cbranch_scc0 .Ldone"):
        for end in range(1, len(written)):
            assert all(is_open for _, is_open in _may_go_on(".Ldone:", written[:end])), written[:end]
    assert _may_go_on("v_fm") == {("unknown-mnemonic", True)}
    assert _may_go_on("v_fma_f32 v2, ") == {("wrong-operand-count", True)}
    assert {is_open for _, is_open in _may_go_on("s_load_b64 s[0:]")} == {True}


def test_what_is_wrong_before_other_words_stays() -> None:
    assert _may_go_on("v_mvo_b32 v2, 0") == {("unknown-mnemonic", False)}
    assert _may_go_on("s_load_b64 s[3:4], s[0:1], ") >= {("misaligned-register", False)}


def test_what_a_whole_line_does_is_said_at_once() -> None:
    program = _program("k:", "global_load_b32 v1, v0, s[0:1]", "v_mov_b32 v2, v1", "s_endpgm")
    (found,) = (each for each in check(program) if each.rule == "missing-wait")
    assert not being_typed.is_unfinished(program, found.where.line, found)


DESCRIBED = (
    ".globl k",
    ".p2align 8",
    "k:",
    "  s_endpgm",
    ".amdhsa_kernel k",
    "  .amdhsa_next_free_vgpr 1",
    "  .amdhsa_next_free_sgpr 1",
    ".end_amdhsa_kernel",
)


def test_metadata_may_follow_what_is_typed_at_the_end() -> None:
    last = len(DESCRIBED) - 1
    assert _found(_program(*DESCRIBED), last) == []
    assert _found(_program(*DESCRIBED, "", ""), last + 1) == []
    assert _found(_program(*DESCRIBED), 3) == [("missing-metadata", 4)]


SMALL = """\
.globl k
.p2align 8
k:
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v15, 0
  ds_store_b32 v1, v15 offset:512
  s_load_b64 s[2:3], s[0:1], 0x8
  s_endpgm
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 1
  .amdhsa_group_segment_fixed_size 2
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
"""
OF_FIELDS = {10: "kernarg-beyond-segment", 11: "lds-beyond-segment", 12: "register-beyond-descriptor"}


def test_a_field_that_is_being_typed_says_nothing_with_each_digit() -> None:
    program = _program(*SMALL.splitlines())
    found = check(program)
    for line, rule in OF_FIELDS.items():
        unfinished = {each.rule for each in found if being_typed.is_unfinished(program, line, each)}
        assert unfinished == {rule}
    assert not any(being_typed.is_unfinished(program, 5, each) for each in found)


def test_nothing_is_said_of_the_fields_of_a_descriptor_without_an_end() -> None:
    lines = SMALL.splitlines()
    assert set(OF_FIELDS.values()) <= {rule for rule, _ in _found(_program(*lines), 0)}
    for last in range(9, len(lines)):
        assert not {rule for rule, _ in _found(_program(*lines[:last]), last - 1)} & set(OF_FIELDS.values())
