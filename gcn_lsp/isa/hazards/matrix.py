"""Hazards of matrix instructions: rows M908, M90A, M940 and M950, mostly counted in passes of the first instruction.

Facts: `hazards-all-targets` of this project's fact sheets, sections 4.2 to 4.5, measured with LLVM 22's hazard
recognizer; those of gfx908 are also in the MI100 ISA document, table 29, as H-29-01 to H-29-15.
"""

import msgspec

from gcn_lsp.isa.hazards import kinds, parts
from gcn_lsp.isa.hazards.model import DIFFERENT, SAME, Row

GFX908 = "gfx908"
GFX90A = "gfx90a"
GFX942 = "gfx94"
GFX950 = "gfx95"

_PASSES = (2, 4, 8, 16)
_EXEC = "the matrix unit reads EXEC early"
_SOURCE = "a VGPR that the VALU writes is not forwarded to the matrix unit"
_SAME = "even accumulation into the same registers takes so few passes that the next one comes too early"
_PARTLY = "the sum is only forwarded to an instruction that adds to exactly the same registers"
_FACTOR = "the result is not forwarded to the factors of another matrix instruction"
_RESULT = "the matrix unit writes its result long after it was issued"
_ADDEND = "the matrix unit reads what it adds to long after it was issued"
_ACCUMULATOR = "an accumulation register that was just written is not forwarded"
_FMA = "the f64 multiply-add uses the same unit as the f64 MFMA"
_DOT = "the result of a dot product is only forwarded to the addend of the same instruction"


def _plus(extra: int, *passes: int) -> tuple[tuple[int, int], ...]:
    """Wait states: the passes plus `extra`."""
    return tuple((count, count + extra) for count in passes)


def _of_gfx90a_and_on() -> tuple[Row, ...]:
    """The rows for gfx90a and all later targets, under their names in either's table."""
    rows = []
    for targets, exec_id, source_id, fma_id, dots in (
        (GFX90A, "M90A-01", "M90A-02", "M90A-16", ("M90A-18", "M90A-20", "M90A-21")),
        ("gfx94|gfx95", "M940-01", "M940-02", "M940-19", ("M940-20", "M940-20", "M940-20")),
    ):
        rows += [
            Row(exec_id, targets, kinds.VALU_NOT_MFMA, parts.WRITES_EXEC, kinds.MFMA, parts.EXEC, 4, _EXEC),
            Row(
                source_id, targets, kinds.VALU_NOT_MFMA_OR_DOT, parts.WRITES_VECTOR, kinds.MFMA, parts.READS_VECTOR, 2,
                _SOURCE,
            ),
            Row(fma_id, targets, kinds.DGEMM, parts.ALWAYS, kinds.FMA_F64, parts.ALWAYS, 2, _FMA),
            Row(
                dots[0], targets, kinds.DOT, parts.WRITES_VECTOR, kinds.DOT, parts.A_AND_B, 3, _DOT, opcode="same",
            ),
            Row(
                dots[1], targets, kinds.DOT, parts.WRITES_VECTOR, kinds.VALU_OR_MEMORY, parts.READS_VECTOR, 3, _DOT,
                opcode="other",
            ),
            Row(
                dots[2], targets, kinds.DOT, parts.WRITES_VECTOR, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, 3, _DOT,
                opcode="other",
            ),
        ]  # fmt: skip
    return tuple(rows)


_GFX908: tuple[Row, ...] = (
    Row("M908-01", GFX908, kinds.VALU, parts.WRITES_EXEC, kinds.MFMA_OR_ACC_WRITE, parts.EXEC, 4, _EXEC),
    Row(
        "M908-02", GFX908, kinds.VALU, parts.WRITES_VGPR, kinds.MFMA_OR_ACC_WRITE, parts.READS_VGPR, 2, _SOURCE,
    ),
    Row("M908-04", GFX908, kinds.MFMA, parts.D, kinds.MFMA, parts.C, 2, _PARTLY, DIFFERENT),
    Row("M908-05", GFX908, kinds.MFMA, parts.D, kinds.MFMA, parts.A_AND_B, 4, _FACTOR),
    Row("M908-06", GFX908, kinds.MFMA, parts.D, kinds.ACC_READ, parts.READS_VECTOR, _plus(2, 2, 8, 16), _RESULT),
    Row("M908-07", GFX908, kinds.MFMA, parts.D, kinds.ACC_WRITE, parts.WRITES_VECTOR, _plus(-1, 2, 8, 16), _RESULT),
    Row("M908-08", GFX908, kinds.MFMA, parts.C, kinds.ACC_WRITE, parts.WRITES_VECTOR, _plus(-3, 8, 16), _ADDEND),
    Row("M908-09", GFX908, kinds.ACC_WRITE, parts.D, kinds.MFMA, parts.C, 1, _ACCUMULATOR),
    Row("M908-10", GFX908, kinds.ACC_WRITE, parts.D, kinds.MFMA, parts.A_AND_B, 3, _ACCUMULATOR),
    Row("M908-11", GFX908, kinds.ACC_WRITE, parts.D, kinds.ACC_READ, parts.READS_VECTOR, 3, _ACCUMULATOR),
    Row(
        "M908-12", GFX908, kinds.ACC_WRITE, parts.D, kinds.ACC_WRITE, parts.WRITES_VECTOR, 3,
        "LLVM separates two writes of one accumulation register; no document requires it", sure=False,
    ),
    Row(
        "M908-13", GFX908, kinds.ACC_READ, parts.WRITES_VECTOR, kinds.MEMORY, parts.READS_VECTOR, 2,
        "LLVM makes memory instructions wait for what `v_accvgpr_read` writes; no document requires it", sure=False,
    ),
    Row(
        "M908-14", GFX908, kinds.VALU_NOT_MAI, parts.WRITES_VECTOR, kinds.MEMORY, parts.READS_VECTOR, 2,
        "LLVM makes memory instructions wait if a `v_accvgpr` instruction is in between; no document requires it",
        sure=False,
        through=kinds.ACC_MOVE,
    ),
)  # fmt: skip

