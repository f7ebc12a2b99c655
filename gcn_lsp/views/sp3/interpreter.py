"""Interprets an SP3 file: its statements in order, each instruction a line as LLVM's assembler reads it.

Variables and conditions are evaluated, loops and functions are written out: each line knows the calls that lead to it.
"""

import contextlib
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong, comment_after, tokens
from gcn_lsp.views.map import MappedBytes, Mistake, Origin
from gcn_lsp.views.sp3.instructions import Written, translated
from gcn_lsp.views.sp3.values import Value, ValueReader

# Statements that describe the shader and make no code.
_SETTINGS = frozenset(("asic", "type", "wave_size", "user_sgpr_count", "vgpr_count", "sgpr_count", "lds_size"))
_OPENING = frozenset((b"if", b"for", b"while", b"function", b"shader"))
_ELSE = (b"else", b"elsif")
_COUNTING = (b"for", b"function")
_VERSIONS = {name: f"UC_VERSION_{name}" for name in ("GFX10", "GFX11", "GFX12")}
_DEPTH = 32  # of calls

# Instructions by their text, the values of the names in it, and the target: most are the same in each version.
_written: ByValue[Hashable, Written] = ByValue(8192)


class _Line(msgspec.Struct, frozen=True):
    """A statement: its tokens and its line. names: what its text after the first word names, if it is a whole line."""

    number: int
    found: tuple[Token, ...]
    names: tuple[str, ...] | None = None

    @property
    def word(self) -> bytes:
        return self.found[0].text


class _NestedStatements(msgspec.Struct, frozen=True):
    """Statements, and for each that opens a block the indices of its `else` and `elsif`, and last of its `end`."""

    lines: tuple[_Line, ...]
    blocks: dict[int, list[int]]

    @classmethod
    def of(cls, lines: Sequence[_Line]) -> "_NestedStatements":
        blocks: dict[int, list[int]] = {}
        open_ones: list[int] = []
        for index, line in enumerate(lines):
            if line.word in _OPENING:
                blocks[index] = []
                open_ones.append(index)
            elif line.word == b"end" and open_ones:
                blocks[open_ones.pop()].append(index)
            elif line.word in _ELSE and open_ones and lines[open_ones[-1]].word == b"if":
                blocks[open_ones[-1]].append(index)
        for index in open_ones:  # they have no `end`
            blocks[index].append(len(lines))
        return cls(tuple(lines), blocks)


class _Open(msgspec.Struct, frozen=True):
    """A block that is run. opening, end: the indices of its first and last statement. clauses: those of a `for`."""

    opening: int
    end: int
    line: _Line
    clauses: Sequence[Sequence[Token]]


class _Function(msgspec.Struct, frozen=True):
    parameters: tuple[str, ...]
    code: _NestedStatements
    labels: frozenset[str]


class _Returned(Exception):
    """A function ends with a value."""

    def __init__(self, value: Value) -> None:
        self.value = value


class _Stopped(Exception):
    """The rest is not interpreted; the mistake that says why is known."""


class _Scope:
    """The variables of a call, the name that its labels have, and how deep in calls and brackets it is."""

    def __init__(self, variables: dict[str, Value], labels: frozenset[str], suffix: str, depth: int) -> None:
        self.variables, self.labels, self.suffix, self.depth = variables, labels, suffix, depth


