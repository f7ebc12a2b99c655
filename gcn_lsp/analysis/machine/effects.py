"""The effects of one instruction: registers read and written, counters raised and waited for, control flow.

All of it follows from the matched form and the tables in `gcn_lsp.isa`, not from the instruction's place; `Effects.of`
keeps it for each instruction, which equal lines share.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from operator import or_

import msgspec

from gcn_lsp import isa
from gcn_lsp.analysis.machine import registers
from gcn_lsp.flow.kept import ByIdentity
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.machine import control_flow, expert_mode, register_halves, roles, vgpr_selectors, wave_modes
from gcn_lsp.isa.operands import hwreg
from gcn_lsp.isa.schema import Form
from gcn_lsp.isa.waits import wait_events, wait_text, waitcnt


class Event(msgspec.Struct, frozen=True, gc=False):
    """A raised counter. kind: its order class, see `isa.wait_events`. row: id of the table's row.

    writes: registers that the operation will write before it is done; reads: registers that must not change until then.
    others: the other halves of VGPRs in `writes`, which no VALU instruction may touch until then, see
        `isa.machine.register_halves`.
    """

    counter: str
    kind: str
    row: str
    writes: int
    reads: int
    others: int = registers.NONE


class Effects(msgspec.Struct, frozen=True, weakref=True):
    """The effects of an instruction. Register sets are as in `analysis.machine.registers`.

    reads, writes: explicit and implicit ones together. slots: the set of each written operand, in order, by the slot
    that it fills. defined: names of the slots that it writes. touches: reads and writes together. events: counters that
    it raises. waits: counters that it waits for, with the count. wait_states: how many it is worth (`s_nop 3`: 4).
    settles: the kind of events that it completes, whatever their number; empty for none. flow: how control goes on
    after it; a `jump` is to an address in registers. known: False if no form matched, so nothing is
    known about it, or if not all of its registers are known. is_lane_exchange: it uses LDS only to move values between
    lanes. is_idle_wait: it is a wait for counters with all counts at their maximum. is_any_wait: it is a wait
    for nobody knows what. drains: the counter that the hardware itself waits for, empty for none.
    """

    reads: int
    writes: int
    touches: int = registers.NONE
    slots: tuple[tuple[str, int], ...] = ()
    defined: frozenset[str] = frozenset()
    events: tuple[Event, ...] = ()
    waits: tuple[tuple[str, int], ...] = ()
    wait_states: int = 1
    flow: control_flow.Flow = "next"
    settles: str = ""
    known: bool = True
    is_lane_exchange: bool = False
    is_idle_wait: bool = False
    is_any_wait: bool = False
    drains: str = ""

    def slot(self, name: str) -> int:
        """The registers of an operand; empty if that slot has none."""
        found = registers.NONE
        for slot, mask in self.slots:
            if slot == name:
                found = registers.union(found, mask)
        return found


UNKNOWN = Effects(registers.NONE, registers.NONE, known=False)
# Effects of code that only the build knows: as for a function outside the file.
ANYTHING = Effects(registers.NONE, registers.NONE, flow="call", known=False)
ANY_WAIT = Effects(registers.NONE, registers.NONE, known=False, is_any_wait=True)


_SELECTOR = 0b11  # one of the selectors of the VGPRs
_WAITS = "s_wait"  # the start of their mnemonics; other instructions may have a wait as a modifier


class _FormFacts(msgspec.Struct, frozen=True):
    """The effects that every instruction of a form has.

    defined, used: slots that it writes and reads. tokens: words of its syntax that are not operands. rows: of counters
    that it may raise. may_wait: whether it may wait for counters. selected: see `vgpr_selectors.positions`. half: see
    `halves.half`. drains: as of `Effects`.
    """

    defined: frozenset[str]
    used: frozenset[str]
    tokens: frozenset[str]
    reads: int
    writes: int
    flow: control_flow.Flow
    rows: tuple[wait_events.EventRow, ...]
    may_wait: bool
    selected: Mapping[str, int]
    half: str
    drains: str


class Model:
    """The effects of instructions on one target."""

    def __init__(self, target: isa.Target) -> None:
        self.target = target
        features = target.features
        self.counters = wait_events.counter_names(features)
        self.ordered = wait_events.ordered_kinds(features)
        self._rows = wait_events.rows(features)
        self._waits = {row.mnemonic: row for row in wait_events.WAITS if holds(row.targets, features)}
        self._fields = waitcnt.fields(features)
        self._splits_counters = target.waits_by_counter
        self.maxima: Mapping[str, int] = waitcnt.maxima(features)
        self._forms: dict[int, _FormFacts] = {}
        self._known: ByIdentity[Effects] = ByIdentity()
        self._rejected: dict[str, Effects] = {}  # by mnemonic
        self._selected: ByIdentity[dict[int, Effects]] = ByIdentity()  # by the selectors that are used
        self.selects = holds(vgpr_selectors.TARGETS, features)
        self._halves_meet = holds(register_halves.WHOLE, features)
        self.has_modes = wave_modes.are_there(features)
        self._raised: dict[int, tuple[expert_mode.Raised, int] | None] = {}  # by form
        self._dependency_fields = waitcnt.depctr_fields(features)
        self.dependency_limits = {
            name: self._dependency_fields[name].maximum
            for name in (expert_mode.RESULTS, expert_mode.SOURCES)
            if name in self._dependency_fields
        }
        self._mode_selects = holds(vgpr_selectors.WRITTEN_WITH_MODE, features)

    def of(self, instruction: "Instruction | None", selectors: int = 0) -> Effects:
        """The effects of an instruction; `ANYTHING` for what only the build knows.

        A rejected wait is `ANY_WAIT`, another rejected instruction raises the counters of its mnemonic.

        selectors: those in force, by which operands choose among 1024 VGPRs, see `isa.vgpr_selectors`. Registers
        that an operand chooses by a selector that is not known are not in the effects, which are then not `known`.
        """
        if instruction is None or not instruction.judged:
            return ANYTHING
        if not instruction.code and instruction.statement.word.startswith(_WAITS):
            if wait_events.waits_for_nothing(instruction.statement.word, self.target.features):
                return UNKNOWN
            return ANY_WAIT  # its own line has a finding, and what follows need not have more
        if instruction.form is None:
            return self._of_rejected(instruction.statement.word)
        if selectors:
            return self._of_selected(instruction, instruction.form, selectors)
        known = self._known.get(id(instruction))
        if known is not None:
            return known.result
        return self._known.keep(instruction, self._find(instruction, instruction.form))

    def _of_rejected(self, word: str) -> Effects:
        """The effects of an instruction that does not assemble: it counts as its mnemonic does.

        One with an unknown mnemonic may be half a wait. Its own line has a finding, and others need not have more.
        """
        forms = self.target.forms(self.target.native(word))
        if not forms:
            return ANY_WAIT
        rejected = self._rejected.get(forms[0].mnemonic)
        if rejected is None:
            facts = self._facts(forms[0])
            row = next(
                (
                    row
                    for row in facts.rows
                    if wait_events.fits(row, writes=bool(facts.defined), keywords=frozenset(), export=None)
                ),
                None,
            )
            raised = [each for each in row.raises if each.role in self.counters] if row is not None else []
            events = tuple(
                Event(self.counters[each.role], each.kind, row.id, 0, 0) for each in raised if row is not None
            )
            rejected = Effects(registers.NONE, registers.NONE, events=events, known=False)
            self._rejected[forms[0].mnemonic] = rejected
        return rejected

    def _of_selected(self, instruction: Instruction, form: Form, selectors: int) -> Effects:
        used = 0
        for position in self._facts(form).selected.values():
            used |= vgpr_selectors.placed(_SELECTOR << position)
        if not used & selectors:
            return self.of(instruction)
        kept = self._selected.get(id(instruction))
        by_selectors = kept.result if kept is not None else self._selected.keep(instruction, {})
        found = by_selectors.get(used & selectors)
        if found is None:
            found = by_selectors[used & selectors] = self._find(instruction, form, used & selectors)
        return found

    def sets_modes(self, instruction: "Instruction | None") -> "tuple[int, int] | None":
        """The bits of the modes that an instruction replaces, and what is in force of them after it.

        None if it replaces none. Both as in `isa.wave_modes`, the first with the bits for what is not known.
        """
        if not self.has_modes or instruction is None or instruction.form is None:
            return None
        name = instruction.form.mnemonic
        if name not in wave_modes.SETTERS:
            return None
        everything = vgpr_selectors.placed(vgpr_selectors.ALL)
        immediate = _immediate(instruction)
        if name == vgpr_selectors.SETTER:
            after = vgpr_selectors.UNKNOWN if immediate is None else immediate & vgpr_selectors.ALL
            return everything, after
        if immediate is None:
            return everything | expert_mode.IN_FORCE, vgpr_selectors.UNKNOWN
        literal = next((operand.value for operand in instruction.operands if operand.slot == "imm"), None)
        number = literal if name == vgpr_selectors.MODE_SETTER and type(literal) is int else None
        register, first, size = hwreg.Fields.unpack(immediate)
        bits = ((1 << size) - 1) << first
        if register == expert_mode.REGISTER:
            return self._sets_scheduling(bits, None if number is None else number << first)
        if register != vgpr_selectors.MODE_REGISTER or not self.selects:
            return None
        if name == vgpr_selectors.MODE_SETTER and self._mode_selects:
            first, bits = 0, -1
        changed = vgpr_selectors.of_mode(bits)
        if not changed:
            return None
        after = changed << vgpr_selectors.BITS if number is None else vgpr_selectors.of_mode(number << first)
        return vgpr_selectors.placed(changed), after & vgpr_selectors.placed(changed)

    def _sets_scheduling(self, bits: int, number: "int | None") -> "tuple[int, int] | None":
        """As `sets_modes`, of a write of some bits of the scheduling mode; number: what they become, if it is known."""
        if not bits & expert_mode.MODE_BITS:
            return None
        is_on = number is not None and number & bits & expert_mode.MODE_BITS == expert_mode.MODE
        return expert_mode.IN_FORCE, expert_mode.IN_FORCE if is_on else 0

    def dependency_raised(self, instruction: "Instruction | None") -> "tuple[expert_mode.Raised, int] | None":
        """What an instruction raises in the expert scheduling mode, see `isa.expert_mode.raised`."""
        if instruction is None or instruction.form is None:
            return None
        form = instruction.form
        if id(form) not in self._raised:
            self._raised[id(form)] = expert_mode.raised(form, self.target.features)
        return self._raised[id(form)]

    def dependencies_waited(self, instruction: "Instruction | None") -> Iterator[tuple[str, int]]:
        """The counters of the expert scheduling mode that an instruction waits for, with the count."""
        if instruction is None or instruction.form is None:
            return
        if instruction.form.mnemonic in expert_mode.WAITS:
            immediate = _immediate(instruction)
            for name in (expert_mode.RESULTS, expert_mode.SOURCES):
                # A wait for nobody knows what may be right.
                yield name, 0 if immediate is None else self._dependency_fields[name].taken(immediate)
            return
        for operand in instruction.operands:
            counter = expert_mode.OWN_WAITS.get(operand.slot)
            if counter is not None and type(operand.value) is int:
                count = operand.value
                yield counter, count if counter == expert_mode.RESULTS else count * self.dependency_limits[counter]

    def is_selected(self, instruction: "Instruction | None") -> bool:
        """Whether selectors choose the register of an operand of an instruction."""
        if instruction is None or instruction.form is None:
            return False
        selected = self._facts(instruction.form).selected
        return any(operand.file == "v" and operand.slot in selected for operand in instruction.operands)

    def means_selectors(self, instruction: Instruction) -> bool:
        """Whether a write of MODE has bits for the selectors in a number that is wider than its field."""
        size = hwreg.Fields.unpack(_immediate(instruction) or 0).size
        found = self.mode_selectors(instruction)
        return size <= vgpr_selectors.MODE_SHIFT and found is not None and found != 0

    def mode_selectors(self, instruction: Instruction) -> "int | None":
        """The byte that an instruction sets by writing MODE; None if it does not, or not as a number."""
        form = instruction.form
        if not self._mode_selects or form is None or form.mnemonic != vgpr_selectors.MODE_SETTER:
            return None
        found = self.sets_modes(instruction)
        return found[1] if found is not None and not found[1] & vgpr_selectors.UNKNOWN else None

    def _facts(self, form: Form) -> _FormFacts:
        found = self._forms.get(id(form))  # the target keeps the forms
        if found is None:
            rows = tuple(row for row in self._rows if wait_events.may_fit(row, form))
            name = form.mnemonic
            may_wait = name.startswith(_WAITS) or any(slot.name == "waitexp" for slot in form.slots)
            found = self._forms[id(form)] = _facts(form, self.target, rows, may_wait=may_wait)
        return found

    def _find(self, instruction: Instruction, form: Form, selectors: int = 0) -> Effects:
        facts = self._facts(form)
        reads, writes = facts.reads, facts.writes
        explicit = registers.NONE
        has_result, known = False, True
        slots: list[tuple[str, int]] = []
        for operand in instruction.operands:
            if operand.kind != "register" or operand.slot in facts.tokens:
                continue
            mask = of_operand(operand)
            if not mask:
                continue
            if selectors and operand.file == "v" and operand.slot in facts.selected:
                selector = vgpr_selectors.selected(selectors, facts.selected[operand.slot])
                if selector is None:
                    known = False
                    has_result |= operand.slot in facts.defined
                    continue
                mask = registers.further_on(mask, selector)
            if facts.half and operand.file == "v" and operand.slot in register_halves.DATA:
                mask = registers.half_of(mask, facts.half)
            slots.append((operand.slot, mask))
            if operand.slot in facts.used:
                reads = registers.union(reads, mask)
            if operand.slot in facts.defined:
                writes = registers.union(writes, mask)
                explicit |= mask
                has_result = True
        if has_result and not _returns(form, instruction):
            writes &= ~explicit
            explicit, has_result = registers.NONE, False
        waits = self._waited(form, instruction) if facts.may_wait else None
        name = form.mnemonic
        return Effects(
            reads,
            writes,
            registers.union(reads, writes),
            tuple(slots),
            facts.defined,
            self._events(facts.rows, instruction, slots, reads, explicit, writes, has_result, facts.half)
            if facts.rows
            else (),
            waits or (),
            _wait_states(form, instruction),
            facts.flow,
            settles=wait_events.SETTLES.get(form.mnemonic, ""),
            known=known,
            is_lane_exchange=form.mnemonic in wait_events.LANE_EXCHANGES,
            is_idle_wait=waits == () and name.startswith(_WAITS) and name != wait_events.WAIT_FOR_ALL,
            drains=facts.drains,
        )

    def _events(
        self,
        rows: tuple[wait_events.EventRow, ...],
        instruction: Instruction,
        slots: list[tuple[str, int]],
        reads: int,
        explicit: int,
        writes: int,
        has_result: bool,
        half: str,
    ) -> tuple[Event, ...]:
        keywords = frozenset(
            operand.slot
            for operand in instruction.operands
            if operand.kind in ("modifier", "token") and operand.value != 0
        )
        target = next((operand.value for operand in instruction.operands if operand.slot == "tgt"), None)
        export = target if type(target) is int else None
        for row in rows:
            if wait_events.fits(row, writes=has_result, keywords=keywords, export=export):
                later = registers.within(writes, explicit | registers.SCC)
                others = registers.whole(later) & ~later if half and self._halves_meet else registers.NONE
                return tuple(
                    Event(
                        self.counters[each.role],
                        each.kind,
                        row.id,
                        later if each.protects == wait_events.WRITES else registers.NONE,
                        _held(each, slots, reads),
                        others if each.protects == wait_events.WRITES else registers.NONE,
                    )
                    for each in row.raises
                    if each.role in self.counters
                )
        return ()

    def _waited(self, form: Form, instruction: Instruction) -> "tuple[tuple[str, int], ...] | None":
        """The counters waited for; None if it is not a wait for counters, or its counts are not known."""
        name = form.mnemonic
        if name == wait_text.WAITCNT:
            value = _immediate(instruction)
            return None if value is None else self._below_maximum(self._fields_waited(value))
        if name == wait_events.WAIT_FOR_ALL:
            return tuple((counter, 0) for counter in dict.fromkeys(self.counters.values()))
        row = self._waits.get(name)
        if row is not None:
            value = _immediate(instruction)
            if value is None:
                return None
            return self._below_maximum(
                (counter, value >> shift & (1 << width) - 1) for counter, shift, width in row.counters
            )
        expected = next((operand.value for operand in instruction.operands if operand.slot == "waitexp"), None)
        return self._below_maximum([("expcnt", expected)]) if type(expected) is int else None

    def _fields_waited(self, value: int) -> Iterator[tuple[str, int]]:
        for field in self._fields.values():
            names = wait_events.LEGACY_COUNTERS[field.name] if self._splits_counters else (field.name,)
            for name in names:
                if name in self.maxima and field.taken(value) < field.maximum:
                    yield name, field.taken(value)

    def _below_maximum(self, waits: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        """Without those at the counter's maximum, which wait for nothing."""
        return tuple((name, count) for name, count in waits if count < self.maxima.get(name, count + 1))


