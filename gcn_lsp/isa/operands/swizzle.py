"""ds_swizzle_b32: the modes of `offset:swizzle(MODE, ...)`, the 16-bit value of each, the lanes that a value reads.

Sources: for the lanes the pseudo-code of the instruction in AMD's ISA documents from "Vega"; LLVM for the words.
"""

from collections.abc import Mapping, Sequence

import msgspec

from gcn_lsp.isa.conditions import holds

MNEMONIC = "ds_swizzle_b32"

QUAD_PERM_CODE, ROTATE_CODE, FFT_CODE = 0x8000, 0xC000, 0xE000
MASK_WIDTH, OR_SHIFT, XOR_SHIFT = 5, 5, 10
MASK = (1 << MASK_WIDTH) - 1
ROTATE_DIRECTION_SHIFT, ROTATE_SIZE_SHIFT = 10, 5
MASK_BITS = "01pi"  # of BITMASK_PERM's string, highest lane bit first: zero, one, keep, invert


class Argument(msgspec.Struct, frozen=True):
    """An argument's name and range: only powers of two with `power`, below the first argument with `below_first`."""

    name: str
    low: int
    high: int
    power: bool = False
    below_first: bool = False


class Mode(msgspec.Struct, frozen=True):
    """A mode and its arguments; BITMASK_PERM has a string instead."""

    name: str
    arguments: tuple[Argument, ...]
    condition: str


_LANE = Argument("lane id", 0, 3)
_SIZE = Argument("group size", 2, 32, power=True)
_ROWS: tuple[Mode, ...] = (
    Mode("QUAD_PERM", (_LANE, _LANE, _LANE, _LANE), ""),
    Mode("BITMASK_PERM", (), ""),
    Mode("SWAP", (Argument("group size", 1, 16, power=True),), ""),
    Mode("REVERSE", (_SIZE,), ""),
    Mode("BROADCAST", (_SIZE, Argument("lane id", 0, 31, below_first=True)), ""),
    Mode("ROTATE", (Argument("direction", 0, 1), Argument("number of lanes", 0, 31)), "gfx9+"),
    Mode("FFT", (Argument("FFT swizzle", 0, 31),), "gfx9+"),
)
BITMASK_PERM = "BITMASK_PERM"


def all_modes() -> Mapping[str, Mode]:
    """The modes on any target by name."""
    return {mode.name: mode for mode in _ROWS}


def modes(features: frozenset[str]) -> Mapping[str, Mode]:
    """The modes of a target by name."""
    return {mode.name: mode for mode in _ROWS if holds(mode.condition, features)}


def value(mode: str, arguments: Sequence[int]) -> int:
    """The 16-bit value of a mode other than BITMASK_PERM; the arguments are in range."""
    if mode == "QUAD_PERM":
        return QUAD_PERM_CODE | sum(lane << 2 * place for place, lane in enumerate(arguments))
    if mode == "SWAP":
        return bitmask(MASK, 0, arguments[0])
    if mode == "REVERSE":
        return bitmask(MASK, 0, arguments[0] - 1)
    if mode == "BROADCAST":
        return bitmask(MASK + 1 - arguments[0], arguments[1], 0)
    if mode == "ROTATE":
        return ROTATE_CODE | arguments[0] << ROTATE_DIRECTION_SHIFT | arguments[1] << ROTATE_SIZE_SHIFT
    return FFT_CODE | arguments[0]


def bitmask(and_mask: int, or_mask: int, xor_mask: int) -> int:
    """The value that sends lane n to ((n & and) | or) ^ xor."""
    return and_mask | or_mask << OR_SHIFT | xor_mask << XOR_SHIFT


def mask_string(text: str) -> int | None:
    """The value of BITMASK_PERM's string of five characters of `01pi`; None for any other string."""
    if len(text) != MASK_WIDTH or set(text) - set(MASK_BITS):
        return None
    masks = {"0": (0, 0, 0), "1": (0, 1, 0), "p": (1, 0, 0), "i": (1, 0, 1)}
    bits = [masks[character] for character in text]
    and_mask, or_mask, xor_mask = (sum(bit[which] << 4 - place for place, bit in enumerate(bits)) for which in range(3))
    return bitmask(and_mask, or_mask, xor_mask)


def source_lane(features: frozenset[str], code: int, lane: int) -> int:
    """The lane that lane number `lane` reads with the 16-bit value `code`."""
    if code < QUAD_PERM_CODE:
        and_mask, or_mask, xor_mask = masks(code)
        return lane & ~MASK | ((lane & MASK & and_mask) | or_mask) ^ xor_mask
    known = modes(features)
    kept = code & MASK  # bits of the lane's number that are kept
    if "FFT" in known and code >= FFT_CODE:
        mirrored = sum((lane >> bit & 1) << MASK_WIDTH - 1 - bit for bit in range(MASK_WIDTH))
        return lane & ~MASK | mirrored >> kept.bit_count() | lane & kept
    if "ROTATE" in known and code >= ROTATE_CODE:
        count = code >> ROTATE_SIZE_SHIFT & MASK
        turned = lane - count if code >> ROTATE_DIRECTION_SHIFT & 1 else lane + count
        return lane & ~MASK | turned & MASK & ~kept | lane & kept
    return lane & ~3 | code >> 2 * (lane & 3) & 3


def masks(code: int) -> tuple[int, int, int]:
    """The and, or and xor masks in the value of a BITMASK_PERM."""
    return code & MASK, code >> OR_SHIFT & MASK, code >> XOR_SHIFT & MASK
