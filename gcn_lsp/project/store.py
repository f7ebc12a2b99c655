"""Keeps results between processes, in the user's cache directory: bytes under a key, bounded and checked.

What cannot be read, written or understood counts as missing.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gcn_lsp import __version__
from gcn_lsp.project import states
from gcn_lsp.text import replace_file

VARIABLE = "GCN_LSP_CACHE_DIR"

REPORTS, DIAGNOSTICS = "reports", "diagnostics"
"""The folders within the cache directory: of `gcn-lsp check` and of the server. Nothing else is touched."""
MOST_BYTES = 512 * 1024
"""The limit of each of the 256 folders of a kind, so 128 MB in all; the oldest files go when it is exceeded."""
_SCRATCH_AGE = 3600  # seconds, after which an unfinished file is left over


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


def of(kind: str, *about: Any) -> "tuple[str, bytes] | None":
    """The folder of a kind, and what the results of this program about these things have in common.

    None if no directory is there to keep them.
    """
    directory, program = folder(sys.platform, os.environ), _program()
    if directory is None or program is None:
        return None
    try:
        common = msgspec.msgpack.encode((__version__, sys.version_info, program, about))
    except UnicodeError:  # a name is no text
        return None
    return os.path.join(directory, kind), common


def path(where: str, key: bytes) -> str:
    """The file of a key in the folder of a kind."""
    name = states.of_content(key).hex()
    return os.path.join(where, name[:2], name[2:])


def read(file: str) -> bytes | None:
    """What is kept in a file; None if that is nothing, or damaged. What is read stays."""
    try:
        with open(file, "rb") as opened:
            data = opened.read()
    except OSError:
        return None
    state, body = data[:16], data[16:]
    if states.of_content(body) != state:
        return None
    with contextlib.suppress(OSError):
        os.utime(file)
    return body


def write(file: str, body: bytes) -> None:
    """Keep something in a file, if it is not too long."""
    data = states.of_content(body) + body
    if len(data) > MOST_BYTES:
        return
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(file), 0o700, exist_ok=True)
        replace_file(file, data, follows=False, flushes=False)
        _limit(os.path.dirname(file))


def clean() -> tuple[int, int]:
    """Remove all that is kept: how many files and bytes that was. Raises OSError."""
    directory = folder(sys.platform, os.environ)
    count = size = 0
    for kind in (REPORTS, DIAGNOSTICS) if directory else ():
        root = os.path.join(directory or "", kind)
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
