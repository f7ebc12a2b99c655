"""The parts of a hazard row: two classes of instructions, the registers in which they must meet, the distance needed.

The tables in this package consist of these values; `gcn_lsp.analysis.hazards.hazards` interprets them and knows no
mnemonic.
"""

import re
from functools import cache

import msgspec

from gcn_lsp.isa.hazards.access import Access, File
from gcn_lsp.isa.schema import Form

# The units between two instructions: wait states (one for each instruction, `s_nop` more), VALU instructions, or
# instructions that write an SGPR. `FOREVER`: nothing counts, so only a cancelling instruction ends the row.
STATES, VALUS, SGPR_WRITERS, FOREVER = "states", "valus", "sgpr_writers", "forever"

# How the registers of the two must meet: at least one of them; all of them; at least one but not all.
ANY, SAME, DIFFERENT = "any", "same", "different"


class Test(msgspec.Struct, frozen=True, cache_hash=True):
    """A condition on an operand as written: that of slot `slot`, of any slot if that is empty.

    among: the allowed values of the bits in `mask`; `default` is the value if it is left out. files: the special
    registers that it may be. kinds: `register`, `immediate`, ... over: it has more than this many registers. below: its
    value is less; nonzero: it is not 0.
    """

    slot: str = ""
    mask: int = -1
    among: tuple[int, ...] = ()
    default: int | None = None
    files: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    over: int = 0
    below: int | None = None
    nonzero: bool = False


class Kind(msgspec.Struct, frozen=True, cache_hash=True):
    """A class of instructions. Every given condition must hold; `any_of`: at least one of these classes must fit.

    families, has, lacks: of the form and its flags. mnemonics, pseudos: regular expressions for the whole mnemonic and
    the whole pseudo instruction in capitals. variants: of the form. slots, no_slots: those it has and does not have.
    defines: implicit registers that it writes. tests: on its operands.
    """

    name: str
    families: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    mnemonics: str = ""
    pseudos: str = ""
    variants: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    no_slots: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    tests: tuple[Test, ...] = ()
    any_of: "tuple[Kind, ...]" = ()
    but_not: "tuple[Kind, ...]" = ()


class RegisterPart(msgspec.Struct, frozen=True, cache_hash=True):
    """A part of an instruction's registers: those of `file` that it has in the role `access`, in `slots` for some."""

    access: Access
    file: File = File.ALL
    slots: tuple[str, ...] = ()


class Separation(msgspec.Struct, frozen=True, cache_hash=True):
    """The instructions to insert before the second of two instructions to separate them.

    text: with `{}` for the operand in `slot`; if it is empty, wait states by `s_nop`. repeat: the text is inserted once
    for each missing unit.
    """

    text: str = ""
    slot: str = ""
    repeat: bool = False


NOP = Separation()


LLVM_ALONE = "required by LLVM alone"
"""No document of AMD has the row, which the hardware is known to need all the same."""


class Row(msgspec.Struct, frozen=True, cache_hash=True):
    """A hazard: an instruction of class `second` too close after one of class `first`.

    id: of the fact sheet. targets: condition on features. writes, meets: the parts of the two that must meet.
    need: how many units must be in between, or that by passes of the first one. reason: why, a sentence.
    through: a class that must occur between the two for the row to hold; with `through_part`, it must meet the first
    one in that part, and from then on replaces the first one, with the registers in which they met. `stays`: the first
    one continues to wait for others of that class.
    cancels: a class that ends it if it occurs in between; `cancels_after`: after one of `through`.
    order: a name for what finishes in order: of two instructions of rows with the same name, only the later one counts
    for the registers that both have.
    opcode: whether the two must be the `same` instruction or one `other`; empty for either.
    until_written: it ends when another instruction writes the registers, because that one has waited for the first.
    also: the second one must also meet another such first one, with another operand, that came after `through`: at most
    so many units since then, and at most so many more before it.
    sure: the hardware is known to need it; else only LLVM, or only one document, requires it.
    required_by: who requires it, as far as both were compared (`LLVM_ALONE`); a row that is not sure says so in its
    reason.
    replay: it only matters if memory instructions may have to be replayed (XNACK); otherwise it is not a hazard.
    """

    id: str
    targets: str
    first: Kind
    writes: RegisterPart
    second: Kind
    meets: RegisterPart
    need: int | tuple[tuple[int, int], ...]
    reason: str
    overlap: str = ANY
    unit: str = STATES
    through: Kind | None = None
    through_part: RegisterPart | None = None
    stays: bool = False
    cancels: Kind | None = None
    cancels_after: Kind | None = None
    order: str = ""
    opcode: str = ""
    fix: Separation = NOP
    until_written: bool = False
    also: tuple[int, int] | None = None
    sure: bool = True
    replay: bool = False
    required_by: str = ""


class Unit(msgspec.Struct, frozen=True, cache_hash=True):
    """What counts as one of a unit: an instruction of a class with registers of a part."""

    kind: Kind
    part: RegisterPart


def may_fit(kind: Kind, form: Form) -> bool:
    """Whether instructions of a form can be of a class, by everything that does not depend on their operands."""
    # Most classes have few conditions, and every form meets every class: a test that is not needed is not begun.
    return (
        (not kind.families or form.family in kind.families)
        and (not kind.has or form.flags.issuperset(kind.has))
        and (not kind.lacks or form.flags.isdisjoint(kind.lacks))
        and (not kind.variants or form.variant in kind.variants)
        and (not kind.mnemonics or pattern_of(kind.mnemonics).fullmatch(form.mnemonic) is not None)
        and (not kind.pseudos or pattern_of(kind.pseudos).fullmatch(form.pseudo.upper()) is not None)
        and (not kind.defines or set(form.defs).issuperset(kind.defines))
        and _slots_fit(kind, form)
        and (not kind.any_of or any(may_fit(one, form) for one in kind.any_of))
        and (not kind.but_not or not any(not tests(one) and may_fit(one, form) for one in kind.but_not))
    )


@cache
def tests(kind: Kind) -> bool:
    """Whether membership in a class depends on operands."""
    return bool(kind.tests) or any(tests(one) for one in (*kind.any_of, *kind.but_not))


def _slots_fit(kind: Kind, form: Form) -> bool:
    if not kind.slots and not kind.no_slots:
        return True
    names = {slot.name for slot in form.slots}
    return names.issuperset(kind.slots) and names.isdisjoint(kind.no_slots)


@cache
def pattern_of(text: str) -> "re.Pattern[str]":
    """A regular expression of a table."""
    return re.compile(text)