_GFX90A: tuple[Row, ...] = (
    Row("M90A-05", GFX90A, kinds.DGEMM_SMALL, parts.D, kinds.DGEMM_SMALL, parts.C, 4, _SAME, SAME),
    Row("M90A-07", GFX90A, kinds.SMFMA, parts.D, kinds.SMFMA, parts.C, _plus(0, 2, 8, 16), _PARTLY, DIFFERENT),
    Row("M90A-08", GFX90A, kinds.SMFMA, parts.D, kinds.DGEMM, parts.C, _plus(1, 2, 8, 16), _PARTLY, DIFFERENT),
    Row("M90A-09", GFX90A, kinds.DGEMM, parts.D, kinds.DGEMM, parts.C, ((4, 4), (8, 9)), _PARTLY, DIFFERENT),
    Row("M90A-10", GFX90A, kinds.SMFMA, parts.D, kinds.MFMA, parts.A_AND_B, _plus(3, 2, 8, 16), _FACTOR),
    Row("M90A-11", GFX90A, kinds.DGEMM, parts.D, kinds.MFMA, parts.A_AND_B, ((4, 6), (8, 11)), _FACTOR),
    Row("M90A-12", GFX90A, kinds.SMFMA, parts.D, kinds.VALU_OR_MEMORY, parts.READS_VECTOR, _plus(3, 2, 8, 16), _RESULT),
    Row("M90A-12", GFX90A, kinds.SMFMA, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, _plus(3, 2, 8, 16), _RESULT),
    Row(
        "M90A-13", GFX90A, kinds.DGEMM, parts.D, kinds.VALU_NOT_MFMA, parts.READS_VECTOR, ((4, 6), (8, 11)), _RESULT,
    ),
    Row("M90A-13", GFX90A, kinds.DGEMM, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, ((4, 6), (8, 11)), _RESULT),
    Row(
        "M90A-14", GFX90A, kinds.DGEMM, parts.D, kinds.MEMORY_OR_EXPORT, parts.READS_VECTOR, ((4, 9), (8, 18)),
        _RESULT,
    ),
    Row("M90A-15", GFX90A, kinds.SMFMA, parts.C, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, _plus(-1, 2, 8, 16), _ADDEND),
)  # fmt: skip


def _of_gfx940_and_on() -> tuple[Row, ...]:
    """The rows for both gfx942 and gfx950, under their names in the table of each."""
    rows = []
    for targets, small, same, addend, factor, result, war in (
        (GFX942, "M940-03", "M940-04", "M940-08", "M940-11", "M940-14", "M940-17"),
        (GFX950, "M950-06", "M950-06", "M950-03", "M950-08", "M950-11", "M950-15"),
    ):
        plus_two = _plus(2, *_PASSES)
        rows += [
            Row(small, targets, kinds.DGEMM_SMALL, parts.D, kinds.DGEMM_SMALL, parts.C, 4, _SAME, SAME),
            Row(same, targets, kinds.MFMA, parts.D, kinds.MFMA, parts.C, ((2, 2),), _SAME, SAME),
            Row(
                addend, targets, kinds.SGEMM, parts.D, kinds.SGEMM_OR_DGEMM, parts.C, _plus(0, *_PASSES), _PARTLY,
                DIFFERENT,
            ),
            Row(factor, targets, kinds.SGEMM, parts.D, kinds.MFMA, parts.A_B_AND_SCALES, plus_two, _FACTOR),
            Row(result, targets, kinds.SGEMM, parts.D, kinds.VALU_OR_MEMORY, parts.READS_VECTOR, plus_two, _RESULT),
            Row(result, targets, kinds.SGEMM, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, plus_two, _RESULT),
            Row(
                war, targets, kinds.XDL, parts.C, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, _plus(-1, *_PASSES), _ADDEND,
            ),
        ]  # fmt: skip
    return tuple(rows)


