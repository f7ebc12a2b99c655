"""The framing of the Debug Adapter Protocol: JSON with a header that gives its length."""

import json
from typing import IO, Any

Message = dict[str, Any]

_MOST = 1 << 26  # bytes of a message


class Malformed(Exception):
    """Input that is no message."""


class RefusedRequest(Exception):
    """A request that cannot be carried out; the text is a sentence for the user."""


def read(stream: IO[bytes]) -> "Message | None":
    """The next message; None at the end of the input. Raises Malformed."""
    length = None
    while True:
        line = stream.readline()
        if not line:
            return None
        name, _, value = line.strip().partition(b":")
        if not name:
            break
        if name.lower() == b"content-length":
            length = int(value) if value.strip().isdigit() else -1
    if length is None or not 0 <= length <= _MOST:
        raise Malformed("a message needs a header Content-Length")
    data = stream.read(length)
    if len(data) < length:
        return None
    try:
        found = json.loads(data)
    except ValueError as error:
        raise Malformed(f"a message is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise Malformed("a message is not an object")
    return found


def write(stream: IO[bytes], message: Message) -> None:
    """Send a message."""
    data = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    stream.flush()
