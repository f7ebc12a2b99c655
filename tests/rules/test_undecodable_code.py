"""Data that control runs into and that is not an instruction."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.rules import undecodable_code
from tests.support import fixture
from tests.support.check import build, check_diagnostics
from tests.support.elf import code_object


def told(text: str, target: str = "gfx900") -> list[tuple[int, str]]:
    """The lines, from 1, and the messages of the findings."""
    found = undecodable_code.check(build(fixture.parse(text), target))
    return [(finding.where.line + 1, finding.message) for finding in found]


def test_a_word() -> None:
    check_diagnostics(
        """
          s_nop 0
          .long 0xffffffff
        //^^^^^^^^^^^^^^^^ warning[undecodable-code]: control runs into 0xffffffff, which is not an instruction
          s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("s_nop 0\n.long 0xbf800000, 0xffffffff\n", 2),
        ("s_nop 0\n.long 0xbf800000\n.long 0xffffffff\n.long 0xffffffff\n", 3),
        ("s_nop 0\n.byte 0xff, 0xff\n.byte 0xff, 0xff\ns_endpgm\n", 2),
        ("s_cbranch_scc0 end\n.long 0xffffffff\nend:\ns_endpgm\n", 2),
        ("s_branch data\ns_endpgm\ndata:\ns_nop 0\n.long 0xffffffff\n", 5),
    ],
)
def test_reached(code: str, line: int) -> None:
    assert [at for at, _ in told(code)] == [line]


@pytest.mark.parametrize(
    "code",
    [
        "s_nop 0\n.long 0xbf800000\ns_endpgm\n",  # s_nop
        "s_nop 0\n.long 0xd2800001\n.long 0x02020200\ns_endpgm\n",  # both words of one instruction
        "s_nop 0\n.long 0xbf810000, 0xffffffff\n",  # s_endpgm
        "s_endpgm\n.long 0xffffffff\n",
        "s_branch end\n.long 0xffffffff\nend:\ns_endpgm\n",
        "s_setpc_b64 s[0:1]\n.long 0xffffffff\n",
        "s_trap 2\n.long 0xffffffff\n",
        "s_endpgm\ns_nop 0\n.long 0xffffffff\n",  # nothing reaches it
        "s_nop 0\n.long there-here\nhere:\nthere:\ns_endpgm\n",
        "s_endpgm\n.rodata\n.long 0xffffffff\n",
        "s_nop 0\n.unheard 0\n.long 0xffffffff\ns_endpgm\n",  # nobody knows what comes before
        '.include "missing.inc"\ns_nop 0\n.long 0xffffffff\n',
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


def test_a_word_of_another_generation() -> None:
    code = "s_nop 0\n.long 0x7e124b00\ns_endpgm\n"  # a tuple of v9, which gfx942 does not have
    assert [target for target in ("gfx900", "gfx942") if told(code, target)] == ["gfx942"]


def test_an_encoding_that_llvm_lacks() -> None:
    code = "s_nop 0\n.long 0xd0310000, 0x200000\nv_cmp_ge_u16 vcc_lo, s32, v18\ns_endpgm\n"
    assert told(code, "gfx1250") == []


def test_in_a_macro() -> None:
    program = build(fixture.parse(".macro bad\n.long 0xffffffff\n.endm\ns_nop 0\nbad\ns_endpgm\n"), "gfx900")
    (found,) = undecodable_code.check(program)
    assert found.where.line == 1
    assert [step.where.line for step in found.related] == [4]


def test_in_a_code_object(tmp_path: Path) -> None:
    path = tmp_path / "k.co"
    path.write_bytes(code_object(bytes.fromhex("000080bfffffffff000081bf"), [("k", 0, 12, 1)]))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert (
        "warning[undecodable-code]: control runs into 0xffffffff, which is not an instruction on gfx942"
        in result.stdout
    )
    assert "(k+0x4, address 0x4)" in result.stdout


@pytest.mark.parametrize(("word", "count"), [("0x7f1ea311", 0), ("0xffffffff", 1)])
def test_halves_of_registers_are_instructions_though_the_file_writes_whole_ones(word: str, count: int) -> None:
    text = f"//- kernel.s target:gfx1100 mattr:-real-true16\nv_cvt_f16_i16 v15, v16\n.long {word}\n"
    assert len(told(text)) == count
