"""`gcn-lsp report`: prints a page about a file: resources, pressure, waits, control flow, findings of its kernels."""

import re
from collections.abc import Iterable, Iterator
from html import escape

import click

from gcn_lsp import project
from gcn_lsp.cli import graph, options
from gcn_lsp.cli.drawing import html, plot
from gcn_lsp.cli.output.report import Report
from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import control_flow
from gcn_lsp.ide.control_flow import ControlFlow
from gcn_lsp.program.program import Program

Row = tuple[str, ...]

_SEVERITIES = frozenset(severity.value for severity in Severity)


@click.command()
@options.build_options
@click.option("--html", "as_html", is_flag=True, required=True, help="Write a page for a browser.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def report(settings: project.Settings, as_html: bool, file: str) -> None:
    """Print a page about the kernels in FILE, - is standard input.

    The findings; then for each kernel: its resources and what limits its occupancy, the registers in use over its
    lines, its waits, and its control flow. The page needs no other file and no network.

    Exits with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    opened, program = graph.open_program(file, settings)
    click.echo(page(program, opened.report()), nl=False)


def page(program: Program, found: Report) -> str:
    """The page about a program with a known target."""
    assert program.target is not None
    parts = [f"<h1>{escape(program.path)}</h1>", f"<p>{_marked_up(found.target)}</p>", "<h2>Findings</h2>"]
    rows = tuple(_findings(found))
    parts.append(_table(("line", "", "rule", ""), rows) if rows else "<p>None.</p>")
    names = control_flow.kernels(program)
    for name in names:
        flow = control_flow.control_flow(program, name)
        if flow is not None:
            parts += _kernel(program, flow)
    return html.page(program.path, "\n".join(parts) + "\n")


def _kernel(program: Program, flow: ControlFlow) -> Iterator[str]:
    yield f"<h2>{escape(flow.kernel)}</h2>"
    resources = tuple(_resources(program, flow.kernel))
    yield _table((), resources) if resources else "<p>It has no descriptor in this file.</p>"
    yield "<h3>Registers in use</h3>"
    yield f"<p>{escape(_peaks(flow))}</p>"
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
    if found.waves:
        limits = ", ".join(f"{waves} by {limit}" for limit, waves in found.waves.items())
        yield "occupancy", f"{_known(found.occupancy)} waves on a SIMD: {limits}"


def _peaks(flow: ControlFlow) -> str:
    """The lines where the most registers of each file are in use."""
    found = []
    for name, called in (("vgprs", "VGPRs"), ("agprs", "AGPRs"), ("sgprs", "SGPRs")):
        at = plot.peak(flow, name)
        if at is not None and getattr(at, name):
            found.append(f"{getattr(at, name)} {called} on line {at.line + 1}")
    return f"At most {', '.join(found)}." if found else "None."


def _waits(program: Program, flow: ControlFlow) -> Iterator[Row]:
    """Each wait of the kernel, with the number of operations in flight before it."""
    in_flight = control_flow.in_flight(program)
    for block in flow.blocks:
        for each in block.instructions:
            if each.is_wait:
                counts = ", ".join(f"{count} on {counter}" for counter, count in in_flight.get(each.line, {}).items())
                yield str(each.line + 1), f"`{each.text.strip()}`", counts or "nothing"


def _findings(found: Report) -> Iterator[Row]:
    for finding in found.findings:
        span = found.span(finding.where)
        yield str(span.line), finding.severity.value, finding.rule, finding.message


def _table(head: Row, rows: Iterable[Row]) -> str:
    heading = f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>" if head else ""
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>\n{heading}\n{body}\n</table>"


def _cell(text: str) -> str:
    kind = f' class="{text}"' if text in _SEVERITIES else ""
    return f"<td{kind}>{_marked_up(text)}</td>"


def _marked_up(text: str) -> str:
    """Text between backticks as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _known(value: "int | None") -> str:
    return "an unknown number of" if value is None else str(value)
