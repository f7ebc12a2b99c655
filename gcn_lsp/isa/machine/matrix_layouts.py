"""The places of matrix elements: `layouts(form, target)`, then `Matrix.element(lane, n)`.

In each matrix instruction the lanes of a wave count the outer index (row i of A, column j of B, C and D) first, then
the number of the matrix, if there are several; the remaining bits of the lane's number, together with the bits of an
element's place in the lane's registers, are the bits of the inner index (k of A and B, row i of C and D) in some order.
So the weight of each of those bits in the inner index describes a layout.

The orders of MFMA follow from the shape and hold for all of them; those of WMMA and of the sparse instructions are rows
of tables. Matrices without a reliable public source are left out.

Sources: AMD's matrix instruction calculator (MFMA up to CDNA3, WMMA of RDNA3 and RDNA4), "Matrix Core Programming on
AMD CDNA3 and CDNA4" (the chunks of 16 elements of 8 bits on gfx950), and for the sparse instructions the layouts that
AMD's FPSan checks on gfx942, gfx950 and gfx1201.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from gcn_lsp.isa import conditions
from gcn_lsp.isa.schema import Form
from gcn_lsp.isa.target import Target
from gcn_lsp.patterns import regex

_SHAPE = regex(r"v_(?P<family>s?mfmac?|s?wmmac?)_(?:scale(?:16)?_)?(?P<to>\w+?)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)")
_BITS = {"f64": 64, "f32": 32, "i32": 32, "f16": 16, "bf16": 16, "iu8": 8, "fp8": 8, "bf8": 8, "iu4": 4}
_REGISTER = 32


class Matrix(msgspec.Struct, frozen=True):
    """The layout of a matrix, or several of one shape, in a wave.

    name: `A`, `B` or `D` (C has D's layout). operands: of the form. outer, inner: sizes of the index counted by the
    lanes and of the other one. blocks: number of matrices; so many of them side by side in the lanes, the others one
    after the other in the registers. in_lane, in_group: the weights in the inner index of the bits of an element's
    number in its lane, and of the number of a group of lanes, lowest first. bits: size of an element; step: from one
    element of a lane to the next. lanes: of the wave; if they are more than the groups need, the rest repeat the
    contents.
    """

    name: str
    operands: tuple[str, ...]
    outer: int
    inner: int
    bits: int
    step: int
    lanes: int
    in_lane: tuple[int, ...]
    in_group: tuple[int, ...]
    blocks: int = 1
    side_by_side: int = 1

    @property
    def elements(self) -> int:
        """The number of elements in a lane."""
        return (1 << len(self.in_lane)) * (self.blocks // self.side_by_side)

    @property
    def registers(self) -> int:
        """The number of registers."""
        return self.elements * self.step // _REGISTER

    def element(self, lane: int, number: int) -> tuple[int, int, int]:
        """Matrix, outer and inner index of the element at a place of a lane."""
        column, outer = divmod(lane, self.outer)
        group, beside = divmod(column, self.side_by_side)
        after, place = divmod(number, 1 << len(self.in_lane))
        inner = _counted(place, self.in_lane) + _counted(group, self.in_group)
        return after * self.side_by_side + beside, outer, inner


def _counted(number: int, weights: Sequence[int]) -> int:
    """The sum of the weights of the bits set in `number`; bits beyond the weights count nothing."""
    return sum(weight for bit, weight in enumerate(weights) if number >> bit & 1)


class MatrixLayout(msgspec.Struct, frozen=True):
    """The known matrices of an instruction in a wave of `lanes`; `sparse`: A has half of the elements."""

    lanes: int
    sparse: bool
    matrices: tuple[Matrix, ...]


def layouts(forms: Sequence[Form], target: Target) -> tuple[MatrixLayout, ...]:
    """The layouts of a mnemonic with these forms on a target: one for each wave size and format of a source."""
    found: dict[MatrixLayout, None] = {}
    for form in forms:
        match = _SHAPE.match(form.mnemonic)
        if match is None:
            continue
        m, n, k = (int(match[name]) for name in ("m", "n", "k"))
        family = match["family"]
        if family in ("mfma", "smfmac"):
            found[_mfma(form, family, match["to"], (m, n, k))] = None
        else:
            for lanes in (32, 64):
                matrices = tuple(_wmma(form.mnemonic, family, match["to"], (m, n, k), target, lanes))
                if matrices:
                    found[MatrixLayout(lanes, family == "swmmac", matrices)] = None
    return tuple(found)


def shared_blocks(form: Form) -> int:
    """How many matrices A a form of MFMA has that `cbsz` may share; 0 where the field means something else.

    Source: CDNA3 ISA document, 7.1.5. The field is ignored with f64, and names a format or an index in others.
    """
    match = _SHAPE.match(form.mnemonic)
    if match is None or match["family"] != "mfma" or match["to"] == "f64" or "f8f6f4" in form.mnemonic:
        return 0
    layout = _mfma(form, "mfma", match["to"], (int(match["m"]), int(match["n"]), int(match["k"])))
    return layout.matrices[0].blocks


# MFMA and SMFMAC


def _mfma(form: Form, family: str, to: str, shape: tuple[int, int, int]) -> MatrixLayout:
    m, n, k = shape
    bits = _BITS[to]
    sizes = {operand.name: operand.kind.registers.bits for operand in form.operands if operand.kind.registers}
    blocks = sizes["vdst"] * 64 // (m * n * bits)
    if family == "smfmac":
        of_a = _bits(sizes["src0"], m * k // 2)
        orders = _SPARSE.get((m, k, of_a), ()) if "_i8" not in form.mnemonic else ()
        whole = (("A", "src0", m, k // 2), ("B", "src1", n, k))
        sparse = [
            Matrix(name, (operand,), outer, inner, of_a, of_a, 64, *order)
            for (name, operand, outer, inner), order in zip(whole, orders, strict=False)
        ]
        return MatrixLayout(64, True, (*sparse, _result(("vdst",), (m, n), bits, blocks)))
    sources = [
        _source(name, operand, outer, k, blocks, _bits(sizes[operand], outer * k * blocks))
        for name, operand, outer in (("A", "src0", m), ("B", "src1", n))
    ]
    return MatrixLayout(64, False, (*sources, _result(("src2", "vdst"), (m, n), bits, blocks)))


def _bits(size: int, elements: int) -> int:
    """Size of an element, if `size` bits of each of 64 lanes contain so many."""
    return size * 64 // elements


def _source(name: str, operand: str, outer: int, inner: int, blocks: int, bits: int) -> Matrix:
    """Consecutive elements in a lane, up to 16 of 8 bits; the other lanes and the second 16 continue from there."""
    groups = 64 // (outer * blocks)
    each = inner // groups
    run = min(each, 16) if bits == 8 else each
    order = _powers(1, inner)
    first, spread = _log2(run), _log2(run) + _log2(groups)
    in_lane = (*order[:first], *order[spread:])
    return Matrix(name, (operand,), outer, inner, bits, bits, 64, in_lane, order[first:spread], blocks, blocks)


def _result(operands: tuple[str, ...], shape: tuple[int, int], bits: int, blocks: int) -> Matrix:
    """Groups of four rows of 32 bits, or single rows of 64 bits, go round the groups of lanes."""
    m, n = shape
    together = 4 if bits == 32 else 1
    beside = min(blocks, max(1, 64 * together // (m * n)))
    order = _powers(1, m)
    first = _log2(together)
    spread = first + _log2(64 // (n * beside))
    in_lane = (*order[:first], *order[spread:])
    return Matrix("D", operands, n, m, bits, bits, 64, in_lane, order[first:spread], blocks, beside)


def _powers(first: int, end: int) -> tuple[int, ...]:
    return tuple(_doubled(first, end))


def _doubled(first: int, end: int) -> Iterator[int]:
    while first < end:
        yield first
        first *= 2


def _log2(number: int) -> int:
    return number.bit_length() - 1


_Order = tuple[tuple[int, ...], tuple[int, ...]]

# Sparse MFMA by rows, k and bits of an element: the weights of the bits of place and group, in A (as stored) and B.
_SPARSE: Mapping[tuple[int, int, int], tuple[_Order, ...]] = {
    (16, 32, 16): (((1, 2), (4, 8)), ((1, 2, 4), (8, 16))),
    (32, 16, 16): (((1, 2), (4,)), ((1, 2, 4), (8,))),
    (16, 64, 16): (((1, 2, 4), (8, 16)), ((1, 2, 4, 32), (8, 16))),
    (32, 32, 16): (((1, 2, 4), (8,)), ((1, 2, 4, 16), (8,))),
    (16, 64, 8): (((1, 2, 16), (4, 8)), ((1, 2, 4, 32), (8, 16))),
    (32, 32, 8): (((1, 2, 8), (4,)), ((1, 2, 4, 16), (8,))),
    (16, 128, 8): (((1, 2, 16, 4), (8, 32)), ((1, 2, 4, 32, 64), (8, 16))),
    (32, 64, 8): (((1, 2, 8, 4), (16,)), ((1, 2, 4, 16, 32), (8,))),
}


# WMMA and SWMMAC

_ROWS = 16
_WMMA_OF_GFX11 = "gfx11 !gfx117"  # gfx117 has other places, which no public document gives

# Targets, lanes: the weights of the bits of place and group in C and D of 16 rows.
_RESULTS: tuple[tuple[str, int, _Order], ...] = (
    (_WMMA_OF_GFX11, 32, ((2, 4, 8), (1,))),
    (_WMMA_OF_GFX11, 64, ((4, 8), (1, 2))),
    ("gfx12", 32, ((1, 2, 4), (8,))),
    ("gfx120", 64, ((1, 2), (8, 4))),
)

_FLOATS16, _FLOATS8 = frozenset(("f16", "bf16")), frozenset(("fp8", "bf8"))
_ALL_OF = tuple[tuple[str, str, int, int, frozenset[str], _Order, _Order], ...]

# Family, targets, lanes, k, types of A and B: the same of A and of B; of a sparse A, as stored.
_WAVE_SOURCES: _ALL_OF = (
    ("wmma", _WMMA_OF_GFX11, 32, 16, frozenset(_BITS), ((1, 2, 4, 8), ()), ((1, 2, 4, 8), ())),
    ("wmma", _WMMA_OF_GFX11, 64, 16, frozenset(_BITS), ((1, 2, 4, 8), ()), ((1, 2, 4, 8), ())),
    ("wmma", "gfx120", 32, 16, _FLOATS16, ((1, 2, 8), (4,)), ((1, 2, 8), (4,))),
    ("wmma", "gfx120", 32, 16, _FLOATS8, ((1, 2, 4), (8,)), ((1, 2, 4), (8,))),
    ("wmma", "gfx120", 64, 16, _FLOATS16 | _FLOATS8, ((1, 2), (4, 8)), ((1, 2), (4, 8))),
    ("swmmac", "gfx120", 32, 32, _FLOATS16, ((1, 2, 8), (4,)), ((1, 2, 4, 16), (8,))),
    ("swmmac", "gfx120", 32, 32, _FLOATS8, ((1, 2, 4), (8,)), ((1, 2, 4, 8), (16,))),
    ("wmma", "gfx125", 32, 32, _FLOATS16, ((1, 2, 4, 16), (8,)), ((1, 2, 4, 16), (8,))),
    ("wmma", "gfx125", 32, 4, frozenset(("f32",)), ((1,), (2,)), ((1,), (2,))),
)


def _wmma(
    mnemonic: str, family: str, to: str, shape: tuple[int, int, int], target: Target, lanes: int
) -> Iterator[Matrix]:
    m, n, k = shape
    if m != _ROWS:
        return
    kind = mnemonic.rpartition("_")[2]
    bits = _BITS.get(kind, 0)
    for each, condition, size, inner, kinds, of_a, of_b in _WAVE_SOURCES:
        if (each, size, inner) == (family, lanes, k) and kind in kinds and conditions.covers(condition, target.name):
            stored = k // 2 if family == "swmmac" else k
            yield Matrix("A", ("src0",), m, stored, bits, bits, lanes, *of_a)
            yield Matrix("B", ("src1",), n, k, bits, bits, lanes, *of_b)
    result = _BITS.get(to)
    operands = ("vdst",) if family == "swmmac" else ("src2", "vdst")
    for condition, size, order in _RESULTS:
        if size == lanes and result is not None and conditions.covers(condition, target.name):
            # On gfx11 a result of 16 bits has a register to itself.
            step = _REGISTER if conditions.covers(_WMMA_OF_GFX11, target.name) else result
            yield Matrix("D", operands, n, m, result, step, lanes, *order)
