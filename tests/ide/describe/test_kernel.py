"""The resources of a kernel in the hover of its label."""

import pytest

from tests.support.ide import hover_text

KERNEL = """\
k$0:
  s_mov_b32 s3, 0
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
{}.end_amdhsa_kernel
"""


@pytest.mark.parametrize(
    ("target", "field", "row"),
    [
        ("gfx90a", "  .amdhsa_accum_offset 8\n", "| SGPRs | 16 | 4 |"),
        ("gfx1100", "", "| SGPRs | 16; a wave has 106 always | 4 |"),
    ],
)
def test_the_sgprs_that_the_descriptor_has_and_those_of_every_wave(target: str, field: str, row: str) -> None:
    assert row in (hover_text(KERNEL.format(field), target) or "")
