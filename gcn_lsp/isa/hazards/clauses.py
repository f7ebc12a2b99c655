"""Runs of memory instructions that must be replayable (XNACK), and cache invalidations: S-03, S-04, S29, S30.

Facts: `hazards-all-targets` of this project's fact sheets, section 2.1, `cdna1-waits-and-hazards`, section 4, and
`scalar-and-buffer-memory`, sections 10 and 11. A run is a sequence of memory instructions of one type; any other
instruction ends it. When one of them faults on a page, all are executed again.
"""

from gcn_lsp.isa.hazards import kinds, parts
from gcn_lsp.isa.hazards.access import Access, File
from gcn_lsp.isa.hazards.model import FOREVER, Kind, RegisterPart, Row, Separation

_SMEM_REPLAYED = "gfx8-9|gfx101|gfx125|gfx13+"
_SOURCES = "when the first of these faults on a page, all are repeated, with what the second one has written"
_OWN_SOURCES = "when one of these faults on a page, all are repeated, and one has overwritten its own sources"
_STORE = "when another of these memory instructions faults on a page, it is repeated"
_ALONE = "an invalidation must be the only scalar memory instruction of its run"
_STILL_VALID = "until the counter is zero the invalidation may not be done, and the load may find old data"


def _of(row: str, targets: str, kind: Kind, others: Kind, load: Kind, store: Kind) -> tuple[Row, ...]:
    """The rows for runs of one class of memory instructions; all of them need one before that loads something."""

    def made(
        first: Kind, writes: RegisterPart, second: Kind, meets: RegisterPart, reason: str, through: "Kind | None" = None
    ) -> Row:
        return Row(
            row, targets, first, writes, second, meets, 1, reason, unit=FOREVER, through=through, cancels=others,
            cancels_after=others, replay=True,
        )  # fmt: skip

    return (
        made(
            kind,
            RegisterPart(Access.READS_IF_WRITES, File.OPERANDS),
            kind,
            RegisterPart(Access.WRITES, File.OPERANDS),
            _SOURCES,
        ),
        made(kind, RegisterPart(Access.READS_IF_WRITES, File.VECTOR), kind, parts.WRITES_VECTOR, _SOURCES),
        made(
            kind,
            RegisterPart(Access.READS, File.OPERANDS),
            kind,
            RegisterPart(Access.WRITES, File.OPERANDS),
            _SOURCES,
            load,
        ),
        made(kind, parts.READS_VECTOR, kind, parts.WRITES_VECTOR, _SOURCES, load),
        made(kind, parts.IF_OVERLAPS, kind, parts.ALWAYS, _OWN_SOURCES),
        made(kind, parts.IF_WRITES, kind, parts.IF_OVERLAPS, _OWN_SOURCES),
        made(kind, parts.IF_WRITES, store, parts.ALWAYS, _STORE),
    )


def _after_invalidation(targets: str, wait: Kind, fix: Separation) -> tuple[Row, Row]:
    """The rows for an instruction directly after an invalidation, and for a later one without a wait for it."""
    return (
        Row(
            "S29", targets, kinds.CACHE_INVALIDATE, parts.ALWAYS, kinds.OTHER_SMEM, parts.ALWAYS, 1, _ALONE, fix=fix,
            sure=False,
        ),
        Row(
            "S30", targets, kinds.CACHE_INVALIDATE, parts.ALWAYS, kinds.SMEM_LOAD, parts.ALWAYS, 1, _STILL_VALID,
            unit=FOREVER, through=kinds.NOT_SMEM, cancels=wait, cancels_after=wait, fix=fix, sure=False,
        ),
    )  # fmt: skip


_LGKMCNT, _KMCNT = Separation("s_waitcnt lgkmcnt(0)"), Separation("s_wait_kmcnt 0x0")

ROWS: tuple[Row, ...] = (
    *_of("S-03", _SMEM_REPLAYED, kinds.SMEM, kinds.NOT_SMEM, kinds.SMEM_LOAD, kinds.SMEM_STORE),
    *_of("S-04", "gfx8-9", kinds.VMEM, kinds.NOT_VMEM, kinds.VMEM_LOAD, kinds.VMEM_STORE),
    Row("S29", "gfx10+", kinds.SMEM, parts.ALWAYS, kinds.CACHE_INVALIDATE, parts.ALWAYS, 1, _ALONE, sure=False),
    *(
        row
        for targets, wait, fix in (
            ("gfx10", kinds.scalar_wait("s_waitcnt_lgkmcnt", 0x3F00), _LGKMCNT),
            ("gfx11", kinds.scalar_wait("s_waitcnt_lgkmcnt", 0x3F0), _LGKMCNT),
            ("gfx12+", kinds.scalar_wait("s_wait_kmcnt", 0x3F0), _KMCNT),
        )
        for row in _after_invalidation(targets, wait, fix)
    ),
)
