"""The format of typed buffer instructions.

Before gfx10 it is a data and a number format: `dfmt:1, nfmt:7` or `format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]`.
From gfx10 it is one number for both: `format:22` or `format:[BUF_FMT_32_FLOAT]`, or the older names of such a pair.
"""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa.operands import formats as table
from gcn_lsp.syntax import nodes

_RULE = "modifier-out-of-range"
_HIGHEST = {"dfmt": (1 << table.DATA_BITS) - 1, "nfmt": (1 << table.NUMBER_BITS) - 1}
_LARGEST = (1 << table.UNIFIED_BITS) - 1
_DEFAULT_NUMBER = table.DEFAULT >> table.NUMBER_SHIFT


def read_split(modifiers: tuple[nodes.Modifier, ...], scope: Scope) -> Reading:
    """The seven bits of `dfmt:` and `nfmt:`, in any order, each at most once."""
    values = {"dfmt": table.DEFAULT, "nfmt": _DEFAULT_NUMBER}
    for modifier in modifiers:
        value = scope.ranged(modifier.value, 0, _HIGHEST[modifier.name], f"the value of {modifier.name}", _RULE)
        if not isinstance(value, int):
            return value
        values[modifier.name] = value
    return values["dfmt"] | values["nfmt"] << table.NUMBER_SHIFT


def read_number(node: nodes.Node, scope: Scope) -> Reading:
    """`format:` as a number before soffset."""
    return scope.ranged(node, 0, _LARGEST, "the format", _RULE)


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The seven bits of `format:` after soffset, by names in brackets or as a number."""
    if not isinstance(node, nodes.Bracket):
        return read_number(node, scope)
    if not 1 <= len(node.items) <= 2:
        return Problem(_RULE, node.start, node.end, "a data format and a number format are expected")
    features = scope.target.features
    code = table.unified_formats(features).get(name_of(node.items[0])) if len(node.items) == 1 else None
    if code is not None:
        return code
    pair = _pair(node, scope.target)
    if not isinstance(pair, tuple):
        return pair
    data, number = pair
    if not table.is_unified(features):
        return data | number << table.NUMBER_SHIFT
    code = table.unified(features, data, number)
    if code is not None:
        return code
    names = (_short(data, table.DATA_FORMATS), _short(number, table.number_formats(features)))
    message = f"{scope.target.name} has no format of data {names[0]} and numbers {names[1]}"
    return Problem("unsupported-on-target", node.start, node.end, message)


def _short(code: int, names: Mapping[str, int]) -> str:
    return next(name for name, value in names.items() if value == code).split("_FORMAT_")[1]


def _pair(node: nodes.Bracket, target: isa.Target) -> tuple[int, int] | Problem:
    """The data and the number format with these names, or the default of one that is left out."""
    numbers = table.number_formats(target.features)
    data: int | None = None
    number: int | None = None
    for item in node.items:
        name = name_of(item)
        if name in table.DATA_FORMATS and data is None:
            data = table.DATA_FORMATS[name]
        elif name in numbers and number is None:
            number = numbers[name]
        else:
            return Problem(_RULE, item.start, item.end, _why_not(name, target))
    return table.DEFAULT if data is None else data, _DEFAULT_NUMBER if number is None else number


def _why_not(name: str, target: isa.Target) -> str:
    features = target.features
    if name in {*table.DATA_FORMATS, *table.number_formats(features), *table.unified_formats(features)}:
        return f"`{name}` is a second format of the same kind"
    return f"{target.name} has no format `{name}`" if name in table.all_names() else "a format name is expected"
