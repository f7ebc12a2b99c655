"""`gcn-lsp run`: runs a kernel on this machine and prints what the run found."""

import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from gcn_lsp import project
from gcn_lsp.cli import files, options, progress

if TYPE_CHECKING:
    from gcn_lsp.machine.kernels import Kernel, KernelArgument
    from gcn_lsp.machine.launch import UsualBlock
    from gcn_lsp.machine.stays import Stay
    from gcn_lsp.machine.waves import WaveRun
    from gcn_lsp.running.opened import RunnableFile
    from gcn_lsp.running.runs import Outcome

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
MISSING = "running kernels needs numpy: pip install 'gcn-lsp[run]'"
_AXES = 3
INTERRUPTED = 130  # the exit code after Ctrl-C


def parse_sizes(ctx: click.Context, parameter: click.Parameter, value: "str | None") -> "tuple[int, int, int] | None":
    """The sizes along x, y and z of `N[,N[,N]]`, also written `NxN`; 1 for those not given."""
    if value is None:
        return None
    parts = value.replace("x", ",").split(",")
    if not 1 <= len(parts) <= _AXES or not all(part.strip().isdecimal() for part in parts):
        raise click.BadParameter(f"{value!r} is not one to three sizes such as 1024 or 64,16")
    x, y, z = [*map(int, parts), 1, 1][:_AXES]
    return x, y, z


def parse_pairs(ctx: click.Context, parameter: click.Parameter, values: "tuple[str, ...]") -> "dict[str, str]":
    """The names and texts of `NAME=TEXT` options; a later one wins."""
    found = {}
    for text in values:
        name, given, rest = text.partition("=")
        if not name.strip() or not given:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE")
        found[name.strip()] = rest.strip()
    return found


def check_numpy() -> None:
    """End with wrong usage where numpy is missing."""
    try:
        import_module("numpy")
    except ImportError as error:
        raise click.UsageError(MISSING) from error


@click.command()
@options.build_options
@click.option("--kernel", metavar="NAME", default="", help="The kernel, or the label of one; if there are several.")
@click.option("--grid", metavar="N[,N[,N]]", callback=parse_sizes, help="Work-items along x, y and z; required.")
@click.option(
    "--block",
    metavar="N[,N[,N]]",
    callback=parse_sizes,
    help="Work-items of a work-group.  [default: what the metadata say, or 64]",
)
@click.option(
    "--arg",
    "arguments",
    metavar="NAME=VALUE",
    multiple=True,
    callback=parse_pairs,
    help="An argument, by name or number: 2.0, i64:7, x.npy, zeros:f32:1024, ones, arange, random, empty, null.",
)
@click.option(
    "--save", metavar="NAME=FILE", multiple=True, callback=parse_pairs, help="Write a buffer to FILE.npy after the run."
)
@click.option(
    "--register",
    "registers",
    metavar="REG=SOURCE",
    multiple=True,
    callback=parse_pairs,
    help="What a register holds at the start, of a kernel without descriptor: s[4:5]=kernarg, s6=group_x, v0=item_x.",
)
@click.option("--lds", metavar="BYTES", type=click.IntRange(min=0), default=0, help="LDS beyond what the kernel says.")
@click.option("--orders", is_flag=True, help="Repeat the run in every order of completion that waits allow.")
@click.option("--trace", is_flag=True, help="Print each instruction of each wave with what it wrote.")
@click.option("--coverage", metavar="FILE", type=click.Path(), help="Write how often each line ran, for lcov.")
@click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, help="Of random arrays and of turns.")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=1),
    help="Instructions after which a run stops.  [default: 100000000]",
)
@click.option("-j", "--jobs", metavar="N", type=click.IntRange(min=1), help="Processes that share the orders.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings only, not what was run.")
@click.argument("file", metavar="FILE", type=click.Path())
@click.pass_context
def run(
    ctx: click.Context,
    settings: project.Settings,
    kernel: str,
    grid: "tuple[int, int, int] | None",
    block: "tuple[int, int, int] | None",
    arguments: dict[str, str],
    save: dict[str, str],
    registers: dict[str, str],
    lds: int,
    orders: bool,
    trace: bool,
    coverage: "str | None",
    seed: int,
    limit: "int | None",
    jobs: "int | None",
    form: str,
    quiet: bool,
    file: str,
) -> None:
    """Run a kernel of FILE on this machine and print what the run found: accesses outside memory, races, missing waits.

    FILE is whatever the other commands read: a source, compiler output, a code object. The launch follows its
    descriptor and metadata; --register describes one by hand.

    Ctrl-C ends the run; the findings until then are printed, and buffers and coverage are written.

    Exits with 1 if the run found an error or a warning, with 2 if the kernel cannot be launched, with 130 if it was
    interrupted, otherwise with 0.
    """
    check_numpy()
    from gcn_lsp.machine import arguments as values  # late: they need numpy
    from gcn_lsp.machine.arguments import MissingArgument, WrongLaunch
    from gcn_lsp.machine.launch import Launch, usual_block
    from gcn_lsp.machine.run import LIMIT
    from gcn_lsp.running import opened as opening
    from gcn_lsp.running import report, runs

    try:
        opened = opening.read(file, settings)
        chosen = runs.kernel_of(opened, kernel)
        given = {name: values.parse(text, "", seed) for name, text in arguments.items()}
        if grid is None:
            missing = _example((None, *values.missing(chosen, given)))
            raise click.UsageError(f"Missing option '--grid': the number of work-items. For example, {missing}.")
        usual = usual_block(chosen, grid)
        launch = Launch(grid, block or usual.sizes, given, registers, lds)
        with progress.of_part("Running", hidden=quiet or trace) as told:
            outcome = runs.run(
                opened,
                chosen,
                launch,
                seed=seed,
                limit=limit or LIMIT,
                all_orders=orders,
                trace=_tracer(opened) if trace else None,
                jobs=jobs or os.cpu_count() or 1,
                progress=told,
                stays=None if quiet else _stays(opened, limit or LIMIT, limit is not None),
            )
        _save(outcome, save)
    except MissingArgument as error:
        raise click.UsageError(f"{error} For example, {_example(error.missing)}.") from error
    except WrongLaunch as error:
        raise click.UsageError(str(error)) from error
    if coverage is not None:
        files.write(coverage, report.lcov(outcome.counts).encode())
    _print(opened, outcome, form, quiet=quiet, block="" if block else _told(usual), told_lds=_told_lds(chosen))
    if outcome.is_interrupted:
        ctx.exit(INTERRUPTED)
    ctx.exit(int(not outcome.is_complete or any(each.severity.rank <= 1 for each in outcome.findings)))


