"""Registers that VGPR indexing chooses."""

import pytest

from gcn_lsp.isa.machine import vgpr_indexing
from tests.instruction.support import assemble

INDEX = 3


@pytest.mark.parametrize(
    ("text", "mask", "added"),
    [
        ("v_mov_b32 v1, v2", 8, {"vdst": INDEX}),
        ("v_mov_b32 v1, v2", 1, {"src0": INDEX}),
        ("v_writelane_b32 v1, 0, s1", 8, {"vdst": INDEX}),  # the other lanes of the result stay
        ("v_mac_f32 v1, v2, v3", 8, None),  # adds to one register and writes another
    ],
)
def test_what_is_added_to_the_numbers(text: str, mask: int, added: "dict[str, int] | None") -> None:
    form = assemble(text, "gfx906").form
    assert form is not None
    assert vgpr_indexing.chosen(form, mask << 12 | INDEX) == added
