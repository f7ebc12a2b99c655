"""lost-write: an instruction stores two values at one LDS address.

What it checks

`ds_write2` and its other forms (`ds_write2st64`, `ds_store_2addr`) with equal `offset0` and `offset1` and two different
data registers. An offset that is not written is 0.

- Offsets that only the build knows are not checked.
- Exchanges, which return what they replace, are not checked.

Why it matters

Each lane keeps one of the two values. Usually `offset1` was forgotten, and the value for the next address is never
stored.

Example

    ; gcn-lsp: target=gfx900
    ds_write2_b32 v0, v1, v2

Use instead

    ; gcn-lsp: target=gfx900
    ds_write2_b32 v0, v1, v2 offset1:1

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.flow.kept import once
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that stores both values at one address."""
    graph = graphs.of(program)
    if graph is None:
        return
    for _, lost in _all_lost(graph):
        for site, message in lost:
            place = sites.place(program, graph, site)
            yield RULE.at(place.where, message, place.related)


RULE = Rule("lost-write", Severity.WARNING, __doc__, Stage.PATHS, check=check)


@once
def _lost(segment: Segment) -> tuple[tuple[Site, str], ...]:
    """The instructions of a segment that lose a value, each with its message."""
    return tuple((site, message) for site in segment.sites if (message := _message(site)))


_all_lost = in_segments(lambda segment, _: _lost(segment))


def _message(site: Site) -> str:
    """What is wrong with an instruction; empty if nothing is."""
    instruction = site.item.instruction
    form = instruction.form if instruction is not None and instruction.code else None
    if form is None or "mayStore" not in form.flags or "mayLoad" in form.flags:
        return ""
    if not any(slot.name == "offset1" for slot in form.slots):
        return ""
    written = {operand.slot: operand for operand in site.operands}
    offsets = {written[name].value if name in written else 0 for name in ("offset0", "offset1")}
    one, other = written["data0"], written["data1"]
    if len(offsets) != 1 or None in offsets or (one.file, one.first) == (other.file, other.first):
        return ""
    (offset,) = offsets
    return (
        f"`offset0` and `offset1` are both {offset}, so `{one.text}` and `{other.text}` are stored at one address and "
        "one is lost"
    )
