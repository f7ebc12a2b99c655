"""Actions that tell the server what it does not know of a file, and `gcn-lsp/writeTarget`, which lists them by place.

They write a comment into the file, or a setting into a configuration file, see `project.writing`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from gcn_lsp.findings.model import Finding
from gcn_lsp.ide import suppress
from gcn_lsp.ide import target as targets
from gcn_lsp.project import writing
from gcn_lsp.project.writing import SettingEdit
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot

_OTHERS = 2  # candidates that are offered besides the assumed target


class TargetEdit(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """A place for the target and the edit that writes it there; `file` is a configuration file, or empty."""

    title: str
    file: str
    edit: wire.WorkspaceEdit


Action = tuple[str, wire.WorkspaceEdit]


def actions(snapshot: Snapshot, finding: Finding) -> Iterator[Action]:
    """The titles and edits of the actions for a finding that says what is not known."""
    program, folder = snapshot.program, snapshot.document.folder_of(snapshot.source.path)
    if finding.rule == "unknown-target" and program.candidates is not None:
        name = program.candidates.name
        for each in target_edits(snapshot, name):
            yield f"Set the target of {each.title} to {name}", each.edit
        others = [other for other in program.candidates.names if other != name]
        for other in others[:_OTHERS]:
            yield f"Set the target of this file to {other}", _comment(snapshot, other)
    if finding.rule == "build-defined-symbols":
        names = program.build_defined
        symbols = f"`{names[0]}`" if len(names) == 1 else f"these {len(names)} symbols"
        for written in writing.defines(snapshot.source.path, names, folder, snapshot.document.files):
            if _is_possible(snapshot, written):
                file = "gcn-lsp.toml" if written.is_new else written.scope
                place = f" of {written.scope}" if written.is_new else ""
                yield f"Write {symbols} into {file}{place}", _edit(snapshot, (written,))


def ignoring(snapshot: Snapshot, rule: str) -> Iterator[Action]:
    """The action that ignores a rule in the whole project."""
    path = snapshot.source.path
    written = writing.ignore(path, rule, snapshot.document.folder_of(path), snapshot.document.files)
    if suppress.is_possible(rule) and _is_possible(snapshot, written):
        file = "a new gcn-lsp.toml" if written.is_new else written.scope
        yield f"Disable {rule} in the project ({file})", _edit(snapshot, (written,))


def target_edits(snapshot: Snapshot, name: str) -> Iterator[TargetEdit]:
    """The ways to make `name` the target: of the file, in its text, and of more in a configuration file."""
    yield TargetEdit("this file", "", _comment(snapshot, name))
    path = snapshot.source.path
    folder = snapshot.document.folder_of(path)
    for written in writing.target(path, name, folder, snapshot.document.files):
        if _is_possible(snapshot, written):
            title = f"{written.scope} (a new gcn-lsp.toml)" if written.is_new else f"the files of {written.scope}"
            yield TargetEdit(title, written.where.path, _edit(snapshot, (written,)))


def write_target(snapshot: Snapshot, params: Any) -> list[TargetEdit]:
    """The answer to `gcn-lsp/writeTarget`, whose parameters are the document's `uri` and the `target`."""
    return list(target_edits(snapshot, str(params.target)))


def _is_possible(snapshot: Snapshot, written: SettingEdit) -> bool:
    """Whether the client can make the file; one without a folder, an unsaved buffer, has none beside it."""
    return not written.is_new or (snapshot.client.creates_files and snapshot.document.uri.startswith("file:"))


def _comment(snapshot: Snapshot, name: str) -> wire.WorkspaceEdit:
    edit = targets.naming(snapshot.program.source, name)
    return convert.workspace_edit(snapshot, (edit,))


def _edit(snapshot: Snapshot, all_written: Iterable[SettingEdit]) -> wire.WorkspaceEdit:
    changes: list[wire.CreateFile | wire.TextDocumentEdit] = []
    for written in all_written:
        uri = snapshot.uri_of(written.where.path)
        place = convert.location_to_range(snapshot, written.where)
        if not written.is_new:
            return wire.WorkspaceEdit({uri: [wire.TextEdit(place, written.text)]})
        changes.append(wire.CreateFile(uri, wire.CreateFileOptions(ignore_if_exists=True)))
        edit = wire.TextEdit(place, written.text)
        changes.append(wire.TextDocumentEdit(wire.VersionedDocument(uri, None), (edit,)))
    return wire.WorkspaceEdit(document_changes=tuple(changes))
