"""Paths of documents, and the URIs that clients have for them."""

import os

from pygls import uris

OBJECT = "gcn-lsp-object"  # of the text of a code object
EXPANSION, ENCODED, ASSEMBLY = "gcn-lsp-expansion", "gcn-lsp-encoded", "gcn-lsp-assembly"
SCHEMES = (OBJECT, EXPANSION, ENCODED, ASSEMBLY)
"""The schemes of texts that are derived from files, see `content`."""


def path_of(uri: str) -> str:
    """The path in a file's URI; another URI (an unsaved buffer) is returned as it is."""
    return (uris.to_fs_path(uri) if uri.startswith("file:") else None) or uri


def object_path(path: str) -> str:
    """The file of a code object, for an editor's document with its text, whose URI has a scheme of its own."""
    scheme, _, rest = path.partition(":")
    return (uris.to_fs_path(f"file:{rest}") or path) if scheme == OBJECT else path


def is_in(path: str, folder: str) -> bool:
    """Whether a file is in a folder or below."""
    return path.startswith(folder.rstrip("/\\") + os.sep)
