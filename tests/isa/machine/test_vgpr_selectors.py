"""The setting by which operands choose among 1024 VGPRs."""

import pytest

from gcn_lsp.isa.machine import vgpr_selectors


@pytest.mark.parametrize(
    ("literal", "byte"),
    [(0b11 << 12, 0b11 << 6), (0b11 << 14, 0b11), (0b11 << 16, 0b11 << 2), (0b11 << 18, 0b11 << 4), (0xF00FFF, 0)],
)
def test_mode_has_the_byte_turned(literal: int, byte: int) -> None:
    assert vgpr_selectors.of_mode(literal) == byte
