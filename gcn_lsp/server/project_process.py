"""Checks files one after the other in a process of its own (`project_worker`), for `project_check`.

The session's worker stays free for the editor's requests, and the memory that the kernels of a project take is returned
at the end. The first line of the input is an `Order`; each further line is the name of a file, answered with a line
that is a `CheckedFile`.
"""

import sys
from collections.abc import Callable

import msgspec
from lsprotocol import types

from gcn_lsp.flow.steps import finish
from gcn_lsp.project import Settings, file_signs, inline
from gcn_lsp.server import diagnostics, wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.text import json_bytes

_HIDDEN = types.DiagnosticSeverity.Hint.value  # editors list no hints among the problems of a project


class Order(msgspec.Struct, frozen=True):
    """What the files are checked with: the client's capabilities, and its settings by workspace folder."""

    client: Client
    settings: dict[str, Settings]


class CheckedFile(msgspec.Struct, frozen=True):
    """The diagnostics of a file by URI. is_ours: whether it is AMD GPU assembly or a source that has some."""

    is_ours: bool
    found: dict[str, tuple[wire.Diagnostic, ...]] = {}


def answer(next_line: Callable[[], bytes]) -> None:
    """Answer each line."""
    out = sys.stdout.buffer
    order = msgspec.json.decode(next_line(), type=Order)
    while True:
        documents = Documents(order.client)
        documents.settings = order.settings
        out.write(json_bytes(check(documents, msgspec.json.decode(next_line(), type=str))) + b"\n")
        out.flush()


def check(documents: Documents, path: str) -> CheckedFile:
    """The result of the file at `path`, as it is on disk."""
    source = documents.files.readable(path)
    if source is None or not (inline.is_source(path) or file_signs.is_own(source.to_bytes())):
        return CheckedFile(False)
    document = Document(documents.uri_of(path), path, documents)
    document.open(0, source, documents.surroundings(path))
    snapshot = document.snapshot
    if not snapshot.has_assembly:
        return CheckedFile(False)
    finish(snapshot.settle())
    return CheckedFile(
        True,
        {
            uri: tuple(each for each in found if each.severity != _HIDDEN)
            for uri, found in diagnostics.diagnose(snapshot).items()
        },
    )
