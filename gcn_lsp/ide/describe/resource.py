"""A resource descriptor in SGPRs, decoded where the words of it are known constants, with what cannot be meant."""

from collections.abc import Sequence

from gcn_lsp import isa
from gcn_lsp.ide import markdown, numbers
from gcn_lsp.isa import resources


def describe(target: isa.Target, kind: str, first: int, words: "Sequence[int | None]") -> str:
    """The fields whose words are known; empty when none is."""
    layout = resources.resource(kind, target.features)
    if layout is None or all(word is None for word in words):
        return ""
    found = resources.known_fields(layout, words)
    rows = []
    for field in layout.fields:
        value = found.get(field.name)
        if value is not None:
            shown = numbers.hexadecimal(value, 64) if value > 9 else str(value)
            bits = str(field.low) if field.low == field.high else f"{field.high}:{field.low}"
            rows.append((markdown.code(field.name), bits, shown, resources.meaning(field, value, target.features)))
    known = ", ".join(
        f"{markdown.code(f's{first + number}')} = {word:#x}" for number, word in enumerate(words) if word is not None
    )
    title = f"**{kind} resource**, as far as its words are constants: {known}"
    warned = "\n".join(f"- {text}." for text in resources.warnings(found, kind, target.features))
    return markdown.join(
        title, f"Cannot be meant:\n\n{warned}" if warned else "", markdown.table(("field", "bits", "value", ""), rows)
    )
