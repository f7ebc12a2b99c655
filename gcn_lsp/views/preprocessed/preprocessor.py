"""Runs the C preprocessor over a file, a logical line at a time; an edit runs it over the changed lines only.

A `Step` depends on its lines, the `PreprocessorState` before it and the included files, so a later version of the text
takes over the steps before the edit, and those after it from where the states are equal again.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import immutables
import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.c import macros
from gcn_lsp.views.c.lex import NAME, Token, TokenKind, Wrong, comment_after, tokens, would_join
from gcn_lsp.views.c.macros import Budget, Macro, Unfinished
from gcn_lsp.views.map import LineRun, MappedBytes, Mistake, Origin
from gcn_lsp.views.preprocessed import conditions

Include = Callable[[str, str], "SourceText | None"]
Match: TypeAlias = "re.Match[bytes]"

MAX_DEPTH = 64  # of includes
_MOST_OPEN = 200  # conditionals in each other
_TOKENS = 2_000_000  # that the macros of a file may expand to
_TOKENS_OF_LINE = 100_000
_DIRECTIVE = regex(rb"[ \t\f\v]*#[ \t]*([A-Za-z_]+)")
_CONDITIONALS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef", b"else", b"endif"))
_OTHERS = frozenset(
    (b"define", b"undef", b"include", b"include_next", b"error", b"warning", b"pragma", b"line", b"ident")
)
DIRECTIVES = _CONDITIONALS | _OTHERS
_CONTINUED = regex(rb"\\[ \t]*$")


class Condition(msgspec.Struct, frozen=True):
    """An open `#if`. active: its present branch is assembled. taken: one of its branches was. text: of its branch.

    deeper: how many more are open in it, if it is the innermost that is read.
    """

    active: bool
    taken: bool
    parent: bool
    has_else: bool = False
    text: bytes = b""
    deeper: int = 0


class PreprocessorState(msgspec.Struct, frozen=True):
    """All that a later line depends on. once: files with `#pragma once`. in_comment: a block comment is open."""

    macros: "immutables.Map[bytes, Macro]"
    conditions: tuple[Condition, ...] = ()
    in_comment: bool = False
    once: frozenset[str] = frozenset()

    @property
    def active(self) -> bool:
        """Whether lines are assembled."""
        return not self.conditions or self.conditions[-1].active


class Defined(msgspec.Struct, frozen=True):
    """Where a macro is defined; the path is empty for the file itself, whose lines count from the step's first."""

    name: bytes
    where: Location


class Step(LineRun, frozen=True):
    """A logical line. after: the state after it. inactive: it is not assembled. defined: the macros that it defines.

    shows_line: it depends on the number of its line.
    """

    after: PreprocessorState | None = None
    inactive: bool = False
    defined: tuple[Defined, ...] = ()
    shows_line: bool = False
    includes: str = ""


