"""Keeps the reports of files between calls, in the user's cache directory.

A report is found again if all that it was made of is as it was: the arguments, the folder, the program itself, and
every file that was read or looked for. A report that cannot be read, written or understood counts as missing.
"""

import contextlib
import io
import os
import pickle
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gcn_lsp import __version__
from gcn_lsp.findings.model import Finding, Fix, Related, Severity
from gcn_lsp.project import states
from gcn_lsp.project.report import Report
from gcn_lsp.text import Location, Message, TextEdit, replace_file

VARIABLE = "GCN_LSP_CACHE_DIR"

_KIND = "reports"  # the folder within the cache directory; nothing else is touched
MOST_BYTES = 512 * 1024
"""The limit of each of the 256 folders, so 128 MB in all; the oldest files go when it is exceeded."""
_SCRATCH_AGE = 3600  # seconds, after which an unfinished file is left over

_CLASSES = {
    (each.__module__, each.__qualname__): each
    for each in (Report, Finding, Severity, Related, Fix, Location, Message, TextEdit)
}


def folder(platform: str, environment: Mapping[str, str]) -> str | None:
    """The cache directory of gcn-lsp, as the system has it; None if there is none, or the variable is empty."""
    named = environment.get(VARIABLE)
    if named is not None:
        return os.path.abspath(named) if named else None
    home = os.path.expanduser("~")
    if platform == "win32":
        base = environment.get("LOCALAPPDATA", "")
    elif platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = environment.get("XDG_CACHE_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(home, ".cache")
    return os.path.join(base, "gcn-lsp") if os.path.isabs(base) else None


class KeptReports(msgspec.Struct, frozen=True):
    """The reports under `folder` that calls with the same arguments made; `about` is what these have in common."""

    folder: str
    about: bytes

    def find(self, name: str) -> Report | None:
        """The report of a file, if it is kept and nothing has changed since."""
        path = self._path(name)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            return None
        found = _decoded(data)
        if found is None or not states.are_now(found[0]):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # so that what is in use stays
        return found[1]

    def keep(self, name: str, report: Report, seen: dict[str, bytes]) -> None:
        """Keep the report of a file; seen: what was at each path that was asked for."""
        if states.UNKNOWN in seen.values():
            return
        data = _encoded(seen, report)
        if len(data) > MOST_BYTES:
            return
        path = self._path(name)
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            replace_file(path, data, follows=False, flushes=False)
            _limit(os.path.dirname(path))

    def _path(self, name: str) -> str:
        key = states.of_content(
            b"\0".join(
                (
                    self.about,
                    os.path.realpath(name).encode("utf-8", "surrogateescape"),
                    name.encode("utf-8", "surrogateescape"),
                )
            )
        ).hex()
        return os.path.join(self.folder, key[:2], key[2:])


def of(*arguments: Any) -> KeptReports | None:
    """The reports of calls with these arguments in this folder; None if no directory is there to keep them."""
    directory, program = folder(sys.platform, os.environ), _program()
    if directory is None or program is None:
        return None
    try:
        about = msgspec.msgpack.encode((__version__, sys.version_info, program, os.getcwd(), arguments))
    except (OSError, UnicodeError):  # the folder is gone, or its name is no text
        return None
    return KeptReports(os.path.join(directory, _KIND), about)


def clean() -> tuple[int, int]:
    """Remove all that is kept: how many files and bytes that was. Raises OSError."""
    directory = folder(sys.platform, os.environ)
    count = size = 0
    root = os.path.join(directory, _KIND) if directory else ""
    for shard in _entries(root):
        for entry in _entries(shard.path) if shard.is_dir(follow_symlinks=False) else ():
            with contextlib.suppress(FileNotFoundError):  # another process cleans as well
                size += entry.stat(follow_symlinks=False).st_size
                os.unlink(entry.path)
                count += 1
        with contextlib.suppress(OSError):  # another process has kept something meanwhile
            os.rmdir(shard.path)
    with contextlib.suppress(OSError):
        os.rmdir(root)
    return count, size


def _entries(path: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(path) as found:
            return list(found)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _program() -> object:
    """What tells this program from others of its version: the record of its installation, or all of its files.

    None if it is in no directory.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    record = os.path.join(os.path.dirname(package), f"gcn_lsp-{__version__}.dist-info", "RECORD")
    try:
        status = os.stat(record)
    except OSError:
        return sorted(_stamps(package)) or None
    return record, status.st_mtime_ns, status.st_size


def _stamps(directory: str) -> Iterator[tuple[str, int, int]]:
    for entry in _entries(directory):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _stamps(entry.path)
        else:
            status = entry.stat()
            yield entry.path, status.st_mtime_ns, status.st_size


def _limit(directory: str) -> None:
    """Remove the oldest files of a folder that has too many bytes, and what was left unfinished in it."""
    now = time.time()
    found = []
    for entry in _entries(directory):
        status = entry.stat(follow_symlinks=False)
        if not entry.name.startswith("."):
            found.append((status.st_mtime, status.st_size, entry.path))
        elif now - status.st_mtime > _SCRATCH_AGE:
            os.unlink(entry.path)
    left = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if left <= MOST_BYTES:
            break
        os.unlink(path)
        left -= size


def _encoded(seen: dict[str, bytes], report: Report) -> bytes:
    data = zlib.compress(pickle.dumps((seen, report), 5), 1)
    return states.of_content(data) + data


def _decoded(data: bytes) -> tuple[dict[str, bytes], Report] | None:
    state, body = data[:16], data[16:]
    if states.of_content(body) != state:
        return None
    try:
        seen, report = _Reader(io.BytesIO(zlib.decompress(body))).load()
    except (zlib.error, pickle.UnpicklingError, ValueError, TypeError, EOFError):
        return None
    return (seen, report) if isinstance(seen, dict) and isinstance(report, Report) else None


class _Reader(pickle.Unpickler):
    """Makes no object but those that a report consists of."""

    def find_class(self, module: str, name: str) -> Any:
        """One of the classes of a report."""
        found = _CLASSES.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a report")
        return found
