"""`gcn-lsp graph`: draws the control flow of a kernel."""

import importlib
from itertools import chain

import click

from gcn_lsp import project
from gcn_lsp.cli import files, options
from gcn_lsp.cli import kernel as kernels
from gcn_lsp.ide import control_flow
from gcn_lsp.ide.control_flow import ControlFlow
from gcn_lsp.program.program import Program
from gcn_lsp.project.opened import OpenFile

FORMATS = ("svg", "dot", "html")


@click.command()
@options.build_options
@click.option("--kernel", metavar="NAME", help="The kernel, or another label to start at.  [default: the first kernel]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="svg", show_default=True, help="Output format.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write the drawing to FILE.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def graph(settings: project.Settings, kernel: "str | None", form: str, output: "str | None", file: str) -> None:
    """Draw the control flow of a kernel in FILE: blocks, branches, loops, waits, pressure; - is standard input.

    Exits with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    flow = find(_program_with(kernel, file, settings), kernel)
    drawing = importlib.import_module(f"gcn_lsp.ide.drawing.{form}")
    rendered = drawing.render(flow)
    if output is None:
        click.echo(rendered, nl=False)
    else:
        files.write(output, rendered.encode())


def open_program(file: str, settings: project.Settings) -> "tuple[OpenFile, Program]":
    """A file and its program; wrong usage if it cannot be read."""
    opened = kernels.open_kernel(file, settings)
    return opened, _program(opened)


def _program(opened: OpenFile) -> Program:
    if opened.program is None:
        raise files.FileProblem(opened.refusal)
    return opened.program


def _program_with(name: "str | None", file: str, settings: project.Settings) -> Program:
    """The program of a file; of a file with several, the one that has the kernel."""
    programs = map(_program, kernels.open_kernels(file, settings))
    first = next(programs)
    if name is None:
        return first
    with_kernel = (each for each in chain((first,), programs) if control_flow.control_flow(each, name) is not None)
    return next(with_kernel, first)


def find(program: Program, name: "str | None") -> ControlFlow:
    """The control flow of the kernel of that name, or of the first one; wrong usage if there is none."""
    known = control_flow.kernels(program)
    if name is None and not known:
        raise click.UsageError(f"{program.path} has no code")
    flow = control_flow.control_flow(program, name or known[0])
    if flow is None:
        raise click.UsageError(f"{name!r} has no code; the kernels are {', '.join(known) or 'none'}")
    return flow