@lru_cache(maxsize=256)
def model_for(target: isa.Target) -> Model:
    """The model of a target, shared by every program for it."""
    return Model(target)


def of_operand(operand: Operand) -> int:
    """The registers that an operand names."""
    half = operand.text[-1:] if operand.file == "v" and operand.text.rstrip("|)").endswith((".l", ".h")) else ""
    return registers.of_tuple(operand.file, operand.first, operand.count, operand.text.rstrip("|)")[-1] if half else "")


# The control flow of a form, by LLVM's flags; the first match counts.
_FLOWS: tuple[tuple[str, control_flow.Flow], ...] = (
    ("isReturn", "end"),
    ("isCall", "call"),
    ("isIndirectBranch", "jump"),
)


def _facts(form: Form, target: isa.Target, rows: tuple[wait_events.EventRow, ...], *, may_wait: bool) -> _FormFacts:
    groups = _tied(form)
    defined: set[str] = set()
    used: set[str] = set()
    is_def = {operand.name: operand.is_def for operand in form.operands}
    reads_tied = "TiedSourceNotRead" not in form.flags
    written = {slot.name for slot in form.slots if slot.role != "token"} | is_def.keys()
    for name in written:
        group = groups.get(name, frozenset((name,)))
        if any(is_def.get(each, False) for each in group):
            defined.add(name)
        if not is_def.get(name, False) or (reads_tied and any(not is_def.get(each, True) for each in group)):
            used.add(name)
    reads = writes = registers.NONE
    for register in form.uses:
        reads |= registers.of_name(register, target.wavefront_size)
    for register in form.defs:
        writes |= registers.of_name(register, target.wavefront_size)
    tokens = frozenset(slot.text for slot in form.slots if slot.role == "token")
    selected = vgpr_selectors.positions(form)
    half = register_halves.half(form.mnemonic) if rows and holds(register_halves.TARGETS, target.features) else ""
    drains = wait_events.TRANSLATION if wait_events.drains(form) and target.has_translation_counter else ""
    return _FormFacts(
        frozenset(defined), frozenset(used), tokens, reads, writes, _flow(form), rows, may_wait, selected, half, drains
    )