class Run:
    """One pass over a text and what it includes."""

    def __init__(self, include: Include, path: str, line_limit: int) -> None:
        self._include = include
        self._path = path
        self._lines_left = line_limit
        self._line_limit = line_limit
        self._budget = Budget(_TOKENS)
        self._stopped = False

    def steps(self, lines: Sequence[bytes], state: PreprocessorState, first: int = 0) -> Iterator[Step]:
        """The steps of the original from line `first`."""
        index = first
        while index < len(lines):
            step = self._step(lines, index, state, self._path, ())
            assert step.after is not None
            state = step.after
            index += step.taken
            yield step

    # One logical line

    def _step(
        self, lines: Sequence[bytes], index: int, state: PreprocessorState, path: str, chain: tuple[str, ...]
    ) -> Step:
        text = lines[index]
        if not state.in_comment and b"#" in text:
            match = _DIRECTIVE.match(text)
            if match is not None and match[1] in DIRECTIVES:
                return self._directive(lines, index, match, state, path, chain)
        if not state.active:
            after = _commented(state, comment_after(text, state.in_comment))
            return Step(1, (b"",), None, (), after, True)
        if text[-1:].isspace() or text[-1:] == b"\\":
            is_continued = _CONTINUED.search(text) is not None and index + 1 < len(lines)
        else:
            is_continued = False
        used = any(name in state.macros or name in _PLACES for name in NAME.findall(text))
        if not used and not is_continued:
            after = state if b"*" not in text else _commented(state, comment_after(text, state.in_comment))
            return Step(1, (text,), None, (), after)
        return self._expanded(lines, index, state, path)

    def _expanded(self, lines: Sequence[bytes], index: int, state: PreprocessorState, path: str) -> Step:
        """A line with macros, or one that goes on in the next."""
        taken = 1
        while True:
            while taken < len(lines) - index and _CONTINUED.search(lines[index + taken - 1]):
                taken += 1
            found, in_comment = _tokens_of(lines[index : index + taken], state.in_comment)
            shows_line = any(token.text in _PLACES for token in found)
            if shows_line:
                found = [_placed(token, index, path) for token in found]
            after = _commented(state, in_comment)
            following = index + taken < len(lines) and (in_comment or not _is_directive(lines[index + taken]))
            self._budget.start_line(_TOKENS_OF_LINE)
            try:
                made = macros.expand(found, state.macros, self._budget, following)
            except Unfinished:
                taken += 1
                continue
            except Wrong as error:
                mistake = _mistake(error, 0)
                plain = tuple(lines[index : index + taken])
                return Step(taken, plain, None, (mistake,), after, shows_line=shows_line)
            break
        if not found:  # only comments
            return Step(taken, tuple(lines[index : index + taken]), None, (), after)
        derived, pieces = _joined(lines[index : index + taken], made, found)
        if in_comment and found[-1].line < taken - 1:
            derived += b" /*"
        origins = (Origin("", 0, pieces), *(Origin("", number) for number in range(1, taken)))
        return Step(taken, (derived, *[b""] * (taken - 1)), origins, (), after, shows_line=shows_line)

    # Directives

    def _directive(
        self,
        lines: Sequence[bytes],
        index: int,
        match: Match,
        state: PreprocessorState,
        path: str,
        chain: tuple[str, ...],
    ) -> Step:
        name, taken = match[1], 1
        in_comment = comment_after(lines[index], False)
        while index + taken < len(lines) and (in_comment or _CONTINUED.search(lines[index + taken - 1])):
            in_comment = comment_after(lines[index + taken], in_comment)
            taken += 1
        texts = lines[index : index + taken]
        found, _ = _tokens_of(texts, False, match.end())
        blank = (b"",) * taken
        inactive = not state.active
        mistakes: tuple[Mistake, ...] = ()
        after = state
        try:
            if name in _CONDITIONALS:
                after, mistakes = self._conditional(name, found, texts, match, state, path)
                inactive = inactive and not after.active
            elif inactive:
                pass
            elif name == b"define":
                made = macros.define(found, _body_text(found))
                after = msgspec.structs.replace(state, macros=state.macros.set(made.name, made))
                place = Location("", found[0].line, found[0].start, found[0].end)
                return Step(taken, blank, None, (), after, False, (Defined(made.name, place),))
            elif name == b"undef":
                if found and found[0].text in state.macros:
                    after = msgspec.structs.replace(state, macros=state.macros.delete(found[0].text))
            elif name in (b"include", b"include_next"):
                return self._included(texts, found, match, state, path, chain)
            elif name in (b"error", b"warning"):
                mistakes = (_reached(texts[0], match),)
            elif name == b"pragma" and found and found[0].text == b"once" and path != self._path:
                after = msgspec.structs.replace(state, once=state.once | {path})
        except Wrong as error:
            if error.end == 0:
                error.start, error.end = match.start(1) - 1, match.end(1)
            mistakes = (_mistake(error, 0),)
        return Step(taken, blank, None, mistakes, after, inactive)

    def _conditional(
        self, name: bytes, found: list[Token], texts: Sequence[bytes], match: Match, state: PreprocessorState, path: str
    ) -> tuple[PreprocessorState, tuple[Mistake, ...]]:
        open_ones = state.conditions
        text = b" ".join(texts[0][match.start(1) - 1 :].split(b"//")[0].split()).rstrip(b" \\")
        where = Location("", 0, match.start(1) - 1, match.end(1))
        is_opening = name in (b"if", b"ifdef", b"ifndef")
        if len(open_ones) >= _MOST_OPEN and (is_opening or open_ones[-1].deeper):
            return _too_deep(state, is_opening - (name == b"endif"), where, text)
        if is_opening:
            parent, active = state.active, False
            mistakes: tuple[Mistake, ...] = ()
            if parent:
                active, mistakes = self._holds(name, found, match, state, path)
            new = Condition(active, active or not parent or bool(mistakes), parent, False, text)
            return msgspec.structs.replace(state, conditions=(*open_ones, new)), mistakes
        if not open_ones:
            message = f"`#{name.decode()}` has no `#if`"
            return state, (Mistake("stray-block-end", where, message),)
        last, mistakes = open_ones[-1], ()
        if name == b"endif":
            return msgspec.structs.replace(state, conditions=open_ones[:-1]), ()
        if last.has_else:
            mistakes = (Mistake("stray-block-end", where, f"`#{name.decode()}` follows `#else`"),)
            new = msgspec.structs.replace(last, active=False, text=text)
        elif name == b"else":
            new = Condition(last.parent and not last.taken, True, last.parent, True, last.text if last.taken else text)
        elif last.taken:
            new = Condition(False, True, last.parent, False, text)
        else:
            active, mistakes = self._holds(b"if" + name[4:], found, match, state, path)
            new = Condition(active, active or bool(mistakes), last.parent, False, text)
        return msgspec.structs.replace(state, conditions=(*open_ones[:-1], new)), mistakes

    def _holds(
        self, name: bytes, found: list[Token], match: Match, state: PreprocessorState, path: str
    ) -> tuple[bool, tuple[Mistake, ...]]:
        """Whether the branch of `if`, `ifdef` or `ifndef` is assembled; one with a mistake is not."""
        if name == b"if":
            self._budget.start_line(_TOKENS_OF_LINE)
            try:
                return conditions.holds(found, state.macros, self._budget, lambda file: self._finds(path, file)), ()
            except Wrong as error:
                if error.end == 0:
                    error.start, error.end = match.start(1) - 1, match.end(1)
                return False, (_mistake(error, 0),)
        if not found or found[0].kind is not TokenKind.NAME:
            where = Location("", 0, match.start(1) - 1, match.end(1))
            return False, (Mistake("malformed-directive", where, f"`#{name.decode()}` takes the name of a macro"),)
        return (found[0].text in state.macros) == (name == b"ifdef"), ()

    def _finds(self, path: str, name: bytes) -> bool:
        return self._include(path, name.decode("utf-8", "replace")) is not None

    # Includes

    def _included(
        self,
        texts: Sequence[bytes],
        found: list[Token],
        match: Match,
        state: PreprocessorState,
        path: str,
        chain: tuple[str, ...],
    ) -> Step:
        taken = len(texts)
        blank = (b"",) * taken
        name, start, end = self._file_name(texts[0], found, match, state)
        if self._stopped:
            return Step(taken, blank, None, (), state)
        source = self._include(path, name)
        if source is None:
            # The interpreter reports it, and then nothing that only follows from it.
            line = b'.include "' + name.replace("\\", "\\\\").replace('"', '\\"').encode() + b'"'
            pieces = (
                MappedBytes(0, 9, 0, match.start(1) - 1, match.end(1), False),
                MappedBytes(9, len(line), 0, start, end, False),
            )
            origins = (Origin("", 0, pieces), *(Origin("", number) for number in range(1, taken)))
            return Step(taken, (line, *blank[1:]), origins, (), state)
        where = Location("", 0, start, end)
        if source.path in state.once:
            return Step(taken, blank, None, (), state, includes=source.path)
        if len(chain) >= MAX_DEPTH:
            self._stopped = True
            message = f"`{name}` includes itself" if source.path in (self._path, *chain) else "includes nest too deep"
            return Step(taken, blank, None, (Mistake("include-cycle", where, message),), state)
        if len(source.lines) > self._lines_left:
            self._stopped = True
            message = f"the includes have more than {self._line_limit:,} lines; the rest is not read"
            return Step(taken, blank, None, (Mistake("expansion-limit", where, message),), state)
        self._lines_left -= len(source.lines)
        return self._read(source, where, texts, state, chain)

    def _read(
        self,
        source: SourceText,
        where: Location,
        texts: Sequence[bytes],
        state: PreprocessorState,
        chain: tuple[str, ...],
    ) -> Step:
        """The step of an `#include` whose file is read."""
        lines: list[bytes] = [b""] * len(texts)
        origins: list[Origin] = [Origin("", number) for number in range(len(texts))]
        mistakes: list[Mistake] = []
        defined: list[Defined] = []
        outer, index, path = state, 0, source.path
        state = msgspec.structs.replace(state, conditions=(), in_comment=False)
        step_above = ((where, f"`{path.rpartition('/')[2]}` is included here"),)
        while index < len(source.lines):
            step = self._step(source.lines, index, state, path, (*chain, path))
            assert step.after is not None
            state = step.after
            if any(line.strip() for line in step.lines):
                lines += step.lines
                found = step.origins or tuple(Origin("", number) for number in range(len(step.lines)))
                for origin in found:
                    moved = origin.moved(index)
                    steps = tuple((_named(place, path), said) for place, said in moved.steps)
                    origins.append(Origin(moved.path or path, moved.line, moved.pieces, (*step_above, *steps)))
            mistakes += (
                msgspec.structs.replace(mistake, where=_named(mistake.where, path))
                for mistake in (each.moved(index) for each in step.mistakes)
            )
            defined += (Defined(each.name, _named(_moved(each.where, index), path)) for each in step.defined)
            index += step.taken
        if state.conditions:
            mistakes.append(
                Mistake("unterminated-block", where, f"`{path.rpartition('/')[2]}`: `#if` lacks an `#endif`")
            )
        after = msgspec.structs.replace(state, conditions=outer.conditions, in_comment=False)
        return Step(
            len(texts), tuple(lines), tuple(origins), tuple(mistakes), after, False, tuple(defined), False, path
        )

    def _file_name(
        self, text: bytes, found: list[Token], match: Match, state: PreprocessorState
    ) -> tuple[str, int, int]:
        """The name in an `#include` and its place. Raises Wrong."""
        written = re.compile(rb"[ \t]*(\"([^\"\n]*)\"|<([^>\n]*)>)").match(text, match.end())
        if written is None and found:
            made = macros.expand(found, state.macros, self._budget)
            joined = b"".join(token.text for token in made)
            named = re.fullmatch(rb"(\"([^\"\n]*)\"|<([^>\n]*)>)", joined)
            if named is not None:
                return (named[2] or named[3] or b"").decode("utf-8", "replace"), found[0].start, found[-1].end
        if written is None or not (written[2] or written[3]):
            raise Wrong(match.start(1) - 1, match.end(1), "`#include` takes a file name in quotes or angle brackets")
        return (written[2] or written[3]).decode("utf-8", "replace"), written.start(1), written.end(1)


