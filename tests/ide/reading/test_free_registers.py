"""The vector registers that are taken on the line marked `// here`; v0 always is, where a work-item has its number."""

import pytest

from gcn_lsp.analysis.machine import registers
from gcn_lsp.ide.reading import free_registers
from gcn_lsp.program import program
from gcn_lsp.text import SourceText


def taken(text: str) -> tuple[str, ...]:
    built = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options("gfx900"))
    (line,) = (number for number, line in enumerate(text.splitlines()) if line.endswith("// here"))
    return tuple(name for name in registers.names(free_registers.taken(built, line)) if name.startswith("v"))


@pytest.mark.parametrize(
    ("above", "below", "found"),
    [
        ("v_mov_b32 v4, 0", "v_mov_b32 v6, v4", ("v0", "v4")),  # what a path reads; v6 is written only
        ("v_mov_b32 v4, 0", "v_mov_b32 v6, v5", ("v0", "v[4:5]")),  # nothing reads v4 yet
        ("v_mov_b32 v4, v5", "s_nop 0", ("v0", "v[4:5]")),  # v5 was here before: an input
        ("v_mov_b32 v4, 0\n  v_mov_b32 v5, v4", "v_mov_b32 v4, v5", ("v0", "v5")),  # v4 has had its reader
        ("v_mov_b32 v4, 0\n  v_mov_b32 v4, v4", "s_nop 0", ("v0", "v4")),  # the second v4 has none
    ],
)
def test_read_later_or_not_yet_or_from_outside(above: str, below: str, found: tuple[str, ...]) -> None:
    assert taken(f"k:\n  {above}\n  s_nop 0  // here\n  {below}\n  s_endpgm\n") == found


def test_all_that_was_used_is_taken_at_the_end_of_what_is_written() -> None:
    assert taken("k:\n  v_mov_b32 v4, 0\n  v_mov_b32 v5, v4\n  // here\n") == ("v0", "v[4:5]")


@pytest.mark.parametrize("here", ["// here", ".p2align 2  // here"])
def test_what_lines_below_name_is_taken_where_control_is_not_followed(here: str) -> None:
    assert taken(f"k:\n  s_nop 0\n  {here}\n  v_mov_b32 v8, v9\n  s_endpgm\n") == ("v0", "v[8:9]")


def test_another_kernel_takes_nothing() -> None:
    other = "\n.globl {0}\n.type {0},@function\n{0}:\n  v_mov_b32 v{1}, v{1}\n{2}  s_endpgm\n"
    text = other.format("a", 7, "") + other.format("b", 8, "  s_nop 0  // here\n") + other.format("c", 9, "")
    assert taken(text) == ("v0", "v8")
