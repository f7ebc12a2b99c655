"""SP3's filling of unused bits, and that only files in SP3 have it."""

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.isa import versions
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText

SETTER = "s_setreg_imm32_b32 hwreg(HW_REG_MODE), 3"


def word(line: str, target: str, mattr: str = "") -> str:
    program = build(SourceText.from_bytes("a.s", line.encode()), Options(target, mattr))
    return program.section_bytes(".text")[:8].hex()


@pytest.mark.parametrize(
    ("line", "target", "ours", "theirs"),
    [
        (SETTER, "gfx900", "01f800ba03000000", "01f87fba03000000"),
        (SETTER, "gfx1030", "01f880ba03000000", "01f880ba03000000"),
        ("v_readlane_b32 s0, v1, s2", "gfx1200", "000060d701050002", "000060d701050000"),
        ("v_readlane_b32 s0, v1, s2", "gfx900", "000089d201050000", "000089d201050000"),
    ],
)
def test_bits_that_no_operand_fills(line: str, target: str, ours: str, theirs: str) -> None:
    assert word(line, target) == ours
    assert word(line, target, versions.SP3) == theirs
    assert word(line, target, versions.with_sp3("-xnack")) == theirs


def test_the_command_line_gives_files_in_sp3_its_words() -> None:
    runner = CliRunner()
    with runner.isolated_filesystem():
        for name, text in (("a.s", SETTER), ("a.asm", f"shader main\nasic(DEFAULT)\n{SETTER}\nend\n")):
            with open(name, "w") as file:
                file.write(text)
        plain = runner.invoke(main, ["encode", "--target", "gfx900", "a.s"]).output
        shader = runner.invoke(main, ["encode", "--target", "gfx900", "a.asm"]).output
    assert "01f800ba" in plain
    assert "01f87fba" in shader
