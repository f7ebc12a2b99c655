"""The offset of memory instructions: the range of its encoding."""

from gcn_lsp import isa
from gcn_lsp.instruction.bound import Bound, Check
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.modifiers import offsets


def offset_check(form: isa.Form, target: isa.Target) -> Check | None:
    """The check of `offset`; None for offsets in dwords, which have their own slots."""
    limits = offsets.offset_range(form.family, target.features, "_BUFFER_" in form.name)
    if limits is None or limits.unit != offsets.BYTES:
        return None
    if not limits.high:
        return _no_flat_offset
    return _range_check(limits, "immediate-out-of-range" if "SMRD" in form.flags else "modifier-out-of-range")


def _range_check(limits: offsets.OffsetRange, rule: str) -> Check:
    low, high = limits.low, limits.tolerated or limits.high

    def check(bound: Bound) -> Problem | None:
        offset = bound.values.get("offset")
        if offset is None or low <= offset <= high:
            return None
        message = f"the offset is {offset}; the range for {bound.word} is {low} to {limits.high}"
        return bound.problem(rule, message, "offset")

    return check


def _no_flat_offset(bound: Bound) -> Problem | None:
    if bound.values.get("offset"):
        return bound.problem(
            "unsupported-on-target", f"flat instructions have no offset on {bound.target.name}", "offset"
        )
    return None
