"""Rule `misaligned-offset`."""

import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "text", "bytes_needed"),
    [
        ("gfx900", "global_atomic_add v[0:1], v2, off offset:2", "offset:2", 4),
        ("gfx900", "buffer_atomic_add_x2 v[0:1], off, s[4:7], 0 offset:4", "offset:4", 8),
        ("gfx1100", "ds_add_u32 v1, v2 offset:6", "offset:6", 4),
        ("gfx1200", "global_atomic_cmpswap_b64 v[0:1], v[2:5], off offset:-4", "offset:-4", 8),
        ("gfx803", "ds_read_b64 v[0:1], v2 offset:2", "offset:2", 4),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str, bytes_needed: int) -> None:
    rule, place, message = problem_of(line, cpu)
    assert (rule, place) == ("misaligned-offset", text)
    assert f"multiple of {bytes_needed}" in message
    assert assemble(line, cpu).code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "global_atomic_add v[0:1], v2, off offset:4"),
        ("gfx900", "global_load_dword v0, v[0:1], off offset:2"),
        ("gfx900", "ds_read_b64 v[0:1], v2 offset:2"),  # LDS takes any address from gfx9
        ("gfx908", "ds_write_b16 v0, v2 offset:2"),
        ("gfx908", "ds_write_b64 v0, v[2:3] offset:2"),
        ("gfx803", "ds_read_u16 v0, v2 offset:2"),
        ("gfx803", "ds_read2_b32 v[0:1], v2 offset0:1 offset1:2"),  # counts elements
        ("gfx803", "ds_swizzle_b32 v0, v2 offset:2"),  # a pattern
        ("gfx900", "ds_bpermute_b32 v0, v1, v2 offset:2"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems
