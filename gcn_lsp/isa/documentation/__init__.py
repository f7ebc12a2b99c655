"""Ask what a mnemonic, a modifier, a register, a message, a directive or a metadata key means: `entry(name)` and kin.

The text is in `data/`, one file for each family of instructions, in the form that `source.py` describes; an entry that
many instructions share is written once, as a pattern. `notation.py` says how to read an entry's operation.
"""

from gcn_lsp.isa.documentation.library import (
    KINDS,
    TEXT_KINDS,
    descriptor_field,
    directive,
    entry,
    hwreg,
    message,
    metadata_key,
    mnemonics,
    modifier,
    names,
    operand,
    special_register,
    symbol,
    word,
)
from gcn_lsp.isa.documentation.model import (
    BitField,
    DirectiveEntry,
    Entry,
    FieldEntry,
    MessageEntry,
    ModifierEntry,
    RegisterEntry,
    Value,
)

__all__ = [
    "KINDS",
    "TEXT_KINDS",
    "BitField",
    "DirectiveEntry",
    "Entry",
    "FieldEntry",
    "MessageEntry",
    "ModifierEntry",
    "RegisterEntry",
    "Value",
    "descriptor_field",
    "directive",
    "entry",
    "hwreg",
    "message",
    "metadata_key",
    "mnemonics",
    "modifier",
    "names",
    "operand",
    "special_register",
    "symbol",
    "word",
]
