"""The edits with which files go on to name others, in `.include`, `.incbin` and `#include`, that get other paths."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from gcn_lsp.project.files import Files
from gcn_lsp.project.includes import IncludeResolver
from gcn_lsp.text import Location, TextEdit

_NAMED = re.compile(rb"[ \t]*(?:\.include|\.incbin|#[ \t]*include)[ \t]+\"([^\"]+)\"")


class Moves(msgspec.Struct, frozen=True):
    """Files and folders and their new paths, both absolute."""

    paths: Mapping[str, str]

    def after(self, path: str) -> str:
        """Where a file is afterwards: with the innermost folder that moves, or where it was."""
        rest, ending = path, ""
        while rest not in self.paths:
            above, name = os.path.split(rest)
            if above == rest:
                return path
            rest, ending = above, os.path.join(name, ending) if ending else name
        return os.path.join(self.paths[rest], ending) if ending else self.paths[rest]

    def moves(self, path: str) -> bool:
        """Whether a file gets another path."""
        return self.after(path) != path


def naming(
    known: Iterable[tuple[str, tuple[str, ...]]], moves: Moves, directories_of: Callable[[str], Iterable[str]]
) -> Iterator[str]:
    """The known files that may need an edit, by the names that are written in them."""
    for path, names in known:
        if names and (moves.moves(path) or _names_moved(path, names, moves, directories_of(path))):
            yield path


def _names_moved(path: str, names: tuple[str, ...], moves: Moves, directories: Iterable[str]) -> bool:
    places = (os.path.dirname(path), *directories)
    return any(moves.moves(os.path.normpath(os.path.join(place, name))) for name in names for place in places)


def edits(path: str, moves: Moves, resolver: IncludeResolver, files: Files) -> Iterator[TextEdit]:
    """The edits of a file, where it is before the move: each name that leads to another file, or to none, is replaced.

    A name counts from where it counted before: the folder of its file, or the include path that has what it names.
    """
    source = files.readable(path)
    for number, line in enumerate(source.lines if source is not None else ()):
        match = _NAMED.match(line)
        if match is not None:
            name = os.fsdecode(match[1])
            new = _renamed(path, name, moves, resolver, files)
            if new != name:
                yield TextEdit(Location(path, number, match.start(1), match.end(1)), new)


def _renamed(path: str, name: str, moves: Moves, resolver: IncludeResolver, files: Files) -> str:
    found = next(
        (each for each in resolver.candidates(path, name) if files.is_open(each) or os.path.isfile(each)), None
    )
    if found is None:
        return name
    old, new = os.path.abspath(found), moves.after(os.path.abspath(found))
    if os.path.isabs(name):
        return new if new != old else name
    home = os.path.dirname(moves.after(os.path.abspath(path)))
    beside = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(path)), name))
    if beside != old:  # an include path has it, and remains where it is
        if new == old:
            return name
        roots = [each for each in map(os.path.abspath, resolver.directories) if new.startswith(os.path.join(each, ""))]
        home = roots[0] if roots else home
    if os.path.normpath(os.path.join(home, name)) == new:
        return name
    return os.path.relpath(new, home).replace(os.sep, "/")
