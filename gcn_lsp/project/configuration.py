"""Finds and reads `gcn-lsp.toml` and `[tool.gcn-lsp]` in `pyproject.toml`, and reports the mistakes in them.

A mistake never loses the rest of the file: a wrong key or value is ignored; a line that is not TOML is removed and the
file read again. Exceeding a limit (`toml_limits`) is a mistake too, so no file takes long.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from gcn_lsp import isa
from gcn_lsp.findings.model import Finding
from gcn_lsp.isa import products
from gcn_lsp.project import settings, toml_limits, toml_places
from gcn_lsp.project.files import Files, Unreadable, upwards
from gcn_lsp.project.globs import Glob
from gcn_lsp.project.settings import Settings
from gcn_lsp.rules import RULES, configuration_error
from gcn_lsp.text import Location, SourceText

FILE_NAMES = ("gcn-lsp.toml", "pyproject.toml")
TOOL = ("tool", "gcn-lsp")
_SYNTAX_ERRORS_REPORTED = 10  # a file with more is not TOML at all
_PARSED = 4 * toml_limits.SIZE  # bytes, in all attempts to read a file
_MOST_SECTIONS = 1000
_MOST_FEATURES = 5  # in a message
_MOST_FINDINGS = 50


class FilesSection(msgspec.Struct, frozen=True):
    """`[[files]]`: settings for the files that `glob` matches. `target_place` is where its target is written."""

    glob: Glob
    settings: Settings
    target_place: Location | None


class Configuration(msgspec.Struct, frozen=True):
    """A configuration file as read: the settings for all files, the sections, the mistakes in it."""

    path: str
    settings: Settings
    target_place: Location | None
    sections: tuple[FilesSection, ...]
    findings: tuple[Finding, ...]

    def for_file(self, path: str) -> tuple[Settings, Location | None]:
        """The settings of one file and the place of its target; of several matching sections the last wins."""
        name = os.path.relpath(os.path.abspath(path), os.path.dirname(self.path)).replace(os.sep, "/")
        result, place = self.settings, self.target_place
        for section in self.sections:
            if section.glob.match(name):
                result = section.settings.over(result)
                place = section.target_place or place
        return result, place


def nearest(path: str, files: Files) -> Configuration | None:
    """The configuration for the file `path`: the nearest one in its folder or above it."""
    for candidate in upwards(path, FILE_NAMES):
        name = os.path.basename(candidate)
        try:
            configuration = files.parsed(candidate, read)
        except Unreadable as error:
            if name == "pyproject.toml" or os.path.isdir(candidate):  # hardly ours
                continue
            configuration = _unused(candidate, f"cannot read {name}: {error}")
        if isinstance(configuration, Configuration):
            return configuration
    return None


def read(path: str, data: bytes) -> Configuration | None:
    """The configuration in a file's bytes; None for a `pyproject.toml` without a table of ours."""
    in_pyproject = os.path.basename(path) == "pyproject.toml"
    if in_pyproject and b"gcn-lsp" not in data:
        return None
    if len(data) > toml_limits.SIZE:
        name = os.path.basename(path)
        return _unused(path, f"{name} has {len(data):,} bytes and is not used; the limit is {toml_limits.SIZE:,}")
    source = SourceText.from_bytes(path, data)
    places = toml_places.find(source.lines)
    table, syntax_findings = _parse(source, places)
    prefix = TOOL if in_pyproject else ()
    for name in prefix:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    if in_pyproject and not any(place.key[:2] == TOOL for place in places):
        return None
    return _TableReader(source, places, prefix).configuration(table, syntax_findings)


def _unused(path: str, message: str) -> Configuration:
    """A file that is not used at all."""
    return Configuration(path, Settings(), None, (), (_finding(Location(path, 0, 0, 0), message),))


