"""The next readers of a register: the first on each path, and code that is not known."""

import pytest

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import reaching, readers
from tests.analysis.support import program


def after_first_line(text: str) -> tuple[list[int], bool]:
    """The lines of the next readers of v0 after the instruction on the first line, and whether unknown code may be."""
    built = program(text)
    place = reaching.on_line(built, 0)
    assert place is not None
    found = readers.after(built, place.graph, place.node, place.site.index, registers.of_tuple("v", 0, 1))
    return [site.item.written.line for site in found.sites], found.by_unknown


@pytest.mark.parametrize(
    ("text", "lines", "by_unknown"),
    [
        ("v_mov_b32 v0, 1\nv_mov_b32 v1, v0\nv_mov_b32 v2, v0\ns_endpgm", [1], False),
        ("v_mov_b32 v0, 1\nv_mov_b32 v0, 2\nv_mov_b32 v2, v0\ns_endpgm", [], False),
        ("v_mov_b32 v0, 1\ns_cbranch_scc0 l\nv_mov_b32 v1, v0\nl:\nv_mov_b32 v2, v0\ns_endpgm", [2, 4], False),
        ("v_mov_b32 v0, 1\ns_setpc_b64 s[0:1]", [], True),
        ("v_mov_b32 v0, 1\nv_mov_b32 v1, v0\ns_setpc_b64 s[0:1]", [1], False),
        ("v_mov_b32 v0, 1\ns_branch elsewhere", [], True),
    ],
)
def test_the_first_reader_on_each_path(text: str, lines: list[int], by_unknown: bool) -> None:
    assert after_first_line(text) == (lines, by_unknown)
