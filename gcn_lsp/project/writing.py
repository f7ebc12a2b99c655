"""Edits that write into a configuration file: the target of a file, the symbols of its build, a rule to be ignored.

A file that exists is only added to, except that a target replaces the one that is written there.
"""

import os
from collections.abc import Iterator, Sequence

import msgspec

from gcn_lsp.project import configuration, toml_places
from gcn_lsp.project.files import Files
from gcn_lsp.text import Location, SourceText


class SettingEdit(msgspec.Struct, frozen=True):
    """An edit of the configuration file of `where`, made first if it does not exist yet. scope: the files concerned."""

    scope: str
    where: Location
    text: str
    is_new: bool


_HINT = "# Values that the build gives: fill them in and remove the '#'."


def target(path: str, name: str, folder: str, files: Files) -> Iterator[SettingEdit]:
    """The ways to set the target of the file `path` in a configuration file. folder: of the workspace, or empty."""
    for scope, source, config in _places(path, folder, files):
        prefix = _prefix(source.path)
        places = toml_places.find(source.lines)
        known = next((place for place in places if place.key == (*prefix, "target")), None)
        if known is not None and known.value_end > known.value_start:
            where = Location(source.path, known.line, known.value_start, known.value_end)
            yield SettingEdit(scope, where, f'"{name}"', config is None)
            continue
        yield SettingEdit(scope, _top(source.path, places, prefix), f'target = "{name}"\n', config is None)


def ignore(path: str, rule: str, folder: str, files: Files) -> SettingEdit:
    """The edit that ignores a rule in the project of the file `path`: in a new file, for all of the workspace."""
    *_, (scope, source, config) = _places(path, folder, files)
    prefix = _prefix(source.path)
    places = toml_places.find(source.lines)
    known = next((place for place in places if place.key == (*prefix, "ignore")), None)
    if known is None or source.lines[known.line][known.value_start : known.value_start + 1] != b"[":
        return SettingEdit(scope, _top(source.path, places, prefix), f'ignore = ["{rule}"]\n', config is None)
    start = known.value_start + 1
    is_empty = source.lines[known.line][start : known.value_end].strip() == b"]"
    return SettingEdit(
        scope, Location(source.path, known.line, start, start), f'"{rule}"' + ("" if is_empty else ", "), config is None
    )


def _top(path: str, places: Sequence[toml_places.TomlPlace], prefix: tuple[str, ...]) -> Location:
    """Where a new key goes: at the top of the file, or after the header of the table."""
    header = next((place for place in places if place.key == prefix), None) if prefix else None
    line = header.line + 1 if header is not None else 0
    return Location(path, line, 0, 0)


def defines(path: str, names: Sequence[str], folder: str, files: Files) -> Iterator[SettingEdit]:
    """The ways to list the symbols `names`, without their values, in a configuration file for the file `path`."""
    lines = "".join(f"# {name} = 0\n" for name in names)
    for scope, source, config in _places(path, folder, files):
        key = (*_prefix(source.path), "defines")
        place = next((place for place in toml_places.find(source.lines) if place.key == key), None)
        if place is not None and place.value_end > place.value_start:
            continue  # a table on one line has no room for comments
        if place is not None:
            yield SettingEdit(scope, Location(source.path, place.line + 1, 0, 0), f"{_HINT}\n{lines}", config is None)
            continue
        last = len(source.lines) - 1
        where = Location(source.path, last, len(source.lines[last]), len(source.lines[last]))
        before = "" if where.start == 0 and last == 0 else "\n" if where.start == 0 else "\n\n"
        yield SettingEdit(scope, where, f"{before}[{'.'.join(key)}]\n{_HINT}\n{lines}", config is None)


def _places(
    path: str, folder: str, files: Files
) -> Iterator[tuple[str, SourceText, "configuration.Configuration | None"]]:
    """The configuration file that holds for a file; if there is none, new ones in its folder and the workspace's."""
    config = configuration.nearest(path, files)
    if config is not None:
        source = files.readable(config.path)
        if source is not None:
            yield os.path.basename(config.path), source, config
        return
    own = os.path.dirname(os.path.abspath(path))
    for scope, parent in (("this folder", own), ("the workspace", folder)):
        if parent and (parent == own) == (scope == "this folder"):
            yield scope, SourceText.from_bytes(os.path.join(parent, configuration.FILE_NAMES[0]), b""), None


def _prefix(path: str) -> tuple[str, ...]:
    return configuration.TOOL if os.path.basename(path) == "pyproject.toml" else ()
