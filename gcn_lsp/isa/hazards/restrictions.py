"""Instructions that certain processors do not execute as documented, on their own: rows D-04 to D-20, F-12, F-22.

Facts: `hazards-all-targets` of this project's fact sheets, sections 3 and 6. Those that the assembler rejects (D-01,
D-16, D-24) are in `instruction.constraints`.
"""

import msgspec

from gcn_lsp.isa.hazards import kinds
from gcn_lsp.isa.hazards.model import Kind, Test
from gcn_lsp.isa.machine import vgpr_selectors


class Restriction(msgspec.Struct, frozen=True):
    """A class of instructions that do not do what they should. reason: why, a sentence; id, targets: as in `Row`.

    last_of: with a number, only if the register in slot `slot` is the last one of a group of so many VGPRs and the next
    one is used nowhere. selects: only if it changes the selectors of VGPRs, and the next instruction does not set them.
    """

    id: str
    targets: str
    kind: Kind
    reason: str
    slot: str = ""
    last_of: int = 0
    selects: bool = False


_SCALAR_64 = "s_.*_[bui]64|s_bitcmp[01]_b64"

RESTRICTIONS: tuple[Restriction, ...] = (
    Restriction(
        "D-04", "FeatureInstFwdPrefetchBug", Kind("instruction prefetch", mnemonics="s_inst_prefetch"),
        "`s_inst_prefetch` can hang the shader on this processor",
    ),
    Restriction(
        "D-06", "FeatureFlatSegmentOffsetBug",
        Kind("flat access with an offset", ("FLAT",), tests=(Test("offset", kinds=("modifier",), nonzero=True),)),
        "this processor ignores the offset of a flat access that goes to global memory",
    ),
    Restriction(
        "D-07", "FeatureNegativeScratchOffsetBug gfx9+",
        Kind("scratch access from an SGPR", ("SCRATCH",), slots=("saddr",), tests=(Test("offset", below=0),)),
        "on this processor a negative offset from an SGPR can fault",
    ),
    Restriction(
        "D-08", "FeatureNegativeUnalignedScratchOffsetBug",
        Kind(
            "scratch access from a VGPR", ("SCRATCH",), slots=("vaddr",),
            tests=(Test("offset", below=0), Test("offset", 3, (1, 2, 3))),
        ),
        "on this processor a negative offset from a VGPR that is not a multiple of 4 accesses other memory",
    ),
    Restriction(
        "D-19", "FeatureCvtFP8VOP1Bug",
        Kind("conversion", ("VOP1",), mnemonics="v_cvt_f32_(fp8|bf8)", variants=("Default",)),
        "this form is unreliable on this processor; its `_sdwa` form is not",
    ),
    Restriction(
        "D-20", "gfx125",
        Kind(
            "64-bit SALU instruction", kinds.SALU.families, mnemonics=_SCALAR_64,
            tests=(Test(files=("src_flat_scratch_base_hi",)),),
        ),
        "`src_flat_scratch_base_hi` cannot be a source of a 64-bit scalar instruction",
    ),
    Restriction(
        "F-12", "gfx90a",
        Kind("64-bit shift", mnemonics="v_(lshlrev_b64|lshrrev_b64|ashrrev_i64)"),
        "the amount of a 64-bit shift must not be in the last VGPR that is allocated, which groups of 8 end with",
        "src0", 8,
    ),
    Restriction(
        "F-22", vgpr_selectors.WRITTEN_WITH_MODE,
        Kind(
            "write of MODE", mnemonics=vgpr_selectors.MODE_SETTER,
            tests=(Test("simm16", 0x3F, (vgpr_selectors.MODE_REGISTER,)),),
        ),
        "whatever field of MODE is named, this processor takes bits 19:12 of the number for the selectors of VGPRs, "
        "and they are not those in force here",
        selects=True,
    ),
)  # fmt: skip