class Interpreter:
    """Interprets a text once. limit: of lines."""

    def __init__(self, source: SourceText, target: "isa.Target", limit: int) -> None:
        self.lines: list[bytes] = []
        self.origins: list[Origin] = []
        self.mistakes: dict[Mistake, None] = {}
        self._source = source
        self._target = target
        self._left = self._limit = limit
        self._functions: dict[str, _Function] = {}
        self._globals = self._scope = _Scope({}, frozenset(), "", 0)
        self._steps: tuple[tuple[Location, str], ...] = ()
        self._calls = 0
        self._version = ""  # that is still to be written
        self._line = 0

    def run(self) -> None:
        """Interpret the whole text."""
        code = _NestedStatements.of(tuple(_statements(self._source.lines)))
        with contextlib.suppress(_Stopped, _Returned):
            self._run(self._without_functions(code))

    # Blocks

    def _without_functions(self, code: _NestedStatements) -> _NestedStatements:
        """The statements outside of functions, which are read first: calls may precede them."""
        rest: list[_Line] = []
        index = 0
        while index < len(code.lines):
            statement = code.lines[index]
            index += 1
            if statement.word != b"function":
                rest.append(statement)
                continue
            end = code.blocks[index - 1][-1]
            if end == len(code.lines):
                self._at(statement, Wrong(0, 0, "`function` lacks an `end`", rule="unterminated-block"))
            body, index = code.lines[index:end], end + 1
            names = [token.said for token in statement.found[1:] if token.kind is TokenKind.NAME]
            if names:
                labels = frozenset(
                    line.found[0].said for line in body if line.found[1:2] and line.found[1].text == b":"
                )
                self._functions[names[0]] = _Function(tuple(names[1:]), _NestedStatements.of(body), labels)
            else:
                self._at(statement, Wrong(0, 0, "`function` takes a name", rule="malformed-directive"))
        return code if len(rest) == len(code.lines) else _NestedStatements.of(rest)

    def _run(self, code: _NestedStatements) -> None:
        lines = code.lines
        open_ones: list[_Open] = []
        index = 0
        while index < len(lines) or open_ones:
            last = open_ones[-1] if open_ones else None
            is_end = last is not None and index >= last.end
            statement = last.line if last is not None and is_end else lines[index]
            word = statement.word
            try:
                if last is not None and is_end:
                    index = self._ended(last, open_ones)
                    continue
                self._line = statement.number
                if word in _OPENING:
                    index = self._opened(code, index, open_ones)
                elif word in _ELSE and last is not None and last.line.word == b"if":
                    index = last.end
                else:
                    self._statement(statement)
                    index += 1
            except Wrong as error:
                self._at(statement, error)
                if last is not None and is_end:
                    open_ones.pop()
                    index = last.end
                elif word in _OPENING:
                    index = code.blocks[index][-1]
                index += 1

    def _opened(self, code: _NestedStatements, index: int, open_ones: list[_Open]) -> int:
        """Enter a block if its condition holds; the index of the next statement. Raises Wrong."""
        statement = code.lines[index]
        *others, end = code.blocks[index]
        if end == len(code.lines):
            self._at(statement, Wrong(0, 0, f"`{statement.found[0].said}` lacks an `end`", rule="unterminated-block"))
        if statement.word == b"if":
            for heading in (index, *others):
                self._line = code.lines[heading].number
                try:
                    applies = self._applies(code.lines[heading])
                except Wrong as error:
                    self._at(code.lines[heading], error)
                    break
                if applies:
                    open_ones.append(_Open(index, end, statement, ()))
                    return heading + 1
            return end + 1
        block = _Open(index, end, statement, _clauses(statement) if statement.word in _COUNTING else ())
        if statement.word == b"shader":
            self._begin_shader(code.lines[index + 1 : end])
        else:
            if block.clauses:
                self._assign(block.clauses[0])
            if not self._repeats(block):
                return end + 1
        open_ones.append(block)
        return index + 1

    def _ended(self, block: _Open, open_ones: list[_Open]) -> int:
        """Leave a block or repeat it; the index of the next statement. Raises Wrong."""
        if block.clauses:
            self._assign(block.clauses[2])
        if block.line.word not in (b"if", b"shader") and self._repeats(block):
            return block.opening + 1
        if block.line.word == b"shader":
            self._end_shader(block.line)
        open_ones.pop()
        return block.end + 1

    def _applies(self, heading: _Line) -> bool:
        """Whether the condition of an `if`, `elsif` or `else` holds. Raises Wrong."""
        condition = [token for token in heading.found[1:] if token.text not in (b"if", b"then")]
        if heading.word == b"else" and not condition:
            return True
        return self._reader(condition or heading.found).number() != 0

    def _repeats(self, block: _Open) -> bool:
        """Whether the condition of a loop holds. Raises Wrong."""
        condition = block.clauses[1] if block.clauses else block.line.found[1:] or block.line.found
        holds = self._reader(condition).number() != 0
        self._take(holds)
        return holds

    def _begin_shader(self, body: Sequence[_Line]) -> None:
        """Before the code SP3 adds from gfx10 its version, at the first statement that is not a branch."""
        sizes = [line.found[2].text for line in body if line.word == b"wave_size" and len(line.found) > 2]
        version = _VERSIONS.get(self._target.generation)
        size = 32 if sizes[-1:] == [b"32"] else 64
        self._version = f"s_version {version}|UC_VERSION_W{size}_BIT" if version else ""

    def _end_shader(self, statement: _Line) -> None:
        """After the code SP3 adds from gfx10 five ends for prefetch."""
        has_ends = self._target.generation in _VERSIONS
        for text in (*[b"s_code_end"] * (5 * has_ends), b".balign 8, 0"):
            self._write_at(text, statement)

    def _take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            self._stop(f"the program expands to more than {self._limit:,} lines; the rest is not interpreted")

    def _stop(self, message: str) -> None:
        """Report the current line and interpret no more."""
        text = self._source.lines[self._line]
        self._wrong(Wrong(len(text) - len(text.lstrip()), len(text.rstrip()), message, rule="expansion-limit"))
        raise _Stopped

    # Statements

    def _statement(self, statement: _Line) -> None:
        found = statement.found
        word = found[0].said
        if word == "end":
            raise Wrong(0, 0, "`end` ends nothing", rule="stray-block-end")
        if statement.word in _ELSE:
            raise Wrong(0, 0, f"`{word}` has no `if`", rule="stray-block-end")
        if word == "var":
            for part in _split(found[1:], b","):
                if len(part) == 1 and part[0].kind is TokenKind.NAME:
                    self._scope.variables[part[0].said] = 0
                else:
                    self._assign(part)
        elif word == "return":
            raise _Returned(self._reader(found[1:]).value() if found[1:] else 0)
        elif _is_label(found, 0):
            self._labelled(statement)
        elif _step(found) or (
            len(found) > 2 and found[0].kind is TokenKind.NAME and b"=" in (found[1].text, found[2].text)
        ):
            self._assign(found)
        elif word in self._functions:
            self._reader(found).whole()
        elif word not in _SETTINGS or len(found) < 2 or found[1].text != b"(":
            self._instruction(statement)

    def _labelled(self, statement: _Line) -> None:
        found, index = statement.found, 0
        while _is_label(found, index):
            first = found[index]
            name = self._label(first.said)
            piece = MappedBytes(0, len(name), statement.number, first.start, first.end, name == first.said)
            self._write(f"{name}:".encode(), (piece,), statement.number)
            index += 2
        if index < len(found):
            self._run(_NestedStatements.of((_Line(statement.number, found[index:]),)))

    def _assign(self, found: Sequence[Token]) -> None:
        """`x = 1`, `x++`, `++x`, `x += 2`. Raises Wrong."""
        names = [token for token in found if token.kind is TokenKind.NAME]
        if not names:
            where = found[0] if found else None
            raise Wrong(where.start if where else 0, where.end if where else 0, "a variable is missing here")
        step, is_name = _step(found), found[0].kind is TokenKind.NAME
        if step:
            self._set(names[0].said, self._reader(names[:1]).number() + step)
        elif is_name and len(found) > 2 and found[1].text == b"=":
            self._set(found[0].said, self._reader(found[2:]).whole())
        elif is_name and len(found) > 3 and found[2].text == b"=":
            self._set(found[0].said, self._reader((found[0], found[1], *found[3:])).whole())
        else:
            last = found[min(1, len(found) - 1)]
            raise Wrong(last.start, last.end, "a variable is set with `=`")

    def _set(self, name: str, value: Value) -> None:
        is_global = name in self._globals.variables and name not in self._scope.variables
        (self._globals if is_global else self._scope).variables[name] = value

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
        outer, steps, line = self._scope, self._steps, self._line
        here = Location("", self._line, token.start, token.end)
        self._scope = _Scope(variables, function.labels, f"_{self._calls}", depth)
        self._steps = (*steps, (here, f"called here: `{name}`"))
        try:
            self._run(function.code)
        except _Returned as returned:
            return returned.value
        finally:
            self._scope, self._steps, self._line = outer, steps, line
        return 0

    # Instructions

    def _instruction(self, statement: _Line) -> None:
        first = statement.found[0]
        if first.kind is not TokenKind.NAME:
            raise Wrong(first.start, first.end, f"no statement starts with `{first.said}`")
        if self._version and first.text != b"s_branch":
            version, self._version = self._version.encode(), ""
            self._write_at(version, statement)
        text = self._source.lines[statement.number]
        key = self._key(statement, text)
        known = _written.get(key) if key is not None else None
        if known is None:
            known = translated(self._reader(statement.found), text, statement.number, self._target, self._label)
            if key is not None:
                _written.keep(key, known)
        self._write(known.text, known.on_line(statement.number), statement.number)

    def _key(self, statement: _Line, text: bytes) -> Hashable:
        """What an instruction depends on; None if it does more than to name something."""
        if statement.names is None or not self._functions.keys().isdisjoint(statement.names):
            return None
        variables = self._scope.variables
        values = tuple([variables.get(name) for name in statement.names])
        suffix = "" if self._scope.labels.isdisjoint(statement.names) else self._scope.suffix
        first = statement.found[0].start
        return text, first, len(statement.found), values, suffix, self._target.name, self._target.mattr

    # Output

    def _write(self, text: bytes, pieces: tuple[MappedBytes, ...], line: int) -> None:
        self._take(1)
        self.lines.append(text)
        self.origins.append(Origin("", line, pieces, self._steps))

    def _write_at(self, text: bytes, statement: _Line) -> None:
        """Write a line that SP3 adds at a statement."""
        first = statement.found[0]
        piece = MappedBytes(0, len(text), statement.number, first.start, first.end, False)
        self._write(text, (piece,), statement.number)

    def _reader(self, found: Sequence[Token]) -> ValueReader:
        return ValueReader(found, self._scope.variables, self._functions, self._call, self._scope.depth)

    def _at(self, statement: _Line, error: Wrong) -> None:
        if error.end == 0:
            error.start, error.end = statement.found[0].start, statement.found[0].end
        self._line = statement.number
        self._wrong(error)

    def _wrong(self, error: Wrong) -> None:
        where = Location("", self._line, error.start, error.end)
        self.mistakes.setdefault(Mistake(error.rule or "syntax-error", where, error.message))


def _is_label(found: Sequence[Token], index: int) -> bool:
    return len(found) > index + 1 and found[index + 1].text == b":" and found[index].kind is TokenKind.NAME


def _step(found: Sequence[Token]) -> int:
    """What `x++`, `++x`, `x--` or `--x` adds; 0 for any other statement."""
    texts = [token.text for token in found[:4]]
    if len(texts) != 3:
        return 0
    return 1 if texts.count(b"+") == 2 else -1 if texts.count(b"-") == 2 else 0


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
        if found:
            yield _Line(number, found, names)
