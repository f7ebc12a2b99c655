"""The descriptors of buffers, images and samplers that targets have."""

import pytest

from gcn_lsp.isa import load_target
from gcn_lsp.isa.memory import resources


@pytest.mark.parametrize(
    ("target", "base"), [("gfx90a", 47), ("gfx1201", 47), ("gfx1250", 56), ("gfx1251", 56), ("gfx1310", None)]
)
def test_the_buffer_that_a_target_has(target: str, base: "int | None") -> None:
    layout = resources.resource("buffer", load_target(target, "").features)
    assert (layout.fields[0].high if layout is not None else None) == base
