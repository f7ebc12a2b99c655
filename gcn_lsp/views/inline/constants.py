"""Values of constant C expressions, as far as their text and the file's `#define` and `constexpr` say."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlLzZ]+\b")
_OCTAL = re.compile(r"\b0+(?=[0-7])")
_CAST = re.compile(r"\(\s*(?:unsigned|int|long|short|char|size_t|u?int(?:8|16|32|64)_t)\s*\)|\bstatic_cast\s*<[^<>]*>")
_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_, ast.BitXor: operator.xor, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_LONGEST = 400
_LARGEST = 1 << 64

# A value is `number + name`, with an empty name for a number alone.
Linear = tuple[int, str]


def evaluate(expression: str, lookup: Callable[[str], "int | None"] = lambda name: None) -> Linear:
    """A constant as a number and what is added to it: the name of an unknown one, or the text of the expression."""
    text = " ".join(expression.split())
    if not text or len(text) > _LONGEST:
        return 0, text or "?"
    if len(text) >= 3 and text[0] == text[-1] == "'":
        return (ord(text[1]), "") if len(text) == 3 else (0, text)
    cleaned = _OCTAL.sub("0o", _SUFFIX.sub(r"\1", _CAST.sub("", text))).replace("/", "//").replace("::", "__")
    try:
        value = _value(ast.parse(cleaned.strip(), mode="eval").body, lookup)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        value = None
    return value if value is not None and abs(value[0]) < _LARGEST else (0, text)


def _value(node: ast.AST, lookup: Callable[[str], "int | None"]) -> "Linear | None":
    if isinstance(node, ast.Constant):
        return (int(node.value), "") if isinstance(node.value, int) else None
    if isinstance(node, ast.Name):
        known = {"true": 1, "false": 0}.get(node.id, lookup(node.id))
        return (0, node.id) if known is None else (known, "")
    if isinstance(node, ast.UnaryOp):
        value = _value(node.operand, lookup)
        if value is None or value[1]:
            return None
        number = value[0]
        if isinstance(node.op, ast.USub):
            return -number, ""
        return (~number, "") if isinstance(node.op, ast.Invert) else (number, "")
    if isinstance(node, ast.BinOp):
        return _combined(node, lookup)
    return None


def _combined(node: ast.BinOp, lookup: Callable[[str], "int | None"]) -> "Linear | None":
    left, right = _value(node.left, lookup), _value(node.right, lookup)
    if left is None or right is None:
        return None
    if left[1] or right[1]:
        if isinstance(node.op, ast.Add) and not (left[1] and right[1]):
            return left[0] + right[0], left[1] or right[1]
        if isinstance(node.op, ast.Sub) and not right[1]:
            return left[0] - right[0], left[1]
        return None
    if isinstance(node.op, ast.LShift | ast.RShift):
        if not 0 <= right[0] < 64:
            return None
        return (left[0] << right[0] if isinstance(node.op, ast.LShift) else left[0] >> right[0]), ""
    act = _OPERATORS.get(type(node.op))
    if act is None or (isinstance(node.op, ast.FloorDiv | ast.Mod) and right[0] == 0):
        return None
    return act(left[0], right[0]), ""
