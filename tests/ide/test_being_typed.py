"""A line that is being typed: its placeholders and names without a value are no findings and have no lens."""

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
