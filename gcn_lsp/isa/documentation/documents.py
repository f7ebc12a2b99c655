"""The documents with the facts of an entry that no table has: to read further, and to check the entry.

AMD's document for the target's generation describes each instruction, listed by encoding: `reference("gfx1100",
"SOP2")`. LLVM decides what the assembler accepts and where waits are required.
"""

from gcn_lsp.isa import conditions
from gcn_lsp.isa.documentation.model import Entry

# Conditions of `conditions.py`; the first that covers a target counts.
_DOCUMENTS: tuple[tuple[str, str], ...] = (
    ("gfx6", "Southern Islands Series Instruction Set Architecture"),
    ("gfx7", "Sea Islands Series Instruction Set Architecture"),
    ("gfx8", "Graphics Core Next Architecture, Generation 3"),
    ("gfx906", '"Vega" 7nm Instruction Set Architecture'),
    ("gfx908", 'AMD Instinct MI100 "CDNA" Instruction Set Architecture'),
    ("gfx90a", 'AMD Instinct MI200 "CDNA2" Instruction Set Architecture'),
    ("gfx94", 'AMD Instinct MI300 "CDNA3" Instruction Set Architecture'),
    ("gfx95", 'AMD Instinct "CDNA4" Instruction Set Architecture'),
    ("gfx9", '"Vega" Instruction Set Architecture'),
    ("gfx101", '"RDNA 1.0" Instruction Set Architecture'),
    ("gfx103", '"RDNA 2" Instruction Set Architecture'),
    ("gfx115", '"RDNA3.5" Instruction Set Architecture'),
    ("gfx117", ""),  # RDNA 4m
    ("gfx11", '"RDNA3" Instruction Set Architecture'),
    ("gfx120", '"RDNA4" Instruction Set Architecture'),
    ("gfx125", 'AMD Instinct "CDNA5" Instruction Set Architecture'),
)

# Encodings (`Form.family`), the targets, and the heading under which their documents list the instructions. If no row
# covers a target, its document is named without a heading.
_HEADINGS: tuple[tuple[str, str, str], ...] = (
    ("SOP1 SOP2 SOPC SOPK SOPP SMEM VOP1 VOP2 VOPC VOP3P", "gfx9+", "{} Instructions"),
    ("MAI", "gfx9", "VOP3P Instructions"),
    ("VOPD VINTERP", "gfx11+", "{} Instructions"),
    ("VOP3", "gfx9|gfx10", "VOP3A & VOP3B Instructions"),
    ("VOP3", "gfx11+", "VOP3 & VOP3SD Instructions"),
    ("DS", "gfx900|gfx902|gfx904|gfx906|gfx909|gfx90c|gfx10-11", "LDS & GDS Instructions"),
    ("DS", "gfx12+", "VDS Instructions"),
    ("LDSDIR", "gfx11+", "Parameter and Direct Load from LDS Instructions"),
    ("MUBUF MTBUF MIMG", "gfx9-11", "{} Instructions"),
    ("MUBUF MTBUF", "gfx12+", "VBUFFER Instructions"),
    ("VIMAGE VSAMPLE", "gfx12+", "{} Instructions"),
    ("EXP", "gfx9-11", "EXPORT Instructions"),
    ("EXP", "gfx12+", "VEXPORT Instructions"),
    ("FLAT GLOBAL SCRATCH", "gfx9+", "FLAT, Scratch and Global Instructions"),
)

_LLVM = 'LLVM\'s "User Guide for AMDGPU Backend"'
_UNPUBLISHED = f"{_LLVM} and its tables of instructions; AMD has no public document on {{}}"

# The source for the counters and wait states of an instruction.
_WAITS = "LLVM's wait insertion and hazard recognizer, for counters and wait states"

_KINDS = {
    "modifiers": 'LLVM\'s "Syntax of AMDGPU Instruction Modifiers"',
    "words": 'LLVM\'s "Syntax of AMDGPU Instruction Modifiers"',
    "operands": 'LLVM\'s "Syntax of AMDGPU Instruction Operands"',
}


def document(target: str) -> str:
    """The title of the target's document; empty where AMD has published none."""
    return next((title for condition, title in _DOCUMENTS if conditions.covers(condition, target)), "")


def reference(target: str, encoding: str = "") -> str:
    """The document that describes instructions of that encoding on a target, and the heading there if known."""
    title = document(target)
    if not title:
        return _UNPUBLISHED.format(f"{target[:-1]}x")
    for encodings, condition, heading in _HEADINGS:
        if encoding in encodings.split() and conditions.covers(condition, target):
            return f'{title}, "{heading.format(encoding)}"'
    return title


def of_entry(entry: Entry, target: str, encoding: str) -> tuple[str, ...]:
    """The sources of an entry, besides LLVM's tables: the document, then those that it names itself."""
    waits = (_WAITS,) if entry.counters or entry.hazards else ()
    return (reference(target, encoding), *waits, *(text.rstrip(".") for text in entry.sources))


def of_kind(kind: str, target: str = "") -> str:
    """The document about a kind other than mnemonics (`library.KINDS`); empty if it needs a target."""
    return _KINDS.get(kind) or (reference(target) if target else "")
