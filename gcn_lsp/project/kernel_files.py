"""Finds the files in a folder that may be checked, by their names."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from gcn_lsp.patterns import regex
from gcn_lsp.project import file_signs
from gcn_lsp.project.files import Files
from gcn_lsp.views.inline.languages import is_source

# A file that others include is checked as a part of these.
_ENDINGS = frozenset((*file_signs.SURE_ENDINGS, *file_signs.SHARED_ENDINGS)) - frozenset(file_signs.INCLUDED_ENDINGS)

_INCLUDE = regex(rb"^[ \t]*[.#][ \t]*include[ \t]+\"([^\"\n]+)\"", re.MULTILINE)


def walk(directory: str) -> Iterator[str]:
    """The assembly files, and the sources that may have inline assembly, in a folder and below, sorted by folder.

    Left out are hidden folders, assembly that shows signs of another processor only, and files that others among these
    include: those are checked where they are included, with the macros and symbols that they need.
    """
    found: list[str] = []
    includes: dict[str, list[str]] = {}
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.normpath(os.path.join(folder, name))
            if is_source(path):
                found.append(path)
            elif is_assembly(name):
                source = Files().readable(path)
                text = source.to_bytes() if source is not None else b""
                if not file_signs.is_foreign_file(path, text):
                    found.append(path)
                    includes[path] = _included(path, text)
    parts = _parts(includes)
    yield from (path for path in found if path not in parts)


def _included(path: str, text: bytes) -> list[str]:
    """The files that a file names in `.include`, as far as they may be next to it."""
    folder = os.path.dirname(path)
    return [os.path.normpath(os.path.join(folder, name)) for name in included_names(text)]


def included_names(text: bytes) -> tuple[str, ...]:
    """The names in the `.include` and `#include` lines of a text, those in conditionals and macros too."""
    return tuple(map(os.fsdecode, _INCLUDE.findall(text))) if b"include" in text else ()


def _parts(includes: Mapping[str, Sequence[str]]) -> set[str]:
    """The files that are reached from files that no other includes."""
    inner = {part for path, parts in includes.items() for part in parts if part != path}
    reached: set[str] = set()
    ahead = [path for path in includes if path not in inner]
    while ahead:
        for part in includes.get(ahead.pop(), ()):
            if part in inner and part not in reached:
                reached.add(part)
                ahead.append(part)
    return reached


def is_assembly(name: str) -> bool:
    """Whether a file's name is one of assembly."""
    return file_signs.ending(name) in _ENDINGS
