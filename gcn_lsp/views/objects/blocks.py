"""Machine code in blocks: instructions, and blocks that hold something else.

Random or encrypted bytes of several megabytes would be millions of different instructions, and each is costly. A block
is data if, in samples at three of its places, many words are no instruction; in machine code there are none.
"""

from collections.abc import Iterator

from gcn_lsp.instruction.decoding.decoder import Decoded, Decoder
from gcn_lsp.records import NamedTuple

_BLOCK, _SAMPLE = 16 * 1024, 256
_MOST = 4
"""A block is data if more than one word in this many is not an instruction.

Among random words, 36 to 51 in 100 are not instructions, depending on the target."""


class DataPiece(NamedTuple):
    """Bytes of a block of data."""

    size: int


_PIECE = DataPiece(256)


def read(decoder: Decoder, code: bytes, start: int, end: int) -> Iterator["list[Decoded | DataPiece | None]"]:
    """The instructions and pieces of machine code that begin from `start` to before `end`, one after the other.

    None stands for a word that is not an instruction. The first words of a block of data are read too, to say what
    control runs into.
    """
    at, after_data = start, False
    while at < end:
        is_data = at + _BLOCK <= end and _is_data(decoder, code, at)
        size = 0 if is_data and after_data else _SAMPLE if is_data else min(_BLOCK, end - at)
        instructions, place = decoder.read_part(code, at, at + size)
        found: list[Decoded | DataPiece | None] = [*instructions]
        if is_data:
            whole, rest = divmod(at + _BLOCK - place, _PIECE.size)
            found += [_PIECE] * whole + [DataPiece(rest)] * bool(rest)
            place = at + _BLOCK
        yield found
        at, after_data = place, is_data


def _is_data(decoder: Decoder, code: bytes, start: int) -> bool:
    """Whether the samples of a block have many words that are no instruction, and each has some."""
    first, _ = decoder.read_part(code, start, start + _SAMPLE)  # kept, as most blocks are code
    samples = [first]
    for place in (start + _BLOCK // 2, start + _BLOCK - _SAMPLE):
        if 2 * _MOST * samples[-1].count(None) < len(samples[-1]):
            return False
        samples.append([decoder.read(code, at) for at in range(place, place + _SAMPLE, 4)])
    return _MOST * sum(each.count(None) for each in samples) > sum(map(len, samples))
