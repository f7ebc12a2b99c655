"""The format of typed buffer instructions.

Before gfx10 a data and a number format: `dfmt:1, nfmt:7` or `format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]`. From
gfx10 on one number for both: `format:22` or `format:[BUF_FMT_32_FLOAT]`, or by the older names where there is one.
"""

from functools import cache

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa import formats as tables
from gcn_lsp.syntax import nodes

DEFAULT = 1
"""8 bits, UNORM: data format 1 with number format 0, and unified format 1."""

_DEFAULT_DATA, _DEFAULT_NUMBER = "8", "UNORM"
_FIRST_UNIFIED = 10  # the generation
_LARGEST = 127

_DATA = (
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32",
    "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15",
)  # fmt: skip
_NUMBERS = ("UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT")
_DATA_PREFIX, _NUMBER_PREFIX, _UNIFIED_PREFIX = "BUF_DATA_FORMAT_", "BUF_NUM_FORMAT_", "BUF_FMT_"

_SCALED = ("UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT")
_ALL = (*_SCALED, "FLOAT")
_WIDE = ("UINT", "SINT", "FLOAT")
# Unified formats are numbered through the data formats, each with its number formats.
_GFX10 = {
    "8": _SCALED, "16": _ALL, "8_8": _SCALED, "32": _WIDE, "16_16": _ALL, "10_11_11": _ALL, "11_11_10": _ALL,
    "10_10_10_2": _SCALED, "2_10_10_10": _SCALED, "8_8_8_8": _SCALED, "32_32": _WIDE, "16_16_16_16": _ALL,
    "32_32_32": _WIDE, "32_32_32_32": _WIDE,
}  # fmt: skip
_GFX11 = _GFX10 | {
    "10_11_11": ("FLOAT",),
    "11_11_10": ("FLOAT",),
    "10_10_10_2": ("UNORM", "SNORM", "UINT", "SINT"),
}


@cache
def _unified(generation: int) -> dict[tuple[str, str], int]:
    """The unified formats by data and number format."""
    pairs = [("INVALID", _DEFAULT_NUMBER)]
    for data, numbers in (_GFX11 if generation > _FIRST_UNIFIED else _GFX10).items():
        pairs += [(data, number) for number in numbers]
    return {pair: code for code, pair in enumerate(pairs)}


WORDS = frozenset(
    (
        *(_DATA_PREFIX + name for name in _DATA),
        *(_NUMBER_PREFIX + name for name in _NUMBERS),
        _UNIFIED_PREFIX + "INVALID",
        *(f"{_UNIFIED_PREFIX}{data}_{number}" for data, number in _unified(_FIRST_UNIFIED)),
    )
)


def is_unified(target: isa.Target) -> bool:
    """Whether the target has one number for both formats."""
    return target.generation_number >= _FIRST_UNIFIED


def read_split(modifiers: tuple[nodes.Modifier, ...], scope: Scope) -> Reading:
    """The seven bits of `dfmt:` and `nfmt:`, in any order, each at most once."""
    data, number = DEFAULT, 0
    for modifier in modifiers:
        largest = len(_DATA) - 1 if modifier.name == "dfmt" else len(_NUMBERS) - 1
        what = f"the value of {modifier.name}"
        value = scope.ranged(modifier.value, 0, largest, what, "modifier-out-of-range")
        if not isinstance(value, int):
            return value
        if modifier.name == "dfmt":
            data = value
        else:
            number = value
    return data | number << 4


def read_number(node: nodes.Node, scope: Scope) -> Reading:
    """`format:` as a number before soffset."""
    return scope.ranged(node, 0, _LARGEST, "the format", "modifier-out-of-range")


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The seven bits of `format:` after soffset, by names in brackets or as a number."""
    unified = is_unified(scope.target)
    codes = _unified(scope.target.generation_number) if unified else {}
    if not isinstance(node, nodes.Bracket):
        return read_number(node, scope)
    if not 1 <= len(node.items) <= 2:
        return Problem("modifier-out-of-range", node.start, node.end, "a data format and a number format are expected")
    first = name_of(node.items[0])
    for (data, number), code in codes.items():
        if first in (f"{_UNIFIED_PREFIX}{data}_{number}", f"{_UNIFIED_PREFIX}{data}") and len(node.items) == 1:
            return code
    pair = _pair(node, _number_names(scope.target))
    if not isinstance(pair, tuple):
        return pair
    if not unified:
        return _DATA.index(pair[0]) | _number_names(scope.target).index(pair[1]) << 4
    if pair in codes:
        return codes[pair]
    message = f"{scope.target.name} has no format of data {pair[0]} and numbers {pair[1]}"
    return Problem("unsupported-on-target", node.start, node.end, message)


def _number_names(target: isa.Target) -> tuple[str, ...]:
    """The number formats as the target names them."""
    return tuple(name.removeprefix(_NUMBER_PREFIX) for name in tables.number_formats(target.features))


def _pair(node: nodes.Bracket, numbers: tuple[str, ...]) -> tuple[str, str] | Problem:
    """The data and the number format that the names say, each by default when it is left out."""
    data: str | None = None
    number: str | None = None
    for item in node.items:
        name = name_of(item)
        if name.removeprefix(_DATA_PREFIX) in _DATA and name.startswith(_DATA_PREFIX) and data is None:
            data = name.removeprefix(_DATA_PREFIX)
        elif name.removeprefix(_NUMBER_PREFIX) in numbers and name.startswith(_NUMBER_PREFIX) and number is None:
            number = name.removeprefix(_NUMBER_PREFIX)
        else:
            why = f"`{name}` is the second of its kind" if name in WORDS else "the name of a format is expected"
            return Problem("modifier-out-of-range", item.start, item.end, why)
    return data or _DEFAULT_DATA, number or _DEFAULT_NUMBER
