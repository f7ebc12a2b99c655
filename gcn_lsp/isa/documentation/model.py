"""The entry of a mnemonic, a modifier, a register, a message, a directive or a descriptor field."""

import msgspec


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A mnemonic in our own words, on one target, with its operation in the notation of `notation.py`."""

    mnemonic: str
    """The name that the entry is about; differs from the requested one if that is an alias on the target."""
    family: str
    """Title of the entry's family, e.g. "Scalar ALU, two sources (SOP2)"."""
    summary: str
    """One sentence."""
    operation: str
    """Pseudo-code, one statement a line; empty only if nothing observable happens."""
    reads: tuple[str, ...] = ()
    """State that is read implicitly: SCC, VCC, EXEC, M0, MODE.FP_ROUND, ..."""
    writes: tuple[str, ...] = ()
    """State that is written implicitly."""
    counters: tuple[str, ...] = ()
    """Wait counters that the instruction raises, by the target's names: vmcnt, lgkmcnt, loadcnt, ..."""
    notes: tuple[str, ...] = ()
    """Sentences on restrictions, special cases and differences of the target."""
    hazards: tuple[str, ...] = ()
    """Sentences on the wait states and orders that the program must keep on this target."""
    sources: tuple[str, ...] = ()
    """The sources of facts that the tables do not have."""
    is_legacy: bool = False
    """Whether the target has it for old code only; one of the notes says so."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """One spelling that a modifier accepts, and its effect."""

    spelling: str
    meaning: str


class ModifierEntry(msgspec.Struct, frozen=True, gc=False):
    """A modifier, a word of one, or a kind of operand: its syntax and meaning."""

    name: str
    syntax: str
    summary: str
    values: tuple[Value, ...] = ()
    notes: tuple[str, ...] = ()


class BitField(msgspec.Struct, frozen=True, gc=False):
    """A named run of bits of a register, both ends inclusive."""

    name: str
    high: int
    low: int
    meaning: str


class RegisterEntry(msgspec.Struct, frozen=True, gc=False):
    """A special register or a hardware register; `access` is what a program may do: "read", "read/write", ..."""

    name: str
    bits: int
    access: str
    summary: str
    fields: tuple[BitField, ...] = ()
    notes: tuple[str, ...] = ()


class MessageEntry(msgspec.Struct, frozen=True, gc=False):
    """A message of `s_sendmsg`, or one of its operations, and its number."""

    name: str
    number: int
    summary: str
    values: tuple[Value, ...] = ()
    notes: tuple[str, ...] = ()


class DirectiveEntry(msgspec.Struct, frozen=True, gc=False):
    """A directive of the assembler; `name` is the first of its synonyms."""

    name: str
    syntax: str
    """The syntax of the arguments; empty for none."""
    summary: str
    values: str = ""
    """The values of the arguments and their defaults, as sentences; empty if there is nothing to say."""


class FieldEntry(msgspec.Struct, frozen=True, gc=False):
    """A field of an `.amdhsa_kernel` block, with its prefix."""

    name: str
    summary: str
    default: str
    """The source of its default; empty if that is the number in `isa.descriptor`."""
