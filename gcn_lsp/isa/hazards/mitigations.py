"""Hazards that certain instructions resolve, mostly from gfx10: rows F-01 to F-21.

Facts: `hazards-all-targets` of this project's fact sheets, section 3, measured with LLVM 22's hazard recognizer. F-12
and F-22 are in `restrictions`; F-14 concerns graphics shaders only and is left out. F-15 treats no register as read at
the start of a function and after a call, where LLVM treats all as read.
"""

import msgspec

from gcn_lsp.isa import versions
from gcn_lsp.isa.hazards import kinds, parts
from gcn_lsp.isa.hazards.model import FOREVER, LLVM_ALONE, SGPR_WRITERS, VALUS, Kind, RegisterPart, Row, Separation

_PERMLANE = "FeatureVcmpxPermlaneHazard"
_GFX11_WAVE64 = "gfx11 FeatureWavefrontSize64"
_GFX11_OR_12 = "gfx11|gfx120"
_TRANS_USE = "FeatureVALUTransUseHazard"
_SLOW_MATRIX = "gfx125 FeatureGFX125xLowestRateWMMA"
_QUICK_MATRIX = "gfx125 !FeatureGFX125xLowestRateWMMA"
_DEALLOC = "gfx11|gfx120"


def _depctr(field: str) -> Separation:
    return Separation(f"s_waitcnt_depctr depctr_{field}(0)")


def _wait_alu(*fields: str) -> Separation:
    return Separation("s_wait_alu " + " ".join(f"depctr_{field}(0)" for field in fields))


_VSCNT = Separation("s_waitcnt_vscnt null, 0x0")
_V_NOP = Separation("v_nop", repeat=True)

_SOURCE_OVERWRITTEN = "the memory instruction may still read the register when it is overwritten"
_LDS_BRANCH = "after a branch, accesses to LDS and to memory may overtake one another and overwrite their registers"
_FLAT_BRANCH = (
    "LLVM 22 counts flat accesses among those to memory, which after a branch may overtake accesses to LDS; earlier "
    "versions and what they compiled do without"
)
_LDS_DIRECT = "LDS direct instructions write a VGPR without waiting for those that still use it"
_TRANSCENDENTAL = "the result of a transcendental instruction is not forwarded to others"
_PARTIAL = (
    "LLVM assumes that two sources written on both sides of a change of EXEC are not forwarded whole; no document "
    "says so"
)
_WMMA = "the matrix unit does not wait for the factors that it has just computed"
_WMMA_VALU = "the VALU does not wait for the matrix unit, which works in parallel"
_TRANSCENDENTAL_USE = (
    "LLVM assumes that the result of a transcendental instruction is not forwarded; no document says so"
)
_WMMA_FIRST = "on the first stepping the matrix unit takes twice as long for 8-bit floats"
_MASK = (
    "LLVM assumes that the VALU sees the old value of a scalar register that it has read as a mask before; no document "
    "says so"
)
_PAIR = (
    "AMD's RDNA 4 document and LLVM want a wait: a scalar register whose pair the VALU has read before may be read "
    "with its old value"
)
_BASE = "the base of scratch takes effect only some steps after its SGPR was written"


def _lds_branch() -> tuple[Row, ...]:
    """F-05. Flat accesses count from LLVM 22; earlier kernels have them by the thousand without the fix."""

    def made(first: Kind, second: Kind, early: Kind, reason: str, *, sure: bool) -> Row:
        return Row(
            "F-05", "gfx101", first, parts.ALWAYS, second, parts.ALWAYS, 1, reason, unit=FOREVER,
            through=kinds.BRANCH, cancels=early, cancels_after=kinds.MEMORY_OR_VSCNT, fix=_VSCNT, sure=sure,
            required_by=LLVM_ALONE if sure else "",
        )  # fmt: skip

    rows = []
    for memory, reason, sure in ((kinds.VMEM_BY_KIND, _LDS_BRANCH, True), (kinds.PLAIN_FLAT, _FLAT_BRANCH, False)):
        rows += [
            made(kinds.DS_OR_DMA, memory, kinds.VMEM_OR_VSCNT, reason, sure=sure),
            made(memory, kinds.DS_OR_DMA, kinds.DS_OR_DMA_OR_VSCNT, reason, sure=sure),
        ]
    return tuple(rows)


