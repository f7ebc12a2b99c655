"""A summary of a file as text or as a page: its findings; the resources, pressure and waits of its kernels.

The page also draws the pressure and the control flow.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import zip_longest

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.ide import control_flow, source_lines
from gcn_lsp.ide.control_flow import ControlFlow
from gcn_lsp.ide.drawing import html, plot
from gcn_lsp.ide.reading import occupancy
from gcn_lsp.program.program import Program

Row = tuple[str, ...]

_SEVERITIES = frozenset(severity.value for severity in Severity)


def page(program: Program, findings: Iterable[Finding], target: str) -> str:
    """The page about a program with a known target, which `target` says with its reason.

    It needs no other file and no network. Elements with the attribute `data-line` are about a line, from 1.
    """
    assert program.target is not None
    name = program.path.replace("\\", "/").rpartition("/")[2]
    head = f'<h1 title="{escape(program.path)}">{escape(name)}</h1>'
    parts = [head, f"<p>{_marked_up(target)}</p>", "<h2>Findings</h2>"]
    rows = tuple(_findings(program, findings))
    parts.append(_table(("line", "", "rule", ""), rows) if rows else "<p>None.</p>")
    for name in control_flow.kernels(program):
        flow = control_flow.control_flow(program, name)
        if flow is not None:
            parts += _kernel(program, flow)
    compiled = tuple(_sources(program))
    if compiled:
        columns = ("source", "instructions", "VGPRs", "AGPRs", "SGPRs", "waits", "spills", "first line")
        parts += ["<h2>Source lines</h2>", _table(columns, compiled)]
    return html.page(program.path, "\n".join(parts) + "\n")


def text(program: Program, findings: Iterable[Finding], target: str) -> str:
    """The same as `page` without its drawings, for a terminal."""
    parts = [program.path, target, "", "Findings", *_columns(_findings(program, findings))]
    for name in control_flow.kernels(program):
        flow = control_flow.control_flow(program, name)
        if flow is not None:
            resources = tuple(_resources(program, flow.kernel)) or (("It has no descriptor in this file.",),)
            parts += ["", f"Kernel {flow.kernel}", *_columns((*resources, ("in use", _peaks(flow))))]
            parts += ["", f"Waits of {flow.kernel}", *_columns(_waits(program, flow))]
    return "\n".join(parts) + "\n"


def _columns(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as aligned lines; the last column is as long as it is."""
    plain = [tuple(_LINE.sub(r"\1", cell).replace("`", "") for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip_longest(*(row[:-1] for row in plain), fillvalue="")]
    for row in plain or [("None.",)]:
        yield "  " + "".join(f"{cell:<{width}}  " for cell, width in zip(row[:-1], widths, strict=False)) + row[-1]


def _kernel(program: Program, flow: ControlFlow) -> Iterator[str]:
    yield f'<h2 id="kernel-{escape(flow.kernel)}">{escape(flow.kernel)}</h2>'
    resources = tuple(_resources(program, flow.kernel))
    yield _table((), resources) if resources else "<p>It has no descriptor in this file.</p>"
    yield "<h3>Registers in use</h3>"
    peaks = _peaks(flow)
    yield f"<p>{escape(peaks[0].upper() + peaks[1:])}.</p>"
    yield f"<figure>\n{plot.drawing(flow)}</figure>"
    yield "<h3>Waits</h3>"
    rows = tuple(_waits(program, flow))
    yield _table(("line", "", "in flight before it"), rows) if rows else "<p>None.</p>"
    yield "<h3>Control flow</h3>"
    yield html.figure(flow)


def _resources(program: Program, name: str) -> Iterator[Row]:
    """The resources that the kernel's descriptor requests, and the number of waves that fit."""
    found = next((each.resources for each in program.kernels if each.name == name), None)
    if found is None:
        return
    named = program.register_usage.get(name)
    used = dict(zip(("v", "a", "s"), named.counts, strict=True)) if named is not None else {}
    for file, called, asked in (("v", "VGPRs", found.vgprs), ("a", "AGPRs", found.agprs), ("s", "SGPRs", found.sgprs)):
        if asked:
            highest = f", of which the code names {used[file]}" if used.get(file) else ""
            yield called, f"{asked}{highest}"
    yield "LDS", f"{_known(found.lds)} bytes"
    yield "scratch", f"{_known(found.scratch)} bytes for each work-item"
    yield "wave", f"{found.wavefront_size} lanes"
    size = occupancy.work_group_sizes(program).get(name)
    occupied, step = occupancy.occupancy(found, size), occupancy.next_step(found, size)
    if occupied is not None:
        most = "" if occupied.is_known else "at most "
        limits = ", ".join(f"{waves} by {limit}" for limit, waves in found.waves.items())
        said = f"{most}{occupied.waves} waves on a SIMD, limited by {' and '.join(occupied.limits)} (alone: {limits})"
        yield "occupancy", said
    if step is not None:
        yield "next step", step.text


def _peaks(flow: ControlFlow) -> str:
    """The lines where the most registers of each file are in use."""
    found = []
    for name, called in (("vgprs", "VGPRs"), ("agprs", "AGPRs"), ("sgprs", "SGPRs")):
        at = plot.peak(flow, name)
        if at is not None and getattr(at, name):
            found.append(f"{getattr(at, name)} {called} on line {at.line + 1}")
    return f"at most {', '.join(found)}" if found else "none"


def _waits(program: Program, flow: ControlFlow) -> Iterator[Row]:
    """Each wait of the kernel, with the operations in flight before it and the registers that they hold."""
    in_flight = control_flow.in_flight(program)
    for block in flow.blocks:
        for each in block.instructions:
            if each.is_wait:
                said = ", ".join(
                    f"{held.operations} on {counter}" + (f" (`{held.registers}`)" if held.registers else "")
                    for counter, held in in_flight.get(each.line, {}).items()
                )
                yield _line(each.line), f"`{each.text.strip()}`", said or "nothing"


def _sources(program: Program) -> Iterator[Row]:
    """What the compiler made of each line of the source, by `.loc`."""
    for each in source_lines.lines(program):
        name = each.file.rpartition("/")[2]
        counts = (each.instructions, each.vgprs, each.agprs, each.sgprs, each.waits, each.spills)
        yield f"`{name}:{each.line}`", *map(str, counts), _line(each.lines[0])


def _findings(program: Program, findings: Iterable[Finding]) -> Iterator[Row]:
    """The findings, the worst first. One row for all hints of a rule: the first, with their number."""
    hints: dict[str, list[Finding]] = {}
    others: list[Finding] = []
    for finding in findings:
        same = hints.setdefault(finding.rule, []) if finding.severity is Severity.HINT else others
        same.append(finding)
    for finding in sorted(others, key=lambda each: each.severity.rank):
        yield _finding(program, finding, finding.message)
    for first, *more in hints.values():
        yield _finding(program, first, first.message + (f" (and {len(more)} more)" if more else ""))


def _finding(program: Program, finding: Finding, message: str) -> Row:
    where = finding.where
    line = _line(where.line) if where.path == program.path else f"`{where.path}:{where.line + 1}`"
    return line, finding.severity.value, f"`{finding.rule}`", message


def _table(head: Row, rows: Iterable[Row]) -> str:
    heading = f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>" if head else ""
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>\n{heading}\n{body}\n</table>"


def _cell(text: str) -> str:
    kind = f' class="{text}"' if text in _SEVERITIES else ""
    return f"<td{kind}>{_marked_up(text)}</td>"


def _line(line: int) -> str:
    """A cell with a line, from 0, as a mark that `_marked_up` makes an element of."""
    return f"[{line + 1}]"


def _marked_up(text: str) -> str:
    """Text between backticks as code; a cell that is only a line, as an element that an editor can follow."""
    number = _LINE.fullmatch(text)
    if number is not None:
        return f'<a class="line" data-line="{number[1]}">{number[1]}</a>'
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


_LINE = re.compile(r"\[(\d+)\]")


def _known(value: "int | None") -> str:
    return "an unknown number of" if value is None else str(value)
