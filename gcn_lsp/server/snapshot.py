"""A version of a document, as the adapters of requests see it, and that of a file of assembly.

A snapshot never changes; the worker thread builds its program once, on first use.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import msgspec

from gcn_lsp import project, rules
from gcn_lsp.findings.agreement import AgreedFindings
from gcn_lsp.findings.model import Finding
from gcn_lsp.findings.rule import Stage
from gcn_lsp.findings.run import ByStage
from gcn_lsp.flow.steps import Steps, always
from gcn_lsp.ide import being_typed, original
from gcn_lsp.ide.reading import scope
from gcn_lsp.program import program as programs
from gcn_lsp.program.incremental import no_includes
from gcn_lsp.program.program import Program, build
from gcn_lsp.project import FileSetup, Mnemonics, TargetHints, dialects, view_of
from gcn_lsp.project.at_places import at_places
from gcn_lsp.server import edits
from gcn_lsp.server.history import History
from gcn_lsp.server.paths import object_path
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.view import SourcePlace, View

# From this many lines a check has stages, the most important first, with hints only in a pause.
LONG = 2000


class Snapshot(ABC):
    """One version of a document with its settings and surroundings.

    `program`, `text` and `findings` are for the worker thread only.
    """

    def __init__(self, document: History, version: int, source: SourceText) -> None:
        self.document = document
        self.version = version
        self.source = source
        self.client = document.client
        self.typed_line = -1  # of the program, which the last edit ended on; -1 if it is not known
        self.has_changed_target = False  # by `settle`, after which a client has to ask for everything again
        self.pulled_early: object = None  # the diagnostics that a client pulled before `settle`
        self.hesitates = False  # whoever types: for a moment now
        self.unsaid: list[Finding] = []  # that a line that is being typed does not assemble: told later

    @property
    @abstractmethod
    def setup(self) -> FileSetup:
        """What is known about the document, without its program."""

    @property
    @abstractmethod
    def program(self) -> Program:
        """The program of the document; an empty one if it has several."""

    @property
    @abstractmethod
    def text(self) -> dialects.Derived:
        """The text that the program is made of, with its map to the document."""

    @property
    @abstractmethod
    def findings(self) -> list[Finding]:
        """All findings that the settings show, including those in the project's files."""

    @abstractmethod
    def edited(self, version: int, changes: Sequence[edits.Change]) -> "Snapshot":
        """The version after some changes, each of the result of the one before."""

    @abstractmethod
    def again(self) -> "Snapshot":
        """The same version in the document's new surroundings."""

    @property
    def has_assembly(self) -> bool:
        """Whether anything in the document is assembly of AMD GPUs."""
        return True

    @property
    def has_stages(self) -> bool:
        """Whether the text is so long that a check has stages."""
        return False

    @property
    def is_plain(self) -> bool:
        """Whether the document is assembly itself, so that its lines can answer before they are analysed."""
        return False

    def hesitate(self) -> None:
        """Nothing was typed for a moment: what more at the end of the line leaves wrong is told."""
        self.hesitates = True

    def pause(self) -> None:
        """The line is left, or nothing was typed for a while: what is on it counts as it is."""
        self.unsaid = []

    @property
    def is_settled(self) -> bool:
        """Whether the program and its findings are final."""
        return True

    @property
    def has_all_findings(self) -> bool:
        """Whether `findings` is known, and the only answer for this text."""
        return False

    def as_opened(self) -> "Snapshot":
        """The same version as if its text had just been opened."""
        return self

    def settle(self) -> Steps[None]:
        """Compare the targets that the file may be for, and keep the result."""
        yield from ()

    def findings_until(self, stage: Stage, is_wanted: Callable[[], bool] = always) -> list[Finding]:
        """The findings of the stages up to this one."""
        return self.findings

    @property
    def words(self) -> original.Words:
        """The words of the document that its program does not have."""
        return original.of(self.text)

    def program_as_written(self) -> Program:
        """The program of the document's own text, for what changes all of it."""
        return self.text.program_of_original(self.program, self.setup.options)

    @property
    def view(self) -> View | None:
        """What the text stands for, if it is that of a code object."""
        return view_of(object_path(self.document.path), self.document.files)

    def compiled_from(self, line: int) -> SourcePlace | None:
        """The source of an instruction of a code object, as its debug information says."""
        view = self.view
        return view.place(line) if view is not None else None

    def in_program(self, line: int) -> int:
        """The first line of the program that stands for a line of the document, or follows it."""
        return self.text.first_derived(line)

    def line_in_text(self, line: int) -> int:
        """The line of the document, or of a file that it includes, that a line of the program stands for."""
        return self.text.origin(line).line

    def in_text(self, where: Location) -> Location:
        """The place of this file or another that a place of the program stands for."""
        return self.text.to_original(where)

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