def _lds_direct() -> tuple[Row, ...]:
    """F-06: the wait in the instruction must name no more VALU instructions than there are in between."""
    rows = []
    for targets, fix in (("gfx11", _depctr("va_vdst")), ("gfx12+ !gfx125", _wait_alu("va_vdst"))):
        for count in range(1, 16):
            second = kinds.ldsdir_waiting_for(count)
            rows += [
                Row(
                    "F-06", targets, kinds.VALU, parts.TOUCHES_VECTOR, second, parts.WRITES_VECTOR, count, _LDS_DIRECT,
                    unit=VALUS, cancels=kinds.VALU_DONE, fix=fix,
                ),
                # Transcendental instructions finish out of order, so their number means nothing.
                Row(
                    "F-06", targets, kinds.TRANS, parts.TOUCHES_VECTOR, second, parts.WRITES_VECTOR, 15, _LDS_DIRECT,
                    unit=VALUS, cancels=kinds.VALU_DONE, fix=fix,
                ),
                Row(
                    "F-06", targets, kinds.VALU, parts.TOUCHES_VECTOR, second, parts.WRITES_VECTOR, 15, _LDS_DIRECT,
                    unit=VALUS, through=kinds.TRANS, cancels=kinds.VALU_DONE, cancels_after=kinds.VALU_DONE, fix=fix,
                ),
            ]  # fmt: skip
    return tuple(rows)


def _matrix() -> tuple[Row, ...]:
    """F-17: the number of VALU instructions needed in between, by what the first one computes.

    The short WMMA of 8-bit floats takes half as long on later steppings of gfx1250 as on the first, which LLVM uses
    (ROCm's pull request 3197). Generic code for gfx125x is as slow as gfx1251.
    """
    rows = []
    for targets, first, before_matrix, before_valu, sure in (
        (_QUICK_MATRIX, kinds.WMMA_QUICK, 2, 1, True),
        (_QUICK_MATRIX, kinds.WMMA_QUICK, 5, 4, False),
        (_QUICK_MATRIX, kinds.WMMA_SHORT, 5, 4, True),
        (_QUICK_MATRIX, kinds.WMMA_LONG, 9, 8, True),
        (_QUICK_MATRIX, kinds.SWMMAC_SHORT, 3, 2, True),
        (_QUICK_MATRIX, kinds.SWMMAC_LONG, 5, 4, True),
        (_SLOW_MATRIX, kinds.DENSE_HALF, 9, 8, True),
        (_SLOW_MATRIX, kinds.SWMMAC_SHORT, 9, 8, True),
        (_SLOW_MATRIX, kinds.WMMA_QUARTER, 17, 16, True),
        (_SLOW_MATRIX, kinds.SWMMAC_LONG, 17, 16, True),
    ):
        is_sparse = first in (kinds.SWMMAC_SHORT, kinds.SWMMAC_LONG)
        factors = parts.A_B_AND_INDEX if is_sparse else parts.A_AND_B_WMMA
        for writes, second, meets, need, reason in (
            (parts.D, kinds.XDL_WMMA, parts.A_AND_B_WMMA, before_matrix, _WMMA),
            (parts.D, kinds.XDL_SWMMAC, parts.A_B_AND_INDEX, before_matrix, _WMMA),
            (parts.D, kinds.PLAIN_VALU, parts.USES_VECTOR, before_valu, _WMMA_VALU),
            (parts.D, kinds.PLAIN_VALU, parts.WRITTEN_OPERAND, before_valu, _WMMA_VALU),
            (factors, kinds.PLAIN_VALU, parts.WRITTEN_OPERAND, before_valu, _WMMA_VALU),
        ):
            row = Row(
                "F-17", targets, first, writes, second, meets, need, reason if sure else _WMMA_FIRST, unit=VALUS,
                fix=_V_NOP, sure=sure,
            )  # fmt: skip
            rows.append(row)
            change = msgspec.structs.replace
            if second is kinds.PLAIN_VALU:
                rows.append(change(row, targets=f"{targets} {versions.MATRIX_BESIDE_ALL}", second=kinds.TRANS))
            if meets is parts.WRITTEN_OPERAND:
                pair = change(row, meets=parts.WRITTEN_BY_A_PAIR)
                rows.append(change(pair, targets=f"{targets} {versions.MATRIX_BESIDE_ALL}"))
                rows.append(change(pair, targets=f"{targets} !{versions.MATRIX_BESIDE_ALL}", sure=False))
    return tuple(rows)


def _next_matrix(targets: str, first: Kind, second: Kind, meets: RegisterPart) -> Row:
    """F-11: the next VALU instruction is a WMMA with the result as a factor."""
    return Row("F-11", targets, first, parts.D, second, meets, 1, _WMMA, unit=VALUS, fix=_V_NOP)


