"""Limits of configuration files: what is longer or deeper than anybody writes, found before the file is parsed.

The parser recurses into nested values, and takes quadratic time for a key of many parts.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.project.toml_places import PARTS_LIMIT

SIZE = 256 * 1024
"""Bytes of a file."""

_DEPTH = 32  # brackets within brackets
_WORD = 256  # letters of a number or a name without quotes

_TOKEN = regex(
    rb'''"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\Z)'''
    rb"""|\'\'\'(?:[^']|'(?!''))*(?:\'\'\'|\Z)"""
    rb"""|"(?:[^"\\\n]|\\.)*"?"""
    rb"""|'[^'\n]*'?"""
    rb"""|\#[^\n]*|[\[\]{}.=,\n]|[A-Za-z0-9_+-]+""",
    re.DOTALL,
)


class Oversized(msgspec.Struct, frozen=True):
    """A place that is beyond a limit: a line, byte columns on it, and the sentence."""

    line: int
    start: int
    end: int
    message: str


def excesses(lines: Sequence[bytes]) -> Iterator[Oversized]:
    """Where the text of a TOML file is beyond a limit, at most one place on a line."""
    text = b"\n".join(lines)
    line, line_start, depth, parts, reported = 0, 0, 0, 1, -1
    for match in _TOKEN.finditer(text):
        token, start = match[0], match.start() - line_start
        message = ""
        if token in (b"[", b"{"):
            depth, parts = depth + 1, 1
            if depth > _DEPTH:
                message = f"more than {_DEPTH} brackets within each other"
        elif token in (b"]", b"}"):
            depth, parts = max(depth - 1, 0), 1
        elif token == b".":
            parts += 1
            if parts > PARTS_LIMIT:
                message = f"a key of more than {PARTS_LIMIT} parts"
        elif token in (b"=", b",", b"\n"):
            parts = 1
        elif len(token) > _WORD and token[:1] not in (b'"', b"'", b"#"):
            message = f"a word of {len(token)} characters, more than {_WORD}"
        if message and line != reported:
            reported = line
            yield Oversized(line, start, min(start + len(token), len(lines[line])), f"{message}; the line is not used")
        count = token.count(b"\n")
        if count:
            line += count
            line_start = match.start() + token.rindex(b"\n") + 1
