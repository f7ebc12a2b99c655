"""The reference assembler treats each line separately, whatever it says about the others."""

import pytest

from tests.support import llvm

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)

BESIDE_BYTES = "buffer_atomic_min_u32 v2, off, s[64:67], s64, scale_offset"  # an error, and bytes all the same
LINES = ("s_nop 1", BESIDE_BYTES, "v_mov_b32 v0, q1, q2", "", "s_nop 2")


def test_lines_that_give_an_error_beside_bytes_or_nothing_at_all() -> None:
    first, beside, wrong, empty, last = llvm.assemble(LINES, "gfx1250")
    assert (first.code, last.code) == (bytes.fromhex("010080bf"), bytes.fromhex("020080bf"))
    assert (beside.code, wrong.code, empty.code) == (None, None, b"")
    assert "scale_offset" in beside.message
    assert wrong.column == LINES[2].index("q1") + 1


def test_a_line_is_what_it_is_alone() -> None:
    assert [llvm.assemble([line], "gfx1250")[0] for line in LINES] == llvm.assemble(LINES, "gfx1250")
