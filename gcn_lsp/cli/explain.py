"""`gcn-lsp explain`: prints the page of an instruction, a rule, a modifier, a register or a message."""

import os
import re
import sys

import click

from gcn_lsp.cli import completion, files, options
from gcn_lsp.ide import topics
from gcn_lsp.project import opened
from gcn_lsp.project.settings import Settings


@click.command()
@click.option(
    "--target",
    metavar="CPU",
    callback=options.parse_target,
    shell_complete=completion.complete_target,
    help="Explain it for this target.",
)
@click.argument("topic", metavar="MNEMONIC|RULE|WORD|LINE|PLACE", shell_complete=completion.complete_topic)
def explain(target: str | None, topic: str) -> None:
    """Explain a mnemonic, a rule, a target, or a word: the pages that an editor shows.

    A target has several names, such as gfx1310 and RDNA 5. A word is a modifier, a register, a message, a format, a
    kind of operand, a directive, a number, a descriptor (V# of buffers, T# of images, S# of samplers) or one of its
    fields, or an idea: occupancy, wave32, kernarg, lds, bank, cache, rate, register-bank, scratch, waitcnt, hazard,
    dpp, vop3, mfma, barrier, async, work-item, dispatch-packet, memory-model, calling-convention, trap, out-of-range,
    memory-violation, alignment, swizzle; or the id of a hardware fact that a finding names, such as S-04. An
    instruction with its operands, in quotes, is explained as it is written: "v_add_f32 v0, v1, v2 clamp". A part of a
    name, or words of what an instruction does, list the names that have them. A place in a file of assembly is
    FILE:LINE:COLUMN, as `check` prints it, or FILE:LINE for the first word. Put -- before a negative number.
    """
    text = place(topic, target) or topics.text_of(topic, target)
    if text is None:
        raise files.FileProblem(f"nothing is known about {topic!r}{topics.nearest(topic.lower(), target)}")
    _show(text)


def place(topic: str, target: str | None) -> str | None:
    """What an editor shows at a place of a file; None if the topic names none. Raises `UsageError` without a text."""
    found = _PLACE.fullmatch(topic)
    if found is None or not os.path.isfile(found[1]):
        return None
    try:
        shown = opened.open_file(found[1], Settings(target=target)).explained(
            int(found[2]), int(found[3]) if found[3] else None
        )
    except LookupError as error:
        raise click.UsageError(str(error.args[0])) from None
    if shown is None:
        raise click.UsageError(f"there is nothing to explain at {topic}")
    return f"{shown}\n"


_PLACE = re.compile(r"(.+?):(\d+)(?::(\d+))?:?", re.DOTALL)


def _show(text: str) -> None:
    """Print Markdown, formatted if the output is a terminal."""
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console  # late: needed only on a terminal
    from rich.markdown import Markdown

    Console().print(Markdown(text))
