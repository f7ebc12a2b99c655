"""The lines of a wait as the author of a file writes them: `s_wait_kmcnt 0` or `s_wait_kmcnt 0x0`."""

from collections.abc import Mapping

from gcn_lsp.flow.kept import once
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.patterns import regex
from gcn_lsp.program.program import Program


def wait_lines(program: Program, needs: Mapping[str, int]) -> tuple[str, ...]:
    """The instructions that wait until each counter is at its count or lower; none without a target."""
    if program.target is None:
        return ()
    return wait_text.written(needs, program.target.features, is_decimal=_is_decimal(program))


@once
def _is_decimal(program: Program) -> bool:
    """Whether the first wait of the file with a bare count has it in decimal; compilers write hexadecimal."""
    for line in program.source.lines:
        if b"s_wait" in line and (found := _COUNT.match(line)) is not None:
            return not found[1]
    return False


_COUNT = regex(rb"(?:.*:)?\s*s_wait(?:cnt)?_\w+\s+(?:null\s*,\s*)?(0[xX])?\d")
