"""Runs of memory instructions that have to be replayable (XNACK), and what must not stand in a run: S-03, S-04, S29.

Facts: `hazards-all-targets` of this project's fact sheets, section 2.1, `cdna1-waits-and-hazards`, section 4, and
`scalar-and-buffer-memory`, sections 10 and 11. A run is what memory instructions of one type follow one another; any
other instruction ends it. When one of them faults on a page, all are carried out again.
"""

from gcn_lsp.isa import conditions as on
from gcn_lsp.isa.hazards import kinds, parts
from gcn_lsp.isa.hazards.model import FOREVER, Kind, Part, Row

_SMEM_REPLAYED = "FeatureGCN3Encoding|FeatureGFX10Insts|FeatureGFX1250Insts !FeatureGFX10_3Insts|FeatureGFX1250Insts"
_SOURCES = "when the first of these faults on a page all are carried out again, with what the second one has written"
_OWN_SOURCES = "when one of these faults on a page all are carried out again, and one has overwritten its own sources"
_STORE = "when another of these memory instructions faults on a page, it is carried out a second time"
_ALONE = "an invalidation has to be the only scalar memory instruction of its run"


def _of(row: str, targets: str, kind: Kind, others: Kind, load: Kind, store: Kind) -> tuple[Row, ...]:
    """The rows for runs of one class of memory instructions; all of them need one before that loads something."""

    def made(first: Kind, writes: Part, second: Kind, meets: Part, reason: str, through: "Kind | None" = None) -> Row:
        return Row(
            row, targets, first, writes, second, meets, 1, reason, unit=FOREVER, through=through, cancels=others,
            cancels_after=others, replay=True,
        )  # fmt: skip

    return (
        made(kind, Part("reads_if_writes", "operands"), kind, Part("writes", "operands"), _SOURCES),
        made(kind, Part("reads_if_writes", "vector"), kind, parts.WRITES_VECTOR, _SOURCES),
        made(kind, Part("reads", "operands"), kind, Part("writes", "operands"), _SOURCES, load),
        made(kind, parts.READS_VECTOR, kind, parts.WRITES_VECTOR, _SOURCES, load),
        made(kind, parts.IF_OVERLAPS, kind, parts.ALWAYS, _OWN_SOURCES),
        made(kind, parts.IF_WRITES, kind, parts.IF_OVERLAPS, _OWN_SOURCES),
        made(kind, parts.IF_WRITES, store, parts.ALWAYS, _STORE),
    )


ROWS: tuple[Row, ...] = (
    *_of("S-03", _SMEM_REPLAYED, kinds.SMEM, kinds.NOT_SMEM, kinds.SMEM_LOAD, kinds.SMEM_STORE),
    *_of("S-04", on.GFX8_TO_9, kinds.VMEM, kinds.NOT_VMEM, kinds.VMEM_LOAD, kinds.VMEM_STORE),
    Row("S29", on.GFX10_ON, kinds.SMEM, parts.ALWAYS, kinds.CACHE_INVALIDATE, parts.ALWAYS, 1, _ALONE, sure=False),
    Row("S29", on.GFX10_ON, kinds.CACHE_INVALIDATE, parts.ALWAYS, kinds.SMEM, parts.ALWAYS, 1, _ALONE, sure=False),
)
