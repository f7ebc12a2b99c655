"""The source behind an instruction by `.file` and `.loc`, and that it is the one in the object's line table."""

import shutil

import pytest

from gcn_lsp.program import program
from gcn_lsp.program.program import Options, Program
from gcn_lsp.text import SourceText
from gcn_lsp.views import source_lines
from gcn_lsp.views.view import SourcePlace
from tests.analysis.compiled import Build, needs_clang
from tests.views import line_tables

TEXT = """\
  .text
  .file 0 "/home/me" "k.hip" md5 0x0
  .file 1 "include" "h.h"
  s_nop 0
  .loc 0 3 5 prologue_end ; k.hip:3:5
  s_nop 1
  .loc 1 7 2 ; include/h.h:7:2 @[ k.hip:4:9 @[ k.hip:9:1 ] ]
  s_nop 2
label:
  s_nop 3
  .loc 0 0 9
  s_nop 4
  .loc 0 8 0
  .section .other,"ax",@progbits
  s_nop 5
  .text
  s_nop 6
"""


def made(text: str) -> Program:
    return program.build(SourceText.from_bytes("k.s", text.encode()), Options("gfx900"))


def test_each_instruction_has_the_place_of_the_loc_above_it() -> None:
    found = made(TEXT)
    calls = (SourcePlace("/home/me/k.hip", 4, 9), SourcePlace("/home/me/k.hip", 9, 1))
    inlined = SourcePlace("/home/me/include/h.h", 7, 2, "", calls)
    expected = {5: SourcePlace("/home/me/k.hip", 3, 5), 7: inlined, 9: inlined, 14: SourcePlace("/home/me/k.hip", 8, 0)}
    assert dict(source_lines.places(found)) == expected
    for line in range(len(found.source.lines)):
        assert source_lines.at(found, line) == expected.get(line)
    assert source_lines.loc(found, 6) == inlined
    assert source_lines.loc(found, 5) is None


def test_places_far_from_their_loc() -> None:
    lines = ['.file 1 "k.c"', ".loc 1 2 3", *["s_nop 0"] * 500, ".loc 1 4", *["s_nop 0"] * 200]
    found = made("\n".join(lines))
    for line in (2, 3, 250, 501):
        assert source_lines.at(found, line) == SourcePlace("k.c", 2, 3)
    assert source_lines.at(found, 600) == SourcePlace("k.c", 4, 0)
    assert len(dict(source_lines.places(found))) == 700


@pytest.mark.parametrize("line", [".loc", ".loc 9 1 1", ".loc x y", ".loc 1", '.loc "a" 3', ".file", ".file 1"])
def test_bad_directives_name_nothing(line: str) -> None:
    found = made(f"{line}\ns_nop 0\n")
    assert source_lines.at(found, 1) is None
    assert source_lines.loc(found, 0) is None


@needs_clang
@pytest.mark.skipif(shutil.which(line_tables.DWARFDUMP) is None, reason="llvm-dwarfdump-22 is not installed")
@pytest.mark.parametrize("build", line_tables.sample(4)[1:], ids=str)
def test_places_are_those_of_the_line_table(build: Build) -> None:
    count, wrong = line_tables.differing(build)
    assert count > 10
    assert wrong == []
