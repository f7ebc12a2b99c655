"""What the assembler sees of a file, and that it assembles to the same bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.ide import expand, inlay_hint
from gcn_lsp.ide.expand import Style
from gcn_lsp.program import problems, program
from gcn_lsp.program.program import Program
from gcn_lsp.text import SourceText
from tests.benchmarks.kernel import kernel
from tests.program import language
from tests.support import check, fixture, llvm, llvm_object
from tests.test_bad_input import WORDS

ALL_STYLES = [Style(values, origins) for values in (True, False) for origins in (True, False)]
PLAIN = Style(values=True, origins=False)
SECTIONS = (".text", ".rodata", ".data")

KERNEL = r"""
//- kernel.s target:gfx90a define:wide=1
.include "registers.inc"
.macro STEP r, n=4
  v_add_f32 v[v_acc+\r], v1, v[v_acc+\r+\n]
  .if \n > 4
  s_nop \n
  .endif
.endm
.macro PAIR r
  STEP \r
  STEP \r+1, n=8
label\@:
.endm
start:
  STEP 3
  PAIR 2
  .rept 2
  s_nop wide
  .endr
  .irp x, 1, 2
  v_mov_b32 v[v_acc+\x], size*4
  .endr
  .if wide
  s_cbranch_scc0 start
  .else
  s_nop 9
  .endif
  buffer_load_dword v[v_acc], v0, s[4:7], 0 offen offset:(size+1)*4 // a comment
  s_waitcnt vmcnt(wide-1) & lgkmcnt(size)
late = end - start
.long size*2, end-start, late, wide+end-start
.long -size
.p2align size
end: s_endpgm
.amdgpu_metadata
amdhsa.version:
  - 1
  - 2
amdhsa.kernels:
  - .name: start
    .symbol: start.kd
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 64
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
.rodata
.amdhsa_kernel start
  .amdhsa_next_free_vgpr v_acc+32
  .amdhsa_next_free_sgpr size*4
  .amdhsa_accum_offset v_acc
