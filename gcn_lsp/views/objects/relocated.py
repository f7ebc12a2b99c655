"""Places that the linker fills in, as the text that makes the assembler ask for it."""

import re

from gcn_lsp.views.objects.elf import Relocation
from gcn_lsp.views.objects.words import quoted

_LITERAL = re.compile(r"(?:lit\()?0x[0-9a-f]+\)?(?!.*0x)")
_SUFFIXES = {
    1: "@abs32@lo", 2: "@abs32@hi", 4: "@rel32@lo", 6: "", 7: "@gotpcrel", 8: "@gotpcrel32@lo", 9: "@gotpcrel32@hi",
    10: "@rel32@lo", 11: "@rel32@hi",
}  # fmt: skip
_REL16 = 14
_DATA = {3: (".quad", 8), 6: (".long", 4)}
"""Relocations of data that are a symbol's value: the directive and its bytes."""


def instruction(text: str, relocation: Relocation) -> str:
    """An instruction with the symbol in place of its literal or its distance; '' when it cannot be written."""
    if relocation.kind == _REL16:
        return f"{text.rpartition(' ')[0]} {quoted(relocation.symbol)}"
    suffix = _SUFFIXES.get(relocation.kind)
    if suffix is None or _LITERAL.search(text) is None:
        return ""
    return _LITERAL.sub(lambda _: _sum(relocation, suffix), text)


def data(relocation: Relocation) -> tuple[str, int]:
    """A directive for the symbol's value, and its bytes; ('', 0) when there is none."""
    directive, size = _DATA.get(relocation.kind, ("", 0))
    return (f"{directive} {_sum(relocation, '')}", size) if directive else ("", 0)


def _sum(relocation: Relocation, suffix: str) -> str:
    addend = f"{relocation.addend:+d}" if relocation.addend else ""
    return f"{quoted(relocation.symbol)}{suffix}{addend}"