class _TableReader:
    """Turns one parsed file into a `Configuration`, collecting findings."""

    def __init__(self, source: SourceText, places: Sequence[toml_places.TomlPlace], prefix: tuple[str, ...]) -> None:
        self.source = source
        self.places = toml_places.TomlPlaces(places)
        self.prefix = prefix
        self.findings: list[Finding] = []

    def configuration(self, table: Any, syntax_findings: Sequence[Finding]) -> Configuration:
        if not isinstance(table, dict):
            self._report((), False, "'tool.gcn-lsp' must be a table")
            table = {}
        general, place = self._settings(table, (), ("files",))
        sections = tuple(self._sections(table.get("files", [])))
        found = sorted((*syntax_findings, *self.findings), key=lambda finding: finding.where)
        findings = found[:_MOST_FINDINGS]
        if len(found) > len(findings):
            findings.append(_finding(found[len(findings)].where, "there are more mistakes from here"))
        return Configuration(self.source.path, general, place, sections, tuple(findings))

    def _sections(self, tables: object) -> Iterator[FilesSection]:
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._report(("files",), False, "'files' must be written as sections that start with [[files]]")
            return
        for number, table in enumerate(tables):
            key = ("files", str(number))
            if number == _MOST_SECTIONS:
                self._report(key, False, f"a file has at most {_MOST_SECTIONS} sections; those from here are not used")
                return
            found, place = self._settings(table, key, ("glob",))
            glob = table.get("glob")
            if isinstance(glob, str):
                yield FilesSection(Glob(glob), found, place)
            elif glob is None:
                self._report(key, False, "this section needs a 'glob' that selects its files")
            else:
                self._report((*key, "glob"), True, "'glob' must be a string such as 'gfx90a/**/*.s'")

    def _settings(
        self, table: dict[str, Any], key: tuple[str, ...], also_known: tuple[str, ...]
    ) -> tuple[Settings, Location | None]:
        found, mistakes = settings.read(table, also_known)
        for mistake in mistakes:
            self._report((*key, *mistake.key), mistake.in_value, mistake.message)
        names = {settings.kebab_case(name): name for name in table}
        place = None
        if found.target is not None:
            written = (*key, names["target"])
            message = unknown_target(found.target)
            if message is not None:
                self._report(written, True, message)
                found = msgspec.structs.replace(found, target=None)
            else:
                place = self._location(written, True)
        for message in unknown_targets(found):
            self._report((*key, names["targets"]), True, message)
        found = with_known_targets(found)
        if found.targets and place is None:
            place = self._location((*key, names["targets"]), True)
        message = unknown_features(found.mattr)
        if message is not None:
            self._report((*key, names["mattr"]), True, message)
            found = msgspec.structs.replace(found, mattr=known_features(found.mattr))
        for name, message in unknown_rules(found):
            self._report((*key, names[name]), True, message)
        folder = os.path.dirname(self.source.path)
        paths = tuple(os.path.normpath(os.path.join(folder, path)) for path in found.include_paths)
        return msgspec.structs.replace(found, include_paths=paths), place

    def _report(self, key: tuple[str, ...], in_value: bool, message: str) -> None:
        self.findings.append(_finding(self._location(key, in_value), message))

    def _location(self, key: tuple[str, ...], in_value: bool) -> Location:
        place = self.places.nearest((*self.prefix, *key))
        if place is None:
            return Location(self.source.path, 0, 0, 0)
        if in_value and place.value_end > place.value_start:
            return Location(self.source.path, place.line, place.value_start, place.value_end)
        return Location(self.source.path, place.line, place.key_start, place.key_end)


def unknown_target(name: str) -> str | None:
    """The message for a target name that LLVM does not know; None for one that it knows."""
    if isa.resolve_target(name) is not None:
        return None
    hint = products.meant(name) or settings.nearest(name, isa.target_names())
    return f"unknown target '{settings.shortened(name)}'{hint}"


def unknown_targets(found: Settings) -> Iterator[str]:
    """The messages for the names in `targets` that LLVM does not know, as many as anybody reads."""
    unknown = (name for name in dict.fromkeys(found.targets) if isa.resolve_target(name) is None)
    return (message for name in islice(unknown, _MOST_FINDINGS) if (message := unknown_target(name)) is not None)


