"""The open documents: their texts, kept by incremental edits, and a snapshot for each version.

`Documents` and `Document` belong to the event loop. A `Snapshot` never changes; the worker thread builds its program
once, on first use.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from lsprotocol import types
from pygls import uris

from gcn_lsp import project, rules
from gcn_lsp.findings.agreement import Known
from gcn_lsp.findings.at_source import at_source
from gcn_lsp.findings.model import Finding
from gcn_lsp.findings.rule import Stage
from gcn_lsp.flow.steps import Steps
from gcn_lsp.ide import source_lines as sources
from gcn_lsp.program import program as programs
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.program.incremental import no_includes
from gcn_lsp.program.program import Program, build
from gcn_lsp.project import Files, FileSetup, Mnemonics, Settings, Surroundings, TargetHints, dialects, view_of
from gcn_lsp.project import inline as inlines
from gcn_lsp.project.inline import Document as StatementText
from gcn_lsp.project.workspace import Workspace
from gcn_lsp.server import wire
from gcn_lsp.server.client import Client
from gcn_lsp.text import Location, PositionEncoding, SourceText, column_to_byte
from gcn_lsp.views import source_lines
from gcn_lsp.views.view import Place, View

if TYPE_CHECKING:
    from gcn_lsp.ide import semantic_tokens

Change: TypeAlias = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


_OBJECT_SCHEME = "gcn-lsp-object"  # of VS Code's documents


class Snapshot:
    """One version of a document with its settings and surroundings.

    `program` and `findings` are for the worker thread only. has_stages: whether a long text is checked in stages.
    """

    has_stages = True

    def __init__(self, document: "Document", version: int, setup: FileSetup, source: SourceText) -> None:
        self.document = document
        self.version = version
        self.setup = setup
        self.source = source
        self.client = document.client
        self._program: Program | None = None
        self._derived: dialects.Derived | None = None
        self._findings: list[Finding] | None = None
        self._is_settled = False
        self.has_changed_target = False  # by `settle`, after which a client has to ask for everything again

    @property
    def program(self) -> Program:
        """The program of this version; built from the latest one that was built, so an edit costs little.

        Until `settle`, a file without a target is taken for the same one as the version before.
        """
        if self._program is None:
            self._derived = self.setup.derived(self.source, self.document.derived)
            source = self.source if self._derived is None else self._derived.source
            self._program = build(source, self.setup.options, self.document.built, settle=False)
            self.document.built, self.document.derived = self._program, self._derived
        return self._program

    @property
    def built_so_far(self) -> Program | None:
        """The program if it is built already and made of the document's own text."""
        return self._program if self._derived is None else None

    def program_of_line(self, line: int) -> Program | None:
        """A program of one line alone, without what other files have."""
        if self.setup.dialect != dialects.PLAIN or line >= len(self.source.lines):
            return None
        source = SourceText(self.source.path, (self.source.lines[line],))
        return build(
            source, msgspec.structs.replace(self.setup.options, include=no_includes), settle=False
        ).without_flow()

    @property
    def derived(self) -> dialects.Derived | None:
        """The text that the program is made of, if it is not the document's own."""
        _ = self.program
        return self._derived

    def program_as_written(self) -> Program:
        """The program of the document's own text, for what changes all of it."""
        return self.program if self.derived is None else build(self.source, self.setup.options)

    @property
    def view(self) -> View | None:
        """What the text stands for, if it is that of a code object."""
        return view_of(object_path(self.document.path), self.document.files)

    def compiled_from(self, line: int) -> Place | None:
        """The source of an instruction of a code object, as its debug information says."""
        view = self.view
        return view.place(line) if view is not None else None

    def in_program(self, line: int) -> int:
        """The first line of the program that stands for a line of the document, or follows it."""
        return line if self.derived is None else self.derived.first_derived(line)

    def line_in_text(self, line: int) -> int:
        """The line of the document, or of a file that it includes, that a line of the program stands for."""
        return line if self.derived is None else self.derived.origin(line).line

    def in_text(self, where: Location) -> Location:
        """The place of this file or another that a place of the program stands for."""
        return where if self.derived is None else self.derived.to_original(where)

    @property
    def findings(self) -> list[Finding]:
        """All findings that the settings show, including those in the project's files.

        Until `settle`, those of a file without a target that were agreed on before, or need no other target.
        """
        if self._findings is None:
            self._findings = self._found(Stage.HINTS)
        return self._findings

    def findings_until(self, stage: Stage) -> list[Finding]:
        """The findings of the stages up to this one."""
        return self.findings if stage is Stage.HINTS else self._found(stage)

    @property
    def is_settled(self) -> bool:
        """Whether the program and its findings are final: those of a file without a target change by `settle`."""
        return self._is_settled or self.program.candidates is None

    def settle(self) -> Steps[None]:
        """Compare the targets that the file may be for, and keep the result."""
        if self.is_settled:
            return
        before = self.program
        settled = yield from programs.settled(before)
        if self.document.built is before:
            self.document.built = settled
        self.has_changed_target |= settled is not before
        self._program = settled
        shown = self.setup.settings.shows
        found = yield from rules.check_in_steps(settled, lambda finding: shown(finding.rule))
        self._findings = self._shown(found)
        self.document.agreed = Known(settled.source.lines, found)
        self._is_settled = True

    def _found(self, stage: Stage) -> list[Finding]:
        return self._shown(rules.check_alone(self.program, stage, self.document.agreed))

    def _shown(self, found: list[Finding]) -> list[Finding]:
        derived = self.derived
        if derived is not None:
            found = list(dialects.in_original(derived, (*dialects.mistakes(derived), *found)))
        elif self.setup.settings.report_at == "source":
            made = self.program
            found = list(
                at_source(
                    made.path,
                    found,
                    lambda line: source_lines.at(made, line),
                    lambda place: sources.location(made, place),
                )
            )
        return self.setup.settings.shown([*self.setup.findings, *found])

    def uri_of(self, path: str) -> str:
        """The URI of this file or another."""
        return self.document.uri if path == self.source.path else self.document.uri_of(path)

    def line(self, path: str, number: int) -> bytes:
        """A line of this file or an included one; empty if there is no such line."""
        source: SourceText | None = self.source
        if path != self.source.path:
            source = self.document.files.readable(path)
        if source is None or not 0 <= number < len(source.lines):
            return b""
        return source.lines[number]


