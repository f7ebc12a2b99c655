"""The version of LLVM that an object's code tells of."""

from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.cli import kernel
from gcn_lsp.program import program
from gcn_lsp.program.program import Options
from gcn_lsp.text import SourceText
from gcn_lsp.views.objects import view
from tests.support.elf import Part, code_object

GFX1100 = 0x41
OLDER = bytes.fromhex("000043d400040200")  # v_cmp_le_i32_e64 with a third source of 0, as LLVM 22 leaves it
NEWER = bytes.fromhex("000043d400040202")  # with the number of the constant 0 there, as LLVM 23 does
END = bytes.fromhex("0000b0bf")
WAVES_OF_64 = [Part(".rodata", bytes(64), 1, 2, 64)]


def test_an_object_of_an_older_version_is_text_for_that_version() -> None:
    found = view.of(code_object(OLDER + END, [("k", 0, 12, 1), ("k.kd", 0, 64, 2)], WAVES_OF_64, flags=GFX1100))
    text = found.text.decode()
    assert "\tv_cmp_le_i32_e64 s[0:1], s0, v2\n" in text
    assert "// LLVM 22's assembler makes these bytes" in text
    built = program.build(SourceText.from_bytes("x.s", found.text), Options(target=found.target, mattr=found.mattr))
    assert built.section_bytes(".text") == OLDER + END


def test_its_text_in_a_file_is_checked_for_that_version(tmp_path: Path) -> None:
    found = view.of(code_object(OLDER + END, [("k", 0, 12, 1), ("k.kd", 0, 64, 2)], WAVES_OF_64, flags=GFX1100))
    path = tmp_path / "k.s"
    path.write_bytes(found.text)
    opened = kernel.open_kernel(str(path), project.Settings())
    assert opened.program is not None
    assert opened.program.section_bytes(".text") == OLDER + END


@pytest.mark.parametrize("code", [NEWER + END, END, OLDER[:7] + b"\x01" + END])
def test_other_objects_are_text_for_the_usual_version(code: bytes) -> None:
    found = view.of(code_object(code, [("k", 0, len(code), 1)], flags=GFX1100))
    assert "llvm" not in found.mattr
    assert "LLVM 22" not in found.text.decode()


def test_the_version_that_gives_more_instructions_their_bytes() -> None:
    one, two = NEWER, bytes.fromhex("000043d401040200") + bytes.fromhex("000043d402040200")
    found = view.of(code_object(one + two + END, [("k", 0, 28, 1)], flags=GFX1100)).text.decode()
    assert "LLVM 22" in found
    assert found.count("\t.long ") == 1


def test_waves_of_64_lanes_are_told_where_they_are_not_the_default(tmp_path: Path) -> None:
    parts = [Part(".rodata", bytes(64), 1, 2, 64)]
    found = view.of(code_object(NEWER + END, [("k", 0, 12, 1), ("k.kd", 0, 64, 2)], parts, flags=GFX1100))
    assert "\t.amdhsa_wavefront_size32 0\n" in found.text.decode()
    path = tmp_path / "k.s"
    path.write_bytes(found.text)
    opened = kernel.open_kernel(str(path), project.Settings())
    assert opened.program is not None
    assert opened.program.section_bytes(".text") == NEWER + END
