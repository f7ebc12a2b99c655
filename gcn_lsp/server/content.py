"""A text that is derived from a document, see `derived_uris` and `contents`."""

from collections.abc import Iterator

from lsprotocol import types

from gcn_lsp.ide import encoded, expand
from gcn_lsp.ide.derived import Derived
from gcn_lsp.server import paths, wire
from gcn_lsp.server.derived_uris import Asked
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.server.source_snapshot import SourceSnapshot


class Content(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer."""

    text: str


def content(snapshot: Snapshot, params: Asked) -> Content | wire.Failure:
    """The text of a file of assembly."""
    program = snapshot.program
    if params.scheme == paths.ASSEMBLY:
        return failed("the file is assembly itself")
    if params.scheme == paths.ENCODED:
        return _shown(encoded.encoded(program)) if program.target is not None else failed("its target is not known")
    if params.lines is None:
        return _shown(expand.derived(program))
    first, last = map(snapshot.in_program, params.lines)
    found = expand.derived(program, first, last)
    return _shown(found) if found.lines else Content(f"// {expand.nothing_said(program, first)}\n")


def of_derived(snapshot: Snapshot, params: Asked) -> Content | wire.Failure:
    """The same for a file that something else reads before the assembler, which has assembly too."""
    return _text(snapshot.text.source.lines) if params.scheme == paths.ASSEMBLY else content(snapshot, params)


def of_statements(snapshot: SourceSnapshot, params: Asked) -> Content | wire.Failure:
    """The assembly of all statements of a source, each after a comment with its line."""
    if params.scheme != paths.ASSEMBLY:
        return failed("only single statements of it are assembly")
    return _text(tuple(_statements(snapshot)))


def _statements(snapshot: SourceSnapshot) -> Iterator[bytes]:
    for inner in snapshot.statements_on(0, len(snapshot.source.lines) - 1):
        yield f"// line {inner.line_in_text(0) + 1}".encode()
        yield from inner.text.source.lines


def _shown(derived: Derived) -> Content:
    return Content(derived.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def _text(lines: "tuple[bytes, ...]") -> Content:
    return Content(b"\n".join((*lines, b"")).decode("utf-8", "replace"))


def failed(reason: str) -> wire.Failure:
    """The failure of a request for a text that does not exist. reason: the end of its sentence."""
    return wire.Failure(types.LSPErrorCodes.RequestFailed.value, f"There is no such text: {reason}.")
