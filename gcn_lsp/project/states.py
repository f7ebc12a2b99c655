"""What was at a path when it was asked for, so that a later run can see whether it still is: `of`.

A file is as it was if its content is: a checkout gives equal files new times.
"""

import os

try:
    from _blake2 import blake2b  # the module `hashlib` loads OpenSSL, which takes longer than most files
except ImportError:
    from hashlib import blake2b

SIZE_LIMIT = 64 * 1024 * 1024  # bytes; the largest known kernels have some 20 MB

ABSENT = b"absent"
UNKNOWN = b""
"""The state of what cannot be read: it equals no other."""


def of_content(data: bytes) -> bytes:
    """The state of a file with these bytes."""
    return blake2b(data, digest_size=16).digest()


def of(path: str) -> bytes:
    """The state of what is at a path now."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return ABSENT
    try:
        if not os.path.isfile(path) or status.st_size > SIZE_LIMIT:
            return UNKNOWN
        with open(path, "rb") as file:
            return of_content(file.read(SIZE_LIMIT))
    except OSError:
        return UNKNOWN


def are_now(seen: dict[str, bytes]) -> bool:
    """Whether what was seen at each path is still there."""
    return all(state != UNKNOWN and of(path) == state for path, state in seen.items())