def _tied(form: Form) -> Mapping[str, frozenset[str]]:
    """Operands that are one register, by the name of each."""
    groups: dict[str, frozenset[str]] = {}
    for one, other in form.ties:
        group = groups.get(one, frozenset((one,))) | groups.get(other, frozenset((other,)))
        groups.update(dict.fromkeys(group, group))
    return groups


def _flow(form: Form) -> control_flow.Flow:
    known = control_flow.FLOWS.get(form.mnemonic)
    if known is not None:
        return known
    for flag, flow in _FLOWS:
        if flag in form.flags:
            return flow
    if "isBranch" in form.flags:
        return "branch" if "isBarrier" in form.flags else "conditional"
    return "next"


_RETURN_BIT = 1  # of the cache policy: `glc`, `sc0`, and `th:TH_ATOMIC_RETURN`


def _returns(form: Form, instruction: Instruction) -> bool:
    """Whether its results are written: an image atomic returns a value only if its cache policy says so."""
    if form.image is None or "Atomic" not in form.image.flags:
        return True
    policy = next((operand.value for operand in instruction.operands if operand.slot == "cpol"), 0)
    return type(policy) is int and bool(policy & _RETURN_BIT)


def _held(raised: wait_events.Raise, slots: list[tuple[str, int]], reads: int) -> int:
    """The registers, of those that an instruction reads, that must not change until an event is over."""
    if raised.protects == wait_events.DATA:
        return reduce(or_, (mask for name, mask in slots if name == wait_events.DATA_SLOT), registers.NONE)
    if raised.protects != wait_events.READS:
        return registers.NONE
    released = registers.M0 | registers.MODE
    return reads & ~(released if raised.kind in wait_events.HOLD_EXEC else released | registers.EXEC)


def _immediate(instruction: Instruction) -> "int | None":
    for operand in instruction.operands:
        if operand.slot == "simm16":
            return operand.value & 0xFFFF if type(operand.value) is int else None
    return None


def _wait_states(form: Form, instruction: Instruction) -> int:
    """One for each instruction; for `s_nop` its immediate plus one, as far as the hardware reads it."""
    if form.mnemonic != roles.NOP:
        return 1
    value = _immediate(instruction)
    return 1 if value is None else value + 1
