"""Values in a stopped wave: expressions of registers, lanes and symbols, and how they are shown.

An expression has the registers of the assembler (`v0`, `s[4:5]`, `v[v_sum]`, `vcc`, `exec`, `scc`, `m0`, `pc`), the
program's symbols, numbers and C's operators. A VGPR is its value in the first lane that is on; `v0[5]` is that of lane
5. `v0.f32` reads bits as a type: f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64; `v0.f16x2` as several.
"""

import ast
import math
import re
import struct
from collections.abc import Callable

from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.records import NamedTuple


class CannotEvaluate(Exception):
    """An expression without a value; the text says why."""


class Vector(NamedTuple):
    """A register of all lanes. bits: a value for each lane, of `size` bits. kind: the type that it is read as."""

    bits: tuple[int, ...]
    size: int
    kind: str = ""


Value = "int | float | Vector"

_TUPLE = re.compile(r"\b([vsa])\[([^\[\]:]+):([^\[\]]+)\]")
_TYPES = {
    "f16": ("<e", 2), "bf16": ("", 2), "f32": ("<f", 4), "f64": ("<d", 8), "i8": ("<b", 1), "i16": ("<h", 2),
    "i32": ("<i", 4), "i64": ("<q", 8), "u8": ("<B", 1), "u16": ("<H", 2), "u32": ("<I", 4), "u64": ("<Q", 8),
}  # fmt: skip
_SEVERAL = re.compile(r"([a-z]+\d+)x([248])")
_REGISTER = re.compile(r"([vsa])(\d+)")
_MOST = 1 << 16  # bits that a shift may make


def evaluate(text: str, run: WaveRun) -> "int | float | Vector":
    """The value of an expression in a wave. Raises CannotEvaluate."""
    source = _TUPLE.sub(r"__tuple(\1, \2, \3)", text).replace("&&", " and ").replace("||", " or ")
    source = re.sub(r"!(?!=)", " not ", source).strip()
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotEvaluate(f"{text!r} is not an expression") from error
    try:
        return _Evaluator(run).visit(tree.body)
    except (ZeroDivisionError, OverflowError, TypeError, ValueError, RecursionError) as error:
        raise CannotEvaluate(f"{text!r} has no value: {error}") from error


def truth(text: str, run: WaveRun) -> bool:
    """Whether a condition holds. Raises CannotEvaluate."""
    return bool(plain(evaluate(text, run), run))


def plain(value: "int | float | Vector", run: WaveRun) -> "int | float":
    """A value as a number: of a vector that of the first lane that is on. Raises CannotEvaluate."""
    if isinstance(value, Vector):
        lanes = run.wave.exec
        return _single(value.bits[(lanes & -lanes).bit_length() - 1 if lanes else 0], value.kind)
    return value


def _single(bits: int, kind: str) -> "int | float":
    found = decoded(bits, kind) if kind else (bits,)
    if len(found) > 1:
        raise CannotEvaluate(f"{kind} is several numbers")
    return found[0]


def decoded(bits: int, kind: str) -> "tuple[int | float, ...]":
    """The numbers that bits are as a type: one, or as many as `f16x2` says. Raises CannotEvaluate."""
    several = _SEVERAL.fullmatch(kind)
    name, count = (several[1], int(several[2])) if several is not None else (kind, 1)
    if name not in _TYPES:
        raise CannotEvaluate(f"{kind} is not a type: {', '.join(_TYPES)}, or several as f16x2")
    form, size = _TYPES[name]
    parts = [bits >> 8 * size * number & (1 << 8 * size) - 1 for number in range(count)]
    if not form:  # the upper half of an f32
        return tuple(struct.unpack("<f", (part << 16).to_bytes(4, "little"))[0] for part in parts)
    return tuple(struct.unpack(form, part.to_bytes(size, "little"))[0] for part in parts)


_SCALAR = re.compile(r"\s*s(?:\d+|\[[^:\]]+\])\s*")


def is_scalar(text: str) -> bool:
    """Whether an expression is a single SGPR."""
    return _SCALAR.fullmatch(text) is not None


def shown(value: "int | float | Vector", run: WaveRun, *, is_word: bool = False) -> str:
    """A value as text. is_word: it is what a register holds, which may be a float."""
    if is_word and isinstance(value, int):
        return word_text(value)
    if isinstance(value, Vector):
        return vector_text(value, run)
    return f"{value:#x} ({value})" if isinstance(value, int) and abs(value) > _SMALL else f"{value}"


