"""ds_swizzle_b32: the modes of `offset:swizzle(MODE, ...)` and the 16-bit value each makes."""

from collections.abc import Mapping, Sequence

import msgspec

from gcn_lsp.isa import conditions as on

QUAD_PERM_CODE, ROTATE_CODE, FFT_CODE = 0x8000, 0xC000, 0xE000
MASK_WIDTH, OR_SHIFT, XOR_SHIFT = 5, 5, 10
ROTATE_DIRECTION_SHIFT, ROTATE_SIZE_SHIFT = 10, 5
MASK_BITS = "01pi"  # of BITMASK_PERM's string, highest lane bit first: zero, one, keep, invert


class Argument(msgspec.Struct, frozen=True):
    """An argument's name and range; powers of two only when `power` is set."""

    name: str
    low: int
    high: int
    power: bool = False


class Mode(msgspec.Struct, frozen=True):
    """A mode and what it takes; BITMASK_PERM takes a string instead."""

    name: str
    arguments: tuple[Argument, ...]
    condition: str


_LANE = Argument("lane id", 0, 3)
_ROWS: tuple[Mode, ...] = (
    Mode("QUAD_PERM", (_LANE, _LANE, _LANE, _LANE), on.ALL),
    Mode("BITMASK_PERM", (), on.ALL),
    Mode("SWAP", (Argument("group size", 1, 16, power=True),), on.ALL),
    Mode("REVERSE", (Argument("group size", 2, 32, power=True),), on.ALL),
    Mode("BROADCAST", (Argument("group size", 2, 32, power=True), Argument("lane id", 0, 31)), on.ALL),
    Mode("ROTATE", (Argument("direction", 0, 1), Argument("threads to rotate", 0, 31)), on.GFX9_ON),
    Mode("FFT", (Argument("swizzle", 0, 31),), on.GFX9_ON),
)


def modes(features: frozenset[str]) -> Mapping[str, Mode]:
    """The modes of a target by name."""
    return {mode.name: mode for mode in _ROWS if on.holds(mode.condition, features)}


def value(mode: str, arguments: Sequence[int]) -> int:
    """The 16-bit value of a mode, BITMASK_PERM apart; the arguments are in range."""
    keep = (1 << MASK_WIDTH) - 1
    if mode == "QUAD_PERM":
        return QUAD_PERM_CODE | sum(lane << 2 * place for place, lane in enumerate(arguments))
    if mode == "SWAP":
        return bitmask(keep, 0, arguments[0])
    if mode == "REVERSE":
        return bitmask(keep, 0, arguments[0] - 1)
    if mode == "BROADCAST":
        return bitmask(keep + 1 - arguments[0], arguments[1], 0)
    if mode == "ROTATE":
        return ROTATE_CODE | arguments[0] << ROTATE_DIRECTION_SHIFT | arguments[1] << ROTATE_SIZE_SHIFT
    return FFT_CODE | arguments[0]


def bitmask(and_mask: int, or_mask: int, xor_mask: int) -> int:
    """The value that sends lane n to ((n & and) | or) ^ xor."""
    return and_mask | or_mask << OR_SHIFT | xor_mask << XOR_SHIFT


def mask_string(text: str) -> int | None:
    """The value of BITMASK_PERM's string of five characters of `01pi`; None when it is no such string."""
    if len(text) != MASK_WIDTH or set(text) - set(MASK_BITS):
        return None
    masks = {"0": (0, 0, 0), "1": (0, 1, 0), "p": (1, 0, 0), "i": (1, 0, 1)}
    bits = [masks[character] for character in text]
    and_mask, or_mask, xor_mask = (sum(bit[which] << 4 - place for place, bit in enumerate(bits)) for which in range(3))
    return bitmask(and_mask, or_mask, xor_mask)
