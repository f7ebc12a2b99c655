"""The findings about missing and weak waits: the message with what is in flight, and the wait as a fix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.waits import anchors
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.analysis.waits.walk import Cause, Missing, lowest
from gcn_lsp.findings import sites
from gcn_lsp.findings.model import Finding, Fix, Related
from gcn_lsp.findings.rule import Rule, Severity
from gcn_lsp.findings.wait_lines import wait_lines
from gcn_lsp.isa.waits import wait_events, wait_text
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, Message, OfTarget, TextEdit, message


def wait_findings(program: Program, waits: Waits, missing: Iterable[Missing], rule: Rule) -> Iterator[Finding]:
    """A finding of `rule` at each written instruction that must wait; in the body of a macro one for all calls."""
    by_place: dict[sites.Written, list[Missing]] = {}
    every: list[Site] = []
    for each in missing:
        by_place.setdefault(sites.written(waits.graph, each.site), []).append(each)
        every.append(each.site)
    if not every:
        return
    everywhere = sites.fixable(program, waits.graph, every)
    for written, group in by_place.items():
        yield _finding(program, waits, group, rule, can_fix=written in everywhere)


def wait_fix(
    program: Program, waits: Waits, place: sites.WrittenPlace, needs: Mapping[str, int], *, after: bool = False
) -> Fix:
    """The fix that inserts a wait for some counters before a statement, or after it."""
    texts = wait_lines(program, needs)
    insert = sites.appending if after else sites.insertion
    return Fix(f"Wait for {wait_text.spoken(dict(needs))}", (insert(program, place, *texts),))


def _finding(program: Program, waits: Waits, group: list[Missing], rule: Rule, *, can_fix: bool) -> Finding:
    worst = min(group, key=lambda each: (-len(each.needs), sum(limit for _, limit in each.needs)))
    place = sites.place(program, waits.graph, worst.site)
    related = (*_related(program, waits, worst), *place.related)
    fixes: tuple[Fix, ...] = ()
    needs = lowest(*(each.needs for each in group))
    if can_fix:
        edits = _edits(program, waits, worst, place, needs)
        if edits:
            fixes = (Fix(f"Wait for {wait_text.spoken(needs)}", edits),)
    elif edits := _edits_at_calls(program, waits, group):
        calls = "this call" if len(edits) == 1 else f"these {len(edits)} calls"
        fixes = (Fix(f"Wait for {wait_text.spoken(needs)} before {calls}", edits),)
    cause = worst.causes[0]
    operand = sites.operand(worst.site, cause.overlap, is_written=cause.access != "reads")
    where = sites.operand_place(program, waits.graph, worst.site, operand) if operand is not None else place.where
    replayed_only = all(cause.counter == wait_events.TRANSLATION for each in group for cause in each.causes)
    severity = Severity.INFORMATION if replayed_only else None
    if severity is None and all(_is_flat_in_memory(waits, each) for each in group):
        severity = Severity.WARNING
    return rule.at(where, _message(program, waits, worst), related, fixes, severity=severity)


def _message(program: Program, waits: Waits, missing: Missing) -> Message:
    cause = missing.causes[0]
    needed = wait_text.spoken(dict(missing.needs))
    line = sites.line(program, waits.graph, cause.pending.site)
    operation = message("`{}` on {}", cause.pending.site.item.statement.name, line)
    if cause.access == "reads LDS":
        held = message("this reads LDS while {} may not have put its data there yet", operation)
    else:
        names = _quoted(registers.describe(cause.overlap))
        if cause.counter == wait_events.TRANSLATION:
            held = message(
                "this overwrites {}, with which {} is replayed if it meets a page fault (XNACK)", names, operation
            )
        elif cause.pending.raised.others & cause.overlap == cause.overlap:
            held = message("this uses one half of {} while {} may not have loaded the other half yet", names, operation)
        elif not cause.pending.raised.writes & cause.overlap:
            held = message("this overwrites {}, which {} may not have read yet", names, operation)
        elif cause.access == "reads":
            held = message("this reads {}, which {} may not have written yet", names, operation)
        else:
            held = message("this overwrites {}, which {} may write later", names, operation)
    first = f"; wait for {needed} first"
    if missing.too_weak is not None:
        weak = dict(missing.too_weak.effects.waits)
        counter = cause.counter
        first = f"; wait for {needed}"
        if counter in weak:
            are = "are" if " and " in needed else "is"
            first = f"; {counter}({weak[counter]}) is too weak here, {needed} {are} needed"
    # Another target may have other counters, and other reasons to wait until one is zero, for the same mistake.
    return message("{}{}", held, OfTarget(first + (_why_lds(waits, missing) or _why_zero(missing.causes))))


def _is_flat_in_memory(waits: Waits, missing: Missing) -> bool:
    """Whether only FLAT accesses are not waited for, and only as accesses of LDS.

    The documents ask for both counters. Shipped kernels whose addresses are all in memory wait for one, and work.
    """
    instructions = (cause.pending.site.item.instruction for cause in missing.causes)
    forms = [instruction.form if instruction is not None else None for instruction in instructions]
    are_flat = all(form is not None and form.family == "FLAT" for form in forms)
    return are_flat and {counter for counter, _ in missing.needs} == {waits.engine.lds}


def _why_lds(waits: Waits, missing: Missing) -> str:
    """Why a FLAT access that is waited for as one to memory may not be done, and what needs no such wait."""
    if not _is_flat_in_memory(waits, missing):
        return ""
    said = f" (a flat access also counts in {waits.engine.lds}, since it may go to LDS"
    target = waits.engine.model.target
    return f"{said}; a `global_` access does not)" if any(map(target.has_forms, _GLOBAL)) else f"{said})"


_GLOBAL = ("global_load_dword", "global_load_b32")


def _why_zero(causes: Iterable[Cause]) -> str:
    for cause in causes:
        if not cause.in_order and cause.pending.age > 0:
            return f" ({wait_events.OUT_OF_ORDER.get(cause.disorder, wait_events.OUT_OF_ORDER[''])})"
    return ""


def _quoted(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _related(program: Program, waits: Waits, missing: Missing) -> Iterator[Related]:
    """The wait that is too weak, then the operations in flight, the deciding one first."""
    if missing.too_weak is not None:
        where = sites.place(program, waits.graph, missing.too_weak).where
        yield Related(where, "this wait is too weak")
    seen: set[Site] = set()
    for cause in missing.causes:
        site = cause.pending.site
        if site in seen or len(seen) == bounds.SHOWN_IN_FLIGHT:
            continue
        seen.add(site)
        names = registers.describe(cause.overlap)
        held = f"`{names}`" if names else "data in LDS"
        limit = f"{cause.counter}({cause.limit})"
        yield Related(sites.place(program, waits.graph, site).where, f"in flight for {held}; done at {limit}")


def _edits(
    program: Program, waits: Waits, missing: Missing, place: sites.WrittenPlace, needs: dict[str, int]
) -> tuple[TextEdit, ...]:
    """The weakest wait that is enough: merged into the wait directly before, or inserted as a line."""
    anchor, needs = anchors.anchor(waits.graph, missing.site, needs)
    if anchor is not missing.site:
        place = sites.place(program, waits.graph, anchor)
    before = _wait_before(program, waits, anchor, place)
    if before is not None:
        site, its_place = before
        texts = wait_lines(program, lowest(site.effects.waits, needs.items()))
        edit = sites.replacement(its_place, texts[0]) if len(texts) == 1 else None
        if edit is not None:
            return (edit,)
    return (sites.insertion(program, place, "\n".join(wait_lines(program, needs))),)


_CALLS = 16  # calls of a macro before which waits are put at once


def _edits_at_calls(program: Program, waits: Waits, group: Sequence[Missing]) -> tuple[TextEdit, ...]:
    """A wait before each call of a macro that needs it, where others do not; none if one of them cannot have it."""
    found: dict[Location, tuple[sites.WrittenPlace, dict[str, int]]] = {}
    if len(group) > _CALLS:
        return ()
    for missing in group:
        call = _before_call(program, waits, missing)
        if call is None:
            return ()
        place, needs = call
        _, known = found.get(place.where, (place, {}))
        found[place.where] = place, lowest(known.items(), needs.items())
    return tuple(sites.insertion(program, place, *wait_lines(program, needs)) for place, needs in found.values())


def _before_call(
    program: Program, waits: Waits, missing: Missing
) -> "tuple[sites.WrittenPlace, dict[str, int]] | None":
    """The call in the main file whose expansion has an instruction, and the counts that are enough before it.

    None if control may enter the expansion elsewhere, or what is in flight is issued in it.
    """
    graph, frame = waits.graph, missing.site.item.written.frame
    number = graph.number_of(missing.site.segment)
    if frame is None or number is None:
        return None
    call = frame.chain()[0]
    if call.kind != "macro":
        return None
    needs = dict(missing.needs)
    within: set[Site] = {missing.site}
    for site in straight.back(graph, missing.site):
        around = site.item.written.frame
        if around is None or around.chain()[0] is not call:
            break
        within.add(site)
        for event in site.effects.events:
            if event.counter in needs:
                needs[event.counter] = max(0, needs[event.counter] - 1)
    else:
        return None
    if any(cause.pending.site in within for cause in missing.causes):
        return None
    where = program.locate(number, call.written, b"", call.start, call.end)[0]
    return (sites.WrittenPlace(where, (), own=True), needs) if where.path == program.path else None


def _wait_before(
    program: Program, waits: Waits, site: Site, place: sites.WrittenPlace
) -> "tuple[Site, sites.WrittenPlace] | None":
    """The wait directly before an instruction, written as it is assembled and in the same body."""
    before = next(straight.back(waits.graph, site), None)
    if before is None or not before.effects.waits or before.item.written.frame is not site.item.written.frame:
        return None
    its_place = sites.place(program, waits.graph, before)
    return (before, its_place) if its_place.own and its_place.where.path == place.where.path else None