_SMALL = 9
_LEAST_NORMAL = 2.0**-126
_FEW = 1 << 16  # integers below it are more likely such than bits
_SHOWN_LANES = 4


def vector_text(value: Vector, run: WaveRun) -> str:
    """The first lanes of a register that are on."""
    on = [lane for lane in range(run.wave.lanes) if run.wave.exec >> lane & 1]
    if not on:
        return "no lane is on"
    several = len({value.bits[lane] for lane in on}) > 1
    if not several:
        return f"{lane_text(value, on[0])} in all lanes that are on"
    some = ", ".join(_short_texts(value, on)[:_SHOWN_LANES])
    return f"[{some}{', ...' if len(on) > _SHOWN_LANES else ''}]"


def _short_texts(value: Vector, lanes: "list[int]") -> "list[str]":
    """The values in some lanes: words as floats or as integers where all look like such, else as hexadecimal."""
    if value.kind or value.size != _WORD:
        return [lane_text(value, lane) for lane in lanes]
    words = [value.bits[lane] for lane in lanes]
    singles = [decoded(bits, "f32")[0] for bits in words]
    if all(_is_normal(single) or not bits for single, bits in zip(singles, words, strict=True)):
        return [f"{single:g}f" for single in singles]
    if all(min(bits, (1 << _WORD) - bits) < _FEW for bits in words):
        return [str(decoded(bits, "i32")[0]) for bits in words]
    return [f"{bits:#x}" for bits in words]


def _is_normal(single: float) -> bool:
    return math.isfinite(single) and abs(single) >= _LEAST_NORMAL


def lane_text(value: Vector, lane: int) -> str:
    """The value in a lane: as its type, or else as a word."""
    if not value.kind:
        return word_text(value.bits[lane], value.size)
    return " ".join(
        f"{each:.7g}" if isinstance(each, float) else f"{each}" for each in decoded(value.bits[lane], value.kind)
    )


def word_text(bits: int, size: int = 32) -> str:
    """A word as hexadecimal, as an integer, and as a float if that is normal: small integers are not."""
    if size != 32:
        return f"{bits:#x}"
    number = bits - (1 << 32) if bits >> 31 else bits
    single = decoded(bits, "f32")[0]
    return f"{bits:#x} = {number} = {single:g}f" if _is_normal(single) else f"{bits:#x} = {number}"


def scalar(run: WaveRun, number: int, count: int) -> int:
    """SGPRs as an integer. Raises CannotEvaluate."""
    if not 0 <= number < number + count <= _SCALARS:
        raise CannotEvaluate(f"there is no s[{number}:{number + count - 1}]")
    return run.wave.scalars(number, count)


_SCALARS = 106


def vector(run: WaveRun, file: str, number: int, count: int) -> Vector:
    """VGPRs or AccVGPRs of all lanes. Raises CannotEvaluate."""
    registers = run.wave.vgprs if file == "v" else run.wave.accvgprs
    if not 0 <= number < number + count <= len(registers):
        raise CannotEvaluate(f"there is no {file}[{number}:{number + count - 1}]")
    lanes = []
    for lane in range(run.wave.lanes):
        value = 0
        for place in range(count):
            value |= int(registers[number + place, lane]) << 32 * place
        lanes.append(value)
    return Vector(tuple(lanes), 32 * count)


