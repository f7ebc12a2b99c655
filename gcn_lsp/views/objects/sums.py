"""Sums with the program counter: `s_getpc_b64 s[4:5]`, then `s_add_u32 s4, s4, DISTANCE`, which makes an address.

On gfx1250 and gfx13 also `s_get_pc_i64 s[4:5]`, then `s_add_nc_u64 s[4:5], s[4:5], DISTANCE`.
"""

import re
from collections.abc import Callable, Sequence

from gcn_lsp.instruction.decoding.decoder import Decoded
from gcn_lsp.isa.machine import roles
from gcn_lsp.records import NamedTuple

READERS = roles.mnemonics("read pc")
"""The instructions that read the program counter."""
_PAIR = re.compile(rf"(?:{'|'.join(sorted(READERS))}) s\[(\d+):(\d+)\]\Z")
_BETWEEN = ("s_sext_i32_i16", "s_nop")
"""What may be between the two: from gfx12 the program counter has 48 bits."""
_FURTHEST = 2  # instructions between the two
_WORD = 4  # bytes of an addition without its literal


class Sum(NamedTuple):
    """counter: the place that the program counter has. addition: the number of the instruction that adds.
    target: the place that it makes. text: the addition without the distance.
    """

    counter: int
    addition: int
    target: int
    text: str


def read(decoded: Callable[[int], "Decoded | None"], bounds: Sequence[int], getpc: int) -> Sum | None:
    """The sum that begins with the instruction `getpc`; None if there is none. decoded: an instruction by its number.
    bounds: where each begins, and where the last ends."""
    first = decoded(getpc)
    pair = _PAIR.match(first.text) if first is not None else None
    if first is None or pair is None:
        return None
    addition, bits = _addition(pair[1], pair[2], is_whole=first.form.mnemonic.endswith("_i64"))
    for index in range(getpc + 1, min(getpc + 2 + _FURTHEST, len(bounds) - 1)):
        each = decoded(index)
        found = addition.match(each.text) if each is not None else None
        if each is not None and found is not None and each.size == _WORD + bits // 8:
            distance = int(found[2], 16)
            distance -= (distance >> bits - 1) << bits
            counter = bounds[getpc + 1]
            return Sum(counter, index, counter + distance, found[1])
        if each is None or not each.text.startswith(_BETWEEN):
            return None
    return None


def _addition(low: str, high: str, *, is_whole: bool) -> tuple["re.Pattern[str]", int]:
    """The addition to a pair, or to its lower register, and the bits of the literal for a difference of labels."""
    if is_whole:
        return re.compile(rf"(s_add_nc_u64 s\[{low}:{high}\], s\[{low}:{high}\], )(?:lit64\()?(0x[0-9a-f]+)\)?\Z"), 64
    return re.compile(rf"(s_add(?:_co)?_u32 s{low}, s{low}, )(?:lit\()?(0x[0-9a-f]+)\)?\Z"), 32


def begins(decoded: Decoded) -> bool:
    """Whether an instruction reads the program counter."""
    return decoded.form.mnemonic in READERS
