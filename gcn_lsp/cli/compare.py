"""`gcn-lsp compare`: prints what differs between two versions of a file: resources of kernels, and instructions."""

import difflib
from collections.abc import Iterable, Iterator

import click
import msgspec

from gcn_lsp import project
from gcn_lsp.api.assembly import Assembly
from gcn_lsp.api.records import KernelResources
from gcn_lsp.cli import files, graph, options
from gcn_lsp.ide import expand
from gcn_lsp.ide.reading import functions
from gcn_lsp.program.program import Program


@click.command()
@options.build_options
@click.option("--kernel", metavar="NAME", help="Compare only this kernel or function.  [default: all]")
@click.option("-U", "--unified", metavar="N", type=click.IntRange(min=0), default=3, help="Lines around a difference.")
@click.argument("old", metavar="OLD|-", type=click.Path(allow_dash=True))
@click.argument("new", metavar="NEW", type=click.Path())
@click.pass_context
def compare(
    ctx: click.Context, settings: project.Settings, kernel: str | None, unified: int, old: str, new: str
) -> None:
    """Print what differs between the kernels of OLD and NEW: their resources, and their instructions.

    Both may be assembly or code objects. Instructions are compared as the assembler sees them: with macros expanded and
    symbols replaced, without comments and the author's blanks.

    If nothing differs, a line on stderr says so.

    Exits with 1 if something differs, with 2 on wrong usage or if a file cannot be read, otherwise with 0.
    """
    versions = [graph.open_program(name, settings) for name in (old, new)]
    before, after = (list(_code(program, kernel)) for _, program in versions)
    for (_, program), name, lines in zip(versions, (old, new), (before, after), strict=True):
        if kernel is not None and not lines:
            known = ", ".join(each.name for each in functions.functions(program))
            raise files.FileProblem(f"{name} has no kernel or function {kernel!r}; it has {known or 'none'}")
    resources = _resources(*(Assembly(opened).kernels() for opened, _ in versions))
    changed = [line for line in resources if kernel is None or line.startswith(f"{kernel}: ")]
    diff = list(difflib.unified_diff(before, after, old, new, lineterm="", n=unified))
    for line in (*changed, *map(_coloured, diff)):
        click.echo(line)
    if not changed and not diff:
        click.echo(_alike(before, kernel), err=True)
    ctx.exit(int(bool(changed or diff)))


def _alike(lines: "list[str]", kernel: str | None) -> str:
    what = f"{kernel} is the same" if kernel is not None else "the kernels are the same"
    return f"{what} in both files: {len(lines)} instructions and labels, and the resources"


def _code(program: Program, kernel: str | None) -> Iterator[str]:
    """The instructions and labels, one a line, of one function or of the whole file."""
    parts = [(each.first, each.last) for each in functions.functions(program) if each.name == kernel]
    for first, last in parts if kernel is not None else [(0, len(program.source.lines) - 1)]:
        for line in expand.lines_of(program, first, last):
            if line.kind in ("instruction", "label"):
                yield " ".join(line.text.split())


def _resources(old: Iterable[KernelResources], new: Iterable[KernelResources]) -> Iterator[str]:
    """A line for each value of each kernel that differs: `copy: vgprs 24 -> 28`."""
    before = {each.name: msgspec.to_builtins(each) for each in old}
    after = {each.name: msgspec.to_builtins(each) for each in new}
    for name in dict.fromkeys((*before, *after)):
        if name not in after or name not in before:
            yield f"{name}: only in {'OLD' if name in before else 'NEW'}"
            continue
        for field in dict.fromkeys((*before[name], *after[name])):
            was, now = before[name].get(field), after[name].get(field)
            if was != now and field != "limits":  # which follow from the others
                yield f"{name}: {field} {was} -> {now}"


def _coloured(line: str) -> str:
    """A line of the difference as git colours it; click takes the colours out again for a file."""
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return click.style(line, fg=colour) if colour and not line.startswith(("+++", "---")) else line
