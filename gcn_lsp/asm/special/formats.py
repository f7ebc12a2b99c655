"""The format of typed buffer instructions: `dfmt:1, nfmt:7` or `format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]`.

These are the split data and number formats of targets before gfx10.
"""

from gcn_lsp.asm.model import Problem
from gcn_lsp.asm.values import Reading, Scope, name_of
from gcn_lsp.syntax import nodes

DEFAULT_DATA, DEFAULT_NUMBER = 1, 0
DEFAULT = DEFAULT_DATA | DEFAULT_NUMBER << 4

_DATA = {
    f"BUF_DATA_FORMAT_{name}": number
    for number, name in enumerate(
        [
            "INVALID",
            "8",
            "16",
            "8_8",
            "32",
            "16_16",
            "10_11_11",
            "11_11_10",
            "10_10_10_2",
            "2_10_10_10",
            "8_8_8_8",
            "32_32",
            "16_16_16_16",
            "32_32_32",
            "32_32_32_32",
            "RESERVED_15",
        ]
    )
}
_NUMBER = {
    f"BUF_NUM_FORMAT_{name}": number
    for number, name in enumerate(["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"])
}

WORDS = frozenset((*_DATA, *_NUMBER))


def read_split(modifiers: tuple[nodes.Modifier, ...], scope: Scope) -> Reading:
    """The seven bits of `dfmt:` and `nfmt:`, in any order, each at most once."""
    data, number = DEFAULT_DATA, DEFAULT_NUMBER
    for modifier in modifiers:
        value = scope.ranged(
            modifier.value,
            0,
            15 if modifier.name == "dfmt" else 7,
            f"the value of {modifier.name}",
            "modifier-out-of-range",
        )
        if not isinstance(value, int):
            return value
        if modifier.name == "dfmt":
            data = value
        else:
            number = value
    return data | number << 4


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The seven bits of `format:`, by names in brackets or as a number."""
    if not isinstance(node, nodes.Bracket):
        return scope.ranged(node, 0, 127, "the format", "modifier-out-of-range")
    data: int | None = None
    number: int | None = None
    for item in node.items:
        name = name_of(item)
        if name in _DATA and data is None:
            data = _DATA[name]
        elif name in _NUMBER and number is None:
            number = _NUMBER[name]
        else:
            twice = name in _DATA or name in _NUMBER
            why = (
                f"`{name}` is the second of its kind"
                if twice
                else "a BUF_DATA_FORMAT_ or BUF_NUM_FORMAT_ name is expected"
            )
            return Problem("modifier-out-of-range", item.start, item.end, why)
    if not 1 <= len(node.items) <= 2:
        return Problem("modifier-out-of-range", node.start, node.end, "a data format and a number format are expected")
    data = DEFAULT_DATA if data is None else data
    return data | (DEFAULT_NUMBER if number is None else number) << 4