def with_known_targets(found: Settings) -> Settings:
    """The settings without the names in `targets` that LLVM does not know."""
    known = tuple(name for name in found.targets if isa.resolve_target(name) is not None)
    return msgspec.structs.replace(found, targets=known)


def unknown_rules(found: Settings) -> Iterator[tuple[str, str]]:
    """The names of rules in settings that are none, as many as anybody reads: the setting and the message."""
    for name in ("select", "ignore", "severity"):
        unknown = (rule for rule in dict.fromkeys(getattr(found, name)) if rule not in RULES)
        for rule in islice(unknown, _MOST_FINDINGS):
            yield name, f"'{settings.shortened(rule)}' is not a rule{settings.nearest(rule, tuple(RULES))}"


def unknown_features(mattr: str) -> str | None:
    """The message for features that LLVM does not know; None if it knows all."""
    unknown = isa.unknown_features(mattr)
    if not unknown:
        return None
    more = f" and {len(unknown) - _MOST_FEATURES} more" if len(unknown) > _MOST_FEATURES else ""
    return f"unknown feature {', '.join(map(repr, unknown[:_MOST_FEATURES]))}{more}"


def known_features(mattr: str) -> str:
    """`mattr` without the features that LLVM does not know."""
    unknown = frozenset(isa.unknown_features(mattr))
    return ",".join(part for part in mattr.split(",") if part.strip().lstrip("+-") not in unknown)


def _parse(source: SourceText, places: Sequence[toml_places.TomlPlace]) -> tuple[dict[str, Any], list[Finding]]:
    """The parsed table, and a finding for each statement that was left out."""
    # Late: most folders have no configuration.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

    lines = [line.decode("utf-8", "replace") for line in source.lines]
    findings = []
    owners = _owners(places)
    for excess in islice(toml_limits.excesses(source.lines), _SYNTAX_ERRORS_REPORTED):
        first, last = owners.get(excess.line, (excess.line, excess.line))
        if lines[first]:
            findings.append(_finding(Location(source.path, excess.line, excess.start, excess.end), excess.message))
            lines[first : last + 1] = [""] * (last + 1 - first)
    parsed = 0
    while len(findings) < _SYNTAX_ERRORS_REPORTED and parsed < _PARSED:
        text = "\n".join(lines)
        parsed += len(text)
        try:
            return tomllib.loads(text), findings
        except tomllib.TOMLDecodeError as error:
            line, message = _place_of(error, len(lines))
        except (RecursionError, ValueError) as error:  # no other limit of the parser is known
            findings.append(_finding(Location(source.path, 0, 0, 0), f"{os.path.basename(source.path)}: {error}"))
            break
        # The cause may be on an earlier line, such as an open bracket.
        first, last = owners.get(line, (line, line))
        if not lines[first]:
            first = last = line
        while first > 0 and not lines[first].strip():
            first -= 1
        if not lines[first].strip():
            break
        findings.append(_finding(Location(source.path, first, 0, len(source.lines[first])), message))
        lines[first : last + 1] = [""] * (last + 1 - first)
    return {}, findings


def _owners(places: Iterable[toml_places.TomlPlace]) -> dict[int, tuple[int, int]]:
    """The first and the last line of the key and value that a line is part of."""
    return {line: (place.line, place.last_line) for place in places for line in range(place.line, place.last_line + 1)}


def _place_of(error: Exception, line_count: int) -> tuple[int, str]:
    message = str(error)
    match = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    if match is None:
        return 0, message
    line = int(match[1]) - 1 if match[1] else line_count - 1
    sentence = message[: match.start()]
    return line, f"not TOML: {sentence[:1].lower()}{sentence[1:]}; the rest of the file is used"


def _finding(where: Location, message: str) -> Finding:
    return configuration_error.RULE.at(where, message)