def _scalar_late(
    row: str,
    targets: str,
    reads: RegisterPart,
    reader: Kind,
    reason: str,
    fixes: tuple[Separation, Separation, Separation],
    *,
    stays: bool,
) -> tuple[Row, ...]:
    """F-13 and F-15: a scalar register that the VALU has read is written, and then read too early.

    fixes: after a write by the SALU, by the VALU, and of VCC by the VALU. AMD's RDNA 4 document has F-15 (5.7, data
    dependency resolution), none has F-13. Hand-written kernels of rocBLAS and hipBLASLt do without: 79 of 80 for
    gfx1200 have 36,020 such places; of 80 for gfx1100, the four in wave64 have 8.
    """

    def made(writer: Kind, part: RegisterPart, second: Kind, meets: RegisterPart, done: Kind, fix: Separation) -> Row:
        return Row(
            row, targets, reader, reads, second, meets, 1, reason, unit=FOREVER, through=writer, through_part=part,
            cancels_after=done, fix=fix, stays=stays, sure=False,
        )  # fmt: skip

    by_salu, by_valu, of_vcc = fixes
    return (
        made(kinds.SALU, parts.WRITES_SGPR, kinds.VALU_OR_SALU, parts.READS_SGPR, kinds.SA_SDST_DONE, by_salu),
        made(kinds.VALU, parts.WRITES_PLAIN_SGPR, kinds.VALU, parts.READS_PLAIN_SGPR, kinds.VA_SDST_DONE, by_valu),
        made(kinds.VALU, parts.WRITES_VCC, kinds.VALU, parts.READS_VCC, kinds.VA_VCC_DONE, of_vcc),
    )


