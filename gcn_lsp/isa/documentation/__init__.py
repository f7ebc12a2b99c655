"""Ask what a mnemonic, a modifier, a word, an operand, a register or a message means: `entry(name)` and kin.

The text is in `data/`, one file for each family of instructions, in the form that `source.py` describes; an entry that
many instructions share is written once, as a pattern. `notation.py` says how to read an entry's operation.
"""

from gcn_lsp.isa.documentation.library import (
    KINDS,
    entry,
    hwreg,
    message,
    mnemonics,
    modifier,
    names,
    operand,
    special_register,
    word,
)
from gcn_lsp.isa.documentation.model import BitField, Entry, MessageEntry, ModifierEntry, RegisterEntry, Value

__all__ = [
    "KINDS",
    "BitField",
    "Entry",
    "MessageEntry",
    "ModifierEntry",
    "RegisterEntry",
    "Value",
    "entry",
    "hwreg",
    "message",
    "mnemonics",
    "modifier",
    "names",
    "operand",
    "special_register",
    "word",
]