def _is_directive(text: bytes) -> bool:
    match = _DIRECTIVE.match(text)
    return match is not None and match[1] in DIRECTIVES


_PLACES = frozenset((b"__LINE__", b"__FILE__"))


def _placed(token: Token, index: int, path: str) -> Token:
    """`__LINE__` and `__FILE__` as the place that they stand for."""
    if token.text == b"__LINE__":
        text = str(index + token.line + 1).encode()
        return msgspec.structs.replace(token, kind=TokenKind.NUMBER, text=text, copied=False)
    if token.text == b"__FILE__":
        return msgspec.structs.replace(token, kind=TokenKind.STRING, text=b'"' + path.encode() + b'"', copied=False)
    return token


def _too_deep(
    state: PreprocessorState, opened: int, where: Location, text: bytes
) -> tuple[PreprocessorState, tuple[Mistake, ...]]:
    """The state after an `#if` in too many others, or after a directive inside of that."""
    open_ones = state.conditions
    if len(open_ones) > _MOST_OPEN:
        new = msgspec.structs.replace(open_ones[-1], deeper=open_ones[-1].deeper + opened)
        return msgspec.structs.replace(state, conditions=(*open_ones[:-1], new)), ()
    message = f"conditionals nest more than {_MOST_OPEN} deep; what is in this one is not assembled"
    new = Condition(False, True, False, False, text)
    return msgspec.structs.replace(state, conditions=(*open_ones, new)), (Mistake("expansion-limit", where, message),)


