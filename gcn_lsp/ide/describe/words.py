"""The pages of words: modifiers, registers, messages, formats and kinds of operands."""

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown, numbers, targets
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import documents
from gcn_lsp.isa.operands import hwreg
from gcn_lsp.records import NamedTuple


def hardware_register_name(name: str, target: isa.Target | None = None) -> str | None:
    """A register's name inside `hwreg(...)`."""
    entry = documentation.hwreg(name, target)
    if entry is None:
        return None
    absence = _absence("hwregs", name.removeprefix("HW_REG_"), target)
    return absence.before(_register("hardware register", entry, absence.source))


def message_name(name: str, target: isa.Target | None = None) -> str | None:
    """A message's name, or an operation's, inside `sendmsg(...)`."""
    entry = documentation.message(name, target)
    if entry is None:
        return None
    absence = _absence("messages", name.removeprefix("MSG_"), target, entry.name)
    title = f"**message** {markdown.code(entry.name)}, number {entry.number}"
    rows = [(markdown.code(value.spelling), value.meaning) for value in entry.values]
    operations = markdown.table(("operation", "meaning"), rows)
    return absence.before(markdown.join(title, entry.summary, operations, notes(entry.notes), absence.source))


def modifier(name: str, target: isa.Target | None = None) -> str | None:
    """A modifier or flag: its syntax, its effect, its values."""
    entry = documentation.modifier(name, target)
    if entry is None:
        return None
    absence = _absence("modifiers", name, target)
    rows = [(markdown.code(value.spelling), value.meaning) for value in entry.values]
    values = markdown.table(("value", "meaning"), rows)
    title = f"**modifier** {markdown.code(entry.syntax)}"
    return absence.before(markdown.join(title, entry.summary, values, notes(entry.notes), absence.source))


def word(name: str, target: isa.Target | None = None) -> str | None:
    """A word of a modifier or an operand: a format, a selection, a scope, ..."""
    entry = documentation.word(name, target)
    if entry is None:
        return None
    absence = _absence("words", name, target)
    title = f"**word** {markdown.code(entry.syntax)}"
    return absence.before(markdown.join(title, entry.summary, notes(entry.notes), absence.source))


def operand(name: str, target: isa.Target | None = None) -> str | None:
    """A kind of operand, or an inline constant: its syntax and values."""
    entry = documentation.operand(name, target)
    if entry is None:
        return None
    title = f"**operand** {markdown.code(entry.syntax)}"
    return markdown.join(title, entry.summary, notes(entry.notes), _source("operands", target))


def operand_text(name: str, target: isa.Target) -> str:
    """The description of an operand's kind; empty for a plain number, which its instruction explains."""
    entry = documentation.operand(name, target) if not name.endswith("imm") else None
    return markdown.join(entry.summary, notes(entry.notes)) if entry is not None else ""


def special_register(name: str, target: isa.Target | None = None) -> str | None:
    """A special register: width, contents, fields."""
    entry = documentation.special_register(name, target)
    if entry is None:
        return None
    if target is not None and name in _FLAT_SCRATCH and name not in target.registers:
        return _flat_scratch(name, target)
    absence = _absence("registers", name, target)
    return absence.before(_register("register", entry, absence.source))


# Where it is a hardware register: the names of its halves, the first that the target knows.
_FLAT_SCRATCH = ("flat_scratch", "flat_scratch_lo", "flat_scratch_hi")
_HALVES = (("FLAT_SCR_LO", "FLAT_SCR_HI"), ("SCRATCH_BASE_LO", "SCRATCH_BASE_HI"))


def _flat_scratch(name: str, target: isa.Target) -> str:
    known = hwreg.names(target.features)
    halves = next((pair for pair in _HALVES if f"HW_REG_{pair[0]}" in known), ())
    title = f"**register** {markdown.code(name)}: {target.name} has no such operand"
    if not halves:
        return f"{title}."
    pages = (documentation.hwreg(half, target) for half in halves)
    rows = [(markdown.code(page.name), page.summary) for page in pages if page is not None]
    table = markdown.table(("hardware register", "what it is"), rows)
    return markdown.join(f"{title}; hardware registers have it.", table, _source("hwregs", target))


def _register(kind: str, entry: "documentation.RegisterEntry", source: str) -> str:
    rows = [
        (markdown.code(field.name), numbers.bit_range(field.high, field.low), field.meaning) for field in entry.fields
    ]
    title = f"**{kind}** {markdown.code(entry.name)}, {_bits(entry.bits)}, {entry.access}"
    fields = markdown.table(("field", "bits", "meaning"), rows)
    return markdown.join(title, entry.summary, fields, notes(entry.notes), source)


def _bits(count: int) -> str:
    return "1 bit" if count == 1 else f"{count} bits"


def notes(lines: tuple[str, ...]) -> str:
    """Notes as a list."""
    return "\n".join(f"- {line}" for line in lines)


class _Absence(NamedTuple):
    """What a page says first of a word that the target lacks, empty if it has it, and the documents that have it."""

    sentence: str
    source: str

    def before(self, text: str) -> str:
        return markdown.join(self.sentence, text)


def _absence(kind: str, name: str, target: isa.Target | None, shown: str = "") -> _Absence:
    """Whether a target lacks a word; then the text is that of other targets, and so are its documents."""
    if target is None or documentation.has_text(kind, name, target.name):
        return _Absence("", _source(kind, target))
    having = [other for other in isa.target_names() if documentation.has_text(kind, name, other)]
    if not having:  # a word of no target's own, such as the names of interpolation parameters
        return _Absence("", _source(kind, target))
    sentence = f"**{target.name} does not have {markdown.code(shown or name)}.** Targets: {targets.summary(having)}."
    text = documents.of_kind(kind, documentation.oldest(having))
    return _Absence(sentence, f"Source: {text}." if text else "")


def _source(kind: str, target: isa.Target | None) -> str:
    """The documents to read about something other than a mnemonic."""
    text = documents.of_kind(kind, target.name if target is not None else "")
    return f"Source: {text}." if text else ""
