"""`workspace/willRenameFiles`: names of a renamed file, and names in it, change with it."""

import os
from collections.abc import Mapping

from gcn_lsp.project import renamed_files as project
from gcn_lsp.server import wire
from gcn_lsp.server.documents import Documents
from gcn_lsp.text import byte_to_column


def renamed_files(documents: Documents, paths: Mapping[str, str]) -> wire.WorkspaceEdit | None:
    """The edits of all files in the workspace and in the editor, made before the move; null if there are none."""
    moves = project.Moves({os.path.abspath(old): os.path.abspath(new) for old, new in paths.items()})
    found: dict[str, list[wire.TextEdit]] = {}
    encoding = documents.client.encoding
    for path in project.naming(documents.naming_files(), moves, lambda path: documents.resolver(path).directories):
        for edit in project.edits(path, moves, documents.resolver(path), documents.files):
            source = documents.files.readable(path)
            assert source is not None
            where = edit.where
            start, end = (byte_to_column(source.lines[where.line], at, encoding) for at in (where.start, where.end))
            place = wire.Range(wire.Position(where.line, start), wire.Position(where.line, end))
            found.setdefault(documents.uri_of(path), []).append(wire.TextEdit(place, edit.new_text))
    return wire.WorkspaceEdit(found) if found else None
