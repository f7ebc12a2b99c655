"""Finds the file that an `.include` names, as the assembler would."""

import os
from collections.abc import Iterator

import msgspec

from gcn_lsp.project.files import Files
from gcn_lsp.text import SourceText


class IncludeResolver(msgspec.Struct, frozen=True, eq=False):
    """Called as `(includer, name)`, gives the file's text, or None if there is none.

    `touched` collects every path that was tried, whether or not there is a file: when one of them changes,
    programs built with this resolver are out of date. Comparisons of resolvers ignore it.
    """

    directories: tuple[str, ...]
    files: Files
    touched: set[str]

    def __call__(self, includer: str, name: str) -> SourceText | None:
        """The first file of that name: in the including file's folder, then in the include paths in order."""
        for path in self.candidates(includer, name):
            self.touched.add(os.path.abspath(path))
            source = self.files.readable(path)
            if source is not None:
                return source
        return None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, IncludeResolver) and self.directories == other.directories and self.files is other.files
        )

    def __hash__(self) -> int:
        return hash(self.directories)

    def candidates(self, includer: str, name: str) -> Iterator[str]:
        """The paths at which a file of that name is searched for, in order."""
        if os.path.isabs(name):
            yield name
            return
        yield os.path.normpath(os.path.join(os.path.dirname(includer), name))
        for directory in self.directories:
            yield os.path.normpath(os.path.join(directory, name))
