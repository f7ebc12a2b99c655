"""The facts about the hardware: targets, registers, operand kinds, instruction forms. Tables are read on first use."""

from gcn_lsp.isa.schema import (
    BitPiece,
    Field,
    Form,
    Image,
    Operand,
    OperandKind,
    Processor,
    Register,
    RegisterClass,
    RegisterRange,
    Slot,
)
from gcn_lsp.isa.tables.spelling import nearest_mnemonics
from gcn_lsp.isa.target import (
    Target,
    former_name,
    kind_of_target,
    load_target,
    resolve_target,
    target_names,
    target_with,
    targets_with,
    unknown_features,
    version_of,
)

__all__ = [
    "BitPiece",
    "Field",
    "Form",
    "Image",
    "Operand",
    "OperandKind",
    "Processor",
    "Register",
    "RegisterClass",
    "RegisterRange",
    "Slot",
    "Target",
    "former_name",
    "kind_of_target",
    "load_target",
    "nearest_mnemonics",
    "resolve_target",
    "target_names",
    "target_with",
    "targets_with",
    "unknown_features",
    "version_of",
]
