"""Applies the hazard rows of a target to single instructions: what each may harm, and what may harm it.

The result is kept for each distinct instruction, so `hazards.hazards` only compares register sets and distances.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from weakref import WeakValueDictionary

import msgspec

from gcn_lsp import isa
from gcn_lsp.analysis.hazards.classes import fits, may_hold, undecided
from gcn_lsp.analysis.hazards.parts import Selection, selection
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Effects
from gcn_lsp.flow.kept import ByIdentity, ByValue
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.isa import conditions, hazards
from gcn_lsp.isa.hazards.model import FOREVER, STATES, Kind, RegisterPart, Row, Separation, may_fit
from gcn_lsp.isa.hazards.passes import passes
from gcn_lsp.isa.hazards.restrictions import RESTRICTIONS, Restriction
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.isa.schema import Form

_LONG = 1 << 10  # in any unit: more than any danger lasts
_ANY = -1  # every register
_OVERWRITABLE = registers.SGPRS | registers.EXEC


class Requirement(msgspec.Struct, frozen=True, cache_hash=True):
    """The requirement of one class of second instructions. key: bit of the class in `Profile.keys`.

    form: of the first one, for rows that compare it with the second's; else None.
    """

    key: int
    need: int
    row: Row
    form: Form | None


class SameFirst(msgspec.Struct, frozen=True, cache_hash=True):
    """Rows with the same first instruction, the same registers of it, and the same rules for what is between.

    kind: what operands decide of the first instruction's class, None if they decide nothing. unit: number of the unit
    that is counted. cancels, cancels_after, through: bits of classes in `Profile.marks`, 0 for none. is_triple: the
    instruction between the two replaces the first one. stays, order, until_written: of the rows.
    """

    kind: "Kind | None"
    part: RegisterPart
    unit: int
    cancels: int
    cancels_after: int
    through: int
    is_triple: bool
    stays: bool
    fix: Separation
    order: str
    until_written: bool
    requirements: tuple[Requirement, ...]
    keys: int = 0
    longest: int = 0
    is_endless: bool = False

    def of(self, requirements: tuple[Requirement, ...]) -> "SameFirst":
        """The same with these requirements."""
        return msgspec.structs.replace(
            self,
            requirements=requirements,
            keys=reduce(or_, (requirement.key for requirement in requirements)),
            longest=max(requirement.need for requirement in requirements),
            is_endless=requirements[0].row.unit == FOREVER,
        )


class Danger:
    """The danger after an instruction: registers that some instructions must not touch too early.

    mask: the registers; whole: with those that a later instruction has taken over. group: the rows. keys: bits of the
    classes that must not touch them; 0 while it is harmless, though `possible` has them even then. longest: the highest
    need of any of them. cancels, through: bits of the classes that end it, or after which `after_through` replaces it.
    is_endless: it does not expire. Two dangers are equal only if they are one object.
    """

    __slots__ = (
        "__weakref__",
        "_after_through",
        "_parts",
        "through",
        "cancels",
        "group",
        "is_after_through",
        "is_endless",
        "keys",
        "longest",
        "mask",
        "possible",
        "requirements",
        "unit",
        "whole",
    )

    def __init__(self, mask: int, group: SameFirst, *, is_after_through: bool = False, whole: int = 0) -> None:
        self.mask = mask
        self.whole = whole or mask
        self.group = group
        self.unit = group.unit
        self.requirements = group.requirements
        self.is_endless = group.is_endless
        self.longest = group.longest
        self.is_after_through = is_after_through
        is_waiting = bool(group.through) and not is_after_through
        self.possible = group.keys
        self.keys = 0 if is_waiting else group.keys
        self.cancels = group.cancels if is_waiting or not group.through else group.cancels_after
        self.through = group.through if is_waiting else 0
        self._after_through: Danger | None = None
        self._parts: WeakValueDictionary[int, Danger] | None = None  # most dangers have no parts

    def after_through(self) -> "Danger":
        """The danger after an instruction of the class that activates it."""
        if self._after_through is None:
            self._after_through = Danger(self.mask, self.group, is_after_through=True)
        return self._after_through

    def without(self, mask: int) -> "Danger | None":
        """The same danger for the registers that are not in a set; None if none remain."""
        rest = self.mask & ~mask
        if rest == self.mask or not rest:
            return self if rest else None
        if self._parts is None:
            self._parts = WeakValueDictionary()
        found = self._parts.get(rest)
        if found is None:
            found = self._parts[rest] = Danger(
                rest, self.group, is_after_through=self.is_after_through, whole=self.whole
            )
        return found


class Triple:
    """Rows about registers that one instruction reads, a second writes and a third reads again.

    group: the rows. through: bit of the second one's class in `Profile.marks`.
    """

    __slots__ = ("_dangers", "group", "through")

    def __init__(self, group: SameFirst) -> None:
        self.group = group
        self.through = group.through
        self._dangers: WeakValueDictionary[int, Danger] = WeakValueDictionary()

    def danger(self, mask: int) -> Danger:
        """The danger after a second instruction that writes some of the registers."""
        found = self._dangers.get(mask)
        if found is None:
            found = self._dangers[mask] = Danger(mask, self.group, is_after_through=True)
        return found


class Profile(msgspec.Struct, frozen=True, gc=False):
    """An instruction from the point of view of hazards.

    steps: how much it counts in each unit. dangers: those after it. keys: its classes of second instructions; classes,
    met: those of them for which the same registers count together, with these registers; mask: all of these registers.
    marks, marked: its classes that cancel a danger or are its `through`, with the registers that matter. firsts:
    numbers of `Rows.triples` with the registers for which it is the first of three; overwrites: the SGPRs, and EXEC,
    that it writes, if a row of the target ends with that. is_plain: only the rows ask for wait states around it.
    passes: in the matrix unit; 0 for other instructions. runs: bits of its classes of memory instructions that may be
    replayed together. sources: the VGPRs of each operand that it reads, if a row distinguishes them. guess: of an
    instruction that does not assemble, what its mnemonic could mean with any registers; else None.
    """

    steps: tuple[int, ...]
    dangers: tuple[Danger, ...]
    keys: int
    classes: tuple[int, ...]
    met: tuple[int, ...]
    mask: int
    marks: int
    marked: tuple[tuple[int, int], ...]
    firsts: tuple[tuple[int, int], ...]
    overwrites: int
    form: Form | None
    is_nop: bool = False
    is_plain: bool = False
    runs: int = 0
    restrictions: tuple[Restriction, ...] = ()
    passes: int = 0
    sources: tuple[int, ...] = ()
    guess: "Profile | None" = None


class _FormProfile(msgspec.Struct, frozen=True):
    """The meaning of the rows for a form. first: rows by their common parts; second, marks: classes by their bits.

    A class is what operands still decide of it, None if every instruction of the form belongs to it. parts: the parts
    that these name by number, each with the function that selects its registers, and its files.
    """

    first: tuple[tuple[SameFirst, int], ...]
    second: "tuple[tuple[int, Kind | None, int], ...]"
    marks: "tuple[tuple[int, Kind | None, int | None], ...]"
    units: tuple[int | None, ...]
    is_nop: bool
    is_plain: bool
    runs: int
    restrictions: "tuple[tuple[Restriction, Kind | None], ...]"
    passes: int
    parts: tuple[Selection, ...]


class Rows:
    """The rows of a target, prepared for instructions."""

    def __init__(self, target: isa.Target) -> None:
        self._target = target
        self.features = target.features
        replays = allocation.reserves_xnack(target)
        self.rows = tuple(row for row in hazards.rows(self.features) if replays or not row.replay)
        # All other instructions end a run of memory instructions that may be replayed together.
        self._ends_of_runs = tuple(dict.fromkeys(row.cancels for row in self.rows if row.replay and row.cancels))
        self._is_overwriting = any(row.through_part is not None or row.until_written for row in self.rows)
        self._tells_sources_apart = any(row.also is not None for row in self.rows)
        self.nop_limit = hazards.nop_limit(self.features)
        used = {row.unit for row in self.rows}
        # Wait states are first, because they are always counted.
        self._units = tuple(unit for unit in hazards.UNITS if unit in used and unit != STATES)
        self.units = 1 + len(self._units)
        self._keys: dict[tuple[Kind, RegisterPart], int] = {}
        self._marks: dict[tuple[Kind, RegisterPart | None], int] = {}
        self._row_keys = [self._number(row) for row in self.rows]
        self._firsts = [(row, key, self._same(row)) for row, key in zip(self.rows, self._row_keys, strict=True)]
        self._groups: dict[SameFirst, SameFirst] = {}
        self._forms: dict[int, _FormProfile] = {}
        self._known: ByIdentity[Profile] = ByIdentity()  # by effects, which belong to one instruction
        self.triples: list[Triple] = []
        self._restrictions = tuple(each for each in RESTRICTIONS if conditions.holds(each.targets, self.features))
        # What many profiles have in common: of 2,300 instructions five `steps` and six `marked`.
        self._classes: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._steps: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._marked: ByValue[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]] = ByValue(1024)
        self._nothing = Profile((0,) * self.units, (), 0, (), (), 0, 0, (), (), 0, None)
        self._rejected: ByValue[str, Profile] = ByValue(64)  # by mnemonic; anything may be typed

    def _number(self, row: Row) -> int:
        """The key of a row's second instructions; what cancels its dangers, or lets them through, gets a mark."""
        for kind in (row.cancels, row.cancels_after):
            if kind is not None:
                self._marks.setdefault((kind, None), 1 << len(self._marks))
        if row.through is not None:
            self._marks.setdefault((row.through, row.through_part), 1 << len(self._marks))
        return self._keys.setdefault((row.second, row.meets), 1 << len(self._keys))

    def of(self, instruction: "Instruction | None", effects: Effects) -> Profile:
        """The profile of an instruction; a rejected one, which may be a wait, takes as long as any danger lasts."""
        if instruction is None:
            return self._nothing
        if instruction.form is None:
            word = instruction.statement.word
            rejected = self._rejected.get(word)
            if rejected is None:
                guess = self._guess(self._target.forms(self._target.native(word)))
                long = (_LONG,) * self.units
                rejected = Profile(long, (), 0, (), (), 0, 0, (), (), 0, None, guess=guess)
                self._rejected.keep(word, rejected)
            return rejected
        known = self._known.get(id(effects))
        if known is not None:
            return known.result
        return self._known.keep(effects, self._find(instruction, instruction.form, effects))

    def _guess(self, forms: Sequence[Form]) -> Profile:
        """The profile of an instruction of which only the forms of its mnemonic are known: of any if none are."""
        found = [self._of_form(form) for form in forms]
        groups = [group for each in found for group, _ in each.first] if found else self._begun_by_any()
        keys = [key for each in found for key, _, _ in each.second] if found else list(self._keys.values())
        dangers = tuple(Danger(_ANY, group) for group in dict.fromkeys(groups) if not group.is_triple)
        every = reduce(or_, keys, 0)
        return Profile((1,) * self.units, dangers, every, (every,), (_ANY,), _ANY if every else 0, 0, (), (), 0, None)

    def _begun_by_any(self) -> list[SameFirst]:
        """What each row requires at the most."""
        most = [row.need if isinstance(row.need, int) else max(need for _, need in row.need) for row in self.rows]
        return [
            common.of((Requirement(key, need, row, None),))
            for (row, key, common), need in zip(self._firsts, most, strict=True)
        ]

    def as_second(self, profile: Profile) -> Iterator[tuple[Row, int]]:
        """The rows of which an instruction can be the second one, with the registers that count."""
        for row, key in zip(self.rows, self._row_keys, strict=True):
            for keys, mask in zip(profile.classes, profile.met, strict=True):
                if keys & key:
                    yield row, mask

    def _same(self, row: Row) -> SameFirst:
        """What a row has in common with others, for instructions that are of its first class by their form."""
        return SameFirst(
            None,
            row.writes,
            1 + self._units.index(row.unit) if row.unit in self._units else 0,
            self._marks[(row.cancels, None)] if row.cancels is not None else 0,
            self._marks[(row.cancels_after, None)] if row.cancels_after is not None else 0,
            self._marks[(row.through, row.through_part)] if row.through is not None else 0,
            row.through_part is not None,
            row.stays,
            row.fix,
            row.order,
            row.until_written,
            (),
        )

    def _find(self, instruction: Instruction, form: Form, effects: Effects) -> Profile:
        found = self._forms.get(id(form))  # the target keeps the forms
        if found is None:
            found = self._forms[id(form)] = self._of_form(form)
        operands = instruction.operands
        masks = [select(part, files, form, operands, effects) for select, part, files in found.parts]
        # Loops: this is the largest part of the first check, and comprehensions for so little take twice as long.
        dangers, firsts = self._begun(found, masks, operands)
        met: dict[int, int] = {}  # keys by part
        keys = every = 0
        for key, kind, part in found.second:
            mask = masks[part]
            if mask and (kind is None or fits(kind, operands)):
                met[part] = met.get(part, 0) | key
                keys |= key
                every = registers.union(every, mask)
        marks_here, marks = self._marked_by(found, masks, operands)
        states = effects.wait_states
        if found.is_nop:
            states = (states - 1) % self.nop_limit + 1
        steps = (states, *[1 if part is not None and masks[part] else 0 for part in found.units])
        overwrites = registers.within(effects.writes, _OVERWRITABLE) if self._is_overwriting else registers.NONE
        restrictions = tuple([each for each, kind in found.restrictions if kind is None or fits(kind, operands)])
        classes = tuple(met.values())
        classes = self._classes.setdefault(classes, classes)
        return Profile(
            self._steps.setdefault(steps, steps), tuple(dangers), keys, classes, tuple([masks[part] for part in met]),
            every, marks, marks_here, tuple(firsts), overwrites, form, found.is_nop, found.is_plain, found.runs,
            restrictions, found.passes, self._sources(effects),
        )  # fmt: skip

    def _begun(
        self, found: _FormProfile, masks: Sequence[int], operands: tuple[Operand, ...]
    ) -> tuple[list[Danger], list[tuple[int, int]]]:
        """The dangers that begin with an instruction, and the first instructions of triples that it is."""
        dangers: list[Danger] = []
        firsts: list[tuple[int, int]] = []
        for group, part in found.first:
            mask = masks[part]
            if mask and (group.kind is None or fits(group.kind, operands)):
                if group.is_triple:
                    firsts.append((self._triple(group), mask))
                else:
                    dangers.append(Danger(mask, group))
        return dangers, firsts

    def _marked_by(
        self, found: _FormProfile, masks: Sequence[int], operands: tuple[Operand, ...]
    ) -> tuple[tuple[tuple[int, int], ...], int]:
        """The marks that an instruction makes, with their registers, and all of them."""
        marked: list[tuple[int, int]] = []
        marks = 0
        for mark, kind, place in found.marks:
            mask = -1 if place is None else masks[place]
            if mask and (kind is None or fits(kind, operands)):
                marked.append((mark, mask))
                marks |= mark
        made = tuple(marked)
        return self._marked.get(made) or self._marked.keep(made, made), marks

    def _sources(self, effects: Effects) -> tuple[int, ...]:
        if not self._tells_sources_apart:
            return ()
        vectors = ((name, registers.vectors(mask)) for name, mask in effects.slots if mask & effects.reads)
        return tuple(mask for name, mask in vectors if mask and name not in effects.defined)

    def _triple(self, group: SameFirst) -> int:
        """The number of a group's rows, assigned on first use."""
        for number, triple in enumerate(self.triples):
            if triple.group is group:
                return number
        self.triples.append(Triple(group))
        return len(self.triples) - 1

    def _begun_by(self, form: Form, count: int, may_be: Callable[[Kind], bool]) -> "dict[SameFirst, list[Requirement]]":
        """What the rows require after an instruction of a form that takes `count` passes."""
        groups: dict[SameFirst, list[Requirement]] = {}
        for row, key, common in self._firsts:
            if not may_be(row.first):
                continue
            need = row.need if isinstance(row.need, int) else dict(row.need).get(count, 0)
            if need:
                left = undecided(row.first, form)
                group = common if left is None else msgspec.structs.replace(common, kind=left)
                groups.setdefault(group, []).append(Requirement(key, need, row, form if row.opcode else None))
        return groups

    def _of_form(self, form: Form) -> _FormProfile:
        fitting: dict[Kind, bool] = {}
        slots = frozenset(slot.name or slot.text for slot in form.slots)

        def may_be(kind: Kind) -> bool:
            known = fitting.get(kind)
            if known is None:
                known = fitting[kind] = may_fit(kind, form) and may_hold(kind, form, slots)
            return known

        def condition(kind: Kind) -> "Kind | None":
            return undecided(kind, form)

        parts: dict[RegisterPart, int] = {}

        def number(part: RegisterPart) -> int:
            return parts.setdefault(part, len(parts))

        count = passes(form, self.features)
        found = [group.of(tuple(each)) for group, each in self._begun_by(form, count, may_be).items()]
        return _FormProfile(
            tuple((self._groups.setdefault(group, group), number(group.part)) for group in found),
            tuple((key, condition(kind), number(part)) for (kind, part), key in self._keys.items() if may_be(kind)),
            tuple(
                (mark, condition(kind), None if part is None else number(part))
                for (kind, part), mark in self._marks.items()
                if may_be(kind)
            ),
            tuple(
                number(counted.part) if (counted := hazards.UNITS[unit]) is not None and may_be(counted.kind) else None
                for unit in self._units
            ),
            may_fit(hazards.NOP, form),
            not may_fit(hazards.TIMED, form),
            sum(1 << number for number, kind in enumerate(self._ends_of_runs) if not may_be(kind)),
            tuple((each, condition(each.kind)) for each in self._restrictions if may_be(each.kind)),
            count,
            tuple(map(selection, parts)),
        )


@lru_cache(maxsize=256)
def rows_for(target: isa.Target) -> Rows:
    """The rows of a target, shared by every program for it."""
    return Rows(target)
