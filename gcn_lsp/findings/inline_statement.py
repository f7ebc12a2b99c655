"""An inline assembly statement as the rules about such statements see it: on one target, with effects and places."""

from collections.abc import Iterator
from functools import cached_property

import msgspec

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.findings import sites
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location
from gcn_lsp.views.inline import constraints
from gcn_lsp.views.inline.choice import Register
from gcn_lsp.views.inline.constraints import Constraint
from gcn_lsp.views.inline.document import StatementAssembly
from gcn_lsp.views.inline.statement import Span, Statement, StatementOperand

_CONVERSION = "v_cvt"  # of these, some keep a part of their destination, which LLVM calls `src2` as well
_ACCUMULATOR = "src2"  # an operand that is read and has the register of the result


class Judged(msgspec.Struct, frozen=True, dict=True):
    """A statement of the file `path`, and the assembly that it stands for on one target."""

    path: str
    document: StatementAssembly

    @property
    def statement(self) -> Statement:
        """What is written."""
        return self.document.statement

    @property
    def program(self) -> Program:
        """The program of the text."""
        return self.document.program

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """The instructions in order, if control runs straight through them and all are known; otherwise nothing."""
        graph = graphs.of(self.program)
        if graph is None or not self.document.accepted or not self.statement.is_complete:
            return ()
        found = tuple(site for segment in graph.nodes for site in segment.sites)
        if any(not site.effects.known or site.effects.flow != "next" for site in found):
            return ()
        return found

    def constraint(self, number: int) -> Constraint:
        """What the constraint of an operand says."""
        return constraints.read(self.statement.operands[number].constraint)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The registers of each operand, as in `analysis.machine.registers`."""
        return tuple(map(_mask, self.document.registers))

    @cached_property
    def numbered(self) -> int:
        """The registers whose numbers are constants of the source."""
        mask = registers.NONE
        for each in self.document.numbered:
            mask |= _mask(each)
        return mask

    @cached_property
    def tied(self) -> frozenset[int]:
        """The numbers of operands that share the register of another one: inputs, and the outputs that they name."""
        found = set()
        for number, _ in self.operands():
            name = self.constraint(number).tied
            if name:
                found.add(number)
                other = int(name) if name.isdigit() else self._named(name)
                found.add(number if other is None else other)
        return frozenset(found)

    def _named(self, name: str) -> "int | None":
        return next((number for number, operand in self.operands() if operand.name == name), None)

    def operands(self) -> Iterator[tuple[int, StatementOperand]]:
        """The operands with their numbers."""
        yield from enumerate(self.statement.operands)

    def inputs(self) -> Iterator[int]:
        """The operands that are only read: registers which the compiler believes unchanged after the statement."""
        for number, operand in self.operands():
            if not operand.is_output and number not in self.tied and self.masks[number]:
                yield number

    def declared(self, name: str) -> bool:
        """Whether a clobber has this name."""
        return any(clobber.name == name for clobber in self.statement.clobbers)

    def uses(self, site: Site) -> int:
        """The registers of which an instruction uses the value; not those that it only keeps a part of.

        A conversion into one half, or a DPP operation, reads its old destination, which is often not meant.
        """
        effects = site.effects
        form = site.item.instruction.form if site.item.instruction is not None else None
        used = registers.NONE
        for slot, mask in effects.slots:
            tied = (
                form is not None
                and not form.mnemonic.startswith(_CONVERSION)
                and any({slot, _ACCUMULATOR} == set(pair) for pair in form.ties)
            )
            if slot not in effects.defined or tied:
                used |= mask
        return used

    # Places

    def at(self, span: Span) -> Location:
        """A place of the source."""
        return Location(self.path, span.line, span.start, span.end)

    def site_place(self, site: Site) -> Location:
        """Where an instruction is written."""
        statement = site.item.statement
        return self._placed(site, statement.start, statement.end)

    def operand_place(self, site: Site, mask: int, *, is_written: bool) -> Location:
        """Where an instruction names registers that it writes or reads; the whole instruction if no operand does."""
        used = sites.operand(site, mask, is_written=is_written)
        return self._placed(site, used.node.start, used.node.end) if used is not None else self.site_place(site)

    def _placed(self, site: Site, start: int, end: int) -> Location:
        line = site.item.written.line
        graph = graphs.of(self.program)
        assert graph is not None
        number = graph.number_of(site.segment) or 0
        return self.at(self.document.span(Location("", self.program.bases[number] + line, start, end)))

    def text(self, site: Site) -> str:
        """An instruction's mnemonic, for messages."""
        return site.item.statement.name

    def name(self, number: int) -> str:
        """An operand with its C expression, for messages."""
        return self.document.described(number)


def _mask(register: "Register | None") -> int:
    return (
        registers.NONE
        if register is None
        else registers.of_tuple(register.file, register.first, register.count, "l" if register.half else "")
    )
