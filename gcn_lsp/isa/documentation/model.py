"""What an entry says about a mnemonic, a modifier, a register, a message, a directive or a descriptor field."""

import msgspec


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A mnemonic in our own words as one target has it, with its operation in the notation of `notation.py`."""

    mnemonic: str
    """The name that the entry is about; another one than was asked for where that is an alias on the target."""
    family: str
    """Title of the family that the entry belongs to, e.g. "Scalar ALU, two sources (SOP2)"."""
    summary: str
    """One sentence."""
    operation: str
    """Pseudo-code, one statement a line; empty only when nothing observable happens."""
    reads: tuple[str, ...] = ()
    """State that is read although no operand names it: SCC, VCC, EXEC, M0, MODE.FP_ROUND, ..."""
    writes: tuple[str, ...] = ()
    """State that is written although no operand names it."""
    counters: tuple[str, ...] = ()
    """Wait counters that the instruction raises, by the target's names: vmcnt, lgkmcnt, loadcnt, ..."""
    notes: tuple[str, ...] = ()
    """Sentences on restrictions, special cases and what the target does differently from others."""
    hazards: tuple[str, ...] = ()
    """Sentences on wait states and orders that the program has to keep on this target."""
    sources: tuple[str, ...] = ()
    """Where the facts come from that the tables do not hold."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """One spelling that a modifier accepts, and what it does."""

    spelling: str
    meaning: str


class ModifierEntry(msgspec.Struct, frozen=True, gc=False):
    """A modifier, a word that one takes, or a kind of operand: how it is written and what it means."""

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
    """A directive of the assembler; `name` is the first of those that mean the same."""

    name: str
    syntax: str
    """The arguments as they are written; empty for none."""
    summary: str
    values: str = ""
    """What the arguments may be, and what counts when one is missing, as sentences; empty where nothing is to say."""


class FieldEntry(msgspec.Struct, frozen=True, gc=False):
    """A field of an `.amdhsa_kernel` block, with its prefix."""

    name: str
    summary: str
    targets: str
    """The targets that take it; empty for all."""
    default: str
    """What sets its value when it is missing; empty where that is the number in `isa.descriptor`."""
