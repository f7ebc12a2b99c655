"""Writes files in one step: a reader sees either the old file or the new one, whatever goes wrong meanwhile."""

import os
import stat
import sys


def replace_file(path: str, data: bytes | memoryview, *, follows: bool = True, flushes: bool = True) -> None:
    """Write `data` to a file beside `path`, flush it to the disk, and give it that name and the old file's permissions.

    What is no regular file (a terminal, a pipe, `/dev/null`), or is the standard output under another name, is written
    as it is. follows: a link that leads to a file stays, and that file is replaced; otherwise the link is replaced.
    flushes: False for what may be lost when the machine stops.

    Raises OSError if that is not possible; then the old file is as it was. A link that leads nowhere is such a case:
    the file that it names was not asked for.
    """
    status = _status(path)
    if status is not None and (not stat.S_ISREG(status.st_mode) or _is_standard_stream(status)):
        with open(path, "wb") as out:
            out.write(data)
        return
    if follows and os.path.islink(path):
        if status is None:
            raise FileNotFoundError(2, "it is a link that leads nowhere", path)
        path = os.path.realpath(path)
    folder, name = os.path.split(path)
    scratch = os.path.join(folder, f".{name[:100]}.{os.urandom(4).hex()}")
    # Without O_EXCL a link of that name could be followed; the mode is that of any new file, as the umask has it.
    made = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(made, "wb") as out:
            out.write(data)
            out.flush()
            if flushes:
                os.fsync(made)
        if status is not None:
            os.chmod(scratch, stat.S_IMODE(status.st_mode))
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _is_standard_stream(status: os.stat_result) -> bool:
    """Whether a file is where the standard output or error go: a new file of its name would not get their text."""
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None and os.path.samestat(status, os.fstat(stream.fileno())):
                return True
        except (OSError, ValueError):  # closed
            continue
    return False
