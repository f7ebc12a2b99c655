"""The columns of the generated tables: the contents of each, and the meaning of an empty cell.

The generator writes these names as the first row of a table and `reader` compares them. Numbers are decimal unless they
start with `0x`. Bits count from 0, the lowest bit of the instruction's first byte. Empty cells at a row's end are left
out.
"""

from collections.abc import Mapping

Columns = Mapping[str, str]  # name to meaning, in the order of the file

FORMS: Columns = {
    "mnemonic": "as it is written, without encoding suffix (`_e32`, `_e64`, `_dpp`, `_sdwa`, `_e64_dpp`)",
    "order": "place among the forms of the mnemonic that a target may have together, from 0, in the order in which the "
    "assembler tries them; "
    "with `*` the row is a further way to write its record",
    "record": "LLVM's record of the instruction",
    "shape": "row of `shapes.tsv`",
    "traits": "row of `traits.tsv`",
    "opcode": "value of the layout's OP, or those of OPX and OPY; empty when the layout has none",
    "pseudo": "LLVM's pseudo instruction that the record encodes; `=` for the record's name up to `_gfx` or else "
    "its last `_`, in lower case; `==` for that as it is written; empty when it encodes none",
    "image": "base opcode of an image instruction; empty for the record's name before `_V` and a digit",
}
TABLES: Mapping[str, Columns] = {
    "processors.tsv": {
        "processor": "name for -mcpu",
        "aliases": "its other names",
        "features": "features that it lists, without those which they imply",
    },
    "features.tsv": {
        "feature": "LLVM's record of the feature",
        "name": "for -mattr; empty when there is none",
        "implies": "features it implies directly",
    },
    "register_modes.tsv": {
        "mode": "LLVM's record of a hardware mode, which chooses classes in `register_classes_by_mode.jsonl`",
        "condition": "features which it needs: all of these, `!` for one not to have, `|` between alternatives; "
        "empty for the default mode",
    },
    "layouts.tsv": {
        "layout": "the form that it is called after",
        "bits": "every bit once, from the highest down: `31..26=0x3d` is constant, `12..6=sdst` holds an operand, "
        "`5..0=sbase[6..1]` the bits 6 to 1 of one, `25..18=OP` the opcode; `?` is not specified and written as 0, "
        "`?0x80` as what follows",
    },
    "shapes.tsv": {
        "shape": "the form that it is called after",
        "family": "the encoding: `Form.family`",
        "variant": "LLVM's AsmVariantName: Default, VOP3, SDWA, SDWA9, DPP, VOP3_DPP",
        "syntax": "what follows the mnemonic, LLVM's AsmString: `$` before names of operands",
        "operands": "`name:kind` in LLVM's order, `=` before outputs; kinds are in `operand_kinds.jsonl`",
        "layout": "row of `layouts.tsv`",
        "constraints": "LLVM's Constraints: operands in one register (`$vdst = $src2`), `@earlyclobber`; empty: none",
        "converter": "LLVM's AsmMatchConverter; empty: none",
        "presets": "operands which the syntax leaves out, with their value; empty: none",
        "image": "of image instructions LLVM's encoding, registers of vdata, registers of vaddr, and how many operands "
        "the address is written in (0: one for all); empty for others",
    },
    "traits.tsv": {
        "traits": "the form that they are called after",
        "flags": "LLVM's TSFlags and flags of the record that are set",
        "uses": "registers read without being named; empty: none",
        "defs": "registers written without being named; empty: none",
        "schedule": "LLVM's SchedRW; empty: none",
    },
    "images.tsv": {
        "image": "base opcode of image instructions",
        "flags": "LLVM's flags of it that are set",
        "extra": "address components before the coordinates (NumExtraArgs)",
    },
    "aliases.tsv": {
        "alias": "mnemonic which the assembler replaces",
        "mnemonic": "what it means",
        "variant": "the only variant that has it; empty: all",
        "condition": "features which it needs, as in `register_modes.tsv`; empty: none. The first that holds counts",
    },
    "mnemonics.tsv": {
        "mnemonic": "mnemonic or alias",
        "targets": "the targets that have it: a generation means all of its targets, `-` removes one",
    },
    "meanings.tsv": {
        "instruction": "an instruction with several mnemonics, or one with a mnemonic of several meanings; "
        "called after the first of its records",
        "mnemonic": "what it is called",
        "targets": "the targets on which the mnemonic means it, as in `mnemonics.tsv`",
    },
    "builtins.tsv": {
        "builtin": "name in clang without `__builtin_amdgcn_`",
        "instructions": "what it becomes; `several` for a loop or many; empty: none of its own",
        "targets": "the targets on which clang makes this of it, as in `mnemonics.tsv`",
        "prototype": "its type in `BuiltinsAMDGPU.td`",
        "operands": "of the only instruction, nothing else being needed: `=` the result, `=2` that in the register of "
        "argument 2, `%0` an argument, `#` the only argument, a constant, others as written, "
        "`-` alone if it has none; empty for others",
        "constants": "values of the arguments that have to be constants, with which the operands are so",
    },
}


def of(file: str) -> Columns:
    """The columns of a file under `data/`; none if it is not a `.tsv`."""
    return FORMS if file.startswith("forms/") else TABLES.get(file, {})


def head(file: str) -> str:
    """The row of names at the top of a file."""
    return "\t".join(of(file))
