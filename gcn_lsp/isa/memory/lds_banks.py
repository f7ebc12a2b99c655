"""The banks of LDS, and the lanes of a wave that are served at the same time, as far as they are published.

LDS is a row of banks of 4 bytes: dword n is in bank n modulo their number. The lanes of a wave go in phases. Lanes of
one phase that need different dwords of one bank are served one after another; one dword is read for all lanes at once.

Sources: AMD's ISA documents, "Local data share" (32 accesses of 32 bits at once); rocRoller's `LDSSwizzling.md` and
Triton's layouts for the phases of `ds_read_b128` on gfx942 and gfx950; a comment of rocRoller's authors that on gfx950
only `ds_read_b64` and `ds_read_b128` use 64 banks, while `ds_read_b32` and all writes act as if there were 32; the
16 lanes of `ds_read_b64` on gfx942 from FlashInfer's swizzle for it. No phases are published for writes of 64 bits and
more, for 96 bits, for gfx6 to gfx90a but for 32 bits, nor for gfx125x.
"""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.records import NamedTuple

BANK = 4
"""Bytes of a bank."""


class BankModel(NamedTuple):
    """How accesses of one width are served. banks: their number. phases: the lanes of each, of a wave of 64 or 32."""

    banks: int
    phases: tuple[tuple[int, ...], ...]


def _together(count: int, lanes: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(range(first, first + count)) for first in range(0, lanes, count))


def _of_rows(*rows: str) -> tuple[tuple[int, ...], ...]:
    ranges = ((part.split("-") for part in row.split()) for row in rows)
    return tuple(tuple(lane for first, last in row for lane in range(int(first), int(last) + 1)) for row in ranges)


_MI300_128 = _of_rows(
    "0-3 20-23", "32-35 52-55", "4-7 16-19", "36-39 48-51", "8-11 28-31", "40-43 60-63", "12-15 24-27", "44-47 56-59"
)
_MI350_128 = _of_rows(
    "0-3 12-15 20-27", "32-35 44-47 52-59", "4-11 16-19 28-31", "36-43 48-51 60-63"
)  # fmt: skip

# targets, lanes of a wave, reads, bytes, model
_ROWS: tuple[tuple[str, int, bool, int, BankModel], ...] = (
    ("gfx7-9", 64, True, 4, BankModel(32, _together(32, 64))),
    ("gfx7-9", 64, False, 4, BankModel(32, _together(32, 64))),
    ("gfx94", 64, True, 8, BankModel(32, _together(16, 64))),
    ("gfx95", 64, True, 8, BankModel(64, _together(32, 64))),
    ("gfx94", 64, True, 16, BankModel(32, _MI300_128)),
    ("gfx95", 64, True, 16, BankModel(64, _MI350_128)),
    ("gfx10-11|gfx120", 32, True, 4, BankModel(32, _together(32, 32))),
    ("gfx10-11|gfx120", 32, False, 4, BankModel(32, _together(32, 32))),
    ("gfx10-11|gfx120", 64, True, 4, BankModel(32, _together(32, 64))),
    ("gfx10-11|gfx120", 64, False, 4, BankModel(32, _together(32, 64))),
)


def model(features: frozenset[str], wave: int, width: int, *, reads: bool) -> "BankModel | None":
    """How accesses of `width` bytes by each of `wave` lanes are served; None if nothing is published."""
    return next(
        (
            each
            for targets, lanes, is_read, size, each in _ROWS
            if (lanes, is_read, size) == (wave, reads, width) and holds(targets, features)
        ),
        None,
    )
