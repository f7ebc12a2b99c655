"""A version of a source with inline assembly."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from gcn_lsp import isa, project, rules
from gcn_lsp.findings.model import Finding
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.program.program import Program, build
from gcn_lsp.project import FileSetup, TargetHints, dialects
from gcn_lsp.project import inline as inlines
from gcn_lsp.server import edits
from gcn_lsp.server.history import History
from gcn_lsp.server.snapshot import FileSnapshot, Snapshot
from gcn_lsp.text import SourceText
from gcn_lsp.views.map import as_written


class SourceSnapshot(Snapshot):
    """One version of a source with inline assembly, which has a program for each statement and none of its own."""

    def __init__(self, document: History, version: int, source: SourceText) -> None:
        super().__init__(document, version, source)
        self._around = document.around

    def edited(self, version: int, changes: Sequence[edits.Change]) -> "SourceSnapshot":
        """The version after some changes, each of the result of the one before."""
        source = self.source
        for change in edits.applied(source, changes, self.client.encoding):
            source = change.after
        return SourceSnapshot(self.document, version, source)

    def again(self) -> "SourceSnapshot":
        """The same version in the document's new surroundings."""
        return SourceSnapshot(self.document, self.version, self.source)

    @cached_property
    def inline(self) -> inlines.Inline | None:
        """The inline assembly; None if there is none for AMD GPUs."""
        return inlines.read(self.source, self._around, self.document.language)

    @property
    def has_assembly(self) -> bool:
        """Whether a statement is assembly of AMD GPUs."""
        return self.inline is not None

    @cached_property
    def setup(self) -> FileSetup:
        """What the statements are for."""
        if self.inline is not None:
            return self.inline.setup
        return project.set_up(self.text.source, self._around, TargetHints.of(self.source.lines))

    @cached_property
    def targets(self) -> list[isa.Target]:
        """The targets that something names; none if nothing does."""
        options = self.setup.options
        named = self.inline.targets.named if self.inline is not None else ((options.target, options.mattr),)
        return [isa.load_target(name, mattr) for name, mattr in named if name]

    @cached_property
    def program(self) -> Program:
        """An empty program: questions about the program of the whole document have no answer here."""
        options = msgspec.structs.replace(self.setup.options, target=self.setup.options.target or LIKELY[0])
        return build(self.text.source, options)

    @cached_property
    def text(self) -> dialects.Derived:
        """An empty text, whose places are the document's own."""
        return as_written(SourceText(self.source.path, (b"",)))

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings that the settings show."""
        found = self.inline
        if found is None:
            return []
        judged = rules.check_inline(self.source, found.statements, found.targets, found.setup.findings)
        return found.setup.settings.shown(judged)

    def documents_at(self, line: int) -> Iterator[inlines.StatementAssembly]:
        """The texts of the statements that have a line."""
        found = self.inline
        for statement in inlines.statements(self.source, self.document.language) if found is not None else ():
            places = {statement.span.line, statement.last.line, *(piece.span.line for piece in statement.pieces)}
            if min(places) <= line <= max(places):
                text = inlines.taken_for(statement, found.targets) if found is not None else None
                if text is not None:
                    yield text

    def at(self, line: int, column: int) -> FileSnapshot | None:
        """A snapshot of the statement in whose template a place is."""
        found = (text for text in self.documents_at(line) if text.statement.covers(line, column))
        return next(map(self._of_statement, found), None)

    def statements_on(self, first: int, last: int) -> Iterator[FileSnapshot]:
        """The texts of the statements of AMD GPUs on some lines."""
        found = self.inline
        for statement in found.statements if found is not None else ():
            if statement.span.line <= last and first <= statement.last.line and found is not None:
                text = inlines.taken_for(statement, found.targets)
                if text is not None:
                    yield self._of_statement(text)

    def _of_statement(self, text: inlines.StatementAssembly) -> FileSnapshot:
        derived = inlines.derived(text, self.source)
        options = msgspec.structs.replace(self.setup.options, target=text.target, mattr=text.mattr, others=())
        whole = FileSnapshot(self.document, self.version, self.source, self.setup, TargetHints.of(()))
        return whole.of_part(derived, build(derived.source, options))
