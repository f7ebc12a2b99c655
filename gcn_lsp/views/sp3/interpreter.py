"""Interprets an SP3 file: its statements in order, each instruction a line as LLVM's assembler reads it.

Variables and conditions are evaluated, loops and functions are written out: each line knows the calls that lead to it.
"""

import contextlib
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.machine import roles
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong, comment_after, tokens
from gcn_lsp.views.map import MappedBytes, Mistake, Origin
from gcn_lsp.views.sp3.instructions import Written, translated
from gcn_lsp.views.sp3.values import NoValue, Value, ValueReader

# Statements that describe the shader and make no code.
_SETTINGS = frozenset(("asic", "type", "wave_size", "user_sgpr_count", "vgpr_count", "sgpr_count", "lds_size"))
_OPENING = frozenset((b"if", b"for", b"while", b"function", b"shader"))
_ELSE = (b"else", b"elsif")
(_BRANCH,), (_PADDING,) = roles.mnemonics("branch always"), roles.mnemonics("end padding")
_VERSIONS = {name: f"UC_VERSION_{name}" for name in ("GFX10", "GFX11", "GFX12")}
_DEPTH = 32  # of calls

# Instructions by their text, the values of the names in it, and the target: most are the same in each version.
_written: ByValue[Hashable, Written] = ByValue(8192)


class _Line(msgspec.Struct, frozen=True):
    """A statement: its tokens and its line. names: at least what is named after its first word."""

    number: int
    found: tuple[Token, ...]
    names: tuple[str, ...]

    @property
    def word(self) -> bytes:
        return self.found[0].text


class _Function(msgspec.Struct, frozen=True):
    """first, end: the indices of the first statement of its body and of the one after it."""

    parameters: tuple[str, ...]
    first: int
    end: int
    labels: frozenset[str]


class _Returned(Exception):
    """A function ends with a value."""

    def __init__(self, value: Value) -> None:
        self.value = value


class _Stopped(Exception):
    """Interpretation ends here; the mistake that ends it has been reported."""


class _Scope(NamedTuple):
    """The variables of a call, the name that its labels have, and how deep in calls and brackets it is."""

    variables: dict[str, Value]
    labels: frozenset[str]
    suffix: str
    depth: int


