"""Fixes that need a register that is free at the line."""

import pytest

from gcn_lsp.findings import run
from gcn_lsp.ide import spare_register_fixes
from gcn_lsp.program import problems
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.rules import RULES
from gcn_lsp.text import SourceText, edited


def program_of(text: str, target: str) -> Program:
    return build(SourceText.from_bytes("kernel.s", text.encode()), Options(target))


def fixed(text: str, target: str) -> list[str]:
    """The text after each of the fixes, which all assemble."""
    before = program_of(text, target)
    found = []
    for finding in run.check(RULES, before):
        for fix in spare_register_fixes.fixes(before, finding):
            after = edited(before.source, fix.edits)
            assert not list(problems.of(program_of(after.to_bytes().decode(), target)))
            found.append(after.to_bytes().decode())
    return found


@pytest.mark.parametrize(
    ("line", "target", "after"),
    [
        ("v_add3_u32 v0, s0, s1, v1", "gfx900", "v_mov_b32 v2, s1\n  v_add3_u32 v0, s0, v2, v1"),
        ("v_fma_f32 v0, v1, 0x12345, v1", "gfx900", "v_mov_b32 v2, 0x12345\n  v_fma_f32 v0, v1, v2, v1"),
        ("v_add3_u32 v0, s0, s1, s2", "gfx1030", "v_mov_b32 v2, s2\n  v_add3_u32 v0, s0, s1, v2"),
        ("ds_read_b32 v0, v1 offset:70000", "gfx900", "v_add_u32 v2, 0x10000, v1\n  ds_read_b32 v0, v2 offset:4464"),
        ("ds_write_b32 v1, v0 offset:65536", "gfx1030", "v_add_nc_u32 v2, 0x10000, v1\n  ds_write_b32 v2, v0 offset:0"),
        (
            "buffer_load_dword v0, off, s[4:7], 0 offset:5000",
            "gfx900",
            "s_mov_b32 s3, 0x1000\n  buffer_load_dword v0, off, s[4:7], s3 offset:904",
        ),
    ],
)
def test_a_value_in_a_free_register(line: str, target: str, after: str) -> None:
    head = "k:\n  v_mov_b32 v1, 0\n  "
    assert fixed(f"{head}{line} // c\n  s_endpgm\n", target) == [f"{head}{after} // c\n  s_endpgm\n"]


@pytest.mark.parametrize(
    "line",
    [
        "v_cndmask_b32 v0, s1, v2, s[4:5]",  # a mask is always scalar
        "v_add3_u32 v0, s0, s1, s2",  # one copy is not enough
        "global_load_dword v0, v[2:3], off offset:5000",  # the address has 64 bits
        ".rept 2; v_add3_u32 v0, s0, s1, v1; .endr",
    ],
)
def test_none_where_one_is_not_enough(line: str) -> None:
    assert fixed(f"k:\n  {line}\n  s_endpgm\n", "gfx900") == []
