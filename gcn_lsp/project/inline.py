"""Sources with inline assembly: which files may be some, their statements, and the targets that these are for."""

from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.project.files import Files
from gcn_lsp.project.setup import FileSetup, Surroundings, set_up
from gcn_lsp.project.target_hints import TargetHints
from gcn_lsp.text import SourceText
from gcn_lsp.views.inline import languages, sources, template
from gcn_lsp.views.inline.document import StatementAssembly as StatementAssembly
from gcn_lsp.views.inline.document import derived as derived
from gcn_lsp.views.inline.statement import Statement
from gcn_lsp.views.inline.targets import Targets


class Inline(msgspec.Struct, frozen=True):
    """A source with inline assembly of AMD GPUs: its text, its statements, its setup, and what they are for."""

    source: SourceText
    statements: tuple[Statement, ...]
    setup: FileSetup
    targets: Targets


def is_source(path: str, language: str = "") -> bool:
    """Whether a file may have inline assembly, by its language as an editor names it or by its name."""
    return languages.is_source(path, language)


def statements(source: SourceText, language: str = "") -> tuple[Statement, ...]:
    """All statements of a source, also those of other processors."""
    return sources.statements(source.path, source.to_bytes(), language)


def taken_for(statement: Statement, targets: Targets) -> "StatementAssembly | None":
    """The text of a statement for the target that it is taken for."""
    from gcn_lsp.findings import inline_run  # late: as in `rules.check_inline`

    return inline_run.taken_for(statement, targets)


def has_assembly(path: str) -> bool:
    """Whether a file on disk is a source with inline assembly of AMD GPUs."""
    if not is_source(path):
        return False
    source = Files().readable(path)
    return source is not None and any(_for_amd(source, sources.statements(path, source.to_bytes())))


def _for_amd(source: SourceText, found: Iterable[Statement]) -> Iterator[Statement]:
    """The statements that AMD's compiler is to read: of HIP code those in PTX too, which it cannot."""
    is_hip = source.path.endswith(".hip") or any(_HIP.match(line) for line in source.lines)
    return (each for each in found if template.is_amd(each) or (is_hip and template.is_ptx(each)))


_HIP = regex(rb"\s*#\s*include\s*<hip/")


def read(source: SourceText, around: Surroundings, language: str = "") -> "Inline | None":
    """The inline assembly of a source; None if it has none for AMD GPUs."""
    found = tuple(_for_amd(source, statements(source, language)))
    if not found:
        return None
    lines = tuple(line for each in found for line in each.template.split(b"\n"))
    setup = set_up(SourceText(source.path, lines), around, TargetHints.of(source.lines))
    choice, options = setup.target_choice, setup.options
    if options.target is not None and choice.mnemonics is None:
        targets = Targets(((options.target, options.mattr), *options.others), mattr=options.mattr)
    else:
        # Statements of one file may be for several generations, each in a function of its own.
        first = (options.target,) if options.target is not None else options.candidates
        targets = Targets((), tuple(dict.fromkeys((*first, *LIKELY))), options.mattr)
        reason = "nothing names a target for this file"
        setup = msgspec.structs.replace(
            setup, target_choice=msgspec.structs.replace(choice, target=None, reason=reason)
        )
    return Inline(source, found, msgspec.structs.replace(setup, source=source), targets)