class InlineSnapshot(Snapshot):
    """One version of a source with inline assembly, which has a program for each statement and none of its own."""

    has_stages = False

    def __init__(self, document: "Document", version: int, source: SourceText) -> None:
        self.document = document
        self.version = version
        self.source = source
        self.client = document.client
        self.around = document.around
        self._program = None
        self._derived = None
        self._findings = None
        self._is_settled = True
        self.has_changed_target = False

    @cached_property
    def inline(self) -> inlines.Inline | None:
        """The inline assembly; None if there is none for AMD GPUs."""
        return inlines.read(self.source, self.around, self.document.language)

    @cached_property
    def setup(self) -> FileSetup:  # type: ignore[override]
        """What the statements are for."""
        if self.inline is not None:
            return self.inline.setup
        return project.set_up(SourceText(self.source.path, (b"",)), self.around)

    @property
    def program(self) -> Program:
        """An empty program: what is asked of the program of the whole document has no answer here."""
        if self._program is None:
            options = msgspec.structs.replace(self.setup.options, target=self.setup.options.target or LIKELY[0])
            self._program = build(SourceText(self.source.path, (b"",)), options)
        return self._program

    @property
    def derived(self) -> None:
        """The document's own text counts."""
        return

    @property
    def findings(self) -> list[Finding]:
        """All findings that the settings show."""
        if self._findings is None:
            found = self.inline
            self._findings = []
            if found is not None:
                about = found.setup.findings
                self._findings = found.setup.settings.shown(
                    rules.check_inline(self.source, found.statements, found.targets, about)
                )
        return self._findings

    def findings_until(self, stage: Stage) -> list[Finding]:
        """All findings: a statement is short."""
        return self.findings

    def documents_at(self, line: int) -> Iterator["StatementText"]:
        """The texts of the statements that have a line."""
        found = self.inline
        for statement in inlines.statements(self.source, self.document.language) if found is not None else ():
            places = {statement.span.line, statement.last.line, *(piece.span.line for piece in statement.pieces)}
            if min(places) <= line <= max(places):
                text = inlines.taken_for(statement, found.targets) if found is not None else None
                if text is not None:
                    yield text

    def at(self, line: int, column: int) -> tuple["StatementText", Snapshot] | None:
        """The text of the statement in whose template a place is, and a snapshot of it."""
        for text in self.documents_at(line):
            if text.statement.covers(line, column):
                return text, StatementSnapshot(self, text)
        return None

    def statements_on(self, first: int, last: int) -> Iterator[Snapshot]:
        """The texts of the statements of AMD GPUs on some lines."""
        found = self.inline
        for statement in found.statements if found is not None else ():
            if statement.span.line <= last and first <= statement.last.line and found is not None:
                text = inlines.taken_for(statement, found.targets)
                if text is not None:
                    yield StatementSnapshot(self, text)


