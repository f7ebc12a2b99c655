"""The options that several commands share: what the build knows about a file, and which rules to show."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import click

from gcn_lsp.cli import completion
from gcn_lsp.isa.versions import USUAL, VERSIONS

Command = Callable[..., Any]


def build_options(command: Command) -> Command:
    """Give `command` the options of a build; it gets them, and its rule options if any, as `settings`."""

    @functools.wraps(command)
    def with_settings(
        *positional: Any,
        target: str | None,
        mattr: str,
        llvm: str | None,
        include_dirs: tuple[str, ...],
        defsym: dict[str, int],
        macros: dict[str, str],
        select: tuple[str, ...] = (),
        ignore: tuple[str, ...] = (),
        targets: tuple[str, ...] = (),
        expansion_limit: int | None = None,
        **rest: Any,
    ) -> Any:
        from gcn_lsp import project  # late: not all commands that take options read sources

        _check_features(target, mattr)
        settings = project.Settings(
            target=target,
            targets=targets,
            mattr=mattr,
            llvm=int(llvm) if llvm else None,
            include_paths=include_dirs,
            defines=defsym,
            macros=macros,
            select=select,
            ignore=ignore,
            expansion_limit=expansion_limit,
        )
        return command(*positional, settings=settings, **rest)

    for option in reversed(_BUILD_OPTIONS):
        option(with_settings)
    return with_settings


def rule_options(command: Command) -> Command:
    """Give `command` the options `--targets`, `--select` and `--ignore`; below `build_options`, which reads them."""
    for option in reversed(_RULE_OPTIONS):
        option(command)
    return command


def severity_option(command: Command) -> Command:
    """Give `command` the option `--severity`: which findings it is about."""
    return click.option(
        "--severity",
        type=click.Choice(_SEVERITIES),
        default="information",
        show_default=True,
        help="Show or fix findings of this severity or worse.",
    )(command)


def parse_target(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """`value`, a target's name or id; an unknown one is wrong usage."""
    if value is None:
        return None
    from gcn_lsp import isa  # late: `--help` needs no tables

    if isa.resolve_target(value) is None:
        from gcn_lsp.isa import products  # late: only a wrong name needs them

        hint = products.meant(value) or _nearest(value, isa.target_names())
        raise click.BadParameter(f"unknown target {value!r}{hint}")
    return value.strip()


def parse_targets(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The targets in lists separated by commas."""
    names = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    for name in names:
        parse_target(ctx, parameter, name)
    return names


def parse_defsym(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, int]:
    """The symbols of `NAME=VALUE` options; a later one wins."""
    if not values:
        return {}
    from gcn_lsp.project import arguments  # late: it loads the whole assembler

    symbols = {}
    for text in values:
        name, _, number = text.partition("=")
        value = arguments.number(number.strip())
        if not name.strip() or value is None:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE with an integer value")
        symbols[name.strip()] = value
    return symbols


def parse_macros(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """The macros of `NAME` and `NAME=TEXT` options; a later one wins."""
    macros = {}
    for text in values:
        name, given, body = text.partition("=")
        if not name.strip():
            raise click.BadParameter(f"{text!r} is not NAME or NAME=TEXT")
        macros[name.strip()] = body if given else "1"
    return macros


def parse_rules(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The rule names in lists separated by commas; an unknown name is wrong usage."""
    if not values:
        return ()
    from gcn_lsp.rules import RULES  # late: `--help` needs no rules

    names = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    for name in names:
        if name not in RULES:
            raise click.BadParameter(f"unknown rule {name!r}{_nearest(name, RULES)}")
    return names


def _check_features(target: str | None, mattr: str) -> None:
    if mattr:
        from gcn_lsp import isa  # late: `--help` needs no tables

        try:
            isa.load_target(target or isa.target_names()[0], mattr)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--mattr") from error


def _nearest(name: str, known: Iterable[str]) -> str:
    import difflib  # late: needed only here

    match = difflib.get_close_matches(name, tuple(known), 1)
    return f"; did you mean {match[0]}?" if match else ""


_SEVERITIES = ("error", "warning", "information", "hint")  # without `findings`, which `--help` does not need

_BUILD_OPTIONS = (
    click.option(
        "--target",
        metavar="CPU",
        callback=parse_target,
        shell_complete=completion.complete_target,
        help="Target processor, such as gfx90a; see `gcn-lsp targets`.",
    ),
    click.option("--mattr", metavar="LIST", default="", help="Features on (+) or off (-), such as -xnack,+sramecc."),
    click.option(
        "--llvm",
        type=click.Choice([str(version) for version in VERSIONS]),
        help=f"Version of LLVM whose assembler decides; {USUAL} by default.",
    ),
    click.option(
        "-I", "include_dirs", metavar="DIR", multiple=True, help="Search DIR for included files. May be repeated."
    ),
    click.option(
        "--defsym",
        metavar="NAME=VALUE",
        multiple=True,
        callback=parse_defsym,
        help="Define a symbol as the build does. May be repeated.",
    ),
    click.option(
        "-D",
        "macros",
        metavar="NAME[=TEXT]",
        multiple=True,
        callback=parse_macros,
        help="Define a macro for the C preprocessor. May be repeated.",
    ),
    click.option(
        "--expansion-limit",
        metavar="LINES",
        type=click.IntRange(min=1),
        help="Limit of lines that macros, repetitions and includes expand to.  [default: 300000]",
    ),
)

_RULE_OPTIONS = (
    click.option(
        "--targets",
        metavar="LIST",
        multiple=True,
        callback=parse_targets,
        shell_complete=completion.complete_targets,
        help="Check for the first of these targets, such as gfx90a,gfx942, and report lines that the others reject.",
    ),
    click.option(
        "--select",
        metavar="RULES",
        multiple=True,
        callback=parse_rules,
        shell_complete=completion.complete_rules,
        help="Show only findings of these rules.",
    ),
    click.option(
        "--ignore",
        metavar="RULES",
        multiple=True,
        callback=parse_rules,
        shell_complete=completion.complete_rules,
        help="Do not show findings of these rules.",
    ),
)
