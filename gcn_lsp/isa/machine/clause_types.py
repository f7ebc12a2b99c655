"""The instructions allowed in a clause of `s_clause`: the type of each, which all of a clause share.

Facts: `scalar-and-buffer-memory` of this project's fact sheets, section 11, and `hazards-all-targets`, F-19 and D-05.
If it is not certain how the hardware classifies an instruction, such as loads to LDS and accesses to ray tracing data,
the table leaves it open.
"""

import re
from enum import Enum

import msgspec

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Form


class ClauseRole(Enum):
    """An instruction of the clause; one that does not matter to it anywhere; one that cannot be in it."""

    MEMBER, INTERNAL, OUTSIDE = "member", "internal", "outside"


class ClauseType(msgspec.Struct, frozen=True):
    """The role of an instruction in a clause.

    domain: `scalar memory`, `vector memory`, `images`, `ray tests`, `flat`, `LDS`, `VALU`, `export`; empty if it is not
    known. access: `load`, `store`, `atomic`, `sample` if the target separates these; empty if it does not, or if it is
    not known. reason: why the instruction cannot be in a clause; empty for members.
    """

    place: ClauseRole
    domain: str = ""
    access: str = ""
    reason: str = ""
    not_in: str = ""

    def goes_with(self, other: "ClauseType") -> bool:
        """Whether two members may be in one clause."""
        return _agree(self.domain, other.domain) and _agree(self.access, other.access)


def _agree(one: str, other: str) -> bool:
    return not one or not other or one == other


# Mnemonics that may be anywhere in a clause, and the targets. For waits on gfx11, the RDNA3 ISA document says both: its
# chapter on clauses forbids them, its entry of S_CLAUSE allows those that read no SGPR.
_INTERNAL: tuple[tuple[str, str], ...] = (
    ("s_nop|s_wait.*|s_set_vgpr_msb", ""),
    ("s_sleep", "gfx10-11"),
)
# The chapters on clauses in the RDNA3 and RDNA3.5 documents allow s_delay_alu in a clause, but not in one of VALU
# instructions; its entry in all documents calls it illegal in any.
_DELAY, _DELAY_REASON = "s_delay_alu", "a delay must not be in a clause of VALU instructions"
# The RDNA3, RDNA4 and CDNA5 ISA documents: a clause takes its type from the instruction after s_clause.
_FIRST = "gfx11+"
# Mnemonics, targets, and why these memory instructions cannot be in a clause.
_ALONE: tuple[tuple[str, str, str], ...] = (
    ("s_dcache_inv|s_gl1_inv", "", "an invalidation must not be in a clause"),
    ("ds_atomic_async_barrier_arrive_b64", "gfx125", "an arrival at a barrier must not be in a clause"),
)
_NSA_REASON = "an image instruction with several address registers is unpredictable in a clause on this processor"
_VALU = "VALU"
_DOMAINS = {
    **dict.fromkeys(("SMEM", "SMRD"), "scalar memory"),
    **dict.fromkeys(("MUBUF", "MTBUF", "MIMG", "VIMAGE", "VSAMPLE", "GLOBAL", "SCRATCH"), "vector memory"),
    "FLAT": "flat",
    "DS": "LDS",
    "EXP": "export",
    **dict.fromkeys(("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "MAI", "VOPD"), _VALU),
}
_SEPARATES_ACCESSES = ("vector memory", "images", "flat")
# The RDNA3 document, "Instruction Clauses", and LLVM have types of their own for images; the RDNA4 document has not.
_IMAGES_APART = "gfx11"
_WITH_ACCESSES = "gfx11|gfx120"  # LLVM puts loads and stores into one clause on gfx1250
_SCALAR = ("SOP1", "SOP2", "SOPC", "SOPK", "SOPP")


def of_form(form: Form, features: frozenset[str]) -> ClauseType:
    """The role of a form's instructions in a clause."""
    if form.mnemonic == _DELAY:
        return ClauseType(ClauseRole.INTERNAL, reason=_DELAY_REASON, not_in=_VALU)
    if any(re.fullmatch(names, form.mnemonic) and holds(targets, features) for names, targets in _INTERNAL):
        return ClauseType(ClauseRole.INTERNAL)
    if form.family in _SCALAR:
        what = (
            "another `s_clause`" if form.mnemonic == "s_clause" else "a scalar instruction that does not access memory"
        )
        return ClauseType(ClauseRole.OUTSIDE, reason=f"{what} ends it")
    for mnemonics, targets, reason in _ALONE:
        if holds(targets, features) and re.fullmatch(mnemonics, form.mnemonic):
            return ClauseType(ClauseRole.OUTSIDE, reason=reason)
    if _has_many_addresses(form) and "FeatureNSAClauseBug" in features:
        return ClauseType(ClauseRole.OUTSIDE, reason=_NSA_REASON)
    domain = _domain(form, features)
    separates = domain in _SEPARATES_ACCESSES and holds(_WITH_ACCESSES, features)
    return ClauseType(ClauseRole.MEMBER, domain, _access(form) if separates else "")


def _domain(form: Form, features: frozenset[str]) -> str:
    if form.image is not None and holds(_IMAGES_APART, features):
        return "ray tests" if "BVH" in form.image.flags else "images"
    return _DOMAINS.get(form.family, "")


def has_type_of_first(features: frozenset[str]) -> bool:
    """Whether the instruction directly after `s_clause` decides the type, so that it has to be a member."""
    return holds(_FIRST, features)


def _has_many_addresses(form: Form) -> bool:
    return form.family == "MIMG" and form.image is not None and form.image.vaddr_operands > 1


def _access(form: Form) -> str:
    flags = form.image.flags if form.image is not None else frozenset()
    if not flags.isdisjoint(("BVH", "MSAA")) or "VALU" in form.flags:
        return ""
    if not flags.isdisjoint(("Sampler", "Gather4")):
        return "sample"
    if "Atomic" in flags or "_atomic_" in form.mnemonic:
        return "atomic"
    loads, stores = "mayLoad" in form.flags, "mayStore" in form.flags
    return "" if loads == stores else "load" if loads else "store"
