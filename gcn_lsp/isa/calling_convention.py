"""What functions that LLVM compiles agree on: the registers that a function preserves, and how it returns.

Source: LLVM's "User Guide for AMDGPU Backend", Non-Kernel Functions, and `AMDGPUCallingConv.td` of LLVM 22 and 23. Of
the SGPRs, only those are here that both preserve.
"""

RETURN_ADDRESS = 30
"""The first of the two SGPRs with the address to which a function returns."""

RETURNS = frozenset(("s_setpc_b64", "s_set_pc_i64"))
"""The instructions that jump to it."""

# First and last number of each run.
PRESERVED_SGPRS = ((33, 39), (48, 55), (64, 71), (80, 87), (96, 105))
PRESERVED_VGPRS = tuple((first, first + 7) for first in range(40, 256, 16))
PRESERVED_ACCUMULATORS = ((32, 255),)
WITH_ACCUMULATORS = "FeatureGFX90AInsts"
"""The condition on features for the accumulators above."""

LEFT_IN_FLIGHT = frozenset(("vscnt", "storecnt", "xcnt", "asynccnt", "tensorcnt"))
"""Counters that neither the caller nor the function takes for zero at a call and at the return."""

FOR_MEMORY = frozenset(("vmcnt", "lgkmcnt", "loadcnt", "samplecnt", "bvhcnt", "dscnt", "kmcnt"))
"""Counters that may count loads of the caller into registers: those of them that a target has."""
