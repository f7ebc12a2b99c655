"""Data among the code as the instructions that they are."""

import pytest

from tests.ide.refactor.test_refactor import offered

TITLE = "Write the data as instructions"


@pytest.mark.parametrize(
    ("data", "instructions"),
    [
        (".long 0xbf800001$0", "s_nop 1"),
        (".long 0xbf80$00001, 0xbf8c0f70", "s_nop 1\ns_waitcnt vmcnt(0)"),
        (".long 0xbe8000ff // a$0\n.long 0x12345678", "s_mov_b32 s0, 0x12345678 // a"),
        (".long 0xbe8000ff\n.long 0x123$045678 // b", "s_mov_b32 s0, 0x12345678\n // b"),
        (".long 0xbf880001$0\ns_nop 0\n.long 0xbf800002", "s_cbranch_execz 1\ns_nop 0\n.long 0xbf800002"),
        (".long 0xbe8000ff, 1$0", "s_mov_b32 s0, lit(0x1)"),
        (
            ".long 0xd1410000, 0x500$0",
            ".long 0xd1410000, 0x500 // v_mov_b32_e64 v0, v0",
        ),  # with bits that no operand shows
    ],
)
def test_each_line_is_written_as_its_instructions(data: str, instructions: str) -> None:
    found = offered(f"s_nop 0\n{data}\ns_endpgm", "gfx900")[TITLE][1]
    assert found.source.to_bytes().decode() == f"s_nop 0\n{instructions}\ns_endpgm"


@pytest.mark.parametrize(
    "text",
    [
        "s_nop 0\n.long 0xffffffff$0\ns_endpgm",
        "s_nop 0\nx: .long 0xbf800000$0\ns_endpgm",
        "s_nop 0\n.macro M\n.long 0xbf800000\n.endm\nM$0\ns_endpgm",
        "s_endpgm\n.long 0xbf800000$0",
    ],
)
def test_it_is_not_offered_for_other_data(text: str) -> None:
    assert TITLE not in offered(text, "gfx900")