def _example(missing: "Iterable[KernelArgument | None]") -> str:
    """Options that give what is missing; None is the size of the launch."""
    from gcn_lsp.machine.arguments import example  # late: it needs numpy

    given = ("--grid 1024" if each is None else f"--arg {each.name}={example(each)}" for each in missing)
    return " ".join(given)


def _told(usual: "UsualBlock") -> str:
    """Which size of the work-groups was taken, for want of `--block`."""
    sizes = "x".join(map(str, usual.sizes if usual.sizes[1:] != (1, 1) else usual.sizes[:1]))
    why = f", from {usual.source}" if usual.source else ""
    return f", in work-groups of {sizes}{why} (--block sets another size)"


def _told_lds(kernel: "Kernel") -> str:
    """That descriptor and metadata differ in the LDS of a work-group; empty if they do not."""
    if kernel.said_lds in (None, kernel.lds):
        return ""
    return (
        f"the descriptor of {kernel.name} requests {kernel.lds} bytes of LDS, and the metadata say {kernel.said_lds}: "
        "a launch gives what the descriptor requests"
    )


def _save(outcome: "Outcome", save: "dict[str, str]") -> None:
    """Write buffers to files."""
    from gcn_lsp.running import runs

    for name, path in save.items():
        if name not in outcome.arrays:
            raise click.UsageError(
                f"there is no buffer {name} to save; the buffers: {', '.join(outcome.arrays) or 'none'}"
            )
        files.write(path if os.path.splitext(path)[1] else f"{path}.npy", runs.saved(outcome.arrays[name]))


def _print(opened: "RunnableFile", outcome: "Outcome", form: str, *, quiet: bool, block: str, told_lds: str) -> None:
    from gcn_lsp.project import report as reports

    made = reports.of(opened.path, outcome.findings, opened.file.source)
    module = import_module(f"gcn_lsp.cli.output.{form}")
    if form != "text":
        click.echo(module.render((made,)), nl=False)
        return
    click.echo(module.findings((made,)), nl=False)
    if not quiet:
        how = "to the end" if outcome.is_complete else "not to the end"
        repeated = f" in {outcome.orders} orders" if outcome.orders > 1 else ""
        if told_lds:
            click.echo(told_lds, err=True)
        click.echo(f"ran {outcome.executed} wave instructions{repeated}, {how}{block}", err=True)


def _stays(opened: "RunnableFile", limit: int, is_given: bool) -> "Callable[[Stay], None]":
    """Says where a run stays and how to end it."""
    from gcn_lsp.running import report

    end = f"or it stops after {limit}" + ("" if is_given else " (--limit sets another number)")

    def tell(stay: "Stay") -> None:
        click.echo(f"{report.stay(opened, stay)}; Ctrl-C ends the run with what it found, {end}", err=True)

    return tell


def _tracer(opened: "RunnableFile") -> "Callable[[WaveRun], None]":
    """Prints each instruction before it happens, with the values of what it reads."""
    from gcn_lsp.running import tracing

    def show(wave: Any) -> None:
        sys.stdout.write(tracing.line(opened, wave))

    return show
