"""Inline constants and literals as LLVM writes them, by the type as which a source operand reads numbers."""

from gcn_lsp.instruction import immediates
from gcn_lsp.isa.operands.immediates import FLOATS, INV_2PI_CODE, LITERAL, VALUES

_LONG_INV_2PI = "0.15915494309189532"
_HALF = FLOATS[0.5]  # the first inline constant that is no integer
_LONG = frozenset(("i64", "f64"))
_SHORT = {"i16": 0xFFFF, "f16": 0xFFFF}  # what LLVM writes of a literal; the rest does not count


def inline(code: int, type_: str) -> str | None:
    """The text of an inline constant; None when the code is no number."""
    value = VALUES.get(code)
    if value is None:
        return None
    return _LONG_INV_2PI if code == INV_2PI_CODE and type_ in _LONG else str(value)


def literal(word: int, type_: str) -> str:
    """The text of a literal of 32 bits that a source of `type_` reads."""
    if type_ == "literal v2f16":  # which has no inline constants; LLVM writes small numbers as if it had
        code = immediates.source_code(word, "i32", True)
        return f"{word:#x}" if code == LITERAL or code >= _HALF else str(VALUES[code])
    bits = word << 32 if type_ == "f64" else word
    if _is_inline(bits, type_):
        return f"lit({word & _SHORT.get(type_, 0xFFFFFFFF):#x})"
    return f"{word & _SHORT.get(type_, 0xFFFFFFFF):#x}"


def long_literal(bits: int, type_: str) -> str:
    """The text of a literal of 64 bits."""
    is_short = not bits >> 32 or immediates.source_code(bits, "i64", True) != LITERAL
    if is_short:
        return f"lit64({bits:#x})"
    return f"{bits >> 32:#x}" if type_ == "f64" and not bits & 0xFFFFFFFF else f"{bits:#x}"


def single(bits: int) -> str:
    """An immediate of 32 bits that is no inline integer."""
    code = immediates.source_code(bits, "f32", True)
    return f"{bits:#x}" if code == LITERAL else str(VALUES[code])


def _is_inline(bits: int, type_: str) -> bool:
    if type_ == "splat v2f16":
        return immediates.splat_code(bits) is not None
    return immediates.source_code(bits, type_, True) != LITERAL


def whole(value: int, type_: str) -> str:
    """A literal that the encoding always has."""
    if type_ == "k64":
        return f"lit64({value:#x})" if not value >> 32 else f"{value:#x}" if value & 0xFFFFFFFF else f"{value >> 32:#x}"
    return f"{value:#x}"
