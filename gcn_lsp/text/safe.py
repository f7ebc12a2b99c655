"""Makes text of a file safe to show: `visible`, `one_line`; as Markdown: `code`, `block`, `escaped`, `sentence`.

A file comes from anywhere. What it says is shown as code and text, and never does anything: no picture that tells
somebody that the file was opened, no link to a command, no HTML, no escape sequence for a terminal, no text that runs
backwards over what follows.
"""

import re

from gcn_lsp.patterns import regex

_UNSEEN = regex(
    "[\0-\x08\x0b-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"  # directions, and what has no width
    "\u2028\u2029\ud800-\udfff\U000e0000-\U000e007f]"  # line ends, halves of characters, tags
)
_SHOWN = "\ufffd"
_LINE_END = regex("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_BACKQUOTES = regex("`+")
# What Markdown reads as more than text: marks, and what makes an address a link; at the start, a list or a heading.
_MARKS = regex(r"[\\`*\[\]<>&~|@$]|(?<!\w)_|_(?!\w)|:(?=//)|(?<=www)\.|(?<=mailto):|(?<=xmpp):|(?<=_)_", re.IGNORECASE)
_START = regex(r"^( *)(?=[#+=-])|^( *[0-9]+)(?=[.)])")


def visible(text: str) -> str:
    """The text with a mark in place of each character that is not seen; tabs and line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(_SHOWN, text)


def one_line(text: str) -> str:
    """The same on one line."""
    if text.isascii() and text.isprintable():
        return text
    return visible(_LINE_END.sub(" ", text)).replace("\t", " ")


def code(text: str) -> str:
    """The text as a code span of Markdown, with more backquotes around it than it has in a row."""
    text = one_line(text)
    if not text.strip(" "):
        return "` `"  # a span without code would be backquotes
    longest = max(map(len, _BACKQUOTES.findall(text)), default=0)
    if not longest and not (text.startswith(" ") and text.endswith(" ")):
        return f"`{text}`"
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}"


def block(text: str, language: str) -> str:
    """The text as a fenced block of Markdown, with a longer fence than any in it."""
    text = visible(_LINE_END.sub("\n", text))
    longest = max(map(len, _BACKQUOTES.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def escaped(text: str) -> str:
    """The text in Markdown, as it is: every mark is escaped, so that not even an address becomes a link."""
    return _START.sub(r"\g<0>\\", _MARKS.sub(r"\\\g<0>", one_line(text)))


def sentence(text: str) -> str:
    """A message of ours in Markdown: what it has between backquotes as code, the rest as it is."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escaped(text)  # a backquote of the file's
    return "".join((code(part) if part else "") if number % 2 else escaped(part) for number, part in enumerate(parts))