class Interpreter:
    """Interprets a text once. limit: of lines."""

    def __init__(self, source: SourceText, target: "isa.Target", limit: int) -> None:
        self.lines: list[bytes] = []
        self.origins: list[Origin] = []
        self.mistakes: dict[Mistake, None] = {}
        self._source = source
        self._target = target
        self._left = self._limit = limit
        self._code = list(_statements(source.lines))
        self._count = len(self._code)
        self._blocks = _blocks(self._code)
        self._functions: dict[str, _Function] = {}
        self._globals = self._scope = _Scope({}, frozenset(), "", 0)
        self._steps: tuple[tuple[Location, str], ...] = ()
        self._calls = 0
        self._version = ""  # that is still to be written
        self._unknown: set[str] = set()  # names that only the build can define, and variables that depend on them

    def run(self) -> None:
        """Interpret the whole text."""
        for index, block in self._blocks.items():
            if index == block[0] and self._code[index].word == b"function":  # calls may precede it
                self._define(index, block[-1])
        with contextlib.suppress(_Stopped, _Returned):
            self._run(0, len(self._code))

    # Blocks

    def _define(self, index: int, end: int) -> None:
        """Take over a function."""
        self._current = self._code[index]
        names = [token.said for token in self._current.found[1:] if token.kind is TokenKind.NAME]
        if end >= self._count:
            self._report(Wrong(0, 0, "`function` lacks an `end`", rule="unterminated-block"))
        if names:
            labels = frozenset(line.found[0].said for line in self._code[index:end] if _is_label(line.found))
            self._functions[names[0]] = _Function(tuple(names[1:]), index + 1, end, labels)
        else:
            self._report(Wrong(0, 0, "`function` takes a name", rule="malformed-directive"))

    def _run(self, index: int, end: int) -> None:
        """Interpret the statements from one index to another."""
        while index < end:
            self._current = self._code[index]
            block = self._blocks.get(index)
            try:
                if block is not None:
                    index = self._in_block(index, block)
                    continue
                self._statement(self._current)
            except Wrong as error:
                self._report(error)
            index = (index if block is None else block[-1]) + 1

    def _in_block(self, index: int, block: Sequence[int]) -> int:
        """The index after a statement that opens, divides or ends a block. Raises Wrong."""
        opening, end = block[0], block[-1]
        first = self._code[opening]
        if first.word == b"function":
            return end + 1
        if index == opening and end >= self._count:
            self._report(Wrong(0, 0, f"`{first.found[0].said}` lacks an `end`", rule="unterminated-block"))
        if first.word == b"if":
            for heading in block[:-1] if index == opening else ():
                self._current = self._code[heading]
                if self._applies(self._current):
                    return heading + 1
            return end + 1
        self._current = first
        if first.word == b"shader":
            if index == opening:
                self._begin_shader(self._code[opening + 1 : end])
            else:
                self._end_shader()
            return index + 1
        condition: Sequence[Token] = first.found[1:] or first.found
        if first.word == b"for":
            start, condition, step = _clauses(first)
            self._assign(start if index == opening else step)
        holds = self._reader(condition).number() != 0
        self._take(holds)
        return opening + 1 if holds else end + 1

    def _applies(self, heading: _Line) -> bool:
        """Whether the condition of an `if`, `elsif` or `else` holds. Raises Wrong."""
        condition = [token for token in heading.found[1:] if token.text not in (b"if", b"then")]
        if heading.word == b"else" and not condition:
            return True
        return self._reader(condition or heading.found).number() != 0

    def _begin_shader(self, body: Sequence[_Line]) -> None:
        """Before the code SP3 adds from gfx10 its version, at the first statement that is not a branch."""
        sizes = [line.found[2].text for line in body if line.word == b"wave_size" and len(line.found) > 2]
        version = _VERSIONS.get(self._target.generation)
        size = 32 if sizes[-1:] == [b"32"] else 64
        self._version = f"s_version {version}|UC_VERSION_W{size}_BIT" if version else ""

    def _end_shader(self) -> None:
        """After the code SP3 adds from gfx10 five ends for prefetch."""
        has_ends = self._target.generation in _VERSIONS
        for text in (*[_PADDING] * (5 * has_ends), ".balign 8, 0"):
            self._write_here(text.encode())

    def _take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            self._stop(f"the program expands to more than {self._limit:,} lines; the rest is not interpreted")

    def _stop(self, message: str) -> None:
        """Report the current line and interpret no more."""
        text = self._source.lines[self._current.number]
        self._report(Wrong(len(text) - len(text.lstrip()), len(text.rstrip()), message, rule="expansion-limit"))
        raise _Stopped

    # Statements

    def _statement(self, statement: _Line) -> None:
        found, word = statement.found, statement.found[0].said
        if statement.word == b"end" or statement.word in _ELSE:
            has_not = "`end` ends nothing" if word == "end" else f"`{word}` has no `if`"
            raise Wrong(0, 0, has_not, rule="stray-block-end")
        if _is_label(found):
            name = self._label(word)
            piece = MappedBytes(0, len(name), statement.number, found[0].start, found[0].end, name == word)
            self._write(f"{name}:".encode(), (piece,))
        elif word == "var":
            for part in _split(found[1:], b","):
                if len(part) == 1 and part[0].kind is TokenKind.NAME:
                    self._scope.variables[part[0].said] = 0
                else:
                    self._assign(part)
        elif word == "return":
            raise _Returned(self._reader(found[1:]).value() if found[1:] else 0)
        elif self._assigned(found):
            pass
        elif word in self._functions:
            self._reader(found).whole()
        elif word not in _SETTINGS or len(found) < 2 or found[1].text != b"(":
            self._instruction(statement)

    def _assign(self, found: Sequence[Token]) -> None:
        """Set a variable. Raises Wrong for tokens that do not."""
        if all(token.kind is not TokenKind.NAME for token in found):
            start, end = (found[0].start, found[0].end) if found else (0, 0)
            raise Wrong(start, end, "a variable is missing here")
        if not self._assigned(found):
            last = found[min(1, len(found) - 1)]
            raise Wrong(last.start, last.end, "a variable is set with `=`")

    def _assigned(self, found: Sequence[Token]) -> bool:
        """Set the variable of `x = 1`, `x += 2`, `x++` or `++x`; False for anything else. Raises Wrong."""
        names = [token for token in found[:3] if token.kind is TokenKind.NAME]
        texts = [token.text for token in found[:4]]
        value: Value
        if names and len(texts) == 3 and 2 in (texts.count(b"+"), texts.count(b"-")):
            value = self._reader(names).number() + (1 if b"+" in texts else -1)
        elif names[:1] == [*found[:1]] and b"=" in texts[1:3] and len(found) > texts.index(b"=") + 1:
            equals = texts.index(b"=")
            try:
                value = self._reader((*found[: equals if equals > 1 else 0], *found[equals + 1 :])).whole()
            except NoValue:
                self._unknown.add(names[0].said)
                raise
        else:
            return False
        name, variables = names[0].said, self._scope.variables
        is_global = name in self._globals.variables and name not in variables
        (self._globals.variables if is_global else variables)[name] = value
        return True

    def _label(self, name: str) -> str:
        """Its name in the program: one in a function has as many as there are calls."""
        return name + self._scope.suffix if name in self._scope.labels else name

    def _call(self, name: str, values: list[Value], token: Token, depth: int) -> Value:
        function = self._functions[name]
        if len(values) != len(function.parameters):
            wanted = len(function.parameters)
            message = f"`{name}` takes {wanted} argument{'' if wanted == 1 else 's'}, not {len(values)}"
            raise Wrong(token.start, token.end, message, rule="macro-arguments")
        if len(self._steps) >= _DEPTH:
            self._stop(f"calls nest more than {_DEPTH} deep; the rest is not interpreted")
        self._take(1)
        self._calls += 1
        variables = {**self._globals.variables, **dict(zip(function.parameters, values, strict=True))}
        outer, steps, current = self._scope, self._steps, self._current
        here = Location("", current.number, token.start, token.end)
        self._scope = _Scope(variables, function.labels, f"_{self._calls}", depth)
        self._steps = (*steps, (here, f"called here: `{name}`"))
        try:
            self._run(function.first, function.end)
        except _Returned as returned:
            return returned.value
        finally:
            self._scope, self._steps, self._current = outer, steps, current
        return 0

    # Instructions

    def _instruction(self, statement: _Line) -> None:
        first = statement.found[0]
        if first.kind is not TokenKind.NAME:
            raise Wrong(first.start, first.end, f"no statement starts with `{first.said}`")
        if self._version and first.said != _BRANCH:
            version, self._version = self._version.encode(), ""
            self._write_here(version)
        text = self._source.lines[statement.number]
        key = self._key(statement, text)
        known = _written.get(key) if key is not None else None
        if known is None:
            known = translated(self._reader(statement.found), text, statement.number, self._target, self._label)
            if key is not None:
                _written.keep(key, known)
        self._write(known.text, known.on_line(statement.number))

    def _key(self, statement: _Line, text: bytes) -> Hashable:
        """What an instruction depends on; None if it does more than to name something."""
        if not self._functions.keys().isdisjoint(statement.names):
            return None
        variables = self._scope.variables
        values = tuple([variables.get(name) for name in statement.names])
        suffix = "" if self._scope.labels.isdisjoint(statement.names) else self._scope.suffix
        first = statement.found[0].start
        return text, first, len(statement.found), values, suffix, self._target.name, self._target.mattr

    # Output

    def _write(self, text: bytes, pieces: tuple[MappedBytes, ...]) -> None:
        self._take(1)
        self.lines.append(text)
        self.origins.append(Origin("", self._current.number, pieces, self._steps))

    def _write_here(self, text: bytes) -> None:
        """Write a line that SP3 adds at the current statement."""
        first = self._current.found[0]
        self._write(text, (MappedBytes(0, len(text), self._current.number, first.start, first.end, False),))

    def _reader(self, found: Sequence[Token]) -> ValueReader:
        return ValueReader(found, self._scope.variables, self._functions, self._call, self._scope.depth)

    def _report(self, error: Wrong) -> None:
        """Note a mistake in the current statement; a name without a value only once, with what depends on it."""
        if isinstance(error, NoValue):
            if error.name in self._unknown:
                return
            self._unknown.add(error.name)
        first = self._current.found[0]
        start, end = (error.start, error.end) if error.end else (first.start, first.end)
        where = Location("", self._current.number, start, end)
        self.mistakes.setdefault(Mistake(error.rule or "syntax-error", where, error.message))


