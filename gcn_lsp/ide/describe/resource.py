"""Decodes a resource descriptor in SGPRs if its words are known constants, with what cannot be right in it."""

from collections.abc import Mapping, Sequence

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown, numbers, words
from gcn_lsp.isa.memory import resources

# The kinds of descriptors, and their names in AMD's documents.
NAMES: Mapping[str, str] = {"v#": "buffer", "t#": "image", "s#": "sampler"}


def layout(kind: str, target: isa.Target) -> str:
    """The fields of a descriptor of the target, as a table."""
    found = resources.resource(kind, target.features)
    if found is None:
        return f"{target.name} has no {kind} resources."
    rows = [
        (markdown.code(field.name), numbers.bit_range(field.high, field.low), resources.described(field))
        for field in found.fields
    ]
    title = f"**{kind} resource** of {target.name}, {found.words} words in SGPRs"
    notes = words.notes(resources.notes(kind, target.features))
    return markdown.join(title, markdown.table(("field", "bits", "meaning"), rows), notes)


def field(name: str, target: isa.Target) -> str:
    """The fields of that name in the descriptors of the target: place and meaning; empty if none has it."""
    parts = []
    for kind in NAMES.values():
        found = resources.resource(kind, target.features)
        for row in found.fields if found is not None else ():
            if row.name == name:
                place = "bit" if row.low == row.high else "bits"
                article = "an" if kind == "image" else "a"
                bits = numbers.bit_range(row.high, row.low)
                title = f"{markdown.code(name)}: {place} {bits} of {article} {kind} resource"
                values = resources.values(row, target.features)
                table = markdown.table(("value", "meaning"), [(str(value), text) for value, text in values.items()])
                descriptions = (_sentence(resources.role(row)), table or _sentence(resources.reading(row)))
                notes = words.notes(resources.notes(kind, target.features, name))
                parts.append(markdown.join(f"{title} of {target.name}.", *descriptions, notes))
    return markdown.join(*parts)


def field_names(target: isa.Target) -> tuple[str, ...]:
    """The names of the fields of all descriptors of the target."""
    layouts = (resources.resource(kind, target.features) for kind in NAMES.values())
    return tuple(row.name for layout in layouts if layout is not None for row in layout.fields)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""


def describe(target: isa.Target, kind: str, first: int, words: "Sequence[int | None]") -> str:
    """The fields in known words; empty if no word is known."""
    layout = resources.resource(kind, target.features)
    if layout is None or all(word is None for word in words):
        return ""
    found = resources.known_fields(layout, words)
    rows = []
    for field in layout.fields:
        value = found.get(field.name)
        if value is not None:
            shown = numbers.hexadecimal(value, 64) if value > 9 else str(value)
            meaning = resources.meaning(field, found, target.features)
            rows.append((markdown.code(field.name), numbers.bit_range(field.high, field.low), shown, meaning))
    known = ", ".join(
        f"{markdown.code(f's{first + number}')} = {word:#x}" for number, word in enumerate(words) if word is not None
    )
    title = f"**{kind} resource**, from its constant words: {known}"
    warned = "\n".join(f"- {text}." for text in resources.warnings(found, kind, target.features))
    bits = ", ".join(str(bit) for bit in resources.unassigned(layout, words)) if kind == "buffer" else ""
    return markdown.join(
        title,
        f"Suspicious:\n\n{warned}" if warned else "",
        markdown.table(("field", "bits", "value", ""), rows),
        f"Set, but reserved on {target.name}: {bits}." if bits else "",
    )
