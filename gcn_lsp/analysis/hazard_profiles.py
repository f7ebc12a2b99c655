"""What the hazard rows of a target say of single instructions: what each may harm, and what may harm it.

Worked out once for each distinct instruction, so that `analysis.hazards` only compares register sets and distances.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.analysis import registers
from gcn_lsp.analysis.effects import Effects
from gcn_lsp.asm.model import Instruction, Operand
from gcn_lsp.isa import hazards
from gcn_lsp.isa.hazards.model import Kind, Part, Row, Test, may_fit, tests
from gcn_lsp.isa.hazards.passes import passes
from gcn_lsp.isa.schema import Form

# Registers beyond those of `analysis.registers`, for what two instructions may have in common besides: a bit that every
# instruction has, and one for each hardware register.
_ALWAYS = 1 << 255
_FIRST_HARDWARE_REGISTER = 160
_HWREG_NUMBER = 0x3F

_VGPRS = ~((1 << 1024) - 1)
_FILES: Mapping[str, int] = {
    "": -1,
    "vector": ~registers.ALL_SCALARS,
    "vgpr": _VGPRS,
    "scalar": registers.ALL_SCALARS & ~(registers.SCC | registers.MODE),
    "operands": registers.ALL_SCALARS & ~(registers.SCC | registers.MODE | registers.EXEC),
    "sgpr": registers.SGPRS,
    "vcc": registers.VCC,
    "exec": registers.EXEC,
    "m0": registers.M0,
}


class Requirement(msgspec.Struct, frozen=True):
    """What one class of second instructions needs. key: bit of the class in `Profile.keys`. form: of the first one."""

    key: int
    need: int
    row: Row
    form: Form


class Danger:
    """What an instruction leaves behind it: registers that some instructions must not meet too early.

    mask: the registers. requirements: by whom. keys: their bits. longest: the most that any of them needs. cancels,
    armed_by: bits of the classes that end it, and that `armed` takes its place behind; 0 for none.
    """

    __slots__ = ("armed", "armed_by", "cancels", "keys", "longest", "mask", "requirements", "unit")

    def __init__(self, mask: int, unit: str, cancels: int, requirements: tuple[Requirement, ...]) -> None:
        self.mask = mask
        self.unit = unit
        self.cancels = cancels
        self.requirements = requirements
        self.keys = 0
        for requirement in requirements:
            self.keys |= requirement.key
        self.longest = max(requirement.need for requirement in requirements)
        self.armed: Danger | None = None
        self.armed_by = 0


class Profile(msgspec.Struct, frozen=True):
    """An instruction as hazards see it.

    states: wait states that it is worth. dangers: what it leaves behind. keys, met: the classes of second instructions
    that it belongs to, with the registers that count for each; mask: all of these together. marks: classes that cancel
    or arm which it belongs to.
    """

    states: int
    dangers: tuple[Danger, ...]
    keys: int
    met: tuple[tuple[int, int], ...]
    mask: int
    marks: int
    form: Form | None
    is_nop: bool = False


_NOTHING = Profile(0, (), 0, (), 0, 0, None)


class _FormProfile(msgspec.Struct, frozen=True):
    """What the rows say of a form. first: rows by what they have in common; second, marks: classes by their bits.

    A class is None when every instruction of the form belongs to it.
    """

    first: "tuple[_Group, ...]"
    second: "tuple[tuple[int, Kind | None, Part], ...]"
    marks: "tuple[tuple[int, Kind | None], ...]"
    is_nop: bool


class _Group(msgspec.Struct, frozen=True):
    """Rows whose first instruction and its registers are the same, so that one `Danger` stands for all of them."""

    kind: "Kind | None"
    part: Part
    unit: str
    cancels: int
    armed_by: int
    requirements: tuple[Requirement, ...]


class Rows:
    """The rows of a target, ready to be applied to instructions."""

    def __init__(self, target: isa.Target) -> None:
        self.features = target.features
        self.rows = hazards.rows(self.features)
        self.nop_limit = hazards.nop_limit(self.features)
        self._keys: dict[tuple[Kind, Part], int] = {}
        self._marks: dict[Kind, int] = {}
        self._row_keys: list[int] = []
        for row in self.rows:
            self._row_keys.append(self._keys.setdefault((row.second, row.meets), 1 << len(self._keys)))
            for kind in (row.through, row.cancels):
                if kind is not None:
                    self._marks.setdefault(kind, 1 << len(self._marks))
        self._forms: dict[int, _FormProfile] = {}
        self._known: dict[int, tuple[Instruction, Profile]] = {}
        self.longest = max((_most(row) for row in self.rows), default=0)

    def of(self, instruction: "Instruction | None", effects: Effects) -> Profile:
        """The profile of an instruction; for one that is not known it is that of no instruction at all."""
        if instruction is None or instruction.form is None:
            return _NOTHING
        known = self._known.get(id(instruction))
        if known is None:
            # The instruction is kept with its profile, so that its identity stays its own.
            known = self._known[id(instruction)] = (instruction, self._find(instruction, instruction.form, effects))
        return known[1]

    def _find(self, instruction: Instruction, form: Form, effects: Effects) -> Profile:
        found = self._forms.get(id(form))  # forms are kept by their target
        if found is None:
            found = self._forms[id(form)] = self._of_form(form)
        operands = instruction.operands
        sets: dict[Part, int] = {}

        def registers_of(part: Part) -> int:
            known = sets.get(part)
            if known is None:
                known = sets[part] = _ACCESS[part.access](part, form, operands, effects) & _FILES[part.file]
            return known

        dangers = tuple(
            _danger(mask, group)
            for group in found.first
            if (mask := registers_of(group.part)) and (group.kind is None or fits(group.kind, form, operands))
        )
        met = tuple(
            (key, mask)
            for key, kind, part in found.second
            if (mask := registers_of(part)) and (kind is None or fits(kind, form, operands))
        )
        keys = every = marks = 0
        for key, mask in met:
            keys |= key
            every |= mask
        for mark, kind in found.marks:
            if kind is None or fits(kind, form, operands):
                marks |= mark
        states = effects.wait_states
        if found.is_nop:
            states = (states - 1) % self.nop_limit + 1
        return Profile(states, dangers, keys, met, every, marks, form, found.is_nop)

    def _of_form(self, form: Form) -> _FormProfile:
        fitting: dict[Kind, bool] = {}

        def may_be(kind: Kind) -> bool:
            known = fitting.get(kind)
            if known is None:
                known = fitting[kind] = may_fit(kind, form)
            return known

        count = passes(form, self.features)
        groups: dict[tuple[Kind | None, Part, str, int, int], list[Requirement]] = {}
        for row, key in zip(self.rows, self._row_keys, strict=True):
            if may_be(row.first):
                need = row.need if isinstance(row.need, int) else dict(row.need).get(count, 0)
                if need:
                    kind = row.first if tests(row.first) else None
                    cancels = self._marks[row.cancels] if row.cancels is not None else 0
                    armed_by = self._marks[row.through] if row.through is not None else 0
                    group = (kind, row.writes, row.unit, cancels, armed_by)
                    groups.setdefault(group, []).append(Requirement(key, need, row, form))
        return _FormProfile(
            tuple(_Group(*group, tuple(requirements)) for group, requirements in groups.items()),
            tuple(
                (key, kind if tests(kind) else None, part) for (kind, part), key in self._keys.items() if may_be(kind)
            ),
            tuple((mark, kind if tests(kind) else None) for kind, mark in self._marks.items() if may_be(kind)),
            may_fit(hazards.NOP, form),
        )


@lru_cache(maxsize=8)
def rows_for(target: isa.Target) -> Rows:
    """The rows of a target, shared by every program for it."""
    return Rows(target)


def fits(kind: Kind, form: Form, operands: tuple[Operand, ...]) -> bool:
    """Whether an instruction of a form that may be of a class is of it."""
    return (
        all(_holds(test, operands) for test in kind.tests)
        and (not kind.any_of or any(may_fit(one, form) and fits(one, form, operands) for one in kind.any_of))
        and not any(may_fit(one, form) and fits(one, form, operands) for one in kind.but_not)
    )


def _holds(test: Test, operands: tuple[Operand, ...]) -> bool:
    found = [operand for operand in operands if not test.slot or operand.slot == test.slot]
    if test.among:
        values = [operand.value for operand in found if isinstance(operand.value, int)]
        value = values[0] if values else test.default
        return value is not None and value & test.mask in test.among
    return any(
        (not test.files or operand.file in test.files)
        and (not test.kinds or operand.kind in test.kinds)
        and (not test.over or operand.count > test.over)
        for operand in found
    )


def _most(row: Row) -> int:
    return row.need if isinstance(row.need, int) else max(need for _, need in row.need)


def _danger(mask: int, group: _Group) -> Danger:
    danger = Danger(mask, group.unit, group.cancels, group.requirements)
    if not group.armed_by:
        return danger
    waiting = Danger(mask, group.unit, group.cancels, group.requirements)
    waiting.keys = 0  # harmless until it is armed
    waiting.armed = danger
    waiting.armed_by = group.armed_by
    return waiting


# What an instruction has of a `Part`, by its access.


def _reads(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return effects.reads


def _writes(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return effects.writes


def _touches(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return effects.touches


def _uses(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = registers.NONE
    for _, mask in effects.slots:
        found |= mask & effects.reads
    return found


def _in_slots(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    found = registers.NONE
    for slot, mask in effects.slots:
        if slot in part.slots:
            found |= mask
    return found


def _addend(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    names = {slot.name for slot in form.slots}
    return effects.slot(next((slot for slot in part.slots if slot in names), ""))


def _named(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _FILES[part.file]


def _always(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    return _ALWAYS


def _hardware_register(part: Part, form: Form, operands: tuple[Operand, ...], effects: Effects) -> int:
    for operand in operands:
        if operand.slot == "simm16" and isinstance(operand.value, int):
            return 1 << _FIRST_HARDWARE_REGISTER + (operand.value & _HWREG_NUMBER)
    return registers.NONE


_ACCESS: Mapping[str, Callable[[Part, Form, tuple[Operand, ...], Effects], int]] = {
    "reads": _reads,
    "writes": _writes,
    "touches": _touches,
    "uses": _uses,
    "slots": _in_slots,
    "addend": _addend,
    "named": _named,
    "always": _always,
    "hwreg": _hardware_register,
}