# 31 of 172 kernels of AITER violate M940-13 and M950-10, mostly by one to three wait states; the documents require
# them, so the rows remain.
_GFX942: tuple[Row, ...] = (
    Row("M940-07", GFX942, kinds.XDL, parts.D, kinds.MFMA, parts.C, _plus(1, *_PASSES), _PARTLY, DIFFERENT),
    Row("M940-09", GFX942, kinds.DGEMM, parts.D, kinds.SGEMM_OR_DGEMM, parts.C, ((4, 4), (8, 9)), _PARTLY, DIFFERENT),
    Row("M940-10", GFX942, kinds.XDL, parts.D, kinds.MFMA, parts.A_AND_B, _plus(3, *_PASSES), _FACTOR),
    Row("M940-12", GFX942, kinds.DGEMM, parts.D, kinds.MFMA, parts.A_AND_B, ((4, 6), (8, 11)), _FACTOR),
    Row("M940-13", GFX942, kinds.XDL, parts.D, kinds.VALU_OR_MEMORY, parts.READS_VECTOR, _plus(3, *_PASSES), _RESULT),
    Row("M940-13", GFX942, kinds.XDL, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, _plus(3, *_PASSES), _RESULT),
    Row("M940-15", GFX942, kinds.DGEMM, parts.D, kinds.VALU_NOT_MFMA, parts.READS_VECTOR, ((4, 6), (8, 11)), _RESULT),
    Row("M940-15", GFX942, kinds.DGEMM, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, ((4, 6), (8, 11)), _RESULT),
    Row("M940-16", GFX942, kinds.DGEMM, parts.D, kinds.MEMORY_OR_EXPORT, parts.READS_VECTOR, ((4, 9), (8, 18)),
        _RESULT),
)  # fmt: skip

# gfx950 needs one wait state more than gfx942 after all but the shortest.
_LONG = ((2, 4), (4, 6), (8, 10), (16, 18))
_LONG_OTHER = ((2, 3), (4, 6), (8, 10), (16, 18))
_LONGER = ((2, 5), (4, 8), (8, 12), (16, 20))
_GFX950: tuple[Row, ...] = (
    Row("M950-01", GFX950, kinds.XDL, parts.D, kinds.XDL, parts.C, _LONG, _PARTLY, DIFFERENT),
    Row("M950-02", GFX950, kinds.XDL, parts.D, kinds.SGEMM_OR_DGEMM, parts.C, _LONG_OTHER, _PARTLY, DIFFERENT),
    Row("M950-04", GFX950, kinds.DGEMM, parts.D, kinds.SGEMM_OR_DGEMM, parts.C, ((4, 4), (16, 17)), _PARTLY, DIFFERENT),
    Row("M950-07", GFX950, kinds.XDL, parts.D, kinds.MFMA, parts.A_B_AND_SCALES, _LONGER, _FACTOR),
    Row("M950-09", GFX950, kinds.DGEMM, parts.D, kinds.MFMA, parts.A_B_AND_SCALES, ((4, 6), (16, 19)), _FACTOR),
    Row("M950-10", GFX950, kinds.XDL, parts.D, kinds.VALU_OR_MEMORY, parts.READS_VECTOR, _LONGER, _RESULT),
    Row("M950-10", GFX950, kinds.XDL, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, _LONGER, _RESULT),
    Row("M950-12", GFX950, kinds.DGEMM, parts.D, kinds.VALU_NOT_MFMA, parts.READS_VECTOR, ((4, 6), (16, 19)), _RESULT),
    Row("M950-13", GFX950, kinds.DGEMM, parts.D, kinds.LOAD_OR_VALU, parts.WRITES_VECTOR, ((4, 6), (16, 11)), _RESULT),
    Row("M950-14", GFX950, kinds.DGEMM, parts.D, kinds.MEMORY_OR_EXPORT, parts.READS_VECTOR, ((4, 9), (16, 18)),
        _RESULT),
)  # fmt: skip

_MATRIX_KINDS = frozenset((kinds.MFMA, kinds.SMFMA, kinds.DGEMM, kinds.DGEMM_SMALL, kinds.SGEMM, kinds.XDL))
_ORDERS = {parts.D: "results", parts.C: "addends"}


def _in_order(row: Row) -> Row:
    """A row that knows that the matrix unit finishes its instructions in order."""
    order = _ORDERS.get(row.writes, "") if row.first in _MATRIX_KINDS else ""
    return msgspec.structs.replace(row, order=order)


ROWS: tuple[Row, ...] = tuple(
    _in_order(row) for row in (*_GFX908, *_of_gfx90a_and_on(), *_GFX90A, *_of_gfx940_and_on(), *_GFX942, *_GFX950)
)