class FileSnapshot(Snapshot):
    """One version of a document with one program: a file of assembly, or a statement in a source.

    hints: what its text says about its target.
    """

    def __init__(
        self, document: History, version: int, source: SourceText, setup: FileSetup, hints: TargetHints
    ) -> None:
        super().__init__(document, version, source)
        self.hints = hints
        self._setup = setup
        self._program: Program | None = None
        self._text: dialects.Derived | None = None
        self._findings: list[Finding] | None = None
        self._by_stage: ByStage = {}
        self._is_settled = False
        self._grows = False  # the typed line, at its end
        self._has_paused = False
        self._is_marked: bool | None = None  # whether some line decides the dialect; None until that is asked for

    @staticmethod
    def opened(document: History, version: int, source: SourceText) -> "FileSnapshot":
        """The snapshot of a text of which nothing is known."""
        return _set_up(document, version, source, TargetHints.of(source.lines))

    def of_part(self, text: dialects.Derived, program: Program) -> "FileSnapshot":
        """The same for a part of the document that has a program of its own, and no findings."""
        made = FileSnapshot(self.document, self.version, self.source, self.setup, self.hints)
        made._text, made._program, made._findings = text, program, []
        return made

    @property
    def setup(self) -> FileSetup:
        """How the file is assembled."""
        return self._setup

    def edited(self, version: int, changes: Sequence[edits.Change]) -> "FileSnapshot":
        """The version after some changes, each of the result of the one before."""
        source, hints = self.source, self.hints
        mnemonics = known = self.setup.target_choice.mnemonics
        must_choose, typed_line, grows = False, -1, False
        is_marked = dialects.marks(source.lines) if self._is_marked is None else self._is_marked
        for change in edits.applied(source, changes, self.client.encoding):
            source = change.after
            if change.edit is None:
                hints, mnemonics, must_choose = TargetHints.of(source.lines), None, True
                is_marked = dialects.marks(source.lines)
                continue
            old_lines, new_lines = change.old_lines, change.new_lines
            typed_line = change.edit.first + len(new_lines) - 1
            grows = _grows(old_lines, new_lines)
            hints = hints.after_edit(change.edit.first, change.removed, new_lines)
            is_marked = is_marked or dialects.marks(new_lines)
            if mnemonics is not None:
                mnemonics = mnemonics.after_edit(old_lines, new_lines)
        if is_marked and dialects.dialect(source.path, source) != self.setup.dialect:
            must_choose = True
        if must_choose or mnemonics is not known or hints != self.hints:
            made = _set_up(self.document, version, source, hints, mnemonics)
        else:
            made = FileSnapshot(self.document, version, source, self.setup, hints)
        made.typed_line = typed_line if made.is_plain else -1
        made._grows = grows
        made._is_marked = is_marked
        return made

    def again(self) -> "FileSnapshot":
        """The same version in the document's new surroundings."""
        return _set_up(self.document, self.version, self.source, self.hints)

    @property
    def has_stages(self) -> bool:
        """Whether the text is so long that a check has stages."""
        return len(self.source.lines) > LONG

    @property
    def is_plain(self) -> bool:
        """Whether the assembler reads the file itself."""
        return self.setup.dialect == dialects.PLAIN

    @property
    def program(self) -> Program:
        """The program of this version; built from the latest one that was built, so an edit costs little.

        Until `settle`, a file without a target is taken for the same one as the version before.
        """
        if self._program is None:
            self._text = self.setup.derived(self.source, self.document.derived)
            self._program = build(self._text.source, self.setup.options, self.document.built, settle=False)
            self.document.built, self.document.derived = self._program, self._text
        return self._program

    @property
    def text(self) -> dialects.Derived:
        """The text that the program is made of, with its map to the document."""
        _ = self.program
        assert self._text is not None
        return self._text

    @property
    def built_so_far(self) -> Program | None:
        """The program if it is built already."""
        return self._program

    def program_of_line(self, line: int) -> Program | None:
        """A program of one line alone, without what other files have; None of one that may be no assembly."""
        if line >= len(self.source.lines) or scope.may_be_metadata(self.source.lines, line):
            return None
        source = SourceText(self.source.path, (self.source.lines[line],))
        return build(
            source, msgspec.structs.replace(self.setup.options, include=no_includes), settle=False
        ).without_flow()

    @property
    def findings(self) -> list[Finding]:
        """All findings that the settings show, including those in the project's files.

        Until `settle`, those of a file without a target that were agreed on before, or need no other target.
        """
        return self.findings_until(Stage.HINTS)

    def findings_until(self, stage: Stage, is_wanted: Callable[[], bool] = always) -> list[Finding]:
        """The findings of the stages up to this one.

        Raises `flow.steps.Superseded` if they are wanted no longer.
        """
        if stage is not Stage.HINTS:
            return self._said(self._found(stage, is_wanted))
        if self._findings is None:
            self._findings = self._found(stage, is_wanted)
            self._by_stage = {}
        return self._said(self._findings)

    @property
    def is_settled(self) -> bool:
        """Whether the program and its findings are final: those of a file without a target change by `settle`."""
        return self._is_settled or self.program.candidates is None

    @property
    def has_all_findings(self) -> bool:
        """Whether `findings` is known, and the only answer for this text."""
        return self._findings is not None and self.program.candidates is None

    def as_opened(self) -> "FileSnapshot":
        """The same version as if its text had just been opened, with no line that is being typed."""
        if self.typed_line < 0:
            return self
        made = FileSnapshot(self.document, self.version, self.source, self.setup, self.hints)
        made._program, made._text = self._program, self._text
        return made

    def settle(self) -> Steps[None]:
        """Compare the targets that the file may be for, and keep the result."""
        if self.is_settled:
            return
        before = self.program
        settled = yield from programs.settled(before)
        if self.document.built is before:
            self.document.built = settled
        self.has_changed_target |= settled is not before
        self._program, self._by_stage = settled, {}
        shown = self.setup.settings.shows
        found = yield from rules.check_in_steps(settled, wanted=lambda finding: shown(finding.rule))
        self._findings = self._shown(found)
        self.document.agreed = AgreedFindings(settled.source.lines, found)
        self._is_settled = True

    def pause(self) -> None:
        """The line is left, or nothing was typed for a while: what is wrong with it is told."""
        self._has_paused = True
        super().pause()

    def _found(self, stage: Stage, is_wanted: Callable[[], bool] = always) -> list[Finding]:
        return self._shown(rules.check_alone(self.program, stage, self.document.agreed, self._by_stage, is_wanted))

    def _shown(self, found: list[Finding]) -> list[Finding]:
        settings = self.setup.settings
        shown = list(at_places(self.program, self.text, settings, found))
        if self.typed_line >= 0:
            shown = list(being_typed.without(self.program, self.typed_line, shown))
        return settings.shown([*self.setup.findings, *shown])

    def _said(self, found: list[Finding]) -> list[Finding]:
        """What is told of these findings while a line grows: the rest follows in a pause, or when it is left."""
        # A client that pulls and cannot be asked to pull again would never hear of the rest.
        hears = self.client.refreshes_diagnostics or not self.client.pulls_diagnostics
        if self.typed_line < 0 or not self._grows or self._has_paused or not hears:
            return found
        program, line = self.program, self.typed_line
        self.unsaid = [
            each
            for each in found
            if being_typed.is_unfinished(program, line, each)
            and not (self.hesitates and not being_typed.may_go_on(program, line, each))
        ]
        return [each for each in found if each not in self.unsaid]


def _grows(old: Sequence[bytes], new: Sequence[bytes]) -> bool:
    """Whether the last of some lines was changed at its end alone, but for what an editor closes by itself."""
    before, after = (lines[-1].rstrip(b'])" ') if lines else b"" for lines in (old, new))
    return after.startswith(before) or before.startswith(after)


def _set_up(
    document: History, version: int, source: SourceText, hints: TargetHints, mnemonics: Mnemonics | None = None
) -> FileSnapshot:
    """The snapshot of a text whose target is chosen again."""
    setup = project.set_up(source, document.around, hints, mnemonics)
    return FileSnapshot(document, version, source, setup, hints)
