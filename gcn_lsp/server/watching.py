"""The files that the client is asked to watch, and the documents that a change of one concerns."""

import os
from collections.abc import Sequence

from lsprotocol import types

from gcn_lsp.project import compile_commands, configuration, file_signs
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents

_PROJECT_FILES = (*configuration.FILE_NAMES, os.path.basename(compile_commands.FILE_NAMES[0]))

# Included files may have any name; these are the usual ones.
_ENDINGS = (*file_signs.SURE_ENDINGS, *file_signs.SHARED_ENDINGS, *file_signs.INCLUDED_ENDINGS, "S", "h", "hpp", "cl")
_GLOBS = (
    *(f"**/{name}" for name in _PROJECT_FILES),
    f"**/*.{{{','.join(dict.fromkeys(_ENDINGS))}}}",
)

REGISTRATION = types.Registration(
    id="gcn-lsp-files",
    method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    register_options=types.DidChangeWatchedFilesRegistrationOptions(
        watchers=[types.FileSystemWatcher(glob_pattern=glob) for glob in _GLOBS]
    ),
)


def concerned(documents: Documents, paths: Sequence[str]) -> list[Document]:
    """The open documents whose settings or included files are among the changed files."""
    if has_configuration(paths):
        return documents.all()
    return list(dict.fromkeys(document for path in paths for document in documents.including(path)))


def has_configuration(paths: Sequence[str]) -> bool:
    """Whether a file that configures others is among these."""
    return any(os.path.basename(path) in _PROJECT_FILES for path in paths)
