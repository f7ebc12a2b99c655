"""Hazards that wait states resolve, except those of matrix instructions: rows S-01 to S-30.

Facts: `hazards-all-targets` of this project's fact sheets, section 2, measured with LLVM 22's hazard recognizer; those
of gfx908 are also in the MI100 ISA document, table 12, as H-12-01 to H-12-16; those of gfx942 and gfx950 in the MI300
and MI350 ISA documents, section 4.5, table 11. A row on which LLVM and these differ says so.
"""

from gcn_lsp.isa.hazards import kinds, parts
from gcn_lsp.isa.hazards.model import LLVM_ALONE, Row

GFX6 = "gfx6"
GFX6_TO_7 = "gfx6-7"
GFX7_TO_9_BEFORE_GFX940 = "gfx7-9 !gfx94 !gfx95"
GFX9_BEFORE_GFX90A = "gfx9 !gfx90a !gfx94 !gfx95"
GFX950 = "gfx95"
GFX10_1_AND_3 = "gfx10"

_M0_LATE = "the instruction would still see the old value of M0"
_MODE_LATE = "a hardware register takes a moment to change"
_DATA_LATE = "the store reads its last data registers one step after it was issued"
_SGPR_LATE = "an SGPR that the VALU writes is not forwarded to the next VALU instructions"
_MASK = (
    "LLVM has two wait states before a mask or carry that the VALU wrote; AMD's document asks for none, and production "
    "kernels do without"
)
_BOTH = "required by AMD's ISA document and by LLVM"
_PARTIAL = "the result of a write of a part of a register is not forwarded"

