"""Hazards that are in documents and that LLVM does not check, mostly because its compiler never produces them.

Facts: `hazards-all-targets` of this project's fact sheets, section 7, from the MI100 ISA document, table 12, and
`scalar-and-buffer-memory`, section 10, H1, from the documentation of the CLRX assembler. LLVM's wait insertion repairs
VCCZ for X-08 and X-09; X-10 is in section 5.7.2 of the CDNA5 ISA document. X-06, a load into the data of a wide store
directly before it, is left out: no load returns within a single step.
"""

from gcn_lsp.isa.hazards import kinds, parts
from gcn_lsp.isa.hazards.model import FOREVER, Row, Separation

_WITH_128_BIT_DESCRIPTORS = "gfx7-8"
_GFX7_TO_9 = "gfx7-9"  # gfx6 has S-01 and S-02
_MODE = "the mode in which vector instructions are skipped takes a moment to change"
_WITH_VCCZ_BUG = "gfx6-7"
_REPAIR_VCCZ = Separation("s_mov_b64 vcc, vcc")
_ALIAS = "VCC and the SGPR in its place are not recognised as the same register"

ROWS: tuple[Row, ...] = (
    Row("X-01", "gfx9", kinds.SETVSKIP, parts.ALWAYS, kinds.GETREG_MODE, parts.ALWAYS, 2, _MODE),
    Row("X-02", "gfx9", kinds.SETREG_VSKIP, parts.ALWAYS, kinds.VECTOR, parts.ALWAYS, 2, _MODE),
    Row(
        "X-03", "gfx9", kinds.VALU, parts.WRITES_VCC, kinds.VCCZ_READER, parts.READS_VCC, 5,
        "VCCZ is only known some steps after the VALU has written VCC",
    ),
    Row(
        "X-03", "gfx9", kinds.VALU, parts.WRITES_EXEC, kinds.EXECZ_READER, parts.READS_EXEC, 5,
        "EXECZ is only known some steps after the VALU has written EXEC",
    ),
    Row("X-04", "gfx9", kinds.VALU, parts.WRITES_NUMBERED_VCC, kinds.VALU, parts.USES_NAMED_VCC, 1, _ALIAS),
    Row("X-04", "gfx9", kinds.VALU, parts.WRITES_NAMED_VCC, kinds.VALU, parts.USES_NUMBERED_VCC, 1, _ALIAS),
    Row("X-05", "gfx9", kinds.SALU, parts.WRITES_NUMBERED_VCC, kinds.BRANCH_VCCZ, parts.VCC, 1, _ALIAS),
    Row(
        "X-08", "gfx6-9", kinds.VCC_HALF_WRITER, parts.ALWAYS, kinds.BRANCH_VCCZ, parts.ALWAYS, 1,
        "a write of vcc_lo or vcc_hi alone does not update VCCZ, which the branch tests", unit=FOREVER,
        cancels=kinds.VCC_WRITER, fix=_REPAIR_VCCZ,
    ),
    Row(
        "X-09", _WITH_VCCZ_BUG, kinds.SMEM, parts.ALWAYS, kinds.BRANCH_VCCZ, parts.ALWAYS, 1,
        "VCC was written while a scalar load was under way, whose return can spoil VCCZ", unit=FOREVER,
        through=kinds.VCC_WRITER, cancels=kinds.WAIT_LGKM_EARLY, cancels_after=kinds.VCC_WRITER, fix=_REPAIR_VCCZ,
        sure=False,
    ),
    Row(
        "X-10", "gfx125|gfx13+", kinds.SETREG_MODE, parts.ALWAYS, kinds.SET_VGPR_MSB, parts.ALWAYS, 1,
        "both may be carried out at once, and then the upper bits of VGPR numbers are wrong",
    ),
    Row(
        "X-07", _WITH_128_BIT_DESCRIPTORS, kinds.IMAGE_STORE_R128, parts.STORE_DATA, kinds.VALU, parts.WRITES_VECTOR, 1,
        "the store reads its last data registers one step after it was issued",
    ),
    Row(
        "S23", _GFX7_TO_9, kinds.VALU_OR_SALU, parts.WRITES_SGPR, kinds.S_BUFFER_ACCESS, parts.RECORD_COUNT, 1,
        "the CLRX assembler's documentation requires an instruction between the size of a buffer and its use, LLVM "
        "none", sure=False,
    ),
)  # fmt: skip
