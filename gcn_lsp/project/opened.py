"""Opens a file: reads it, applies the settings of its project, interprets it; start at `open_file`."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp import garbage_collection, rules
from gcn_lsp.findings import legal_targets
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.ide import target
from gcn_lsp.program import program
from gcn_lsp.program.incremental import Options
from gcn_lsp.program.program import Program
from gcn_lsp.project.at_places import at_places
from gcn_lsp.project.files import Files, Unreadable
from gcn_lsp.project.settings import Settings
from gcn_lsp.project.setup import FileSetup, Surroundings, load, surroundings
from gcn_lsp.text import SourceText, column_to_byte, mapped, message, rendered
from gcn_lsp.views.inline.languages import is_source
from gcn_lsp.views.map import Derived, as_written
from gcn_lsp.views.view import View

if TYPE_CHECKING:
    from gcn_lsp.project.inline import Inline

_NOTHING = as_written(SourceText("", (b"",)))


class OpenFile(msgspec.Struct, frozen=True):
    """A file, the settings of its project, and its program; `program` is None if the file cannot be read.

    derived: the text that the assembler reads; nothing without a program.
    inline: the inline assembly of a source in another language, which has no program.
    """

    path: str
    setup: FileSetup
    program: Program | None
    files: Files
    derived: Derived = _NOTHING
    inline: "Inline | None" = None

    @property
    def view(self) -> View | None:
        """The code object that the file is; None for a text, and for what cannot be read."""
        return None if self.setup.source is None else self.files.view(self.path)

    @property
    def refusal(self) -> str:
        """Why there is no program, in a sentence."""
        findings = self.setup.findings
        return findings[-1].message if findings else f"{self.path} holds no assembly of its own"

    def findings(self, least: Severity = Severity.HINT) -> tuple[Finding, ...]:
        """The findings that the settings ask for and that are as bad as `least`: those in the file itself first."""
        settings, is_wanted = self.setup.settings, self.shows(least)
        found: Iterable[Finding] = filter(is_wanted, self.setup.findings)
        if self.inline is not None:
            found = rules.check_inline(self.inline.source, self.inline.statements, self.inline.targets, tuple(found))
            found = [finding for finding in settings.shown(found) if finding.severity.rank <= least.rank]
            return tuple(sorted(found, key=lambda finding: finding.where))
        view = self.view
        if self.program is not None:
            found = rules.check(self.program, tuple(found), wanted=is_wanted)
            found = legal_targets.with_targets(self.program, found)
            found = filter(is_wanted, at_places(self.program, self.derived, settings, found, view))
        found = settings.shown(found)
        found = tuple(sorted(found, key=lambda finding: (finding.where.path != self.path, finding.where)))
        return found if view is None else tuple(self._with_address(finding, view) for finding in found)

    def shows(self, least: Severity) -> Callable[[Finding], bool]:
        """Whether the settings ask for a finding, and it is as bad as `least` with the severity that they give it."""
        settings = self.setup.settings
        return lambda finding: any(shown.severity.rank <= least.rank for shown in settings.shown([finding]))

    def _with_address(self, finding: Finding, view: View) -> Finding:
        """A finding in a code object says at which address of which kernel it is, and for which line of the source."""
        origin = view.origin(finding.where.line) if finding.where.path == self.path else None
        if origin is None:
            return finding
        place = f"{origin.symbol}+{origin.distance:#x}, address" if origin.symbol else "address"
        source = view.place(finding.where.line)
        compiled = f", compiled from {source.file}:{source.line}" if source is not None else ""
        return msgspec.structs.replace(
            finding, said=message("{} ({} {}{})", finding.said, place, f"{origin.address:#x}", compiled)
        )

    def as_written(self) -> Program:
        """The program of the file's own text, for what changes all of it."""
        assert self.program is not None
        return self.derived.program_of_original(self.program, self.setup.options)

    def explained(self, line: int, column: int | None = None) -> str | None:
        """What an editor shows at a place, from 1 in characters; without a column at the first word of the line.

        Markdown; None if there is nothing to explain. Raises LookupError if there is no such line, or no program.
        """
        from gcn_lsp.ide import hover  # late: a check needs none of it
        from gcn_lsp.ide.describe.markdown import place as shown_place

        text, program = self.setup.source, self.program
        if text is None or program is None:
            raise LookupError(self.refusal)
        if not 0 < line <= len(text.lines):
            raise LookupError(f"{self.path} has {len(text.lines)} lines")
        written = text.lines[line - 1]
        byte = column_to_byte(written, column - 1, "utf-32") if column else len(written) - len(written.lstrip())
        place = self.derived.to_derived(line - 1, byte) or (self.derived.first_derived(line - 1), 0)
        shown = hover.hover(program, *place)
        if shown is None:
            return None
        return rendered(mapped(shown.said, self.derived.to_original, str), self.path, shown_place)

    def target(self) -> str:
        """The target of the file and its source: `gfx90a -xnack: the comment says so (line 1)`."""
        choice = self.setup.target_choice
        if choice.target is None and self.program is not None and self.program.candidates is not None:
            return target.assumption(self.program.candidates, choice.reason)
        name = f"{choice.target} {choice.mattr}".rstrip() if choice.target else "no target"
        return f"{name}: {choice.reason}"

    def source(self, path: str) -> SourceText | None:
        """The text of a file that a finding is in; None if it cannot be read."""
        try:
            return self.files.source(path)
        except Unreadable:
            return None