class _Evaluator:
    """Walks a tree of Python's parser, of which it takes arithmetic, subscripts and types."""

    def __init__(self, run: WaveRun) -> None:
        self._run = run

    def visit(self, node: ast.expr) -> "int | float | Vector":
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return _BINARY[type(node.op)](self._number(node.left), self._number(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            return _UNARY[type(node.op)](self._number(node.operand))
        if isinstance(node, ast.BoolOp):
            found = [bool(self._number(each)) for each in node.values]
            return int(all(found) if isinstance(node.op, ast.And) else any(found))
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Attribute):
            return self._typed(node)
        if isinstance(node, ast.Call):
            return self._tuple(node)
        raise CannotEvaluate("only registers, symbols, numbers and operators have values")

    def _number(self, node: ast.expr) -> "int | float":
        return plain(self.visit(node), self._run)

    def _whole(self, node: ast.expr) -> int:
        found = self._number(node)
        if not isinstance(found, int):
            raise CannotEvaluate(f"{found} is not an integer")
        return found

    def _name(self, name: str) -> "int | float | Vector":
        run, wave = self._run, self._run.wave
        match = _REGISTER.fullmatch(name)
        if match is not None:
            number = int(match[2])
            return scalar(run, number, 1) if match[1] == "s" else vector(run, match[1], number, 1)
        special = {
            "vcc": wave.vcc,
            "vcc_lo": wave.vcc & 0xFFFF_FFFF,
            "vcc_hi": wave.pair(106) >> 32,
            "exec": wave.exec,
            "exec_lo": wave.exec & 0xFFFF_FFFF,
            "exec_hi": wave.exec >> 32,
            "scc": wave.scc,
            "m0": wave.m0,
            "mode": wave.mode,
            "pc": wave.pc,
            "wave": run.number,
            "group_x": run.group.place[0],
            "group_y": run.group.place[1],
            "group_z": run.group.place[2],
        }
        if name in special:
            return special[name]
        address = run.image.symbol(name)
        if address is not None:
            return address
        value = run.image.program.final_state.symbols.get(name)
        if type(value) is int:
            return value
        raise CannotEvaluate(f"nothing is called {name}")

    def _compared(self, node: ast.Compare) -> int:
        left = self._number(node.left)
        for operator, each in zip(node.ops, node.comparators, strict=True):
            right = self._number(each)
            if type(operator) not in _COMPARISONS:
                raise CannotEvaluate("the comparisons are == != < <= > >=")
            if not _COMPARISONS[type(operator)](left, right):
                return 0
            left = right
        return 1

    def _subscript(self, node: ast.Subscript) -> "int | float | Vector":
        if isinstance(node.value, ast.Name) and node.value.id in ("v", "s", "a"):
            number = self._whole(node.slice)
            file = node.value.id
            return scalar(self._run, number, 1) if file == "s" else vector(self._run, file, number, 1)
        found = self.visit(node.value)
        lane = self._whole(node.slice)
        if not isinstance(found, Vector) or not 0 <= lane < len(found.bits):
            raise CannotEvaluate(f"there is no lane {lane} of that")
        return _single(found.bits[lane], found.kind)

    def _typed(self, node: ast.Attribute) -> "int | float | Vector":
        found = self.visit(node.value)
        if isinstance(found, Vector):
            decoded(0, node.attr)
            return found._replace(kind=node.attr)
        if not isinstance(found, int):
            raise CannotEvaluate(f"{found} has no bits to be read as {node.attr}")
        return _single(found, node.attr)

    def _tuple(self, node: ast.Call) -> "int | Vector":
        if not isinstance(node.func, ast.Name) or node.func.id != "__tuple":
            raise CannotEvaluate("there are no functions")
        file, first, last = node.args
        assert isinstance(file, ast.Name), "the pattern has a letter there"
        start, end = self._whole(first), self._whole(last)
        if end < start:
            raise CannotEvaluate(f"{file.id}[{start}:{end}] ends before it begins")
        if file.id == "s":
            return scalar(self._run, start, end - start + 1)
        return vector(self._run, file.id, start, end - start + 1)


def _shift(left: "int | float", right: "int | float") -> int:
    if not isinstance(left, int) or not isinstance(right, int) or not 0 <= right <= _MOST:
        raise CannotEvaluate("a shift takes integers")
    return left << right


def _power(left: "int | float", right: "int | float") -> float:
    found: float = float(left) ** float(right)
    return found


_BINARY: "dict[type[ast.operator], Callable[..., int | float]]" = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) else a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.LShift: _shift,
    ast.RShift: lambda a, b: a >> b,
    ast.Pow: _power,
}
_UNARY: "dict[type[ast.unaryop], Callable[..., int | float]]" = {
    ast.USub: lambda a: -a,
    ast.UAdd: lambda a: a,
    ast.Invert: lambda a: ~a,
    ast.Not: lambda a: int(not a),
}
_COMPARISONS: "dict[type[ast.cmpop], Callable[..., bool]]" = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def number_of(text: str, run: WaveRun, size: int = 32) -> int:
    """The bits that a text means as a new value: an integer, a float, an expression. Raises CannotEvaluate."""
    plain_text = text.strip().removesuffix("f") if "." in text and not text.startswith("0x") else text.strip()
    try:
        number: int | float = int(plain_text, 0)
    except ValueError:
        try:
            number = float(plain_text)
        except ValueError:
            number = plain(evaluate(text, run), run)
    if isinstance(number, int):
        return number & (1 << size) - 1
    try:
        return int.from_bytes(struct.pack("<f" if size == _WORD else "<d", number), "little")
    except OverflowError as error:
        raise CannotEvaluate(f"{text} is too large for {size} bits") from error


_WORD = 32