class StatementSnapshot(Snapshot):
    """The text that one statement stands for, in a version of its source."""

    def __init__(self, outer: InlineSnapshot, text: "StatementText") -> None:
        super().__init__(outer.document, outer.version, outer.setup, outer.source)
        self._derived = inlines.derived(text, outer.source)
        options = msgspec.structs.replace(self.setup.options, target=text.target, mattr=text.mattr, others=())
        self._program = build(self._derived.source, options)
        self._findings = []


class Document:
    """An open document.

    For the worker thread: `has_been_checked` says whether anything was published; `is_analysed` whether the paths of
    control were followed in some version, after which no request waits long; `published` has the lines of the last
    published version and its diagnostics of later stages; `built` is the last program built, of whatever version, and
    `derived` the text that it is made of if that is not the document's;
    `reported` has the diagnostics that a client last pulled, with their number, `tokens` the same for semantic tokens;
    `agreed` has the findings of the last version whose targets were compared.
    """

    def __init__(self, uri: str, path: str, documents: "Documents", language: str = "") -> None:
        self.language = language
        self.is_inline = inlines.is_source(path, language)
        self.has_been_checked = False
        self.is_analysed = False
        self.published: tuple[tuple[bytes, ...], tuple[wire.Diagnostic, ...]] = ((), ())
        self.uri = uri
        self.path = path
        self.files = documents.files
        self.client = documents.client
        self.uri_of = documents.uri_of
        self.folder_of = documents.folder_of
        self.built: Program | None = None
        self.derived: dialects.Derived | None = None
        self.agreed = Known()
        self.reported: tuple[object, int] | None = None
        self.tokens: tuple[semantic_tokens.Tokens, int] | None = None
        self.assembled_with = documents.assembled_with
        self.around: Surroundings
        self.hints: TargetHints
        self.snapshot: Snapshot

    def open(self, version: int, source: SourceText, around: Surroundings) -> None:
        """Replace the whole text."""
        self.around = around
        self.hints = TargetHints.of(() if self.is_inline else source.lines)
        self._take(version, source)

    def edit(self, version: int, changes: Sequence[Change]) -> None:
        """Apply the changes, each to the result of the one before."""
        source, hints = self.snapshot.source, self.hints
        if self.is_inline:
            for change in changes:
                source = changed(source, change, self.client.encoding)
            self._take(version, source)
            return
        mnemonics = known = self.snapshot.setup.target_choice.mnemonics
        must_choose = False
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                source = SourceText.from_bytes(self.path, encode(change.text))
                hints = TargetHints.of(source.lines)
                mnemonics = None
                must_choose = True
                continue
            before = source
            edit = edit_of(before.lines, change.range, self.client.encoding)
            source = before.replace(edit.first, edit.start, edit.last, edit.end, encode(change.text))
            removed = edit.last - edit.first + 1
            new_lines = source.lines[edit.first : edit.first + removed + len(source.lines) - len(before.lines)]
            hints = hints.after_edit(edit.first, removed, new_lines)
            old_lines = before.lines[edit.first : edit.last + 1]
            must_choose = must_choose or dialects.may_change(before, old_lines, source, new_lines)
            if mnemonics is not None:
                mnemonics = mnemonics.after_edit(old_lines, new_lines)
        must_choose = must_choose or mnemonics is not known or hints != self.hints
        self.hints = hints
        if must_choose:
            self._take(version, source, mnemonics)
        else:
            self.snapshot = Snapshot(self, version, self.snapshot.setup, source)

    def surround(self, around: Surroundings) -> None:
        """Use new settings or changed files for the same text."""
        self.around = around
        self._take(self.snapshot.version, self.snapshot.source)

    def _take(self, version: int, source: SourceText, mnemonics: Mnemonics | None = None) -> None:
        if self.is_inline:
            self.snapshot = InlineSnapshot(self, version, source)
            return
        self.snapshot = Snapshot(self, version, project.set_up(source, self.around, self.hints, mnemonics), source)


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

    def uri_of(self, path: str) -> str:
        """The URI of a file, as the client wrote it when it opened the file."""
        for document in self.all():  # a copy: the worker thread calls this too
            if document.path == path:
                return document.uri
        try:
            return uris.from_fs_path(path) or path
        except UnicodeEncodeError:  # a byte in the name is part of no character
            return PurePath(path).as_uri() if os.path.isabs(path) else path