def _is_label(found: Sequence[Token]) -> bool:
    return len(found) > 1 and found[1].text == b":" and found[0].kind is TokenKind.NAME


def _blocks(code: list[_Line]) -> dict[int, list[int]]:
    """For each statement that opens, divides or ends a block the indices of all of these of the block, in order.

    A block without an `end` gets one after the text.
    """
    blocks: dict[int, list[int]] = {}
    open_ones: list[list[int]] = []
    for index, line in enumerate(code):
        if line.word in _OPENING:
            open_ones.append([])
        elif not open_ones or (
            line.word != b"end" and (line.word not in _ELSE or code[open_ones[-1][0]].word != b"if")
        ):
            continue
        blocks[index] = open_ones[-1]
        open_ones[-1].append(index)
        if line.word == b"end":
            open_ones.pop()
    for block in reversed(open_ones):
        block.append(len(code))
        blocks[len(code)] = block
        code.append(code[block[0]])
    return blocks


def _split(found: Sequence[Token], separator: bytes) -> list[list[Token]]:
    """The tokens between separators outside of brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        depth += (token.text in (b"(", b"[")) - (token.text in (b")", b"]"))
        if token.text == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _clauses(statement: _Line) -> list[list[Token]]:
    """The start, the condition and the step of a `for`. Raises Wrong."""
    found = [token for token in statement.found[1:] if token.text != b"var"]
    if found and found[0].text == b"(" and found[-1].text == b")":
        found = found[1:-1]
    parts = _split(found, b";")
    if len(parts) != 3 or not all(parts):
        raise Wrong(statement.found[0].start, statement.found[-1].end, "`for` takes a start, a condition and a step")
    return parts


@lru_cache(maxsize=1 << 13)
def _tokens(text: bytes, begin: int) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """The tokens of a line, and the names after the first; the same for each version of a file that has it."""
    found = tuple(tokens(text, 0, begin))
    while found and found[-1].text == b";":
        found = found[:-1]
    return found, tuple(dict.fromkeys(token.said for token in found[1:] if token.kind is TokenKind.NAME))


def _statements(lines: Sequence[bytes]) -> Iterator[_Line]:
    in_comment = False
    for number, text in enumerate(lines):
        begin = 0
        if in_comment:
            begin = text.find(b"*/") + 2
            if begin < 2:
                continue
        found, names = _tokens(text, begin)
        in_comment = comment_after(text[begin:], False)
        while _is_label(found):
            yield _Line(number, found[:2], ())
            found = found[2:]
        if found:
            yield _Line(number, found, names)
