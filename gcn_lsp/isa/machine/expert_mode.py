"""The expert scheduling mode of gfx12 and later, in which the program itself waits between vector units.

Facts: LLVM 23's `SIInsertWaitcnts.cpp` and `AMDGPUHWEvents.cpp`. In the mode the hardware does not hold back an
instruction outside of the VALU until VALU results have arrived (VA_VDST), nor a write of a VGPR until older memory
instructions have read it (VM_VSRC); `s_wait_alu` waits for both. Between VALU instructions it does hold them back.
"""

from collections.abc import Mapping

import msgspec

from gcn_lsp.isa.hazards import kinds
from gcn_lsp.isa.hazards.model import Kind, may_fit
from gcn_lsp.isa.schema import Form

TARGETS = "gfx12+"
REGISTER, MODE_BITS, MODE = 26, 0b11, 2
"""The number of the hardware register WAVE_SCHED_MODE, the bits of its mode, and this mode."""
IN_FORCE = 1 << 16
"""Of what is in force at a point of a program, see `vgpr_selectors`: the mode is on, on every way there."""

RESULTS, SOURCES = "depctr_va_vdst", "depctr_vm_vsrc"
"""The counters, named as the fields of `s_wait_alu`: VALU instructions, memory instructions that still read VGPRs."""
WAITS = frozenset(("s_wait_alu", "s_waitcnt_depctr"))
OWN_WAITS: Mapping[str, str] = {"waitvdst": RESULTS, "waitvsrc": SOURCES}
"""The waits that instructions of LDS direct have as modifiers; the second one waits only with 0."""
DONE_WITH = frozenset(("loadcnt", "storecnt", "samplecnt", "bvhcnt", "dscnt"))
"""Counters of memory: an instruction that one of these no longer counts has read its registers."""


class Raised(msgspec.Struct, frozen=True):
    """A class of instructions that a counter counts. order: those of one name finish in order, others in any order.

    holds: whether it matters that its registers are overwritten too early; a prefetch from another address is harmless.
    """

    counter: str
    order: str
    kind: Kind
    holds: bool = True


# The first that fits counts.
_RAISED: tuple[Raised, ...] = (
    Raised(SOURCES, "flat", Kind("prefetch", mnemonics="(global|flat|scratch)_prefetch_.*"), holds=False),
    Raised(SOURCES, "flat", Kind("flat, global or scratch access", families=("FLAT", "GLOBAL", "SCRATCH"))),
    Raised(SOURCES, "lds", Kind("LDS access", families=("DS",))),
    Raised(
        SOURCES, "memory",
        Kind("buffer or image access", families=("MUBUF", "MTBUF", "MIMG", "VIMAGE", "VSAMPLE")),
    ),
    Raised(RESULTS, "matrix", Kind("dot product", has=("VALU", "IsDOT"))),
    Raised(RESULTS, "matrix", kinds.XDL_WMMA),
    Raised(RESULTS, "matrix", kinds.XDL_SWMMAC),
    Raised(RESULTS, "transcendental", Kind("transcendental instruction", has=("VALU", "TRANS"))),
    Raised(RESULTS, "double", Kind("instruction on 64 bits", has=("VALU", "IsDPMACCInstruction"))),
    Raised(RESULTS, "plain", Kind("VALU instruction", has=("VALU",))),
)  # fmt: skip

_TWICE = "FeatureVOP3PX2IncrementsVaVdstTwice"
_SCALED = Kind("scaled WMMA", mnemonics="v_wmma_scale.*")


def raised(form: Form, features: frozenset[str]) -> "tuple[Raised, int] | None":
    """The counter that instructions of a form raise in the mode, and by how much; None for none."""
    found = next((row for row in _RAISED if may_fit(row.kind, form)), None)
    if found is None:
        return None
    return found, 2 if _TWICE in features and may_fit(_SCALED, form) else 1
