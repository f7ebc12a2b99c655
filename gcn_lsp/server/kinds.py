"""The kinds of documents: the snapshot of each, and what answers a request about it.

The dialect of a file of assembly (`project.dialects`) is no kind: it only changes `Snapshot.text`.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from gcn_lsp.project import inline as inlines
from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.history import History
from gcn_lsp.server.snapshot import FileSnapshot, Snapshot
from gcn_lsp.server.source_snapshot import SourceSnapshot
from gcn_lsp.text import SourceText


class Kind(msgspec.Struct, frozen=True):
    """A kind of document. opened: the snapshot of a new text. answer: of a request's name and parameters."""

    opened: Callable[[History, int, SourceText], Snapshot]
    answer: Callable[[Any, str, Any], Any]


def _of_statements(snapshot: SourceSnapshot, name: str, params: Any) -> Any:
    return adapter("inline.answer")(snapshot, name, params)


def _of_file(snapshot: FileSnapshot, name: str, params: Any) -> Any:
    return adapter(name)(snapshot, params)


ASSEMBLY = Kind(FileSnapshot.opened, _of_file)
SOURCE = Kind(SourceSnapshot, _of_statements)


def of(path: str, language: str) -> Kind:
    """The kind of a document, by its language as its editor names it or by its path."""
    return SOURCE if inlines.is_source(path, language) else ASSEMBLY
