"""The kinds of documents: the snapshot of each, and what answers a request about it.

A file of assembly in a dialect (`project.dialects`) has a derived text, `Snapshot.text`. Most answers map its places;
the others are listed here.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.history import History
from gcn_lsp.server.snapshot import FileSnapshot, Snapshot
from gcn_lsp.text import SourceText
from gcn_lsp.views.inline.languages import is_source

if TYPE_CHECKING:
    from gcn_lsp.server.source_snapshot import SourceSnapshot


class Kind(msgspec.Struct, frozen=True):
    """A kind of document. opened: the snapshot of a new text. answer: of a request's name and parameters."""

    opened: Callable[[History, int, SourceText], Snapshot]
    answer: Callable[[Any, str, Any], Any]


def _opened_source(document: History, version: int, source: SourceText) -> Snapshot:
    from gcn_lsp.server.source_snapshot import SourceSnapshot  # late: most files are assembly

    return SourceSnapshot(document, version, source)


def _of_statements(snapshot: "SourceSnapshot", name: str, params: Any) -> Any:
    return adapter("inline.answer")(snapshot, name, params)


# The requests that are answered otherwise where the text is derived: their adapters, or None for the answer null.
_OF_DERIVED = {
    "semantic_tokens": "derived_tokens",
    "semantic_tokens.semantic_tokens_delta": "derived_tokens",
    "semantic_tokens.semantic_tokens_range": "derived_tokens.derived_tokens_range",
    "content": "content.of_derived",
    "code_action": "code_action.of_derived",
    "code_action.resolve": "code_action.resolve_of_derived",
    "reinsert_waits": "reinsert_waits.of_derived",
    "source_lines": "source_lines.of_derived",
    "linked_editing": None,
    "inline_completion": None,
    "formatting.on_type_formatting": None,  # the whole file would be read again at each key
}


def _of_file(snapshot: FileSnapshot, name: str, params: Any) -> Any:
    own = name if snapshot.is_plain else _OF_DERIVED.get(name, name)
    return adapter(own)(snapshot, params) if own is not None else None


ASSEMBLY = Kind(FileSnapshot.opened, _of_file)
SOURCE = Kind(_opened_source, _of_statements)


def of(path: str, language: str) -> Kind:
    """The kind of a document, by its language as its editor names it or by its path."""
    return SOURCE if is_source(path, language) else ASSEMBLY