def _commented(state: PreprocessorState, in_comment: bool) -> PreprocessorState:
    return state if state.in_comment == in_comment else msgspec.structs.replace(state, in_comment=in_comment)


def _tokens_of(texts: Sequence[bytes], in_comment: bool, start: int = 0) -> tuple[list[Token], bool]:
    """The tokens of a logical line, and whether a block comment is open after it."""
    found: list[Token] = []
    for number, text in enumerate(texts):
        end = len(text)
        if number + 1 < len(texts):
            spliced = _CONTINUED.search(text)
            end = spliced.start() if spliced is not None else end
        begin = start if number == 0 else 0
        if in_comment:
            closed = text.find(b"*/", begin)
            if closed < 0:
                continue
            begin = closed + 2
        found += tokens(text, number, begin, end)
        in_comment = comment_after(text[begin:], False)
    return found, in_comment


def _body_text(found: Sequence[Token]) -> bytes:
    """The body of a `#define` for people: its tokens, blanks between them as one."""
    rest = list(found[1:])
    if rest and rest[0].text == b"(" and not rest[0].spaced:
        closing = next((number for number, token in enumerate(rest) if token.text == b")"), len(rest))
        rest = rest[closing + 1 :]
    return b"".join((b" " if token.spaced and number else b"") + token.text for number, token in enumerate(rest))


