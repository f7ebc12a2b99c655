"""Finds registers with two names: where the value of one symbol is overwritten through another.

Only straight code is searched: a write through a name, a write to the same register through another one, and a read
through the first name, with nothing leading in or out between them.

Question: is the value of a name overwritten through another name and then read as the first?
Direction: forward through each stretch of straight code.
Lattice and join: for each register its last names; paths do not join in straight code.
May or must: must; one path leads through the stretch.
Ignored: branches, and operands without or with several symbols.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import of_operand
from gcn_lsp.flow.kept import ByIdentity, latest, once
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import expressions, nodes


class Overwritten(NamedTuple):
    """A register (a set of one) with two symbols: written as `name`, then as `other`, then read as `name`."""

    register: int
    name: str
    other: str
    writer: Site
    overwriting: Site
    reader: Site


class _NamedRegisters(NamedTuple):
    """The registers that an instruction reads and writes, each with the only symbol in its operand, or with none."""

    reads: tuple[tuple[int, str], ...]
    writes: tuple[tuple[int, str], ...]


def overwritten(graph: Graph) -> Iterator[Overwritten]:
    """The overwritten registers of a program, one for each reader and pair of names, in program order."""
    for stretch in straight.stretches(graph):
        yield from _of_stretch(graph.nodes[stretch[0]], tuple(graph.nodes[node] for node in stretch))


@latest
def _of_stretch(first: Segment, segments: tuple[Segment, ...]) -> tuple[Overwritten, ...]:
    """The overwritten registers in straight code; kept with its first segment."""
    is_shared = _is_shared([_of_segment(segment) for segment in segments])
    return tuple(_find(site for segment in segments for site in segment.sites)) if is_shared else ()


@once
def _of_segment(segment: Segment) -> Mapping[str, int]:
    """The registers of each symbol in a segment."""
    found: dict[str, int] = {}
    for site in segment.sites:
        names = _names(site)
        for mask, name in (*names.reads, *names.writes):
            if name:
                found[name] = found.get(name, registers.NONE) | mask
    return found


def _is_shared(parts: Sequence[Mapping[str, int]]) -> bool:
    """Whether two symbols name one register."""
    of_name: dict[str, int] = {}
    for part in parts:
        for name, mask in part.items():
            of_name[name] = of_name.get(name, registers.NONE) | mask
    seen = registers.NONE
    for mask in of_name.values():
        if seen & mask:
            return True
        seen |= mask
    return False


def _find(sites: Iterable[Site]) -> Iterator[Overwritten]:
    last: dict[int, tuple[str, Site]] = {}  # the last writer of each register, and its name there
    writers: dict[tuple[int, str], Site] = {}  # the last writer under each name
    for site in sites:
        names = _names(site)
        reported = set()
        for mask, name in names.reads:
            for bit in registers.singly(mask) if name else ():
                other, overwriting = last.get(bit, ("", site))
                if other and other != name and other not in reported and (bit, name) in writers:
                    reported.add(other)
                    yield Overwritten(bit, name, other, writers[(bit, name)], overwriting, site)
        for mask, name in names.writes:
            for bit in registers.singly(mask):
                last[bit] = (name, site)
                writers[(bit, name)] = site


_KNOWN: ByIdentity[_NamedRegisters] = ByIdentity()  # of instructions
_UNNAMED = _NamedRegisters((), ())


def _names(site: Site) -> _NamedRegisters:
    instruction = site.item.instruction
    if instruction is None or site.selectors:
        return _UNNAMED
    known = _KNOWN.get(id(instruction))
    return known.result if known is not None else _KNOWN.keep(instruction, _found(instruction, site.effects.defined))


def _found(instruction: Instruction, defined: frozenset[str]) -> _NamedRegisters:
    parts: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    for operand in instruction.operands:
        if operand.kind == "register":
            node = operand.node
            while isinstance(node, nodes.Unary | nodes.Absolute):
                node = node.operand
            names = expressions.names_in(node) if isinstance(node, nodes.Index) else ()
            parts[operand.slot in defined].append((of_operand(operand), names[0] if len(names) == 1 else ""))
    return _NamedRegisters(tuple(parts[False]), tuple(parts[True]))
