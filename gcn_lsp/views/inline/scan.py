"""Finds the text of inline assembly statements in a C or C++ source, with the macros and conditions around them.

One pass over comments, literals, directives and the words `asm`: the structure of what it finds is read from a syntax
tree of the statement alone, so code that does not parse without its macros is no obstacle.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

import msgspec

from gcn_lsp.views.inline.conditions import Guard

_TOKEN = re.compile(
    rb"""
    //(?:\\\r?\n|[^\n])*
    | /\*.*?(?:\*/|\Z)
    | R"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)
    | "(?:[^"\\\n]|\\.)*"?
    | (?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*'?
    | ^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*
    | \b(?:asm|__asm__|__asm)\b
    | [()]
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_WORDS = (b"asm", b"__asm__", b"__asm")
_OPENING = re.compile(rb"(?:\\\r?\n|\s)*(?:(?:volatile|__volatile__|__volatile|goto|inline)\b(?:\\\r?\n|\s)*)*\(")
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(\w+)[ \t]*(.*)", re.DOTALL)
_DEFINE = re.compile(rb"(\w+)(?:\(([^()]*)\))?(?:\\\r?\n|[ \t])*", re.DOTALL)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_CONTINUED = re.compile(rb"\\\r?\n")

_LONGEST = 256 * 1024  # bytes of a statement; a longer one has no end


class Snippet(msgspec.Struct, frozen=True):
    """The text of a statement from its first word to its closing parenthesis. start: its first byte in the source.

    guard: conditions around it. macro: the macro in whose body it is.
    """

    text: bytes
    start: int
    guard: Guard
    macro: "Macro | None" = None


class Macro(msgspec.Struct, frozen=True):
    """A `#define`. parameters: None for one without a list of them. start: of its body in the source."""

    name: bytes
    parameters: "tuple[bytes, ...] | None"
    body: bytes
    start: int


class Scanned(msgspec.Struct, frozen=True, dict=True):
    """A source: its statements in order, and its macros by name; the last definition of each."""

    data: bytes
    snippets: tuple[Snippet, ...]
    macros: Mapping[bytes, Macro]
    lines: tuple[int, ...]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte."""
        line = bisect_right(self.lines, offset) - 1
        return line, offset - self.lines[line]


def mentions_assembly(data: bytes) -> bool:
    """Whether a source may have inline assembly at all."""
    return b"asm" in data


def scan(data: bytes) -> Scanned:
    """The statements of a source. What has no end is left out."""
    found: list[Snippet] = []
    macros: dict[bytes, Macro] = {}
    if mentions_assembly(data):
        found = list(_snippets(data, 0, macros))
    starts = [0]
    starts += [end.end() for end in re.finditer(rb"\r\n|\n|\r", data)] if found else []
    return Scanned(data, tuple(found), macros, tuple(starts))


def _snippets(data: bytes, base: int, macros: dict[bytes, Macro]) -> Iterator[Snippet]:
    frames: list[list[tuple[bool, bytes]]] = []
    start, depth = -1, 0  # of the statement that is open
    guard: Guard = ()
    for token in _TOKEN.finditer(data):
        text = token[0]
        if text in (b"(", b")"):
            if start >= 0:
                depth += 1 if text == b"(" else -1
                if token.end() - start > _LONGEST:
                    start, depth = -1, 0
                elif depth == 0:
                    yield Snippet(data[start : token.end()], base + start, guard)
                    start = -1
        elif text in _WORDS:
            if _OPENING.match(data, token.end()):
                start, depth = token.start(), 0
                guard = tuple(condition for frame in frames for condition in frame)
        elif text.lstrip(b" \t")[:1] == b"#":
            directive = _DIRECTIVE.match(text)
            if directive is None:
                continue
            if directive[1] == b"define":
                yield from _defined(directive, base + token.start(), macros, frames)
            elif _enter(frames, directive[1], directive[2]):
                start, depth = -1, 0  # a statement of which the preprocessor takes a part is not followed


def _enter(frames: list[list[tuple[bool, bytes]]], word: bytes, rest: bytes) -> bool:
    """Follow a conditional directive; False for any other."""
    condition = _CONTINUED.sub(b" ", _COMMENT.sub(b" ", rest)).strip()
    if word == b"if":
        frames.append([(True, condition)])
    elif word in (b"ifdef", b"ifndef"):
        frames.append([(word == b"ifdef", b"defined(" + condition + b")")])
    elif word in (b"elif", b"elifdef", b"elifndef", b"else") and frames:
        *before, last = frames[-1]
        frames[-1] = [*before, (not last[0] if len(before) == 0 else False, last[1])]
        if word == b"elif":
            frames[-1].append((True, condition))
        elif word != b"else":
            frames[-1].append((word == b"elifdef", b"defined(" + condition + b")"))
    elif word == b"endif" and frames:
        frames.pop()
    else:
        return word in (b"elif", b"else", b"endif")
    return True


def _defined(
    directive: "re.Match[bytes]", start: int, macros: dict[bytes, Macro], frames: list[list[tuple[bool, bytes]]]
) -> Iterator[Snippet]:
    """Take over a definition, and the statements in its body."""
    head = _DEFINE.match(directive[2])
    if head is None:
        return
    parameters = None
    if head[2] is not None:
        parameters = tuple(_CONTINUED.sub(b"", name).strip() for name in head[2].split(b","))
    body = directive[2][head.end() :]
    macro = Macro(head[1], parameters, body, start + directive.start(2) + head.end())
    macros[head[1]] = macro
    if not mentions_assembly(body):
        return
    guard = tuple(condition for frame in frames for condition in frame)
    for snippet in _snippets(body, macro.start, {}):
        yield Snippet(snippet.text, snippet.start, guard, macro)


_CALLS = 64  # calls of a macro that are followed


def calls(scanned: Scanned, macro: Macro) -> Iterator[tuple[tuple[bytes, int], ...]]:
    """The arguments of each call of a macro outside of definitions, each with its first byte in the source."""
    count = 0
    pattern = re.compile(rb"\b" + re.escape(macro.name) + rb"\s*\(")
    for call in pattern.finditer(scanned.data):
        line_start = scanned.lines[bisect_right(scanned.lines, call.start()) - 1]
        if scanned.data[line_start : call.start()].lstrip().startswith((b"#", b"//")):
            continue
        found = _arguments(scanned.data, call.end())
        if found is not None and len(found) == len(macro.parameters or ()):
            count += 1
            yield found
            if count == _CALLS:
                return


def _arguments(data: bytes, at: int) -> "tuple[tuple[bytes, int], ...] | None":
    found = []
    depth, start = 0, at
    token = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[()\[\]{},]', re.DOTALL)
    for part in token.finditer(data, at, at + _LONGEST):
        text = part[0]
        if text in (b"(", b"[", b"{"):
            depth += 1
        elif text in (b")", b"]", b"}"):
            if depth == 0:
                found.append((data[start : part.start()], start))
                return tuple(found)
            depth -= 1
        elif text == b"," and depth == 0:
            found.append((data[start : part.start()], start))
            start = part.end()
    return None
