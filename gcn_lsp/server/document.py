"""An open document: its newest snapshot."""

from collections.abc import Sequence

from gcn_lsp.project import Surroundings
from gcn_lsp.server import edits, kinds
from gcn_lsp.server.history import History, Store
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import SourceText


class Document(History):
    """An open document: its newest snapshot, and its history for all of them."""

    def __init__(self, uri: str, path: str, documents: Store, language: str = "") -> None:
        super().__init__(uri, path, documents, language)
        self._kind = kinds.of(path, language)
        self.snapshot: Snapshot

    def open(self, version: int, source: SourceText, around: Surroundings) -> None:
        """Replace the whole text."""
        self.around = around
        self.snapshot = self._kind.opened(self, version, source)

    def edit(self, version: int, changes: Sequence[edits.Change]) -> None:
        """Apply the changes, each to the result of the one before."""
        self.snapshot = self.snapshot.edited(version, changes)

    def surround(self, around: Surroundings) -> None:
        """Use new settings or changed files for the same text."""
        self.around = around
        self.snapshot = self.snapshot.again()

    def answer(self, snapshot: Snapshot, name: str, params: object) -> object:
        """The answer to a request, for the worker thread."""
        return self._kind.answer(snapshot, name, params)
