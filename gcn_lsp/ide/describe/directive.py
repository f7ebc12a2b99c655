"""A directive, or a field of a kernel descriptor: how it is written, what it does, which values it takes."""

from gcn_lsp import isa
from gcn_lsp.ide import directives
from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa import descriptor


def describe(word: str, target: "isa.Target | None") -> str | None:
    """The page of a directive as it is written, as Markdown; None when none has that name."""
    row = directives.lookup(word)
    if row is None:
        return None
    missing = ""
    if target is not None and row.name in directives.FIELDS:
        known = descriptor.directives(target.features)
        missing = f"{target.name} does not have it." if row.name.removeprefix(descriptor.PREFIX) not in known else ""
    return markdown.join(markdown.block(row.syntax), row.text, directives.values(word, target), missing)
