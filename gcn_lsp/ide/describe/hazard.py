"""Describes the facts about hardware that findings name by an id: hazards and restrictions (`S-04`)."""

from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa import hazards
from gcn_lsp.isa.hazards import restrictions


def describe(name: str) -> str | None:
    """The text about the hazards or restrictions with an id; None if there are none."""
    wanted = name.upper()
    reasons = [row.reason for row in hazards.ROWS if row.id.upper() == wanted]
    reasons += [each.reason for each in restrictions.RESTRICTIONS if each.id.upper() == wanted]
    if not reasons:
        return None
    sentences = [f"{reason[:1].upper()}{reason[1:]}." for reason in dict.fromkeys(reasons)]
    rules = "Rules: " + markdown.listing(("missing-wait-states", "unreplayable-clause", "undefined-by-hardware")) + "."
    said = sentences[0] if len(sentences) == 1 else "\n".join(f"- {sentence}" for sentence in sentences)
    return markdown.join(f"**hardware fact** {markdown.code(wanted)}", said, rules)
