"""The page about a rule or a mnemonic, for an editor that shows it in a separate window."""

from typing import Literal

import msgspec

from gcn_lsp import isa, rules
from gcn_lsp.findings import pages
from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import hover, mnemonics
from gcn_lsp.ide.describe import accepts, concept, markdown, matrix, subject
from gcn_lsp.ide.describe import page as pages_of
from gcn_lsp.ide.describe.subject import Subject
from gcn_lsp.isa import documentation
from gcn_lsp.program import program as programs
from gcn_lsp.rules import RULES
from gcn_lsp.text import SourceText


class PageName(msgspec.Struct, frozen=True):
    """A name with a page."""

    name: str
    kind: Literal["rule", "mnemonic"]
    summary: str


def names(target: "isa.Target | None") -> list[PageName]:
    """The rules, then the mnemonics of the target; no mnemonics if no target is known."""
    found = [PageName(rule.name, "rule", rule.summary) for rule in RULES.values()]
    for mnemonic in target.mnemonics if target is not None else ():
        entry = documentation.entry(mnemonic, target)
        found.append(PageName(mnemonic, "mnemonic", entry.summary if entry is not None else ""))
    return found


def page(name: str, target: "isa.Target | None") -> str | None:
    """The page as Markdown of a rule, a mnemonic or an idea (`occupancy`); None if nothing has that name."""
    return explain(name, target) or concept.describe(name, target)


def explain(name: str, target: "isa.Target | None") -> str | None:
    """The page as Markdown, for a mnemonic on the target; None if nothing has that name."""
    if name in RULES:
        return pages.markdown(RULES[name].page)
    if documentation.entry(name) is None and not mnemonics.targets_with(name):
        return None
    about = subject.of(name, target)
    text = pages_of.text(about)
    return markdown.join(f"# {name}", text, _operands(about), _registers(about), pages_of.source_of(about))


def line(text: str, target: isa.Target) -> str | None:
    """What an editor shows of an instruction with its operands, or why it is none; None if it has no mnemonic."""
    mnemonic = text.split()[0].lower()
    if "\n" in text or not mnemonics.candidates(target, mnemonic):
        return None
    program = programs.build(SourceText.from_bytes("", text.encode()), programs.Options(target.name))
    found = hover.hover(program, 0, 0)
    wrong = [each.message for each in rules.check(program) if each.severity is Severity.ERROR]
    return markdown.join(*wrong, found.markdown if found is not None else "")


def _registers(about: Subject) -> str:
    """The layout of a matrix instruction's matrices in the registers; empty for others."""
    drawn = matrix.drawing(about.forms, about.target) if about.target is not None else ""
    return markdown.join("## Registers of the matrices", markdown.block(drawn, "text")) if drawn else ""


def _operands(about: Subject) -> str:
    """What the operands in the syntax accept."""
    taken = accepts.operands(about.forms, about.target) if about.target is not None else {}
    return markdown.table(("operand", "takes"), [(markdown.code(operand), text) for operand, text in taken.items()])
