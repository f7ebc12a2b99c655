"""Ask what a mnemonic, a modifier, a special register, a hardware register or a message means: `entry(name)` and kin.

The text is in `data/`, one file for each family of instructions, in the form that `source.py` describes; an entry that
many instructions share is written once, as a pattern. `notation.py` says how to read an entry's operation.
"""

from gcn_lsp.isa.documentation.library import entry, hwreg, message, mnemonics, modifier, names, special_register
from gcn_lsp.isa.documentation.model import BitField, Entry, MessageEntry, ModifierEntry, RegisterEntry, Value

__all__ = [
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
    "special_register",
]
