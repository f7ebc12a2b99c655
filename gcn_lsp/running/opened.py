"""A file to be run: its program at addresses, and the way back to what is written in it."""

import msgspec

from gcn_lsp import project
from gcn_lsp.findings.model import Finding
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.image import Image
from gcn_lsp.project import dialects
from gcn_lsp.project import opened as project_files
from gcn_lsp.project.opened import OpenFile


class RunnableFile(msgspec.Struct, frozen=True):
    """A file that can be run. image: its program at addresses. settings: what it was opened with."""

    file: OpenFile
    image: Image
    settings: project.Settings

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.file.path

    def in_original(self, findings: "tuple[Finding, ...]") -> tuple[Finding, ...]:
        """Findings at places of the file itself, where the assembler reads another text."""
        return tuple(dialects.in_original(self.file.derived, findings))


def read(path: str, settings: project.Settings) -> RunnableFile:
    """The file at a path. Raises WrongLaunch if it cannot be read or has no target."""
    file = project_files.open_file(path, settings)
    program = file.program
    if program is None:
        raise WrongLaunch(f"{file.refusal.rstrip('.')}.")
    if program.target is None:
        raise WrongLaunch(f"{path} names no target: name it with --target or in gcn-lsp.toml.")
    view = file.view

    def address_of(line: int) -> "int | None":
        origin = view.origin(line) if view is not None else None
        return origin.address if origin is not None else None

    return RunnableFile(file, Image(program, address_of if view is not None else None), settings)
