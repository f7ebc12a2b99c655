"""A file to be run: its settings, its program, and what its lines stand for."""

import msgspec

from gcn_lsp import project
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.image import Image
from gcn_lsp.program import program as programs
from gcn_lsp.program.program import Program
from gcn_lsp.project import dialects
from gcn_lsp.views.map import Derived


class RunnableFile(msgspec.Struct, frozen=True):
    """A file that can be run. image: its program at addresses."""

    path: str
    files: project.Files
    derived: Derived
    program: Program
    image: Image

    def in_original(self, findings: "tuple[Finding, ...]") -> tuple[Finding, ...]:
        """Findings at places of the file itself, where the assembler reads another text."""
        return tuple(dialects.in_original(self.derived, findings))


def read(path: str, settings: project.Settings) -> RunnableFile:
    """The file at a path. Raises WrongLaunch if it cannot be read or has no target."""
    files = project.Files(settings.target or "")
    setup = project.load(path, settings, files)
    if setup.source is None:
        raise WrongLaunch(f"{setup.findings[-1].message.rstrip('.')}.")
    derived = setup.derived(setup.source)
    program = programs.build(derived.source, msgspec.structs.replace(setup.options, is_edited=False))
    if program.target is None:
        raise WrongLaunch(f"{path} names no target: name it with --target or in gcn-lsp.toml.")
    view = files.view(path)

    def address_of(line: int) -> "int | None":
        origin = view.origin(line) if view is not None else None
        return origin.address if origin is not None else None

    image = Image(program, address_of if view is not None else None)
    return RunnableFile(path, files, derived, program, image)


def assembly_errors(opened: RunnableFile) -> tuple[Finding, ...]:
    """The errors of the assembler in a file, which make a run of it meaningless."""
    from gcn_lsp import rules  # late: a run without errors needs none of it

    found = rules.check(opened.program, (), wanted=lambda finding: finding.severity is Severity.ERROR)
    return opened.in_original(tuple(finding for finding in found if finding.severity is Severity.ERROR))
