"""The macro around a written line, and the parameter that a word of it names."""

import pytest

from gcn_lsp.ide.reading import scope
from gcn_lsp.program import program
from gcn_lsp.text import SourceText

TEXT = """\
.macro MOVE dst, src=1
  v_mov_b32 v[\\dst], v[\\src+dst]
.endm
MOVE 1
"""


@pytest.mark.parametrize(
    ("line", "name", "found"),
    [
        (0, "dst", "dst"),
        (0, "MOVE", None),
        (1, "\\dst", "dst"),
        (1, "dst", None),
        (1, "\\other", None),
        (3, "dst", None),
        (3, "\\dst", None),
    ],
)
def test_parameters_are_written_with_a_backslash_but_in_the_header(line: int, name: str, found: str | None) -> None:
    built = program.build(SourceText.from_bytes("k.s", TEXT.encode()), program.Options("gfx90a"))
    parameter = scope.parameter_at(built, line, name)
    assert (parameter and (parameter[0].header, parameter[1])) == (found and (0, found))