ROWS: tuple[Row, ...] = (
    Row(
        "S-01", GFX6, kinds.VALU, parts.WRITES_SCALAR, kinds.SMEM, parts.READS_SCALAR, 4,
        "an SGPR that the VALU writes reaches scalar memory instructions only after a while",
    ),
    Row(
        "S-02", GFX6, kinds.SALU, parts.WRITES_SCALAR, kinds.S_BUFFER_LOAD, parts.READS_SCALAR, 4,
        "an SGPR that the SALU writes reaches buffer loads only after a while",
    ),
    Row(
        # LLVM counts EXEC too, which no document requires and production kernels do without: `v_cmpx`, then a load.
        "S-05", "gfx8-9", kinds.VALU, parts.WRITES_SCALAR, kinds.VMEM, parts.READS_SCALAR_OPERANDS, 5,
        "vector memory instructions do not wait for SGPRs that the VALU writes", required_by=_BOTH,
    ),
    Row(
        # LLVM counts the destination too, since masked lanes keep their value; production kernels do without.
        # The documents require the rest. In 172 kernels of AITER 522 of 3,875 sources come too early all the same.
        "S-06", "gfx8-9", kinds.VALU, parts.WRITES_VECTOR, kinds.DPP, parts.DPP_SOURCE, 2,
        "DPP reads other lanes' registers, to which no result is forwarded", required_by=_BOTH,
    ),
    Row(
        # The wait for the load takes longer than that. AMD's example of a reduction has it after one `s_waitcnt`.
        "S-06", "gfx8-9", kinds.MEMORY, parts.WRITES_VECTOR, kinds.DPP, parts.DPP_SOURCE, 2,
        "LLVM also makes DPP wait after the instruction that loads its source; AMD's document names the VALU alone",
        sure=False,
    ),
    Row(
        # In these kernels 969 of 11,272 sources of this kind were written one or no instruction before.
        "S-06", "gfx8-9", kinds.ANYTHING, parts.WRITES_VECTOR, kinds.DPP, parts.OTHER_SOURCES, 2,
        "LLVM also makes the source wait that DPP does not read from other lanes; production kernels do without",
        sure=False,
    ),
    Row(
        "S-07", "gfx8-9", kinds.VALU, parts.WRITES_EXEC, kinds.DPP, parts.EXEC, 5,
        "DPP reads EXEC early, to know which lanes it may read", required_by=_BOTH,
    ),
    Row(
        "S-08", "gfx6-9", kinds.VALU, parts.WRITES_VCC, kinds.DIV_FMAS, parts.READS_VCC, 4,
        "`v_div_fmas` reads VCC without the forwarding that other instructions have",
    ),
    Row(
        "S-09", "gfx6-9", kinds.SETREG, parts.HWREG, kinds.GETREG, parts.HWREG, 2, _MODE_LATE,
    ),
    Row("S-10", GFX6_TO_7, kinds.SETREG, parts.HWREG, kinds.SETREG, parts.HWREG, 1, _MODE_LATE),
    Row("S-11", "gfx8-9", kinds.SETREG, parts.HWREG, kinds.SETREG, parts.HWREG, 2, _MODE_LATE),
    Row("S-12", "gfx8-9", kinds.SETREG_TRAPSTS, parts.ALWAYS, kinds.RFE, parts.ALWAYS, 1, _MODE_LATE),
    Row(
        "S-13", "gfx6-9", kinds.VALU, parts.WRITES_SCALAR, kinds.LANE_SELECT, parts.LANE, 4,
        "the lane number is read from its SGPR before the VALU has written it",
    ),
    Row("S-14", "gfx9", kinds.SALU, parts.WRITES_M0, kinds.M0_READERS, parts.M0, 1, _M0_LATE),
    Row("S-15", "gfx8-9", kinds.SALU, parts.WRITES_M0, kinds.GDS, parts.M0, 1, _M0_LATE),
    Row("S-15", "gfx8-9", kinds.SALU, parts.WRITES_M0, kinds.MESSAGE, parts.M0, 1, _M0_LATE),
    Row("S-16", "gfx9", kinds.SALU, parts.WRITES_M0, kinds.OTHER_LDS_DMA, parts.M0, 1, _M0_LATE),
    Row(
        # The documents name stores from LDS to a buffer, and scratch and global accesses. In these kernels 4,639 such
        # loads have nothing between, in 135 of them.
        "S-16", "gfx9", kinds.SALU, parts.WRITES_M0, kinds.BUFFER_LDS_DMA, parts.M0, 1,
        "LLVM also makes loads from a buffer to LDS wait for M0; no document requires it, kernels do without",
        sure=False,
    ),
    Row(
        "S-17", GFX9_BEFORE_GFX90A, kinds.SALU, parts.WRITES_M0, kinds.LDS_DIRECT_READER, parts.M0, 1, _M0_LATE,
    ),
    Row(
        "S-18", GFX7_TO_9_BEFORE_GFX940, kinds.WIDE_STORE, parts.STORE_DATA, kinds.VALU, parts.WRITES_VECTOR, 1,
        _DATA_LATE,
    ),
    Row("S-19", "gfx94|gfx95", kinds.WIDE_STORE, parts.STORE_DATA, kinds.VALU, parts.WRITES_VECTOR, 2, _DATA_LATE),
    Row(
        # The documents say that such a store needs none; LLVM has had the row since 2026-05 (pull request 197267 of
        # llvm-project), because of a wrong result on gfx950 that one wait state fixes.
        "S-31", "gfx94|gfx95", kinds.BUFFER_STORE_AT_SGPR, parts.STORE_DATA, kinds.VALU, parts.WRITES_VECTOR, 1,
        _DATA_LATE, required_by=LLVM_ALONE,
    ),
    Row(
        "S-20", "gfx94|gfx95", kinds.TRANS, parts.WRITES_VECTOR, kinds.NOT_TRANS, parts.USES_VECTOR, 1,
        "the result of a transcendental instruction is not forwarded to others", required_by=_BOTH,
    ),
    Row(
        "S-21", "gfx94|gfx95", kinds.PARTIAL_WRITE, parts.WRITES_VECTOR, kinds.VALU, parts.TOUCHES_VECTOR, 1, _PARTIAL,
        required_by=_BOTH,
    ),
    Row(
        # The documents require it. One family of AITER's kernels violates it, between `v_readlane_b32` and a move.
        "S-22a", "gfx94|gfx95", kinds.VALU, parts.WRITES_SGPR, kinds.OTHER_VALU, parts.USES_SGPR, 2, _SGPR_LATE,
        until_written=True, required_by=_BOTH,
    ),
    Row(
        # The documents say that a carry-in needs none; in these kernels 15,228 masks come too early for LLVM.
        "S-22a", "gfx94|gfx95", kinds.VALU, parts.WRITES_SGPR, kinds.MASK_READER, parts.MASK_SGPR, 2, _MASK,
        until_written=True, sure=False,
    ),
    Row(
        "S-22b", "gfx94|gfx95", kinds.VALU, parts.WRITES_VCC, kinds.VALU, parts.READS_VCC, 2, _MASK, until_written=True,
        sure=False,
    ),
    Row(
        "S-22e", "gfx94|gfx95", kinds.VALU, parts.WRITES_EXEC, kinds.VALU, parts.USES_EXEC, 2, _SGPR_LATE,
        until_written=True,
    ),
    Row(
        "S-22c", "gfx94|gfx95", kinds.VALU, parts.WRITES_VECTOR, kinds.READLANE, parts.LANE_SOURCE, 1,
        "the VGPR is not forwarded to an instruction that reads a single lane of it", required_by=_BOTH,
    ),
    Row(
        # Divisions in hipBLASLt's kernels: `v_cmpx`, `v_add`, `s_mov_b64 exec, -1`, `v_readfirstlane`.
        "S-22d", "gfx94|gfx95", kinds.VALU, parts.WRITES_EXEC, kinds.LANE_ACCESS, parts.EXEC, 4,
        "instructions that access a single lane read EXEC early", until_written=True,
    ),
    Row(
        "S-23", "gfx101", kinds.IMAGE_NSA, parts.ALWAYS, kinds.OFFSET_BUFFER, parts.ALWAYS, 1,
        "a buffer instruction whose offset has bit 1 or 2 set is misread directly after such an image instruction",
    ),
    Row(
        "S-24", GFX10_1_AND_3, kinds.FLOAT_ATOMIC, parts.ALWAYS, kinds.DENORM_MODE, parts.ALWAYS, 3,
        "the atomic takes the mode for denormals a few steps after it was issued", cancels=kinds.VALU_OR_WAIT,
    ),
    Row(
        "S-25", "gfx90a", kinds.VALU, parts.WRITES_VECTOR, kinds.MEMORY, parts.READS_VECTOR, 2,
        "an f64 MFMA between the two delays the register that the memory instruction reads", through=kinds.DGEMM,
    ),
    Row(
        "S-26", GFX950, kinds.COMPARE_EXEC, parts.WRITES_EXEC, kinds.PERMLANE_SWAP, parts.EXEC, 4,
        "a lane swap reads EXEC early",
    ),
    Row(
        "S-27", GFX950, kinds.VALU, parts.WRITES_VECTOR, kinds.PERMLANE_SWAP, parts.TOUCHES_VECTOR, 2,
        "a lane swap reads other lanes' registers, to which no result is forwarded",
    ),
    Row(
        "S-28", "gfx94|gfx95", kinds.STOCHASTIC_FP8_BYTE, parts.WRITES_VECTOR, kinds.VALU, parts.TOUCHES_VECTOR, 1,
        _PARTIAL,
    ),
    Row("S-29", GFX950, kinds.STOCHASTIC_FP4, parts.WRITES_VECTOR, kinds.VALU, parts.TOUCHES_VECTOR, 1, _PARTIAL),
    Row("S-30", GFX950, kinds.SCALED_CONVERSION, parts.WRITES_VECTOR, kinds.VALU, parts.TOUCHES_VECTOR, 1, _PARTIAL),
)  # fmt: skip
