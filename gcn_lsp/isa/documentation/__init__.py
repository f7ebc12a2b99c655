"""The meaning of mnemonics, modifiers, registers, messages, directives and metadata keys: `entry(name)` and others.

The text is in `data/`, one file for each family of instructions, in the format described in `source.py`; an entry for
many instructions is written once, as a pattern. `notation.py` explains the operation of an entry.
"""

from gcn_lsp.isa.documentation.library import (
    CONCEPTS,
    KINDS,
    TEXT_KINDS,
    concept,
    descriptor_field,
    directive,
    entry,
    has_text,
    hwreg,
    message,
    metadata_key,
    mnemonics,
    modifier,
    names,
    operand,
    special_register,
    summary,
    symbol,
    value_kind,
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
    "CONCEPTS",
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
    "concept",
    "descriptor_field",
    "directive",
    "entry",
    "has_text",
    "hwreg",
    "message",
    "metadata_key",
    "mnemonics",
    "modifier",
    "names",
    "operand",
    "special_register",
    "summary",
    "symbol",
    "value_kind",
    "word",
]
