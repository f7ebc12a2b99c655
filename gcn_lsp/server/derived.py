"""Assembly derived from a document, for an editor to show beside it: expansions and encodings."""

from gcn_lsp.ide import semantic_tokens
from gcn_lsp.ide.derived import Derived
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class ShownText(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """A text; the line of the document, from 0, that each of its lines is from; its semantic tokens."""

    text: str
    lines: tuple[int, ...]
    tokens: list[int]


def text_of(snapshot: Snapshot, derived: Derived) -> ShownText:
    """The text as an answer."""
    tokens = semantic_tokens.tokens_of_text(derived.lines, snapshot.program.target, snapshot.client.encoding)
    # In a form that JSON allows.
    text = derived.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return ShownText(text, tuple(map(snapshot.line_in_text, derived.origins)), tokens)
