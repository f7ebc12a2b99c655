"""Finds the text of inline assembly statements in a C or C++ source, with the macros and conditions around them.

One pass over comments, literals, directives and the words `asm`: the structure of what it finds is read from a syntax
tree of the statement alone, so code that does not parse without its macros is no obstacle.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.views.c.lex import COMMENT, outside
from gcn_lsp.views.inline import c_types
from gcn_lsp.views.inline.conditions import Guard

_OUTSIDE = outside(rb"asm(?<!\w{4})(?:__)?(?!\w)|__asm(?<!\w{6})(?:__)?(?!\w)")
_INSIDE = outside(rb"[()\[\]{},]")
_WORDS = (b"asm", b"__asm__", b"__asm")
_OPENING = regex(rb"(?:\\\r?\n|\s)*(?:(?:volatile|__volatile__|__volatile|goto|inline)\b(?:\\\r?\n|\s)*)*\(")
_DIRECTIVE = regex(rb"[ \t]*#[ \t]*(\w+)[ \t]*(.*)", re.DOTALL)
_DEFINE = regex(rb"(\w+)(?:\(([^()]*)\))?(?:\\\r?\n|[ \t])*", re.DOTALL)
_CONSTEXPR = regex(rb"\bconstexpr\b[^;={}()]*\b(\w+)\s*=\s*([^;{}]+);")
_BLANK = regex(COMMENT + rb"|\\\r?\n", re.DOTALL)
_CONTINUED = regex(rb"\\\r?\n")

_BRANCH = regex(rb"\b(?:if\s+(constexpr)\s*\([^;{}]*\)|else)\s*\{?\s*(?://[^\n]*\s*)*$")
_FURTHEST = 2048  # bytes before a statement that are searched for the branch that it is in

_LONGEST = 256 * 1024  # bytes of a statement; a longer one has no end

_MOST_SEARCHED = 2 << 20  # bytes after words without a statement, after which a source is given up


class Snippet(msgspec.Struct, frozen=True):
    """The text of a statement from its first word to its closing parenthesis. start: its first byte in the source.

    guard: conditions around it. macro: the macro in whose body it is. is_optional: it begins a branch of
    `if constexpr`, which the compiler may leave out.
    """

    text: bytes
    start: int
    guard: Guard
    macro: "LocalMacro | None" = None
    is_optional: bool = False


class LocalMacro(msgspec.Struct, frozen=True):
    """A `#define`. parameters: None for one without a list of them. start: of its body in the source."""

    name: bytes
    parameters: "tuple[bytes, ...] | None"
    body: bytes
    start: int


class Scanned(msgspec.Struct, frozen=True, dict=True):
    """A source: its statements in order, and its macros by name; the last definition of each."""

    data: bytes
    snippets: tuple[Snippet, ...]
    macros: Mapping[bytes, LocalMacro]
    lines: tuple[int, ...]

    @cached_property
    def constants(self) -> Mapping[bytes, bytes]:
        """The expressions of names that one `constexpr` defines; empty for a name that several define."""
        found: dict[bytes, bytes] = {}
        for name, value in _CONSTEXPR.findall(self.data):
            found[name] = b"" if name in found else value
        return found

    @cached_property
    def types(self) -> Mapping[str, int]:
        """The dwords of the vector types that it names."""
        return c_types.aliases(self.data)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte."""
        line = bisect_right(self.lines, offset) - 1
        return line, offset - self.lines[line]


def mentions_assembly(data: bytes) -> bool:
    """Whether a source may have inline assembly at all."""
    return b"asm" in data


def scan(data: bytes) -> Scanned:
    """The statements of a source. Statements without an end are left out."""
    found: list[Snippet] = []
    macros: dict[bytes, LocalMacro] = {}
    if mentions_assembly(data):
        found = list(_snippets(data, 0, macros))
    starts = [0]
    starts += [end.end() for end in re.finditer(rb"\r\n|\n|\r", data)] if found else []
    return Scanned(data, tuple(found), macros, tuple(starts))


def _snippets(data: bytes, base: int, macros: dict[bytes, LocalMacro]) -> Iterator[Snippet]:
    frames: list[list[tuple[bool, bytes]]] = []
    data = b"\n" + data  # so that a directive on the first line begins like any other
    base -= 1
    at = searched = 0
    while searched < _MOST_SEARCHED and (token := _OUTSIDE.search(data, at)) is not None:
        text = token[0]
        at = token.end()
        if text in _WORDS:
            end, is_statement = _statement_end(data, at)
            if not is_statement:
                searched += end - at
            else:
                guard = tuple(condition for frame in frames for condition in frame)
                is_optional = _begins_branch(data[max(0, token.start() - _FURTHEST) : token.start()])
                yield Snippet(data[token.start() : end], base + token.start(), guard, is_optional=is_optional)
                at = end
        elif text[:1] == b"\n":
            directive = _DIRECTIVE.match(text, 1)
            if directive is not None and directive[1] == b"define":
                yield from _defined(directive, base + token.start(), macros, frames)
            elif directive is not None:
                _enter(frames, directive[1], directive[2])


def _begins_branch(before: bytes) -> bool:
    """Whether a statement begins a branch of `if constexpr`. before: the text ahead of it."""
    found = _BRANCH.search(before)
    return found is not None and (bool(found[1]) or b"constexpr" in before)


def _statement_end(data: bytes, at: int) -> tuple[int, bool]:
    """The byte after the statement whose first word ends at `at`, and True; or the byte at which it is known that
    there is none: it has no end, or a directive inside.
    """
    opening = _OPENING.match(data, at)
    if opening is None:
        return at, False
    depth = 0
    for token in _INSIDE.finditer(data, opening.end() - 1, at + _LONGEST):
        text = token[0]
        if text[:1] == b"\n":
            return token.end(), False
        if text == b"(":
            depth += 1
        elif text == b")":
            depth -= 1
            if depth == 0:
                return token.end(), True
    return min(len(data), at + _LONGEST), False


def _enter(frames: list[list[tuple[bool, bytes]]], word: bytes, rest: bytes) -> None:
    """Follow a conditional directive."""
    condition = _BLANK.sub(b" ", rest).strip()
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


def _defined(
    directive: "re.Match[bytes]", start: int, macros: dict[bytes, LocalMacro], frames: list[list[tuple[bool, bytes]]]
) -> Iterator[Snippet]:
    """Take over a definition, and the statements in its body."""
    head = _DEFINE.match(directive[2])
    if head is None:
        return
    parameters = None
    if head[2] is not None:
        parameters = tuple(_CONTINUED.sub(b"", name).strip() for name in head[2].split(b","))
    body = directive[2][head.end() :]
    macro = LocalMacro(head[1], parameters, body, start + directive.start(2) + head.end())
    macros[head[1]] = macro
    if not mentions_assembly(body):
        return
    guard = tuple(condition for frame in frames for condition in frame)
    for snippet in _snippets(body, macro.start, {}):
        yield Snippet(snippet.text, snippet.start, guard, macro, snippet.is_optional)


_CALLS = 64  # calls of a macro that are followed


def calls(scanned: Scanned, macro: LocalMacro) -> Iterator[tuple[tuple[bytes, int], ...]]:
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
    for part in _INSIDE.finditer(data, at, at + _LONGEST):
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