def open_all(
    path: str,
    settings: Settings,
    *,
    takes_inline: bool = False,
    data: bytes | None = None,
    seen: dict[str, bytes] | None = None,
) -> Iterator[OpenFile]:
    """`open_file`, then what else a file with code objects holds: each further object, and functions of a large one.

    Their names are `FILE(NAME)`.
    """
    opened = open_file(path, settings, takes_inline=takes_inline, data=data, seen=seen)
    view = opened.view
    yield opened
    del opened  # a program takes a hundred times the memory of the code
    if view is not None:
        yield from _further(path, view, settings, seen)


_KNOWN_IN_FILE = 1000
"""Results about lines and instructions that are kept for further kernels of a file, as its size limits the memory."""


def _further(path: str, view: View, settings: Settings, seen: dict[str, bytes] | None) -> Iterator[OpenFile]:
    """The kernels of the further views of what is at `path`."""
    for each in view.further:
        garbage_collection.free_kernel(_KNOWN_IN_FILE)
        name, shown, known = f"{path}({each.name})", each.view(), Files("", seen)
        known.open_view(name, shown)
        setup = load(name, settings, known)
        assert setup.source is not None
        yield OpenFile(name, setup, _built(setup.source, setup.options), known)
        del setup, known
        yield from _further(name, shown, settings, seen)


def open_file(
    path: str,
    settings: Settings,
    *,
    takes_inline: bool = False,
    data: bytes | None = None,
    seen: dict[str, bytes] | None = None,
) -> OpenFile:
    """The file at `path`. If it has several code objects, the first for the target.

    takes_inline: whether a source in another language may be opened for its inline assembly, and may lack any. data:
    the bytes to read in place of the file's. seen: as in `Files`.
    """
    known = Files(settings.target or "", seen)
    if data is not None:
        known.open_data(path, data)
    source = known.readable(path) if takes_inline and is_source(path) else None
    found = _inline(source, surroundings(path, settings, known)) if source is not None else None
    if found is not None:
        return OpenFile(path, found.setup, None, known, inline=found)
    setup = load(path, settings, known)
    if setup.source is None:
        if source is not None:
            told = (msgspec.structs.replace(each, severity=Severity.INFORMATION) for each in setup.findings)
            setup = msgspec.structs.replace(setup, findings=tuple(told))
        return OpenFile(path, setup, None, known)
    derived = setup.derived(setup.source)
    return OpenFile(path, setup, _built(derived.source, setup.options), known, derived)


def _inline(source: SourceText, around: Surroundings) -> "Inline | None":
    from gcn_lsp.project import inline  # late: few files have some, and it loads what reads C

    return inline.read(source, around)


def _built(source: SourceText, options: Options) -> Program:
    return program.build(source, msgspec.structs.replace(options, is_edited=False))
