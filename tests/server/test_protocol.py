"""Messages taken apart, and what a message that is none does."""

import io

import pytest

from gcn_lsp.server.protocol import read_message


@pytest.mark.parametrize(
    ("data", "bodies"),
    [
        (b"Content-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"content-length: 2\r\nContent-Type: x\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [b"{}", b"[1]"]),
        (b"junk\r\n\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 9\r\n\r\n{}", []),
        (b"Content-Length: x\r\n\r\n{}", []),
        (b"", []),
    ],
)
def test_read_message(data: bytes, bodies: list[bytes]) -> None:
    stream = io.BytesIO(data)
    assert list(iter(lambda: read_message(stream), None)) == bodies
