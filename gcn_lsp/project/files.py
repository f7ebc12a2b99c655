"""Reads files: the only place that opens any; open editor buffers replace what is on disk.

An unchanged file (same modification time and size) is read once, and a file larger than any kernel is not read at all.
A failure is a sentence, not an exception.
A code object is read as the text that a view makes of it, and `FILE(NAME)` names what else the file holds: a further
object or a function, as LLVM's tools name the members of an archive.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

from gcn_lsp.project import other_files, states
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import SourceText
from gcn_lsp.views.objects import containers, parts
from gcn_lsp.views.objects.elf import NotReadable
from gcn_lsp.views.view import View

SIZE_LIMIT = states.SIZE_LIMIT

Parsed = TypeVar("Parsed")


class Unreadable(Exception):
    """A file that exists but cannot be read; the message completes a sentence: `it is a directory`."""


class _Opened(NamedTuple):
    """The text of a file, and what it stands for."""

    source: SourceText
    view: View | None


class Files:
    """The files of the machine as the editor sees them. Not safe for threads that write at the same time."""

    def __init__(self, target: str = "", seen: dict[str, bytes] | None = None) -> None:
        """target: of the code object that counts in a file with several; the first one for an empty name.

        seen: gets what was at each path that was asked for, one of `states`.
        """
        self._target = target
        self.seen = seen
        self._open: dict[str, SourceText] = {}
        self._renamed: dict[str, SourceText] = {}
        self._views: dict[str, View] = {}
        self._parts: dict[str, tuple[View, _Opened]] = {}
        self._read: dict[tuple[str, object], tuple[tuple[int, int], Any]] = {}

    def open_buffer(self, path: str, text: SourceText) -> None:
        """Use the text of the editor's buffer for `path` from now on."""
        self._open[os.path.abspath(path)] = text

    def open_data(self, path: str, data: bytes) -> None:
        """From now on `path` holds `data`, as the standard input does. Raises Unreadable."""
        opened = self._opened(path, data)
        self._open[os.path.abspath(path)] = opened.source
        if opened.view is not None:
            self._views[os.path.abspath(path)] = opened.view

    def open_view(self, path: str, view: View) -> None:
        """From now on `path` has the text of a view."""
        self._open[os.path.abspath(path)] = SourceText(path, view.lines)
        self._views[os.path.abspath(path)] = view

    def close_buffer(self, path: str) -> None:
        """Use the file on disk again."""
        self._open.pop(os.path.abspath(path), None)

    def is_open(self, path: str) -> bool:
        """Whether the editor has a buffer of the file."""
        return os.path.abspath(path) in self._open

    def source(self, path: str) -> SourceText | None:
        """The text of the file named exactly `path`, or None if the file does not exist.

        While a file is unchanged, the result is the same object.
        """
        buffer = self._open.get(os.path.abspath(path))
        if buffer is not None:
            if buffer.path == path:
                return buffer
            renamed = self._renamed.get(path)
            if renamed is None or renamed.lines is not buffer.lines:
                renamed = self._renamed[path] = SourceText(path, buffer.lines)
            return renamed
        opened = self._read_as_text(path)
        return opened.source if opened is not None else None

    def view(self, path: str) -> View | None:
        """What the text of a file stands for, when the file is none; None when its text is its own.

        An editor's buffer has the text of an object only under an object's name. Raises `Unreadable`.
        """
        name = os.path.abspath(path)
        if name in self._views:
            return self._views[name]
        if name in self._open and not parts.file_of(path)[0].endswith(other_files.OBJECT_ENDINGS):
            return None
        opened = self._read_as_text(path)
        return opened.view if opened is not None else None

    def read(self) -> tuple[str, ...]:
        """The files that were read from disk."""
        return tuple(path for path, _ in self._read)

    def parsed(self, path: str, parse: Callable[[str, bytes], Parsed]) -> Parsed | None:
        """`parse(path, data)` of the file on disk, kept while the file is unchanged; None if there is no file.

        Raises `Unreadable`, and what `parse` raises.
        """
        try:
            status = os.stat(path)
        except (OSError, ValueError):  # ValueError: a NUL in the name
            self._note(path, states.ABSENT)
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        known = self._read.get((path, parse))
        if known is not None and known[0] == stamp:
            return cast("Parsed", known[1])
        try:
            data = _read(path, status)
        except Unreadable:
            self._note(path, states.UNKNOWN)
            raise
        if self.seen is not None:
            self._note(path, states.of_content(data))
        result = parse(path, data)
        self._read[(path, parse)] = (stamp, result)
        return result

    def _note(self, path: str, state: bytes) -> None:
        if self.seen is not None and self.seen.setdefault(path, state) != state:
            self.seen[path] = states.UNKNOWN  # it changed meanwhile

    def readable(self, path: str) -> SourceText | None:
        """The text of a file, None if there is none or it cannot be read."""
        try:
            return self.source(path)
        except Unreadable:
            return None

    def _read_as_text(self, path: str) -> _Opened | None:
        return self.parsed(path, self._opened) or self._part(path)

    def _part(self, path: str) -> _Opened | None:
        """What `FILE(NAME)` names; None for another name."""
        holder, name = parts.divided(path)
        opened = self._read_as_text(holder) if name else None
        if opened is None or opened.view is None:
            return None
        known = self._parts.get(path)
        if known is None or known[0] is not opened.view:
            view = opened.view.named(name)
            if view is None:
                return None
            known = opened.view, _Opened(SourceText(path, view.lines), view)
            self._parts[path] = known
        return known[1]

    def _opened(self, path: str, data: bytes) -> _Opened:
        if not containers.is_object(data):
            return _Opened(SourceText.from_bytes(path, data), None)
        from gcn_lsp.views.objects import view as objects  # late: few files are objects, and it loads the decoder

        try:
            found = objects.of(data, target=self._target)
        except NotReadable as error:
            raise Unreadable(str(error)) from error
        return _Opened(SourceText(path, found.lines), found)


def _read(path: str, status: os.stat_result) -> bytes:
    if os.path.isdir(path):
        raise Unreadable("it is a directory")
    if not os.path.isfile(path):
        raise Unreadable("it is not a regular file")  # reading a pipe or a device might never end
    if status.st_size > SIZE_LIMIT:
        raise Unreadable(f"it has {status.st_size} bytes; the limit is {SIZE_LIMIT}")
    try:
        with open(path, "rb") as file:
            return file.read(SIZE_LIMIT)
    except OSError as error:
        raise Unreadable((error.strerror or str(error)).lower()) from error


def upwards(path: str, names: Sequence[str]) -> Iterator[str]:
    """The paths that files of some names would have in the folder of `path`, then in each one above it."""
    folder = os.path.dirname(os.path.abspath(path))
    above = ""
    while folder != above:
        yield from (os.path.join(folder, name) for name in names)
        folder, above = os.path.dirname(folder), folder