def _joined(
    texts: Sequence[bytes], made: Sequence[Token], found: Sequence[Token]
) -> tuple[bytes, tuple[MappedBytes, ...]]:
    """The derived line of the tokens, and its pieces."""
    out = bytearray(texts[0][: found[0].start] if found[0].line == 0 else b"")
    pieces = [MappedBytes(0, len(out), 0, 0, len(out), True)] if out else []
    before: Token | None = None
    for token in made:
        if before is not None:
            out += _gap(texts, before, token)
        end = len(out) + len(token.text)
        piece = pieces[-1] if pieces else None
        if piece is not None and piece.copied and token.copied and _continues(piece, token, len(out)):
            pieces[-1] = MappedBytes(piece.start, end, piece.line, piece.source_start, token.end, True)
        elif piece is not None and not piece.copied and not token.copied and _is_same_use(piece, token):
            pieces[-1] = msgspec.structs.replace(piece, end=end)
        else:
            pieces.append(MappedBytes(len(out), end, token.line, token.start, token.end, token.copied))
        out += token.text
        before = token
    last, end = found[-1].line, found[-1].end
    tail = texts[last][end:]
    if last == len(texts) - 1 and tail.strip():
        pieces.append(MappedBytes(len(out), len(out) + len(tail), last, end, end + len(tail), True))
        out += tail
    return bytes(out), tuple(pieces)


def _gap(texts: Sequence[bytes], before: Token, token: Token) -> bytes:
    """The text between two tokens of a derived line: that of the original if it has both."""
    if before.line == token.line and before.end <= token.start and (before.copied or token.copied):
        between = texts[token.line][before.end : token.start]
        if not tokens(between):
            return between
    return b" " if token.spaced or would_join(before.text, token.text) else b""


def _continues(piece: MappedBytes, token: Token, column: int) -> bool:
    """Whether a token at a derived column is as far from a copied piece as it is in the original."""
    return piece.line == token.line and token.start - piece.source_start == column - piece.start


def _is_same_use(piece: MappedBytes, token: Token) -> bool:
    return (piece.line, piece.source_start, piece.source_end) == (token.line, token.start, token.end)


def _mistake(error: Wrong, line: int) -> Mistake:
    rule = error.rule or "malformed-directive"
    return Mistake(rule, Location("", line + error.line, error.start, error.end), error.message)


def _moved(where: Location, lines: int) -> Location:
    return where if where.path else msgspec.structs.replace(where, line=where.line + lines)


def _named(where: Location, path: str) -> Location:
    return where if where.path else msgspec.structs.replace(where, path=path)


def definitions(values: Mapping[str, str]) -> "immutables.Map[bytes, Macro]":
    """The macros that a build defines, as `-D NAME=TEXT` does. A name may have parameters: `ADD(a, b)`."""
    found: dict[bytes, Macro] = {}
    for name, text in values.items():
        given = tokens(f"{name} {text}".encode())
        try:
            made = macros.define(given, text.encode())
        except Wrong:
            continue
        found[made.name] = made
    return immutables.Map(found)


def _reached(text: bytes, match: Match) -> Mistake:
    """What an `#error` or a `#warning` says."""
    name = match[1].decode()
    said = text[match.end() :].strip().decode("utf-8", "replace").rstrip("\\").strip()
    where = Location("", 0, match.start(1) - 1, len(text.rstrip()))
    return Mistake(f"user-{name}", where, said.strip('"') or f"`#{name}` is reached here")
