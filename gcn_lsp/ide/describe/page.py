"""The page about a mnemonic, from the tables alone: syntax, summary, operation, effects, notes, targets, sources."""

from collections.abc import Sequence

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.ide import mnemonics
from gcn_lsp.ide.describe import markdown, subject, syntax, targets
from gcn_lsp.ide.describe.subject import Subject
from gcn_lsp.isa import builtins
from gcn_lsp.records import NamedTuple

# The number of forms shown if the form is not known; images have dozens.
_MAX_SYNTAXES = 6


class Page(NamedTuple):
    """The parts of a page; a hover has more between them, about the line."""

    subject: Subject
    summary: str
    body: str
    end: str


_PAGES: ByValue[tuple[str, int, int], Page] = ByValue(4096)


def of(mnemonic: str, target: isa.Target | None, form: isa.Form | None) -> Page:
    """The page of a mnemonic; on one form, if that is known."""
    key = mnemonic, id(target), id(form)  # the subject refers to both, so no others can have their identity
    known = _PAGES.get(key)
    if known is not None:
        return known
    about = subject.of(mnemonic, target, form)
    end = markdown.join(_builtins(about), _having(about), source_of(about))
    return _PAGES.keep(key, Page(about, _summary(about), _body(about), end))


def text(about: Subject) -> str:
    """The general documentation of a mnemonic: syntax, summary, operation, effects, notes."""
    return markdown.join(_summary(about), _body(about), _builtins(about))


def _summary(about: Subject) -> str:
    ways: Sequence[str] = ()
    if about.target is not None:
        ways = [syntax.syntax(about.form, about.target)] if about.form else syntaxes(about)[:_MAX_SYNTAXES]
    head = markdown.block("\n".join(ways)) if ways else markdown.code(about.mnemonic)
    return markdown.join(head, about.entry.summary if about.entry is not None else "")


def _body(about: Subject) -> str:
    """The documentation after the summary."""
    entry = about.entry
    if entry is None:
        return _effects(about)
    operation = markdown.block(entry.operation, "text") if entry.operation else ""
    notes = "\n".join(f"- {text}" for text in (*entry.notes, *(f"Hazard: {text}" for text in entry.hazards)))
    return markdown.join(operation, _effects(about), notes)


def _builtins(about: Subject) -> str:
    """The builtins of clang that become the instruction on its target."""
    names = dict.fromkeys((about.mnemonic, about.entry.mnemonic if about.entry is not None else about.mnemonic))
    found = [each for name in names for each in builtins.becoming(name, about.target)] if about.target else ()
    if not found:
        return ""
    return "\n".join(
        ("In C++ and HIP, clang makes it of:", "", *(f"- {markdown.code(each.declaration)}" for each in found))
    )


def source_of(about: Subject) -> str:
    """The documents to read further."""
    return f"Source: {'; '.join(about.sources)}." if about.sources else ""


def _effects(about: Subject) -> str:
    """The implicit reads and writes of an instruction, and the counters that it raises, in a sentence each."""
    read, written = about.reads, about.writes
    sentences = (
        ("Also reads", read.always),
        ("Some forms also read", read.sometimes),
        ("Also writes", written.always),
        ("Some forms also write", written.sometimes),
        ("Counted by", about.entry.counters if about.entry is not None else ()),
    )
    return " ".join(f"{start} {markdown.listing(names)}." for start, names in sentences if names)


def syntaxes(about: Subject) -> Sequence[str]:
    """The syntaxes of an instruction on its target, or of the second half of a pair."""
    if about.target is None:
        return ()
    if about.forms:
        return syntax.syntaxes(about.forms, about.target)
    return [syntax.second_half(form, about.target) for form in about.halves]


def _having(about: Subject) -> str:
    having = targets.having(about.mnemonic)
    if not having:
        return "No supported target has this mnemonic."
    if about.target is not None and not about.forms:
        return f"{about.target.name} does not have this mnemonic; targets that do: {having}."
    return markdown.join(f"Targets: {having}.", _names_elsewhere(about))


def _names_elsewhere(about: Subject) -> str:
    """The names of the instruction on other targets."""
    lines = []
    for name, having in mnemonics.names_elsewhere(about.mnemonic, about.target).items():
        lines.append(f"{markdown.code(name)} on {targets.summary(having)}")
    return f"Elsewhere it is {', '.join(lines)}." if lines else ""