.end_amdhsa_kernel
//- registers.inc
.set v_acc, 32
.set size, 3
"""


def expanded(text: str, first: int = 1, last: int | None = None, style: Style = PLAIN) -> list[str]:
    """The expansion of lines `first` to `last`, counted from 1."""
    built = check.build(fixture.parse(text))
    found = expand.expand(built, first - 1, (last or len(built.source.lines)) - 1, style)
    return [line.rstrip() for line in found.splitlines()]


def again(built: Program, text: str, *, defines: bool) -> Program:
    """The program that an expansion is."""
    options = program.Options(
        built.options.target, built.options.mattr, defines=built.options.defines if defines else {}
    )
    return program.build(SourceText.from_bytes("expanded.s", text.encode()), options)


def test_macros_have_their_values() -> None:
    text = r"""
    .set base, 8
    .macro move to, from=base
      v_mov_b32 v[base+\to], v[\from]
    .endm
    move 1
    move 2, 3
    """
    assert expanded(text) == [".set base, 8", "  v_mov_b32 v9, v8", "  v_mov_b32 v10, v3"]
    assert expanded(text, style=Style(False, False))[1:] == [
        "  v_mov_b32 v[base+1], v[base]",
        "  v_mov_b32 v[base+2], v[3]",
    ]


def test_lines_say_where_they_come_from() -> None:
    text = """
    .macro inner
      s_nop 1
    .endm
    .macro outer
      .rept 2
      inner
      .endr
    .endm
    s_nop 0
    outer
    """
    lines = expanded(text, style=Style(True, True))
    assert lines[0] == "  s_nop 0"
    assert lines[1].split(" // ") == ["  s_nop 1  ", "from line 10, macro outer, repetition 1, macro inner"]
    assert lines[2].endswith("// from line 10, macro outer, repetition 2, macro inner")


def test_one_line_only() -> None:
    text = """
    .macro twice
      s_nop 1
      s_nop 2
    .endm
    s_nop 0
    twice
    twice
    """
    assert expanded(text, 6, 6) == ["  s_nop 1", "  s_nop 2"]
    assert expanded(text, 5, 6) == ["  s_nop 0", "  s_nop 1", "  s_nop 2"]
    assert expanded(text, 2, 2) == []


@pytest.mark.parametrize("line", [2, 3, 4])
def test_every_line_of_a_repetition_stands_for_all_of_it(line: int) -> None:
    text = """
    s_nop 0
    .irp x, 1, 2
      s_nop \\x
    .endr
    s_nop 3
    """
    assert expanded(text, line, line) == ["  s_nop 1", "  s_nop 2"]


def test_a_repetition_over_many_lines() -> None:
    body = "\n".join(f"  s_nop {number % 8}" for number in range(200))
    lines = expanded(f"s_nop 0\n.rept 2\n{body}\n.endr\ns_nop 1\n", 3, 3)
    assert len(lines) == 400


def test_conditions_that_only_the_build_knows_are_noted() -> None:
    (note, last) = expanded(".if late > 2\ns_nop 1\n.else\ns_nop 2\n.endif\ns_nop 0\n")
    assert note == "// .if late > 2: only the build knows `late`, so neither branch is shown"
    assert last == "  s_nop 0"


def test_addresses_stay_names() -> None:
    text = """
    .set step, 4
    start: s_nop 0
    .long end-start+step*2, (step+1)*3
    end:
    """
    assert expanded(text)[3] == ".long end-start+8, 15"


def test_names_that_are_set_later_stay_names() -> None:
    lines = expanded("s_mov_b32 s0, later\n.set later, 5\ns_mov_b32 s1, later\n")
    assert lines == ["  s_mov_b32 s0, later", ".set later, 5", "  s_mov_b32 s1, 5"]


def test_registers_are_not_symbols() -> None:
    assert expanded(".set v1, 7\nv_mov_b32 v[v1], v1\n")[1] == "  v_mov_b32 v7, v1"


def test_fields_of_the_old_header() -> None:
    text = """
    .set wide, 1
    .amd_kernel_code_t
      enable_sgpr_kernarg_segment_ptr = wide
    .end_amd_kernel_code_t
    """
    assert expanded(text, 2) == [
        ".amd_kernel_code_t",
        "enable_sgpr_kernarg_segment_ptr = 1",
        ".end_amd_kernel_code_t",
    ]


def test_what_is_in_no_expansion_says_why() -> None:
    built = check.build(fixture.parse(".macro wait\ns_nop 0\n.endm\n// nothing"))
    assert "macro `wait`" in expand.nothing_said(built, 1)
    assert expand.nothing_said(built, 3) == "line 4 assembles to nothing"


@pytest.mark.parametrize("style", ALL_STYLES)
def test_it_assembles_to_the_same(style: Style) -> None:
    for built in (check.build(fixture.parse(KERNEL)), check.build(fixture.parse(kernel(600)), "gfx90a")):
        rebuilt = again(built, expand.expand(built, style=style), defines=not style.values)
        for section in SECTIONS:
            assert rebuilt.section_bytes(section) == built.section_bytes(section)
        assert list(problems.of(rebuilt)) == list(problems.of(built)) == []


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_agrees() -> None:
    built = check.build(fixture.parse(KERNEL))
    assembled = llvm_object.assemble(expand.expand(built).encode(), "gfx90a")
    assert assembled.sections is not None, (assembled.line, assembled.message)
    assert assembled.sections[".text"] == built.section_bytes(".text")


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_agrees_about_random_programs() -> None:
    compared = 0
    for seed in range(5000, 5040):
        source = SourceText.from_bytes("random.s", language.program(seed))
        built = program.build(source, program.Options("gfx900"))
        reference = llvm_object.assemble(source.to_bytes(), "gfx900").sections
        if reference is None or any(built.section_bytes(name) != code for name, code in reference.items()):
            continue  # a program with mistakes; whether we agree about it is another test's question
        for style in (Style(True, True), Style(False, False)):
            assembled = llvm_object.assemble(expand.expand(built, style=style).encode(), "gfx900")
            assert assembled.sections == reference, (seed, assembled.message)
            compared += 1
    assert compared > 10


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_mix_of_words_expands(words: list[str]) -> None:
    source = SourceText.from_bytes("k.s", " ".join(words).encode())
    built = program.build(source, program.Options("gfx90a"))
    for style in ALL_STYLES:
        expand.expand(built, style=style)
    inlay_hint.inlay_hints(built, 0, 100)
