"""Registers by the symbols that operands call them: where one name's value is overwritten through another name.

Only straight code is looked at: a write through a name, a write to the same register through another one, and a read
through the first name, in one segment.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis import registers
from gcn_lsp.analysis.effects import of_operand
from gcn_lsp.analysis.segments import Segment, Site
from gcn_lsp.asm.model import Instruction
from gcn_lsp.syntax import expressions, nodes


class Overwritten(NamedTuple):
    """A register (a set of one) that two symbols stand for: written as `name`, then as `other`, then read as `name`."""

    register: int
    name: str
    other: str
    writer: Site
    overwriting: Site
    reader: Site


class _Names(NamedTuple):
    """The registers that an instruction reads and writes, each with the only symbol in its operand, or with none."""

    reads: tuple[tuple[int, str], ...]
    writes: tuple[tuple[int, str], ...]


def overwritten(segment: Segment) -> tuple[Overwritten, ...]:
    """What is overwritten in a segment, one for each reader and pair of names; found once for each segment."""
    known = segment.memo.get("named")
    if known is None:
        known = segment.memo["named"] = tuple(_find(segment)) if _is_shared(segment) else ()
    return known  # type: ignore[return-value]


def _is_shared(segment: Segment) -> bool:
    """Whether two symbols of a segment stand for one register."""
    of_name: dict[str, int] = {}
    for site in segment.sites:
        names = _names(site)
        for mask, name in (*names.reads, *names.writes):
            if name:
                of_name[name] = of_name.get(name, registers.NONE) | mask
    seen = registers.NONE
    for mask in of_name.values():
        if seen & mask:
            return True
        seen |= mask
    return False


def _find(segment: Segment) -> Iterator[Overwritten]:
    last: dict[int, tuple[str, Site]] = {}  # who wrote each register last, and as what
    writers: dict[tuple[int, str], Site] = {}  # who wrote it last under each name
    for site in segment.sites:
        names = _names(site)
        told = set()
        for mask, name in names.reads:
            for bit in _bits(mask) if name else ():
                other, overwriting = last.get(bit, ("", site))
                if other and other != name and other not in told and (bit, name) in writers:
                    told.add(other)
                    yield Overwritten(bit, name, other, writers[(bit, name)], overwriting, site)
        for mask, name in names.writes:
            for bit in _bits(mask):
                last[bit] = (name, site)
                writers[(bit, name)] = site


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


_KNOWN: dict[int, tuple[Instruction, _Names]] = {}  # by identity of the instruction, which is kept for that
_MOST_KNOWN = 1 << 16
_UNNAMED = _Names((), ())


def _names(site: Site) -> _Names:
    instruction = site.item.instruction
    if instruction is None:
        return _UNNAMED
    known = _KNOWN.get(id(instruction))
    if known is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[id(instruction)] = (instruction, _found(instruction, site.effects.defined))
    return known[1]


def _found(instruction: Instruction, defined: frozenset[str]) -> _Names:
    parts: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    for operand in instruction.operands:
        if operand.kind == "register":
            node = operand.node
            while isinstance(node, nodes.Unary | nodes.Absolute):
                node = node.operand
            names = expressions.names_in(node) if isinstance(node, nodes.Index) else ()
            parts[operand.slot in defined].append((of_operand(operand), names[0] if len(names) == 1 else ""))
    return _Names(tuple(parts[False]), tuple(parts[True]))
