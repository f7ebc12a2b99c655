"""Symbols that are set after their use as a literal."""

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tests.support import llvm
from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "relative-constant"


LATER = "e:\n.set size, e-k\n.set tile, 0x1000\n.set other, 7\n.set alias, k\n"
RELATIVE = ("tile", "tile+4", "tile*2", "-tile", "size", "tile|1")
PLAIN = ("tile-1", "other-tile", "alias", "e-k", "k")


def test_it_is_told_at_the_operand() -> None:
    check_diagnostics(
        """
        s_mov_b32 s2, tile
        //            ^^^^ warning[relative-constant]: `tile` is set only after this line, so the linker puts 4096 minus
        .set tile, 0x1000
        """
    )


@pytest.mark.parametrize("operand", RELATIVE)
def test_what_becomes_a_distance(operand: str) -> None:
    found = findings(f"k:\ns_mov_b32 s2, {operand}\n{LATER}")
    assert [finding.rule for finding in found if finding.rule == RULE] == [RULE]


@pytest.mark.parametrize("operand", PLAIN)
def test_what_the_assembler_computes(operand: str) -> None:
    check_no_finding(f"k:\ns_mov_b32 s2, {operand}\n{LATER}", RULE)


@pytest.mark.parametrize(
    "text",
    [
        ".set tile, 0x1000\ns_mov_b32 s2, tile\n",
        ".set tile, 1\ns_mov_b32 s2, tile\n.set tile, 2\n",
        ".long tile\n.set tile, 0x1000\n",
        "s_movk_i32 s2, tile\n.set tile, 0x100\n",
    ],
)
def test_where_the_value_is_known_or_needs_no_literal(text: str) -> None:
    check_no_finding(text, RULE)


def test_it_goes_when_the_symbol_is_set_before() -> None:
    macro = ".macro put\ns_mov_b32 s2, tile\n.endm\n"
    check_no_finding(f"{macro}.set tile, 0x1000\nput\n", RULE)
    (found,) = (each for each in findings(f"{macro}put\n.set tile, 0x1000\n") if each.rule == RULE)
    assert (found.where.line, len(found.related)) == (1, 1)


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("operand", RELATIVE + PLAIN)
def test_the_assembler_leaves_the_same_to_the_linker(operand: str, tmp_path: Path) -> None:
    made = tmp_path / "made.o"
    command = ["llvm-mc-23", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", str(made)]
    subprocess.run(command, input=f"k:\ns_mov_b32 s2, {operand}\n{LATER}".encode(), check=True)
    with made.open("rb") as file:
        has_relocation = ELFFile(file).get_section_by_name(".rela.text") is not None
    assert has_relocation is (operand in RELATIVE)
