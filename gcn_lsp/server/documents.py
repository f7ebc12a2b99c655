"""The open documents by URI. They belong to the event loop."""

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath

from lsprotocol import types
from pygls import uris

from gcn_lsp import project
from gcn_lsp.ide import workspace_symbol
from gcn_lsp.project import Files, Settings, Surroundings
from gcn_lsp.project.includes import IncludeResolver
from gcn_lsp.project.workspace import Workspace
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.edits import Change, encode
from gcn_lsp.server.paths import is_in, object_path, path_of
from gcn_lsp.text import SourceText


class Documents:
    """The map from URI to open document, and the editor's settings of each workspace folder."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.settings: dict[str, Settings] = {}  # by workspace folder; "" is for files outside all folders
        self.workspace = Workspace()
        self.files = Files()
        self._documents: dict[str, Document] = {}

    def all(self) -> list[Document]:
        """Every open document."""
        return list(self._documents.values())

    def get(self, uri: str) -> Document | None:
        """The open document, None if the client has not opened it."""
        return self._documents.get(uri)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Add a document."""
        path = path_of(item.uri)
        document = Document(item.uri, path, self, item.language_id)
        source = SourceText.from_bytes(path, encode(item.text))
        document.open(item.version, source, self.surroundings(path))
        self._documents[item.uri] = document
        self.files.open_buffer(path, source)
        return document

    def edit(self, uri: str, version: int, changes: Sequence[Change]) -> Document | None:
        """Apply an edit to a document; ignores one that is not open."""
        document = self._documents.get(uri)
        if document is not None:
            document.edit(version, changes)
            self.files.open_buffer(document.path, document.snapshot.source)
        return document

    def close(self, uri: str) -> Document | None:
        """Remove a document."""
        document = self._documents.pop(uri, None)
        if document is not None:
            self.files.close_buffer(document.path)
        return document

    def including(self, path: str) -> list[Document]:
        """The open documents, other than this one, that searched for a file of that name when they were built."""
        return [document for document in self.all() if document.path != path and document.around.includes(path)]

    def surround(self, documents: Sequence[Document]) -> None:
        """Read the settings and files around these documents again."""
        for document in documents:
            document.surround(self.surroundings(document.path))

    def surroundings(self, path: str) -> Surroundings:
        """The current surroundings of a file."""
        path = object_path(path)
        return project.surroundings(path, self.settings_of(path), self.files, is_default=True)

    def settings_of(self, path: str) -> Settings:
        """The editor's settings for a file: those of its innermost workspace folder."""
        return self.settings.get(self.folder_of(path), Settings())

    def folder_of(self, path: str) -> str:
        """The innermost workspace folder of a file; empty outside of all."""
        inside = [folder for folder in self.settings if folder and is_in(path, folder)]
        return max(inside, key=len, default="")

    def assembled_with(self, paths: Collection[str]) -> list[SourceText]:
        """The texts of all files that include one of these, directly or not, and of all that those include.

        For the worker thread.
        """
        found: dict[str, SourceText] = {}
        directories = [path for settings in self.settings.values() for path in settings.include_paths]
        for path in self.workspace.including(paths, directories):
            source = self.files.readable(path)
            if source is not None:
                found[path] = source
        for document in self.all():
            snapshot = document.snapshot
            included = snapshot.program.included if document.around.includes_any(paths) else {}
            if not included.keys().isdisjoint(paths):
                found.update(included)
                found[document.path] = snapshot.source
        return list(found.values())

    def naming_files(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The files of the workspace and the open ones, each with the names of others that are written in it."""
        open_files = {
            os.path.abspath(each.path): each.snapshot.source for each in self.all() if each.uri.startswith("file:")
        }
        yield from ((path, names) for path, names in self.workspace.names_of_files() if path not in open_files)
        for path, source in open_files.items():
            symbols = workspace_symbol.of_buffer(source)
            yield path, (*symbols.includes, *symbols.others)

    def resolver(self, path: str) -> IncludeResolver:
        """What finds the files that a file names."""
        return self.surroundings(path).resolver

    def peek(self, uri: str) -> Document | None:
        """The open document, or the file on disk as one; None if there is none."""
        path = path_of(uri)
        source = None if uri in self._documents else self.files.readable(path)
        if source is None:
            return self._documents.get(uri)
        document = Document(uri, path, self)
        document.open(0, source, self.surroundings(path))
        return document

    def uri_of(self, path: str) -> str:
        """The URI of a file, as the client wrote it when it opened the file."""
        for document in self.all():  # a copy: the worker thread calls this too
            if document.path == path:
                return document.uri
        try:
            return uris.from_fs_path(path) or path
        except UnicodeEncodeError:  # a byte in the name is part of no character
            return PurePath(path).as_uri() if os.path.isabs(path) else path
