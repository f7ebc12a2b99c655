"""What functions that LLVM compiles agree on: the registers that a function preserves, and how it returns.

Source: LLVM's "User Guide for AMDGPU Backend", Non-Kernel Functions, and `AMDGPUCallingConv.td` of LLVM 22 and 23. Of
the SGPRs, only those are here that both preserve.
"""

from gcn_lsp.records import NamedTuple


class EntryRegister(NamedTuple):
    """A register at the entry of a function, and what it holds. bits: its place if it is only a part."""

    file: str
    first: int
    dwords: int
    meaning: str
    condition: str = ""
    bits: str = ""


DISPATCH_PACKET, HIDDEN_ARGUMENTS = "dispatch packet pointer", "pointer to the hidden arguments"

AT_ENTRY = (
    EntryRegister("s", 0, 4, "descriptor of scratch", "!FeatureEnableFlatScratch !FeatureArchitectedFlatScratch"),
    EntryRegister("s", 4, 2, DISPATCH_PACKET),
    EntryRegister("s", 6, 2, "queue pointer"),
    EntryRegister("s", 8, 2, HIDDEN_ARGUMENTS),
    EntryRegister("s", 10, 2, "dispatch id"),
    EntryRegister("s", 12, 1, "work-group id x", "gfx6-11"),
    EntryRegister("s", 13, 1, "work-group id y", "gfx6-11"),
    EntryRegister("s", 14, 1, "work-group id z", "gfx6-11"),
    EntryRegister("ttmp", 9, 1, "work-group id x", "gfx12+"),
    EntryRegister("ttmp", 7, 1, "work-group id y", "gfx12+", "15:0"),
    EntryRegister("ttmp", 7, 1, "work-group id z", "gfx12+", "31:16"),
    EntryRegister("s", 30, 2, "return address"),
    EntryRegister("s", 32, 1, "stack pointer"),
    EntryRegister("s", 33, 1, "frame pointer of the caller"),
    EntryRegister("v", 31, 1, "work-item id x", bits="9:0"),
    EntryRegister("v", 31, 1, "work-item id y", bits="19:10"),
    EntryRegister("v", 31, 1, "work-item id z", bits="29:20"),
)
"""What a function finds in registers beside its arguments, as far as it or a function that it calls needs it.

Source: `AMDGPUFunctionArgInfo::fixedABILayout` of LLVM 22.
"""

RETURN_ADDRESS = 30
"""The first of the two SGPRs with the address to which a function returns."""

# First and last number of each run.
PRESERVED_SGPRS = ((33, 39), (48, 55), (64, 71), (80, 87), (96, 105))
PRESERVED_SGPRS_OF_SHADERS = ((4, 31), (64, 105))
"""Of the functions that shaders call, `CSR_AMDGPU_SI_Gfx_SGPRs`; their VGPRs are the same."""

PRESERVED_VGPRS = tuple((first, first + 7) for first in range(40, 256, 16))
PRESERVED_ACCUMULATORS = ((32, 255),)
WITH_ACCUMULATORS = "gfx90a|gfx94|gfx95"
"""The condition on features for the accumulators above."""

LEFT_IN_FLIGHT = frozenset(("vscnt", "storecnt", "xcnt", "asynccnt", "tensorcnt"))
"""Counters that neither the caller nor the function takes for zero at a call and at the return."""

FOR_MEMORY = frozenset(("vmcnt", "lgkmcnt", "loadcnt", "samplecnt", "bvhcnt", "dscnt", "kmcnt"))
"""Counters that may count loads of the caller into registers: those of them that a target has."""
