"""What a run found, as findings with places in the source."""

from collections.abc import Iterable, Iterator

from gcn_lsp.findings import expansion
from gcn_lsp.findings.model import Finding, Related, Severity
from gcn_lsp.machine import observations
from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.machine.observations import Log, Observation
from gcn_lsp.machine.stays import Stay
from gcn_lsp.running.opened import RunnableFile
from gcn_lsp.text import Location

_SEVERITIES = {
    observations.MISSING_WAIT: Severity.ERROR,
    observations.MISSING_STATES: Severity.ERROR,
    observations.OUTSIDE: Severity.ERROR,
    observations.STOPPED: Severity.ERROR,
    observations.ORDER: Severity.ERROR,
}


def findings(opened: RunnableFile, log: Log) -> tuple[Finding, ...]:
    """The findings of a run, in the order of the source."""
    found = [finding(opened, each, log.counts[key]) for key, each in log.found.items()]
    return tuple(
        sorted(opened.in_original(tuple(found)), key=lambda each: (each.where.path != opened.path, each.where))
    )


def finding(opened: RunnableFile, observation: Observation, times: int = 1) -> Finding:
    """An observation as a finding. times: how often it happened."""
    names_wave = observation.wave is None or observation.lane is None or "wave" in observation.said
    said = observation.said + ("" if names_wave else f"; in {observation.wave}")
    said += f"; {times} times" if times > 1 else ""
    step = observation.step
    where, related = _place(opened, step)
    others = (Related(_place(opened, other)[0], text) for other, text in observation.others)
    severity = _SEVERITIES.get(observation.rule, Severity.WARNING)
    return Finding(observation.rule, severity, where, said, (*related, *others))


def _place(opened: RunnableFile, step: "PlacedInstruction | None") -> "tuple[Location, tuple[Related, ...]]":
    if step is None:
        return Location(opened.path, 0, 0, 0), ()
    placed = opened.image.placed(step)
    return placed.where, expansion.related(placed.steps)


def stay(opened: RunnableFile, stayed: Stay) -> str:
    """Where a run stays, as a sentence."""
    places = [_place(opened, step)[0] for step in stayed.steps]
    path = min(place.path for place in places)
    numbers = [place.line + 1 for place in places if place.path == path]
    first, last = min(numbers), max(numbers)
    lines = f"lines {first} to {last}" if first < last else f"line {first}"
    wave, *others = stayed.waves
    who = f"{wave} and {len(others)} more have" if others else f"{wave} has"
    return f"{path}: {who} been in {lines} for {stayed.executed} instructions"


def executed_lines(opened: RunnableFile) -> "Iterator[tuple[str, int, int]]":
    """The path, the line from 0 and the executions of each instruction that the file has, for coverage."""
    for step in opened.image.steps.values():
        where = opened.image.placed(step).where
        yield where.path, where.line, step.count


def lcov(counts: "Iterable[tuple[str, int, int]]") -> str:
    """Executions of lines in the format of lcov's tracefiles."""
    by_file: dict[str, dict[int, int]] = {}
    for path, line, count in counts:
        lines = by_file.setdefault(path, {})
        lines[line] = lines.get(line, 0) + count
    records = []
    for path, lines in by_file.items():
        body = "".join(f"DA:{line + 1},{count}\n" for line, count in sorted(lines.items()))
        hit = sum(1 for count in lines.values() if count)
        records.append(f"TN:\nSF:{path}\n{body}LF:{len(lines)}\nLH:{hit}\nend_of_record\n")
    return "".join(records)
