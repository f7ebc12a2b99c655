"""The pattern of `ds_swizzle_b32`: `offset:0x8055` or `offset:swizzle(MODE, ...)`."""

from gcn_lsp.asm.model import Problem
from gcn_lsp.asm.values import Reading, Scope, name_of
from gcn_lsp.syntax import nodes

_QUAD_PERM, _ROTATE, _FFT = 0x8000, 0xC000, 0xE000
_MASK_BITS = 5
_MASK = (1 << _MASK_BITS) - 1
_ARGUMENTS = {"QUAD_PERM": 4, "BITMASK_PERM": 1, "BROADCAST": 2, "SWAP": 1, "REVERSE": 1, "FFT": 1, "ROTATE": 2}
WORDS = frozenset(_ARGUMENTS)


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits of the pattern."""
    if not isinstance(node, nodes.Call) or node.name != "swizzle":
        return scope.ranged(node, 0, 0xFFFF, "the swizzle pattern", "modifier-out-of-range")
    mode = name_of(node.arguments[0]) if node.arguments else ""
    values = node.arguments[1:]
    if mode not in _ARGUMENTS:
        place = node.arguments[0] if node.arguments else node
        return Problem(
            "modifier-out-of-range", place.start, place.end, "a swizzle mode is expected: " + ", ".join(_ARGUMENTS)
        )
    if len(values) != _ARGUMENTS[mode]:
        return Problem(
            "modifier-out-of-range", node.start, node.end, f"{mode} takes {_ARGUMENTS[mode]} values, not {len(values)}"
        )
    if mode == "BITMASK_PERM":
        return _bitmask(values[0])
    if mode == "QUAD_PERM":
        lanes = _numbers(values, scope, ((0, 3),) * 4)
        if not isinstance(lanes, list):
            return lanes
        return _QUAD_PERM | sum(lane << 2 * i for i, lane in enumerate(lanes))
    if mode == "FFT":
        return _or(_FFT, scope.ranged(values[0], 0, _MASK, "the FFT swizzle", "modifier-out-of-range"))
    if mode == "ROTATE":
        turn = _numbers(values, scope, ((0, 1), (0, _MASK)))
        return _ROTATE | turn[0] << 10 | turn[1] << 5 if isinstance(turn, list) else turn
    size = _group(values[0], scope, *((1, 16) if mode == "SWAP" else (2, 32)))
    if not isinstance(size, int):
        return size
    if mode == "SWAP":
        return _masks(_MASK, 0, size)
    if mode == "REVERSE":
        return _masks(_MASK, 0, size - 1)
    lane = scope.ranged(values[1], 0, size - 1, "the lane", "modifier-out-of-range")
    return lane if not isinstance(lane, int) else _masks(_MASK - size + 1, lane, 0)


def _or(bits: int, value: Reading) -> Reading:
    return bits | value if isinstance(value, int) else value


def _masks(and_mask: int, or_mask: int, xor_mask: int) -> int:
    return and_mask | or_mask << _MASK_BITS | xor_mask << 2 * _MASK_BITS


def _numbers(
    values: tuple[nodes.Node, ...], scope: Scope, ranges: tuple[tuple[int, int], ...]
) -> "list[int] | Problem | None":
    found: list[int] = []
    for node, (low, high) in zip(values, ranges, strict=True):
        value = scope.ranged(node, low, high, "the value", "modifier-out-of-range")
        if not isinstance(value, int):
            return value
        found.append(value)
    return found


def _group(node: nodes.Node, scope: Scope, low: int, high: int) -> Reading:
    size = scope.ranged(node, low, high, "the group size", "modifier-out-of-range")
    if isinstance(size, int) and size & (size - 1):
        return Problem("modifier-out-of-range", node.start, node.end, f"the group size {size} is no power of two")
    return size


def _bitmask(node: nodes.Node) -> Reading:
    mask = node.value.decode("latin-1") if isinstance(node, nodes.String) else ""
    if len(mask) != _MASK_BITS or set(mask) - set("01pi"):
        return Problem(
            "modifier-out-of-range",
            node.start,
            node.end,
            'a string of five letters out of 0, 1, p and i is expected: "01pip"',
        )
    and_mask = or_mask = xor_mask = 0
    for letter in mask:
        and_mask, or_mask, xor_mask = and_mask << 1, or_mask << 1, xor_mask << 1
        and_mask |= letter in "pi"
        or_mask |= letter == "1"
        xor_mask |= letter == "i"
    return _masks(and_mask, or_mask, xor_mask)
