"""`compile_commands.json`: the settings with which the build assembles a file."""

import os
import re
from functools import cached_property
from itertools import islice

import msgspec

from gcn_lsp.findings.model import Finding
from gcn_lsp.patterns import regex
from gcn_lsp.project import arguments
from gcn_lsp.project.files import Files, Unreadable, upwards
from gcn_lsp.project.settings import Settings
from gcn_lsp.rules import configuration_error
from gcn_lsp.text import Location

FILE_NAMES = ("compile_commands.json", os.path.join("build", "compile_commands.json"))


_LIMITS = ((b"{", 250_000, "opening braces"), (b",", 4_000_000, "commas"))
"""Most of a file: large projects have some 50,000 entries of 50 words."""
_LONGEST = 1 << 20  # characters of a command; Linux runs none of more than 128 KB
_MOST_TARGETS = 100  # different choices of targets
_TARGET_OPTION = regex(rf"(?<!\S)(?:-Wa,)?(--?(?:{'|'.join(arguments.TARGET_OPTIONS)}))[= ]+([^\s\"',]+)")

_HEADERS = frozenset((".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl"))


class CompileCommands(msgspec.Struct, frozen=True, dict=True):
    """The entries by file; of several for one file the first counts, as in other tools."""

    path: str
    commands: dict[str, "_Command"]
    findings: tuple[Finding, ...]

    def command(self, path: str) -> tuple[str, tuple[str, ...]] | None:
        """The folder and the arguments with which the build compiles the file, None if it does not name it."""
        entry = self._entry(path)
        return None if entry is None else (entry.directory, entry.words())

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
        # Most entries have the same options for targets, and splitting all commands of a large project takes minutes.
        options = dict.fromkeys(entry.target_options() for entry in self.commands.values())
        found = [arguments.read(each) for each in islice(options, _MOST_TARGETS)]
        targets = {name: None for each in found for name in (*each.targets, each.target) if name}
        if not targets:
            return None
        return Settings(target=next(iter(targets)), targets=tuple(targets) if len(targets) > 1 else ())


class _Command(msgspec.Struct, frozen=True):
    directory: str = ""
    file: str = ""
    command: str = ""
    arguments: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...]:
        """The command as its words; none of one that no system can run."""
        return self.arguments or (tuple(arguments.split(self.command)) if len(self.command) <= _LONGEST else ())

    def target_options(self) -> tuple[str, ...]:
        """The options of the command that name a target."""
        command = " ".join(self.arguments) if self.arguments else self.command
        return tuple(f"{option}={value}" for option, value in _TARGET_OPTION.findall(command))

    def settings(self) -> Settings:
        found = arguments.read(self.words())
        paths = tuple(os.path.normpath(os.path.join(self.directory, path)) for path in found.include_paths)
        return msgspec.structs.replace(found, include_paths=paths)


def nearest(path: str, files: Files) -> CompileCommands | None:
    """The database in the file's folder or above it, or in a folder `build` there."""
    for candidate in upwards(path, FILE_NAMES):
        try:
            found = files.parsed(candidate, read)
        except Unreadable as error:
            if os.path.isdir(candidate):
                continue
            found = CompileCommands(candidate, {}, (_mistake(candidate, b"", str(error)),))
        if isinstance(found, CompileCommands):
            return found
    return None


def read(path: str, data: bytes) -> CompileCommands:
    """The entries in a file's bytes; a file of another form, or one beyond a limit, is a finding."""
    for mark, most, parts in _LIMITS:
        if (count := data.count(mark)) > most:
            return CompileCommands(path, {}, (_mistake(path, b"", f"it has {count:,} {parts}; the limit is {most:,}"),))
    try:
        entries = msgspec.json.decode(data, type=list[_Command])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return CompileCommands(path, {}, (_mistake(path, data, str(error)),))
    except RecursionError:
        return CompileCommands(path, {}, (_mistake(path, data, "its values are nested too deeply"),))
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
