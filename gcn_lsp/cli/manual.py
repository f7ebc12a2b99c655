"""`gcn-lsp manual`: the manual page for man(1), made from the commands' own help."""

import inspect
import re
from collections.abc import Iterable, Iterator

import click

import gcn_lsp
from gcn_lsp.cli import completion

_EXIT = """\
0: no findings, or only information and hints.
1: findings of severity error or warning, or the file does not assemble.
2: wrong usage, or a file that cannot be read."""

_FILES = (
    ("gcn-lsp.toml", "Settings of the project, in the folder of a file or the nearest one above it."),
    ("pyproject.toml", "The same settings in its table [tool.gcn-lsp]."),
    ("compile_commands.json", "Targets, symbols and include paths, as the build has them."),
)

_VARIABLES = (("NO_COLOR", "If set, nothing is printed in colour."),)


@click.command()
@click.pass_context
def manual(ctx: click.Context) -> None:
    """Print the manual page of this program, as troff source.

    \b
    To install it:  gcn-lsp manual > ~/.local/share/man/man1/gcn-lsp.1
    """
    group = ctx.find_root().command
    assert isinstance(group, click.Group)
    click.echo(page(group), nl=False)


def page(group: click.Group) -> str:
    """The manual page of a group of commands, as troff source with the macros of man(7)."""
    return "\n".join(_lines(group)) + "\n"


def _lines(group: click.Group) -> Iterator[str]:
    name = completion.PROGRAM
    yield f'.TH {_text(name.upper())} 1 "" "{name} {gcn_lsp.__version__}" "User Commands"'
    yield from (".SH NAME", f"{_text(name)} \\- {_text(gcn_lsp.__doc__.strip().rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {_text(name)}", ".I command", "[options] [arguments]")
    yield from (".SH DESCRIPTION", *_paragraphs(group.help or ""))
    yield ".SH COMMANDS"
    with click.Context(group, info_name=name) as ctx:
        for command in group.list_commands(ctx):
            found = group.get_command(ctx, command)
            assert found is not None, "a group has the commands that it lists"
            yield from _command(ctx, command, found)
    yield from (".SH EXIT STATUS", *_paragraphs(_EXIT.replace("\n", "\n\n")))
    yield from (".SH FILES", *_table(_FILES))
    yield from (".SH ENVIRONMENT", *_table(_VARIABLES))


def _command(parent: click.Context, name: str, command: click.Command) -> Iterator[str]:
    with click.Context(command, info_name=name, parent=parent) as ctx:
        usage = " ".join(command.collect_usage_pieces(ctx))
        yield f".SS {_text(f'{parent.info_name} {name}')} {_text(usage)}"
        yield from _paragraphs(command.help or "")
        records = (parameter.get_help_record(ctx) for parameter in command.get_params(ctx))
        yield from _table(record for record in records if record is not None and record[1])


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for term, meaning in rows:
        yield from (".TP", f".B {_text(term)}", _text(" ".join(meaning.split())))


def _paragraphs(help_text: str) -> Iterator[str]:
    """The paragraphs of a command's help; a paragraph that click must not rewrap keeps its lines."""
    for part in re.split(r"\n\s*\n", inspect.cleandoc(help_text)):
        is_kept = part.startswith("\b\n")
        text = part.removeprefix("\b\n") if is_kept else " ".join(part.split())
        yield from (".PP", *((".nf", *map(_text, text.splitlines()), ".fi") if is_kept else (_text(text),)))


def _text(text: str) -> str:
    """Text escaped for troff; hyphens stay those that a shell reads."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + escaped if escaped.startswith(".") else escaped
