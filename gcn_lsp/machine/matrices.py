"""Matrix instructions: elements from their places in `isa.machine.matrix_layouts`, sums over all of them at once.

A product of two elements is exact where both have 16 bits or less; each term is added in the order of k and rounded to
the type of the result, as the operation of the documentation says. EXEC does not matter.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.machine import matrix_layouts
from gcn_lsp.isa.machine.matrix_layouts import Matrix
from gcn_lsp.machine import reasons
from gcn_lsp.machine.floats import Arithmetic, Modes, arithmetic
from gcn_lsp.machine.registers import Wave, Words
from gcn_lsp.machine.rounding import FORMATS, NEAREST
from gcn_lsp.machine.terms import Untranslatable
from gcn_lsp.records import NamedTuple

Elements = NDArray[Any]
Fetch = Callable[[Wave], Words]

_TYPES = re.compile(
    r"v_\w*?(?:mfmac?|wmmac?)_(?:scale(?:16)?_)?(?P<to>f64|f32|i32|f16|bf16)_\d+x\d+x\d+(?:_\d+b)?_?"
    r"(?P<a>bf16|bf8|fp8|f16|f32|f64|iu8|iu4|i8)(?:_1k)?(?:_(?P<b>bf16|bf8|fp8|f16))?$"
)
_FLUSHES = "Denormal sources and results count as 0, whatever MODE says."


class Types(NamedTuple):
    """The types of the elements of D, A and B."""

    result: str
    first: str
    second: str


def types_of(mnemonic: str) -> Types:
    """The types of the elements, by the name. Raises Untranslatable for others."""
    found = _TYPES.match(mnemonic)
    if found is None:
        raise Untranslatable(reasons.NO_FORMATS)
    return Types(found["to"], found["a"], found["b"] or found["a"])


class Place(NamedTuple):
    """Where the elements of a matrix are.

    gather: for each [block][outer][inner], the place among the elements of all registers and lanes. scatter: the other
    way round, as [element][lane]. For 4 and 6 bits: register and first bit of each element.
    """

    gather: NDArray[np.intp]
    scatter: NDArray[np.intp]
    dwords: NDArray[np.int64]
    shifts: NDArray[np.int64]


@cache
def place_of(matrix: Matrix) -> Place:
    """The places of all elements of a matrix."""
    shape = (matrix.blocks, matrix.outer, matrix.inner)
    found = np.array([[matrix.element(lane, each) for lane in range(matrix.lanes)] for each in range(matrix.elements)])
    scatter = np.ravel_multi_index((found[:, :, 0], found[:, :, 1], found[:, :, 2]), shape)
    gather = np.zeros(np.prod(shape), np.intp)
    gather[scatter] = np.arange(scatter.size).reshape(scatter.shape)
    starts = np.arange(matrix.elements) * matrix.step
    return Place(gather.reshape(shape), scatter, starts // 32, starts % 32)


_WHOLE_TYPES = {8: np.uint8, 16: np.uint16}


def unpacked(words: Words, matrix: Matrix) -> Elements:
    """The bits of the elements as [block][outer][inner]."""
    place = place_of(matrix)
    kind = _WHOLE_TYPES.get(matrix.bits)
    bits: Elements
    if matrix.bits == 64:
        bits = words[0::2].astype(np.uint64) | words[1::2].astype(np.uint64) << np.uint64(32)
    elif matrix.bits == 32:
        bits = words
    elif kind is not None and matrix.step == matrix.bits:
        lanes = words.shape[1]
        parts = np.ascontiguousarray(words).view(kind).reshape(len(words), lanes, -1)
        bits = np.swapaxes(parts, 1, 2)
    else:
        bits = words[place.dwords].astype(np.int64) >> place.shifts[:, None] & ((1 << matrix.bits) - 1)
    return bits.reshape(-1)[place.gather]


def packed(bits: Elements, matrix: Matrix, old: Words) -> Words:
    """The registers of a matrix from the bits of its elements; other bits keep their values."""
    place = place_of(matrix)
    chosen = bits.reshape(-1)[place.scatter]
    if matrix.bits == 32:
        return np.asarray(chosen, np.uint32)
    words: Words = old.copy()
    if matrix.bits == 64:
        whole = chosen.astype(np.uint64)
        words[0::2], words[1::2] = whole.astype(np.uint32), (whole >> np.uint64(32)).astype(np.uint32)
        return words
    for number, (dword, shift) in enumerate(zip(place.dwords, place.shifts, strict=True)):
        mask = np.uint32(((1 << matrix.bits) - 1) << int(shift) ^ 0xFFFF_FFFF)
        words[dword] = words[dword] & mask | (chosen[number].astype(np.int64) << int(shift)).astype(np.uint32)
    return words


def _are_ordinary(values: Elements) -> bool:
    """Whether all are finite, and none is a denormal."""
    sizes = np.abs(values)
    smallest = np.finfo(values.dtype).smallest_normal
    return bool(sizes.max() < np.inf) and not bool(((sizes < smallest) & (sizes != 0)).any())


def _least(values: Elements) -> float:
    """The smallest size among the values that are not 0."""
    sizes = np.abs(values)
    return float(np.min(sizes, where=sizes != 0, initial=np.inf))


class MatrixCode:
    """A matrix instruction on one target: `execute` computes the registers of D from those of A, B and C."""

    def __init__(self, form: isa.Form, target: isa.Target, lanes: int, fields: dict[str, int]) -> None:
        self.types = types_of(form.mnemonic)
        found = matrix_layouts.layouts((form,), target)
        layout = next((each for each in found if each.lanes == lanes), None)
        matrices = {matrix.name: matrix for matrix in layout.matrices} if layout is not None else {}
        if layout is None or not {"A", "B", "D"} <= matrices.keys():
            raise Untranslatable(reasons.NO_PLACES)
        self.a, self.b, self.d = matrices["A"], matrices["B"], matrices["D"]
        self.is_sparse = layout.sparse
        entry = documentation.entry(form.mnemonic, target)
        flushes = entry is not None and _FLUSHES in entry.notes
        self._modes = Modes(NEAREST, not flushes, not flushes)
        self._fields = fields
        self._shares = matrix_layouts.shared_blocks(form) > 1
        self._is_mfma = "mfma" in form.mnemonic
        # Products of floats with a short exponent and few digits are singles.
        short = {"f16", "fp8", "bf8", "fp6", "bf6", "fp4"}
        self._multiplies_exactly = self.types.result == "f32" and {self.types.first, self.types.second} <= short
        self._is_fnuz = target.name.startswith("gfx94")
        self._signs = [fields.get(f"src{place}_modifiers", 0) for place in range(3)]

    def execute(self, a: Words, b: Words, c: Words, index: "Words | None", old: Words) -> Words:
        """The registers of D. index: of a sparse A."""
        first, second = self._elements(a, self.a, 0), self._elements(self._moved(b), self.b, 1)
        if self._shares and self._fields.get("cbsz"):
            shift = self._fields["cbsz"]
            blocks = np.arange(self.a.blocks)
            first = first[(blocks >> shift << shift) + self._fields.get("abid", 0)]
        total = self._result(c)
        places = self._sparse(index) if self.is_sparse and index is not None else None
        if places is None:
            total = self._summed(total, first, second)
        else:
            for k in range(first.shape[2]):
                total = self._added(total, first[:, :, k, None], second[0][:, places[:, k]].T[None])
        # D counts columns in the lanes and rows in the registers.
        return packed(np.swapaxes(self._bits(total), 1, 2), self.d, old)

    def _summed(self, total: Elements, first: Elements, second: Elements) -> Elements:
        """The sum of all products, added in the order of k."""
        if self.types.result == "i32":
            found = self._whole_sum(total, first, second)
        elif self.types.result in ("f32", "f64"):
            found = self._plain_sum(total, first, second)
        else:
            found = None
        if found is not None:
            return found
        for k in range(first.shape[2]):
            total = self._added(total, first[:, :, k, None], second[:, None, :, k])
        return total

    def _whole_sum(self, total: Elements, first: Elements, second: Elements) -> "Elements | None":
        """A sum of integers at once; None if it may be clamped on the way."""
        products = np.matmul(first.astype(np.float64), np.swapaxes(second, 1, 2).astype(np.float64))  # exact
        found = total + products.astype(np.int64)
        if not self._fields.get("clamp"):
            return np.asarray((found + (1 << 31) & 0xFFFF_FFFF) - (1 << 31))
        most = first.shape[2] << 2 * self.a.bits
        return found if max(int(found.max()), -int(found.min())) + 2 * most < 1 << 31 else None

    def _plain_sum(self, total: Elements, first: Elements, second: Elements) -> "Elements | None":
        """A sum of floats by the processor's own arithmetic; None if a value on the way is not an ordinary number."""
        kind = np.float32 if self.types.result == "f32" else np.float64
        if not self._modes.keeps_results and kind is np.float64:
            return None
        if self.types.first not in ("f32", "f64") and _least(first) * _least(second) < np.finfo(kind).smallest_normal:
            return None  # a product would not be exact
        columns = np.ascontiguousarray(np.moveaxis(first, 2, 0), kind)[:, :, :, None]
        rows = np.ascontiguousarray(np.moveaxis(second, 2, 0), kind)[:, :, None, :]
        # The products of two short floats are exact, and those of long ones are rounded as the operation says.
        steps = np.empty((1 + len(columns), *total.shape), kind)
        steps[0] = total
        np.multiply(columns, rows, out=steps[1:])
        if not _are_ordinary(steps):
            return None
        for k in range(1, len(steps)):
            np.add(steps[k - 1], steps[k], out=steps[k])
        return steps[-1] if _are_ordinary(steps) else None

    def _moved(self, words: Words) -> Words:
        """B with its groups of lanes moved as blgp says."""
        how = self._fields.get("blgp", 0)
        if not how or not self._is_mfma or self.types.result == "f64":
            return words
        lane = np.arange(words.shape[1])
        source = {1: lane % 32, 2: lane % 32 + 32, 3: (lane + 16) % 64}.get(how)
        return words[:, source if source is not None else lane % 16 + 16 * (how - 4)]

    def _sparse(self, index: Words) -> NDArray[np.int64]:
        """The k of each element of A as [row][element]."""
        place = place_of(self.a)
        elements = len(place.dwords)
        bits = 2 * elements
        is_first = bool(self._fields.get("cbsz")) or bits >= 32
        chosen = 0 if is_first else self._fields.get("abid", self._fields.get(f"index_key_{bits}bit", 0))
        word = index[0].astype(np.int64) >> bits * chosen
        made = np.zeros((self.a.outer, self.a.inner), np.int64)
        for element in range(elements):
            outer, inner = divmod(place.scatter[element], self.a.inner)
            made[outer, inner] = inner // 2 * 4 + (word >> 2 * element & 3)
        return made

    def _form(self, name: str) -> Arithmetic:
        return arithmetic(name + ("fnuz" if self._is_fnuz and name in ("fp8", "bf8") else ""), self._modes)

    def _elements(self, words: Words, matrix: Matrix, source: int) -> Elements:
        """The values of a source: doubles, singles or integers."""
        kind = self.types.first if source == 0 else self.types.second
        bits = unpacked(words, matrix)
        if kind in FORMATS:
            form = self._form(kind)
            values = form.source(form.decode(bits.reshape(-1))).reshape(bits.shape)
            if self.types.result == "f64":
                return -values if self._fields.get("blgp", 0) >> source & 1 else values
            return self._negated(values, source)
        signed = self._signs[source] & 1 if kind.startswith("iu") else 1
        whole, half = bits.astype(np.int64), 1 << (matrix.bits - 1)
        return (whole ^ half) - half if signed else whole

    def _negated(self, values: Elements, source: int) -> Elements:
        """WMMA: neg_lo negates the low half of each register, neg_hi the high one."""
        if self._is_mfma or not self._signs[source] & 3:
            return values
        low, high = self._signs[source] & 1, self._signs[source] >> 1 & 1
        if low and high:
            return -values
        odd = np.arange(values.shape[2]) % 2
        return np.where(odd == (0 if low else 1), -values, values)

    def _result(self, words: Words) -> Elements:
        """C as [block][row][column]."""
        bits = np.swapaxes(unpacked(words, self.d), 1, 2)
        if self.types.result == "i32":
            return (bits.astype(np.int64) ^ 1 << 31) - (1 << 31)
        form = self._form(self.types.result)
        values = form.source(form.decode(bits.reshape(-1))).reshape(bits.shape)
        if not self._is_mfma:
            values = np.abs(values) if self._signs[2] & 2 else values
            values = -values if self._signs[2] & 1 else values
        return values

    def _added(self, total: Elements, column: Elements, row: Elements) -> Elements:
        if self.types.result == "i32":
            found = total + column * row
            if self._fields.get("clamp"):
                return np.asarray(np.clip(found, -(1 << 31), (1 << 31) - 1))
            return np.asarray((found + (1 << 31) & 0xFFFF_FFFF) - (1 << 31))
        form = self._form(self.types.result)
        if self.types.first in ("f32", "f64"):
            return form.add(total, form.mul(column, row))
        if self._multiplies_exactly:
            return form.add(total, (column * row).astype(np.float32))
        # Products of short floats are exact in a double, and the sum is rounded once.
        return form.add_exact(total, column * row)

    def _bits(self, total: Elements) -> Elements:
        if self.types.result == "i32":
            return total & 0xFFFF_FFFF
        form = self._form(self.types.result)
        return form.encode(np.ascontiguousarray(total).reshape(-1)).reshape(total.shape)


def runner(
    code: MatrixCode, sources: tuple[Fetch, Fetch, Fetch], index: "Fetch | None", file: str, first: int, size: int
) -> Callable[[Wave, Any], None]:
    """A function that carries out a matrix instruction. file, first: of D. size: bytes of the instruction."""
    count = code.d.registers

    def run(wave: Wave, environment: object) -> None:
        registers = wave.vgprs if file == "v" else wave.accvgprs
        written = wave.written_vgprs if file == "v" else wave.written_accvgprs
        a, b, c = (fetch(wave) for fetch in sources)
        chosen = index(wave) if index is not None else None
        registers[first : first + count] = code.execute(a, b, c, chosen, registers[first : first + count])
        written[first : first + count] = True
        wave.pc += size

    return run
