"""Whether the assembler gives an instruction its bytes again: `returning_for(target).gives(decoded, code)`.

It does not where bits are set that no operand shows, or where it knows a shorter encoding for the same text.
"""

from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.decoding.decoder import Decoded
from gcn_lsp.instruction.decoding.patterns import Pattern
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.syntax import lines

_KEPT = 1 << 18


class Returning:
    """The answers for one target, each found once for all instructions of one pattern."""

    def __init__(self, target: isa.Target) -> None:
        self._target = target
        self._known: ByValue[tuple[str, Pattern], bool] = ByValue(_KEPT)

    def gives(self, decoded: Decoded, code: bytes) -> bool:
        """Whether the text of an instruction assembles to its bytes, `code`."""
        key = decoded.form.name, decoded.pattern
        found = self._known.get(key)
        if found is None:
            found = self._known.keep(key, self.assembled(decoded.text) == code)
        return found

    def assembled(self, text: str) -> bytes:
        """The bytes that the assembler makes of an instruction; none if it rejects it."""
        statement = lines.parse_line(f"\t{text}".encode()).statements[0]
        return assembler.assemble(self._target, statement, predefined.VERSION_CODES).code


@lru_cache(maxsize=16)
def returning_for(target: isa.Target) -> Returning:
    """The answers for a target, shared by all who read its code."""
    return Returning(target)
