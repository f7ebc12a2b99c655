"""Finds the value of registers at a place: a constant, what they held at the entry, or another instruction's result.

`at` asks for a register, or the tuple of an operand, before an instruction, and gets one frozen `Value`. Copies,
additions of constants and masks are followed; anything else ends the search with the instruction that wrote the
registers as the base.

Question: which base do registers hold before an instruction, and which constant has been added to it?
Direction: backward, from one place.
Lattice and join: the last writers of `values.reaching`; several are one value only if they move the same constant.
May or must: must; every path to the place has to agree.
Ignored: EXEC. Functions leave the registers that LLVM's calling convention preserves.
"""

from collections.abc import Sequence

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import arithmetic, registers
from gcn_lsp.analysis.machine.arithmetic import Value
from gcn_lsp.analysis.values import preserved, reaching
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class EntryRegisters(NamedTuple):
    """The base of registers that hold what was in others of their file at the entry. first: the first of those."""

    first: int


class Result(NamedTuple):
    """The base of registers that hold what an instruction wrote into others of their file. first: of those."""

    site: Site
    first: int


class _Making(NamedTuple):
    """What an instruction makes registers from: those of `file` from `first`, before `site`, and a constant."""

    site: Site
    file: str
    first: int
    added: int = 0
    mask: int = -1


_PAIR = 2
_M0 = "m0"
_CONSTANTS = ("s", _M0)  # the files of single registers whose constants are followed


def at(program: Program, graph: Graph, site: Site, file: str, first: int, count: int = 1) -> "Value | None":
    """The value of `count` registers of a file (`s`, `v`, `ttmp`, `m0`) from `first`, before an instruction.

    base: None for the constant of one SGPR or M0, else `EntryRegisters` or `Result`. number: added since, in bytes for
    an address; a sum in a single register is followed for M0 alone. None if paths disagree, or a called function or
    unknown code may have written the registers.
    """
    added, mask, kept = 0, -1, preserved.kept_by_calls(program, graph)
    sums = file == _M0
    for _ in range(bounds.STEPS):
        node = graph.node_of(site.segment)
        if node is None:
            return None
        wanted = registers.of_tuple(file, first, count)
        writers = reaching.before(program, graph, node, site.index, wanted, kept)
        if writers.by_unknown or (writers.from_entry and writers.sites):
            return None
        if writers.from_entry:
            return Value(added, EntryRegisters(first), mask=mask)
        constant = _constant(writers.sites, file, first, count)
        if constant is not None:
            return constant._replace(number=constant.number + added, mask=mask)
        step = _step(writers.sites, file, first, count, sums=sums)
        if step is None:
            return Value(added, Result(writers.sites[0], first), mask=mask) if len(writers.sites) == 1 else None
        site, file, first, added, mask = step.site, step.file, step.first, added + step.added, mask & step.mask
    return None


def m0(program: Program, graph: Graph, site: Site) -> "int | None":
    """The constant in M0 before an instruction, as 32 bits; None if it is not known."""
    value = at(program, graph, site, _M0, registers.M0.bit_length() - 1)
    return value.word if value is not None else None


def words(program: Program, graph: Graph, site: Site, first: int, count: int) -> tuple[int | None, ...]:
    """The constants in `count` SGPRs from `first` before an instruction, as 32 bits; None for an unknown one."""
    values = (at(program, graph, site, "s", first + number) for number in range(count))
    return tuple(value.word if value is not None else None for value in values)


def _constant(sites: Sequence[Site], file: str, first: int, count: int) -> "Value | None":
    """The constant that each of some instructions moves into an SGPR or M0; None if they do not agree."""
    if file not in _CONSTANTS or count != 1:
        return None
    register = registers.of_tuple(file, first, 1).bit_length() - 1
    found = {arithmetic.moved(site.item.instruction).get(register) for site in sites}
    return found.pop() if len(found) == 1 else None


def _step(sites: tuple[Site, ...], file: str, first: int, count: int, *, sums: bool) -> "_Making | None":
    """The step back through the instructions that wrote registers; None if it is not a copy, a sum or a mask."""
    if count == 1:
        return _copied(sites[0], file, first, sums=sums) if len(sites) == 1 else None
    if (file, count) != ("s", _PAIR):
        return None
    if len(sites) == 1:
        return _combined(sites[0], first, _PAIR)
    found = [[each for site in sites if (each := _combined(site, first + half, 1))] for half in range(_PAIR)]
    if len(sites) != _PAIR or any(len(each) != 1 for each in found):
        return None
    (low,), (high,) = found
    verbs = tuple(role.verb for each in (low, high) if (role := roles.of(each.site.mnemonic)) is not None)
    is_one = low.site.segment is high.site.segment and high.first == low.first + 1 and not high.added
    if not is_one or verbs not in (("move", "move"), ("add", "add carry")):
        return None
    return low._replace(site=min(low.site, high.site, key=lambda site: site.index))


def _copied(site: Site, file: str, first: int, *, sums: bool) -> "_Making | None":
    """The step back through a copy, a mask or, with `sums`, an addition of a constant in one register."""
    role = roles.of(site.mnemonic)
    if role is None or role.bits != 32 or not site.operands or _tuple(site.operands[0]) != (file, first, 1):
        return None
    files = _CONSTANTS if sums else (file,)
    sources = site.operands[1:]
    copied = [(each.file, each.first) for each in sources if each.file in files and each.count == 1]
    constants = [each.value for each in sources if each.kind in ("immediate", "literal") and type(each.value) is int]
    if len(copied) + len(constants) != len(sources):
        return None
    match role.verb, copied, constants:
        case "move", [source], []:
            return _Making(site, *source)
        case "mask", [source], [int(mask)]:
            return _Making(site, *source, mask=mask)
        case "add", [source], [int(number)] if sums:
            return _Making(site, *source, number)
        case "subtract", [source], [int(number)] if sums and sources[0].file in files:
            return _Making(site, *source, -number)
        case "accumulate", [], [int(number)] if sums:
            return _Making(site, file, first, number)
    return None


def _combined(site: Site, first: int, count: int) -> "_Making | None":
    """The step back through a move or an addition of a constant in `count` SGPRs from `first`."""
    role, operands = roles.of(site.mnemonic), site.operands
    if role is None or (role.file, role.bits) != ("s", 32 * count) or _tuple(operands[0]) != ("s", first, count):
        return None
    sources = operands[1:]
    tuples = [each.first for each in sources if _tuple(each) == ("s", each.first, count)]
    numbers = [each.value for each in sources if each.kind in ("immediate", "literal") and type(each.value) is int]
    if role.verb not in ("move", "add", "add carry") or len(tuples) != 1 or len(sources) != 1 + len(numbers):
        return None
    if role.verb == "move" and numbers:
        return None
    return _Making(site, "s", tuples[0], sum(number for number in numbers if type(number) is int))


def _tuple(operand: Operand) -> tuple[str, int, int]:
    return operand.file, operand.first, operand.count
