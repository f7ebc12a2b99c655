"""`compile_commands.json`: the settings with which the build assembles a file."""

import os
import re
from functools import cached_property

import msgspec

from gcn_lsp.findings.model import Finding
from gcn_lsp.project import arguments
from gcn_lsp.project.files import Files, Unreadable
from gcn_lsp.project.settings import Settings
from gcn_lsp.rules import configuration_error
from gcn_lsp.text import Location

FILE_NAMES = ("compile_commands.json", os.path.join("build", "compile_commands.json"))


_HEADERS = frozenset((".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl"))


class CompileCommands(msgspec.Struct, frozen=True, dict=True):
    """The entries by file; of several for one file the first counts, as in other tools."""

    path: str
    commands: dict[str, "_Command"]
    findings: tuple[Finding, ...]

    def command(self, path: str) -> tuple[str, tuple[str, ...]] | None:
        """The folder and the arguments with which the build compiles the file, None if it does not name it."""
        entry = self._entry(path)
        return None if entry is None else (entry.directory, entry.arguments or tuple(arguments.split(entry.command)))

    def _entry(self, path: str) -> "_Command | None":
        return self.commands.get(os.path.realpath(path)) or self.commands.get(os.path.abspath(path))

    def for_file(self, path: str) -> Settings | None:
        """The build's settings for the file, None if it does not name it."""
        entry = self._entry(path)
        if entry is None and os.path.splitext(path)[1].lower() in _HEADERS:
            return self._of_headers
        return None if entry is None else entry.settings()

    @cached_property
    def _of_headers(self) -> Settings | None:
        """Of a header, which no entry compiles: the targets of all entries."""
        found = [entry.settings() for entry in self.commands.values()]
        targets = {name: None for each in found for name in (*each.targets, each.target) if name}
        if not targets:
            return None
        return Settings(target=next(iter(targets)), targets=tuple(targets) if len(targets) > 1 else ())


class _Command(msgspec.Struct, frozen=True):
    directory: str = ""
    file: str = ""
    command: str = ""
    arguments: tuple[str, ...] = ()

    def settings(self) -> Settings:
        found = arguments.read(self.arguments or arguments.split(self.command))
        paths = tuple(os.path.normpath(os.path.join(self.directory, path)) for path in found.include_paths)
        return msgspec.structs.replace(found, include_paths=paths)


def nearest(path: str, files: Files) -> CompileCommands | None:
    """The database in the file's folder or above it, or in a folder `build` there."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        for name in FILE_NAMES:
            try:
                found = files.parsed(os.path.join(folder, name), read)
            except Unreadable:
                continue
            if isinstance(found, CompileCommands):
                return found
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def read(path: str, data: bytes) -> CompileCommands:
    """The entries in a file's bytes; a file of another form is a finding."""
    try:
        entries = msgspec.json.decode(data, type=list[_Command])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return CompileCommands(path, {}, (_mistake(path, data, str(error)),))
    commands: dict[str, _Command] = {}
    for entry in entries:
        folder = os.path.join(os.path.dirname(path), entry.directory)
        file = os.path.normpath(os.path.join(folder, entry.file))
        commands.setdefault(file, msgspec.structs.replace(entry, directory=folder))
    return CompileCommands(path, commands, ())


def _mistake(path: str, data: bytes, error: str) -> Finding:
    offset = re.search(r"byte (\d+)", error)
    line = data[: int(offset[1])].count(b"\n") if offset else 0
    sentence = re.sub(r" ?\(byte \d+\)", "", error)
    first = sentence[:1].lower() if sentence[1:2].islower() else sentence[:1]  # `JSON` stays
    message = f"not a list of compile commands: {first}{sentence[1:]}"
    return configuration_error.RULE.at(Location(path, line, 0, 0), message)
