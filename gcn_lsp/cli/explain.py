"""`gcn-lsp explain`: what an instruction does, what a rule checks, what a modifier, register or message means."""

import difflib
import sys

import click

from gcn_lsp import isa
from gcn_lsp.cli import completion, options
from gcn_lsp.ide import explain as ide_explain
from gcn_lsp.ide import markdown, mnemonics
from gcn_lsp.ide.describe import helper, targets
from gcn_lsp.isa import documentation
from gcn_lsp.rules.registry import RULES


@click.command()
@click.option(
    "--target",
    metavar="CPU",
    callback=options.parse_target,
    shell_complete=completion.complete_target,
    help="Explain it as this target has it.",
)
@click.argument("topic", metavar="MNEMONIC|RULE|WORD", shell_complete=completion.complete_topic)
def explain(target: str | None, topic: str) -> None:
    """Explain a mnemonic, a rule, or a word (modifier, register, message, format): the pages that an editor shows."""
    text = page(topic.lower(), target) or word(topic, target)
    if text is None:
        raise click.UsageError(f"{topic!r} is neither a mnemonic nor a rule{_nearest(topic.lower(), target)}")
    _show(text)


def page(topic: str, target_name: str | None) -> str | None:
    """The page of a rule or a mnemonic as Markdown; None when there is no such thing."""
    having = mnemonics.targets_with(topic)
    shown = target_name or next((name for name in isa.target_names() if name in having and "-" not in name), None)
    target = isa.load_target(shown) if shown else None
    text = ide_explain.explain(topic, target)
    if text is None or topic in RULES:
        return text
    return markdown.join(text, _target_note(topic, target_name, shown)) + "\n"


def word(topic: str, target_name: str | None) -> str | None:
    """What is known of a modifier, register, hardware register, message or other word; None when it is none."""
    target = isa.load_target(target_name) if target_name else None
    low, high = topic.lower(), topic.upper()
    text = (
        helper.modifier(low, target)
        or helper.special_register(low, target)
        or helper.hardware_register_name(high, target)
        or helper.message_name(high, target)
        or helper.word(high, target)
        or helper.word(low, target)
    )
    return text and f"{text}\n"


def _target_note(mnemonic: str, asked: str | None, shown: str | None) -> str:
    """Which targets have it, and for which one the syntax is."""
    having = targets.having(mnemonic)
    if not having:
        return "No supported target has this mnemonic."
    if asked is None:
        return f"Targets: {having}. The syntax is that of {shown}; `--target` shows another's."
    missing = not mnemonics.candidates(isa.load_target(asked), mnemonic)
    return f"Targets: {having}." + (f" {asked} does not have it." if missing else "")


def _nearest(topic: str, target_name: str | None) -> str:
    target = isa.load_target(target_name) if target_name else None
    known = (*RULES, *(target.mnemonics if target else documentation.mnemonics()))
    near = difflib.get_close_matches(topic, known, 1)
    return f"; did you mean {near[0]}?" if near else ""


def _show(text: str) -> None:
    """Print Markdown, laid out when a terminal shows it."""
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console  # late: not needed when nobody watches
    from rich.markdown import Markdown

    Console().print(Markdown(text))
