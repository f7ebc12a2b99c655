"""The assembly files of workspace folders: their symbols, and which includes which.

Belongs to one thread. It works in steps of a few milliseconds, so that its driver can do other things between them. It
opens only files that may be assembly by their names, and keeps those that turn out to be AMD GPU assembly or are
included by such files.
"""

import os
from collections.abc import Collection, Iterator

import msgspec

from gcn_lsp.ide import workspace_symbol
from gcn_lsp.ide.workspace_symbol import FileSymbols, WorkspaceSymbol
from gcn_lsp.project import file_signs
from gcn_lsp.project.files import SIZE_LIMIT

_ENDINGS = frozenset((*file_signs.SURE_ENDINGS, *file_signs.SHARED_ENDINGS, *file_signs.INCLUDED_ENDINGS))
_SKIPPED = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))


class Progress(msgspec.Struct, frozen=True):
    """The number of files done; `total` is 0 during the search for files."""

    done: int
    total: int


class Workspace:
    """The known files in the folders."""

    def __init__(self) -> None:
        self._files: dict[str, FileSymbols] = {}
        self._maybe: dict[str, FileSymbols] = {}  # not recognised; counts where a recognised one includes it

    def steps(self, folder: str) -> Iterator[Progress]:
        """Read a folder. Each step takes a few milliseconds at most."""
        paths: list[str] = []
        for found in _walk(folder):
            paths += found
            yield Progress(0, 0)
        for number, path in enumerate(paths):
            for _ in self._read(path):
                yield Progress(number, len(paths))
            yield Progress(number + 1, len(paths))

    def update(self, path: str) -> Iterator[None]:
        """Read a file again that was changed, made or deleted."""
        path = os.path.abspath(path)
        self._forget(path)
        if _is_candidate(os.path.basename(path)):
            yield from self._read(path)

    def remove(self, folder: str) -> None:
        """Forget the files of a folder."""
        prefix = os.path.join(os.path.abspath(folder), "")
        for path in [path for path in (*self._files, *self._maybe) if path.startswith(prefix)]:
            self._forget(path)

    def search(self, query: str, open_files: "dict[str, FileSymbols]") -> list[WorkspaceSymbol]:
        """The names that contain `query`; open files count by their buffers."""
        included = self._included()
        known = (
            (path, symbols)
            for path, symbols in (*self._files.items(), *((path, self._maybe[path]) for path in included))
            if path not in open_files
        )
        return workspace_symbol.search((*open_files.items(), *known), query)

    def including(self, paths: Collection[str], directories: Collection[str] = ()) -> set[str]:
        """The files that include one of `paths`, directly or not, and all files that these include.

        `directories` are searched after the including file's.
        """
        includes = {
            path: {found for name in symbols.includes for found in self._resolved(path, name, directories)}
            for path, symbols in (*self._files.items(), *self._maybe.items())
            if symbols.includes
        }
        wanted = {os.path.abspath(path) for path in paths}
        users: set[str] = set()
        while more := {path for path, found in includes.items() if path not in users and found & (wanted | users)}:
            users |= more
        everything = set(users)
        while more := {found for path in everything for found in includes.get(path, ())} - everything:
            everything |= more
        return everything

    def names_of_files(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every known file with the names of others that are written in it."""
        for path, symbols in (*self._files.items(), *self._maybe.items()):
            yield path, (*symbols.includes, *symbols.others)

    def _resolved(self, includer: str, name: str, directories: Collection[str]) -> Iterator[str]:
        for directory in (os.path.dirname(includer), *directories):
            path = os.path.normpath(os.path.join(directory, name))
            if path in self._files or path in self._maybe:
                yield path
                return

    def _included(self) -> list[str]:
        """The files that were not identified but are included by an identified one."""
        found: dict[str, None] = {}
        waiting = list(self._files)
        while waiting:
            path = waiting.pop()
            symbols = self._files.get(path) or self._maybe[path]
            for name in symbols.includes:
                for other in self._resolved(path, name, ()):
                    if other in self._maybe and other not in found:
                        found[other] = None
                        waiting.append(other)
        return list(found)

    def _forget(self, path: str) -> None:
        self._files.pop(path, None)
        self._maybe.pop(path, None)

    def _read(self, path: str) -> Iterator[None]:
        text = _text(path)
        if text is None or b"\0" in text[: file_signs.HEAD]:
            return
        for found in workspace_symbol.scan_slices(text):
            if found is not None:
                (self._files if file_signs.is_own(text) else self._maybe)[path] = found
            yield


def _is_candidate(name: str) -> bool:
    return file_signs.ending(name) in _ENDINGS


def _walk(folder: str) -> Iterator[list[str]]:
    """The candidates in a folder and below, a folder at a time; links to folders are not followed."""
    waiting = [os.path.abspath(folder)]
    while waiting:
        found: list[str] = []
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                            waiting.append(entry.path)
                    elif _is_candidate(entry.name) and entry.is_file():
                        found.append(entry.path)
        except OSError:
            pass  # a folder that cannot be read, or is gone
        yield found


def _text(path: str) -> bytes | None:
    try:
        if os.path.getsize(path) > SIZE_LIMIT:
            return None
        with open(path, "rb") as file:
            return file.read(SIZE_LIMIT)
    except OSError:
        return None