class Edit(msgspec.Struct, frozen=True):
    """The replaced part of a text: from byte `start` of line `first` to byte `end` of line `last`."""

    first: int
    start: int
    last: int
    end: int


def changed(source: SourceText, change: Change, encoding: PositionEncoding) -> SourceText:
    """A text after a change."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return SourceText.from_bytes(source.path, encode(change.text))
    edit = edit_of(source.lines, change.range, encoding)
    return source.replace(edit.first, edit.start, edit.last, edit.end, encode(change.text))


def is_in(path: str, folder: str) -> bool:
    """Whether a file is in a folder or below."""
    return path.startswith(folder.rstrip("/\\") + os.sep)


def edit_of(lines: Sequence[bytes], where: types.Range, encoding: PositionEncoding) -> Edit:
    """A range of the client in bytes. A place after the end of a line or of the text is moved to that end."""
    first, start = _place(lines, where.start, encoding)
    last, end = _place(lines, where.end, encoding)
    if (last, end) < (first, start):
        last, end = first, start
    return Edit(first, start, last, end)


def encode(text: str) -> bytes:
    """The text in UTF-8; half of a surrogate pair, which JSON can contain, becomes a question mark."""
    return text.encode("utf-8", "replace")


def path_of(uri: str) -> str:
    """The path in a file's URI; another URI (an unsaved buffer) is returned as it is."""
    return (uris.to_fs_path(uri) if uri.startswith("file:") else None) or uri


def object_path(path: str) -> str:
    """The file of a code object, for an editor's document with its text, whose URI has a scheme of its own."""
    scheme, _, rest = path.partition(":")
    return (uris.to_fs_path(f"file:{rest}") or path) if scheme == _OBJECT_SCHEME else path


def _place(lines: Sequence[bytes], position: types.Position, encoding: PositionEncoding) -> tuple[int, int]:
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    return position.line, column_to_byte(lines[position.line], position.character, encoding)