ROWS: tuple[Row, ...] = (
    # Only explicit operands: EXEC, as `s_and_saveexec` writes it, needs nothing.
    Row(
        "F-01", "gfx101", kinds.MEMORY, parts.READS_SCALAR, kinds.SALU_OR_SMEM, parts.DEFINES_SCALAR, 1,
        _SOURCE_OVERWRITTEN, unit=FOREVER, cancels=kinds.VALU_OR_VSRC, fix=_depctr("vm_vsrc"), required_by=LLVM_ALONE,
    ),
    Row(
        "F-02", "gfx101", kinds.SMEM, parts.READS_SCALAR, kinds.VALU, parts.WRITES_SCALAR, 1, _SOURCE_OVERWRITTEN,
        unit=FOREVER, cancels=kinds.SALU_OR_LGKM, fix=Separation("s_mov_b32 null, 0"),
    ),
    Row(
        "F-03", "gfx101", kinds.NOT_VALU, parts.READS_EXEC, kinds.VALU, parts.WRITES_EXEC, 1,
        "the instruction may still read EXEC when the compare overwrites it", unit=FOREVER,
        cancels=kinds.VALU_SGPR_OR_SDST, fix=_depctr("sa_sdst"),
    ),
    Row(
        "F-04", _PERMLANE, kinds.COMPARE_EXEC, parts.WRITES_EXEC, kinds.PERMLANE, parts.EXEC, 1,
        "the permutation may still see the old EXEC", unit=FOREVER, cancels=kinds.VALU_NOT_NOP,
        fix=Separation("v_mov_b32 {}, {}", "src0"),
    ),
    *_lds_branch(),
    *_lds_direct(),
    Row(
        "F-07", "gfx11", kinds.MEMORY_READ, parts.TOUCHES_VECTOR, kinds.LDSDIR, parts.WRITES_VECTOR, 1, _LDS_DIRECT,
        unit=FOREVER, cancels=kinds.SOURCES_READ, fix=_depctr("vm_vsrc"),
    ),
    Row(
        "F-08", "gfx12+ !gfx125", kinds.MEMORY_READ, parts.TOUCHES_VECTOR, kinds.LDSDIR_NO_WAIT, parts.WRITES_VECTOR,
        1, _LDS_DIRECT, unit=FOREVER, cancels=kinds.SOURCES_READ_OR_LDSDIR, fix=_wait_alu("vm_vsrc"),
    ),
    Row(
        "F-09", _GFX11_WAVE64, kinds.VALU, parts.WRITES_VECTOR, kinds.VALU, parts.USES_VECTOR, 8, _PARTIAL, unit=VALUS,
        through=kinds.SALU_EXEC, cancels=kinds.VALU_DONE, cancels_after=kinds.VALU_DONE, order="partial", also=(4, 2),
        fix=_depctr("va_vdst"), sure=False,
    ),
    # No transcendental instruction in between, or one; after two of them the first is done. No document has this, and
    # hand-written kernels of rocBLAS and hipBLASLt do without: 46 of 80 for gfx1100, at 1,148 places.
    Row(
        "F-10", _TRANS_USE, kinds.TRANS, parts.WRITES_VECTOR, kinds.VALU, parts.READS_VECTOR, 6, _TRANSCENDENTAL_USE,
        unit=VALUS, cancels=kinds.VALU_DONE_OR_TRANS, fix=_depctr("va_vdst"), sure=False,
    ),
    Row(
        "F-10", _TRANS_USE, kinds.TRANS, parts.WRITES_VECTOR, kinds.VALU, parts.READS_VECTOR, 6, _TRANSCENDENTAL_USE,
        unit=VALUS, through=kinds.TRANS, cancels=kinds.VALU_DONE, cancels_after=kinds.VALU_DONE_OR_TRANS,
        fix=_depctr("va_vdst"), sure=False,
    ),
    _next_matrix(_GFX11_OR_12, kinds.WMMA, kinds.DENSE, parts.A_AND_B_WMMA),
    _next_matrix(_GFX11_OR_12, kinds.WMMA, kinds.SWMMAC, parts.A_B_AND_INDEX),
    _next_matrix("gfx125", kinds.ON_VALU, kinds.DENSE, parts.A_AND_B_WMMA),
    _next_matrix("gfx125", kinds.ON_VALU, kinds.SWMMAC, parts.A_B_AND_INDEX),
    _next_matrix("gfx125", kinds.WMMA, kinds.WMMA_WIDE, parts.A_AND_B_WMMA),
    _next_matrix("gfx125", kinds.WMMA, kinds.SWMMAC_FORMER, parts.A_B_AND_INDEX),
    *_scalar_late(
        "F-13", _GFX11_WAVE64, parts.MASK, kinds.CARRY_READER, _MASK,
        (_depctr("sa_sdst"), _depctr("va_sdst"), _depctr("va_vcc")), stays=False,
    ),
    *_scalar_late(
        "F-15", "gfx120", parts.READS_SGPR_PAIRS, kinds.VALU, _PAIR,
        (_wait_alu("sa_sdst"), _wait_alu("va_sdst"), _wait_alu("va_vcc")), stays=True,
    ),
    Row(
        "F-16", "gfx125", kinds.TRANS, parts.WRITES_VECTOR, kinds.NOT_TRANS, parts.USES_VECTOR, 1, _TRANSCENDENTAL,
        unit=VALUS, fix=_V_NOP,
    ),
    *(
        Row(
            "F-16", "gfx125", kinds.TRANS, parts.USES_VECTOR, kinds.NOT_TRANS, meets, 1,
            "the transcendental instruction may still read its source when it is overwritten", unit=VALUS, fix=_V_NOP,
            sure=meets is parts.WRITTEN_OPERAND,
        )
        for meets in (parts.WRITTEN_OPERAND, parts.WRITTEN_BY_A_PAIR)
    ),
    *_matrix(),
    Row(
        "F-18", "gfx125|gfx13+", kinds.NOT_WAIT_ALL_ALU, parts.ALWAYS, kinds.GETREG_STATUS, parts.ALWAYS, 1,
        "the status is read without waiting for instructions that change it", fix=Separation("s_wait_alu 0"),
    ),
    Row(
        "F-19", "gfx125", kinds.NOT_WAIT_VM_VSRC, parts.ALWAYS, kinds.BARRIER_ARRIVE, parts.ALWAYS, 1,
        "the arrival may overtake memory instructions that still read their registers", fix=_wait_alu("vm_vsrc"),
    ),
    Row(
        "F-19", "gfx125", kinds.BARRIER_ARRIVE, parts.ALWAYS, kinds.NOT_WAIT_VM_VSRC, parts.ALWAYS, 1,
        "other instructions may overtake the arrival, which still reads its register", fix=_wait_alu("vm_vsrc"),
    ),
    *(
        Row(
            "F-20", "gfx125", kinds.VALU_OR_SALU, writes, second, meets, 10, _BASE, unit=SGPR_WRITERS,
            cancels=kinds.WAIT_BOTH_SDST, fix=_wait_alu("va_sdst", "sa_sdst"),
        )
        for writes, second, meets in (
            (parts.IF_WRITES_S102, kinds.VALU_OR_SALU, parts.IF_READS_BASE_LO),
            (parts.IF_WRITES_S102, kinds.GETREG_BASE_LO, parts.ALWAYS),
            (parts.IF_WRITES_S103, kinds.VALU_OR_SALU, parts.IF_READS_BASE_HI),
            (parts.IF_WRITES_S103, kinds.GETREG_BASE_HI, parts.ALWAYS),
        )
    ),
    Row(
        "F-21", "gfx125", kinds.NOT_V_NOP, parts.ALWAYS, kinds.SETREG_MODE_BIT, parts.ALWAYS, 2,
        "the mode may change for VALU instructions that were issued before", fix=_V_NOP,
    ),
    Row(
        "D-18", _DEALLOC, kinds.NOT_NOP, parts.ALWAYS, kinds.DEALLOC, parts.ALWAYS, 1,
        "the registers may be released before the instruction before it is done with them",
    ),
)  # fmt: skip
