"""The view of an SP3 file: its statements interpreted in order, each instruction a line as LLVM's assembler reads it.

Variables and conditions are evaluated, loops and functions are written out: each line knows the calls that lead to it.
"""

import contextlib
import re
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.modifiers import cache_policy
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.map import Block, Derived, Mistake, Origin, Piece, Translated
from gcn_lsp.views.preprocessed.tokens import Kind, Token, comment_after, tokens
from gcn_lsp.views.sp3.values import Name, Reader, Registers, Value, Wrong

_SHADER = re.compile(rb"^[ \t]*shader[ \t]+\w+")
_SETTING = re.compile(rb"^[ \t]*(?:asic|type|wave_size)[ \t]*\(")
# What describes the shader and makes no code.
_SETTINGS = frozenset(("asic", "type", "wave_size", "user_sgpr_count", "vgpr_count", "sgpr_count", "lds_size"))
_OPENING = frozenset((b"if", b"for", b"while", b"function", b"shader"))
# Modifiers that SP3 gives a value and LLVM does not, or calls differently.
_FLAGS = frozenset(
    ("glc", "slc", "dlc", "lds", "tfe", "offen", "idxen", "nv", "gds", "r128", "da", "unorm", "lwe", "clamp")
)
_RENAMED = {"inst_offset": "offset"}
_POLICY_BITS = {row.name: row.bit for row in cache_policy.EARLY_ROWS}
_BUFFER, _ADDRESSING = "MUBUF", frozenset(("offen", "idxen"))
_VERSIONS = {name: f"UC_VERSION_{name}" for name in ("GFX10", "GFX11", "GFX12")}
_DEPTH = 32  # of calls


def is_sp3(lines: Sequence[bytes]) -> bool:
    """Whether a file is SP3: it has a shader with its settings."""
    return any(_SHADER.match(line) for line in lines) and any(_SETTING.match(line) for line in lines)


class _Line(msgspec.Struct, frozen=True):
    """A statement: its tokens and its line. names: what its text after the first word names, if it is a whole line."""

    number: int
    found: tuple[Token, ...]
    names: tuple[str, ...] | None = None

    @property
    def word(self) -> bytes:
        return self.found[0].text


class _Written(msgspec.Struct, frozen=True):
    """An instruction as LLVM's assembler reads it, with what it stands for on line `number` of the source."""

    text: bytes
    pieces: tuple[Piece, ...]
    number: int

    def on_line(self, number: int) -> tuple[Piece, ...]:
        """The pieces of the same text on another line."""
        if number == self.number:
            return self.pieces
        return tuple(msgspec.structs.replace(piece, line=number) for piece in self.pieces)


# Instructions by their text, the values of the names in it, and the target: most are the same in each version.
_written: ByValue[Hashable, _Written] = ByValue(8192)


class _Function(msgspec.Struct, frozen=True):
    name: str
    parameters: tuple[str, ...]
    body: tuple[_Line, ...]
    labels: frozenset[str]


class _Returned(Exception):
    """A function ends with a value."""

    def __init__(self, value: Value) -> None:
        self.value = value


class _Stopped(Exception):
    """The rest is not interpreted; the mistake that says why is known."""


class _Scope:
    """The variables of a call, and the name that its labels have."""

    def __init__(self, variables: dict[str, Value], labels: frozenset[str], suffix: str) -> None:
        self.variables, self.labels, self.suffix = variables, labels, suffix


def of(behind: Derived, target: "isa.Target", limit: int) -> Translated:
    """The view of an SP3 text behind the preprocessor. limit: of lines."""
    source, original = behind.source, behind.original
    made = _Interpreter(source, target, limit)
    made.run()
    places = [behind.origin(line) for line in range(len(source.lines))]
    origins = tuple(_composed(origin, behind, places) for origin in made.origins)
    mistakes = (
        *(msgspec.structs.replace(each, where=_relative(each.where, original.path)) for each in behind.mistakes),
        *(msgspec.structs.replace(each, where=_moved(each.where, behind)) for each in made.mistakes),
    )
    block = Block(len(original.lines), tuple(made.lines) or (b"",), origins or (Origin("", 0, ()),), mistakes)
    return Translated(original, (block,), behind)


def _composed(origin: Origin, behind: Derived, places: Sequence[Origin]) -> Origin:
    """The origin in the original of a line with an origin in the preprocessed text. places: of that text's lines."""
    pieces: list[Piece] = []
    path, line = "", 0
    for piece in origin.pieces or ():
        kept = places[piece.line]
        if kept.pieces is None and not kept.steps and kept.path == behind.original.path:
            # The preprocessor leaves the line as it is.
            pieces.append(piece if piece.line == kept.line else msgspec.structs.replace(piece, line=kept.line))
            if len(pieces) == 1:
                line = kept.line
            continue
        place = Location(behind.source.path, piece.line, piece.source_start, piece.source_end)
        there = _relative(behind.to_original(place), behind.original.path)
        if not pieces:
            path, line = there.path, there.line
        same = piece.copied and behind.is_copied(place)
        pieces.append(Piece(piece.start, piece.end, there.line, there.start, there.end, same))
    return Origin(path, line, tuple(pieces), tuple((_moved(at, behind), said) for at, said in origin.steps))


def _moved(where: Location, behind: Derived) -> Location:
    """A place of the preprocessed text, whose path is empty, in the original."""
    there = behind.to_original(msgspec.structs.replace(where, path=behind.source.path))
    return _relative(there, behind.original.path)


def _relative(where: Location, original: str) -> Location:
    return msgspec.structs.replace(where, path="") if where.path == original else where


class _Interpreter:
    def __init__(self, source: SourceText, target: "isa.Target", limit: int) -> None:
        self.lines: list[bytes] = []
        self.origins: list[Origin] = []
        self.mistakes: list[Mistake] = []
        self._source = source
        self._target = target
        self._left = limit
        self._limit = limit
        self._functions: dict[str, _Function] = {}
        self._globals = _Scope({}, frozenset(), "")
        self._scope = self._globals
        self._steps: tuple[tuple[Location, str], ...] = ()
        self._calls = 0
        self._version = ""  # that is still to be written
        self._line = 0
        self._widths: dict[tuple[str, int], tuple[tuple[int, ...], bool]] = {}

    def run(self) -> None:
        """Interpret the whole text."""
        statements = tuple(_statements(self._source.lines))
        rest = self._without_functions(statements)
        with contextlib.suppress(_Stopped, _Returned):
            self._block(rest)

    # Blocks

    def _without_functions(self, statements: Sequence[_Line]) -> tuple[_Line, ...]:
        """The statements outside of functions, which are read first: calls may precede them."""
        rest: list[_Line] = []
        index = 0
        while index < len(statements):
            statement = statements[index]
            if statement.word != b"function":
                rest.append(statement)
                index += 1
                continue
            end = _end_of(statements, index)
            if end is None:
                self._at(statement, Wrong(0, 0, "`function` lacks an `end`", "unterminated-block"))
                end = len(statements)
            self._define(statement, statements[index + 1 : end])
            index = end + 1
        return tuple(rest)

    def _define(self, statement: _Line, body: Sequence[_Line]) -> None:
        names = [token.text.decode() for token in statement.found[1:] if token.kind is Kind.NAME]
        if not names:
            self._at(statement, Wrong(0, 0, "`function` takes a name", "malformed-directive"))
            return
        labels = frozenset(line.word.decode() for line in body if len(line.found) > 1 and line.found[1].text == b":")
        self._functions[names[0]] = _Function(names[0], tuple(names[1:]), tuple(body), labels)

    def _block(self, statements: Sequence[_Line]) -> None:
        index = 0
        while index < len(statements):
            statement = statements[index]
            self._line = statement.number
            if statement.word in _OPENING:
                index = self._opened(statements, index) + 1
                continue
            if statement.word == b"end":
                self._at(statement, Wrong(0, 0, "`end` ends nothing", "stray-block-end"))
            elif statement.word in (b"else", b"elsif"):
                self._at(statement, Wrong(0, 0, f"`{statement.word.decode()}` has no `if`", "stray-block-end"))
            else:
                try:
                    self._statement(statement)
                except Wrong as error:
                    self._at(statement, error)
            index += 1

    def _opened(self, statements: Sequence[_Line], index: int) -> int:
        """Run what a block has; the index of its end."""
        statement = statements[index]
        end = _end_of(statements, index)
        if end is None:
            word = statement.word.decode()
            self._at(statement, Wrong(0, 0, f"`{word}` lacks an `end`", "unterminated-block"))
            end = len(statements)
        body = statements[index + 1 : end]
        try:
            if statement.word == b"shader":
                self._shader(statement, body)
            elif statement.word == b"if":
                self._if(statement, body)
            elif statement.word == b"while":
                self._while(statement, body)
            else:
                self._for(statement, body)
        except Wrong as error:
            self._at(statement, error)
        return end

    def _shader(self, statement: _Line, body: Sequence[_Line]) -> None:
        """The code, with what SP3 adds from gfx10: its version before all but branches, and five ends for prefetch."""
        version = _VERSIONS.get(self._target.generation)
        self._version = f"s_version {version}|UC_VERSION_W{self._wave_size(body)}_BIT" if version else ""
        self._block(body)
        if version:
            for _ in range(5):
                self._write(b"s_code_end", _of_word(b"s_code_end", statement), statement.number)
        self._write(b".balign 8, 0", _of_word(b".balign 8, 0", statement), statement.number)

    def _wave_size(self, body: Sequence[_Line]) -> int:
        sizes = [line.found[2].text for line in body if line.word == b"wave_size" and len(line.found) > 2]
        return 32 if sizes[-1:] == [b"32"] else 64

    def _if(self, statement: _Line, body: Sequence[_Line]) -> None:
        arms: list[tuple[_Line, list[_Line]]] = [(statement, [])]
        depth = 0
        for line in body:
            if depth == 0 and line.word in (b"else", b"elsif"):
                arms.append((line, []))
                continue
            depth += line.word in _OPENING
            depth -= line.word == b"end"
            arms[-1][1].append(line)
        for heading, lines in arms:
            condition = [token for token in heading.found[1:] if token.text not in (b"if", b"then")]
            if (heading.word == b"else" and not condition) or self._reader(condition or heading.found).number():
                self._block(lines)
                return

    def _while(self, statement: _Line, body: Sequence[_Line]) -> None:
        while self._reader(statement.found[1:] or statement.found).number():
            self._take(1)
            self._block(body)

    def _for(self, statement: _Line, body: Sequence[_Line]) -> None:
        found = [token for token in statement.found[1:] if token.text != b"var"]
        if found and found[0].text == b"(" and found[-1].text == b")":
            found = [token for token in found[1:-1] if token.text != b"var"]
        parts: list[list[Token]] = [[]]
        for token in found:
            if token.text == b";":
                parts.append([])
            else:
                parts[-1].append(token)
        if len(parts) != 3 or not all(parts):
            raise Wrong(
                statement.found[0].start, statement.found[-1].end, "`for` takes a start, a condition and a step"
            )
        self._assign(parts[0])
        while self._reader(parts[1]).number():
            self._take(1)
            self._block(body)
            self._assign(parts[2])

    def _take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            self._stop(f"the program expands to more than {self._limit:,} lines; the rest is not interpreted")

    def _stop(self, message: str) -> None:
        """Report the current line and interpret no more."""
        text = self._source.lines[self._line]
        self._wrong(Wrong(len(text) - len(text.lstrip()), len(text.rstrip()), message, "expansion-limit"))
        raise _Stopped

    # Statements

    def _statement(self, statement: _Line) -> None:
        found = statement.found
        word = statement.word.decode("utf-8", "replace")
        if word == "var":
            self._variables(found[1:])
        elif word == "return":
            reader = self._reader(found[1:])
            raise _Returned(reader.expression() if found[1:] else 0)
        elif len(found) > 1 and found[1].text == b":" and found[0].kind is Kind.NAME:
            self._label(statement)
            if len(found) > 2:
                self._block((_Line(statement.number, found[2:]),))
        elif _sets(found):
            self._assign(found)
        elif word in self._functions:
            reader = self._reader(found)
            reader.expression()
            if reader.at < len(found):
                reader.unexpected("the end of the statement")
        elif word in _SETTINGS and len(found) > 1 and found[1].text == b"(":
            pass
        else:
            self._instruction(statement)

    def _variables(self, found: Sequence[Token]) -> None:
        """`var a = 1, b`."""
        parts: list[list[Token]] = [[]]
        depth = 0
        for token in found:
            depth += (token.text in (b"(", b"[")) - (token.text in (b")", b"]"))
            if token.text == b"," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        for part in parts:
            if len(part) == 1 and part[0].kind is Kind.NAME:
                self._scope.variables[part[0].text.decode()] = 0
            else:
                self._assign(part)

    def _assign(self, found: Sequence[Token]) -> None:
        """`x = 1`, `x++`, `++x`, `x += 2`."""
        names = [token for token in found if token.kind is Kind.NAME]
        if not found or not names:
            where = found[0] if found else None
            raise Wrong(where.start if where else 0, where.end if where else 0, "a variable is missing here")
        texts = [token.text for token in found]
        if (texts.count(b"+") == 2 and len(found) == 3) or (texts.count(b"-") == 2 and len(found) == 3):
            name = names[0].text.decode()
            self._set(name, self._reader(names[:1]).number() + (1 if b"+" in texts else -1))
            return
        name = found[0].text.decode("utf-8", "replace")
        if found[0].kind is Kind.NAME and len(found) > 2 and found[1].text == b"=":
            self._set(name, self._whole(found[2:]))
        elif found[0].kind is Kind.NAME and len(found) > 3 and found[2].text == b"=":
            self._set(name, self._whole((found[0], found[1], *found[3:])))
        else:
            last = found[min(1, len(found) - 1)]
            raise Wrong(last.start, last.end, "a variable is set with `=`")

    def _set(self, name: str, value: Value) -> None:
        known = name in self._globals.variables and name not in self._scope.variables
        (self._globals if known and self._scope is not self._globals else self._scope).variables[name] = value

    def _whole(self, found: Sequence[Token]) -> Value:
        reader = self._reader(found)
        value = reader.expression()
        if reader.at < len(found):
            reader.unexpected("the end of the statement")
        if isinstance(value, Name) and value.text in (token.text.decode() for token in found[:1]):
            return value
        return value

    def _label(self, statement: _Line) -> None:
        token = statement.found[0]
        name = self._label_name(token.text.decode("utf-8", "replace"))
        piece = Piece(0, len(name), statement.number, token.start, token.end, name.encode() == token.text)
        self._write(f"{name}:".encode(), (piece,), statement.number)

    def _label_name(self, name: str) -> str:
        """Its name in the program: one in a function has as many as there are calls."""
        return name + self._scope.suffix if name in self._scope.labels else name

    def _call(self, name: str, values: list[Value], token: Token) -> Value:
        function = self._functions[name]
        if len(values) != len(function.parameters):
            wanted = len(function.parameters)
            plural = "" if wanted == 1 else "s"
            message = f"`{name}` takes {wanted} argument{plural}, not {len(values)}"
            raise Wrong(token.start, token.end, message, "macro-arguments")
        if len(self._steps) >= _DEPTH:
            self._stop(f"calls nest more than {_DEPTH} deep; the rest is not interpreted")
        self._take(1)
        self._calls += 1
        variables = {**self._globals.variables, **dict(zip(function.parameters, values, strict=True))}
        outer, steps, line = self._scope, self._steps, self._line
        here = Location("", self._line, token.start, token.end)
        self._scope = _Scope(variables, function.labels, f"_{self._calls}")
        self._steps = (*steps, (here, f"called here: `{name}`"))
        try:
            self._block(function.body)
        except _Returned as returned:
            return returned.value
        finally:
            self._scope, self._steps, self._line = outer, steps, line
        return 0

    # Instructions

    def _instruction(self, statement: _Line) -> None:
        found = statement.found
        mnemonic = found[0].text.decode("utf-8", "replace")
        if found[0].kind is not Kind.NAME:
            raise Wrong(found[0].start, found[0].end, f"no statement starts with `{mnemonic}`")
        if self._version and mnemonic != "s_branch":
            version, self._version = self._version.encode(), ""
            self._write(version, _of_word(version, statement), statement.number)
        key = self._key(statement)
        known = _written.get(key) if key is not None else None
        if known is None:
            known = self._translated(statement, mnemonic)
            if key is not None:
                _written.keep(key, known)
        self._write(known.text, known.on_line(statement.number), statement.number)

    def _key(self, statement: _Line) -> Hashable:
        """What an instruction depends on; None if it does more than to name something."""
        if statement.names is None or not self._functions.keys().isdisjoint(statement.names):
            return None
        variables = self._scope.variables
        values = tuple([variables.get(name) for name in statement.names])
        suffix = "" if self._scope.labels.isdisjoint(statement.names) else self._scope.suffix
        first = statement.found[0].start
        text = self._source.lines[statement.number]
        return text, first, len(statement.found), values, suffix, self._target.name, self._target.mattr

    def _translated(self, statement: _Line, mnemonic: str) -> _Written:
        found = statement.found
        operands, modifiers = self._operands(found)
        names = {name for name, _, _ in modifiers}
        if self._family(mnemonic) == _BUFFER and len(operands) == 4 and isinstance(operands[1][0], Registers):
            if not names & _ADDRESSING:  # the address register is in the encoding and not used
                operands[1] = (Name("off"), operands[1][1], operands[1][2])
            if "lds" in names:
                operands = operands[1:]
        widths = self._operand_widths(mnemonic, len(operands))
        text = bytearray(found[0].text)
        pieces = [Piece(0, len(text), statement.number, found[0].start, found[0].end, True)]
        for number, (value, start, end) in enumerate(operands):
            text += b", " if number else b" "
            written = _text(value)
            if isinstance(value, Registers) and number < len(widths):
                written = value.widened(widths[number]).text
            self._append(text, pieces, written, statement.number, start, end)
        for name, start, end in sorted(modifiers, key=_order):
            text += b" "
            self._append(text, pieces, self._policy(mnemonic, name), statement.number, start, end)
        return _Written(bytes(text), tuple(pieces), statement.number)

    def _append(self, text: bytearray, pieces: list[Piece], new: str, line: int, start: int, end: int) -> None:
        encoded = new.encode()
        copied = self._source.lines[line][start:end] == encoded
        pieces.append(Piece(len(text), len(text) + len(encoded), line, start, end, copied))
        text += encoded

    def _operands(self, found: Sequence[Token]) -> tuple[list[tuple[Value, int, int]], list[tuple[str, int, int]]]:
        """The operands with their columns, and the modifiers as LLVM writes them."""
        operands: list[tuple[Value, int, int]] = []
        modifiers: list[tuple[str, int, int]] = []
        reader = self._reader(found)
        reader.at = 1
        while reader.at < len(found):
            first = found[reader.at]
            if reader.at + 1 < len(found) and found[reader.at + 1].text == b":" and first.kind is Kind.NAME:
                reader.at += 2
                value = reader.expression(8)
                modifiers += _modifier(first.text.decode(), value, first.start, found[reader.at - 1].end)
            elif operands and found[reader.at - 1].text != b"," and first.kind is Kind.NAME:
                reader.at += 1
                modifiers.append((first.text.decode(), first.start, first.end))
            else:
                value = reader.expression()
                end = found[reader.at - 1].end
                if isinstance(value, Name) and value.text in self._scope.labels:
                    value = Name(self._label_name(value.text))
                operands.append((value, first.start, end))
            if reader.take(b",") and reader.at == len(found):
                reader.unexpected()
        return operands, modifiers

    def _family(self, mnemonic: str) -> str:
        forms = self._target.forms(mnemonic)
        return forms[0].family if forms else ""

    def _policy(self, mnemonic: str, name: str) -> str:
        """A flag of the cache policy by the target's name for its bit."""
        bit = _POLICY_BITS.get(name)
        if bit is None:
            return name
        known = cache_policy.flags(self._target.features, self._family(mnemonic) in ("SMEM", "SMRD"))
        return name if name in known else next((other for other, its in known.items() if its == bit), name)

    def _operand_widths(self, mnemonic: str, count: int) -> tuple[int, ...]:
        """The registers that each operand takes, by the first form with that number of operands."""
        for form in self._target.forms(mnemonic):
            slots = [slot for slot in form.slots if slot.role == "operand" or slot.text == "off"]
            if len(slots) == count:
                kinds = [slot.kind.registers if slot.kind is not None else None for slot in slots]
                return tuple(max(kind.bits // 32, 1) if kind is not None else 1 for kind in kinds)
        return ()

    # Output

    def _write(self, text: bytes, pieces: tuple[Piece, ...], line: int) -> None:
        self._take(1)
        self.lines.append(text)
        self.origins.append(Origin("", line, pieces, self._steps))

    def _reader(self, found: Sequence[Token]) -> Reader:
        return Reader(found, self._scope.variables, self._functions, self._call)

    def _at(self, statement: _Line, error: Wrong) -> None:
        if error.end == 0:
            error.start, error.end = statement.found[0].start, statement.found[0].end
        self._line = statement.number
        self._wrong(error)

    def _wrong(self, error: Wrong) -> None:
        mistake = Mistake(error.rule, Location("", self._line, error.start, error.end), error.message)
        if mistake not in self.mistakes:
            self.mistakes.append(mistake)


def _of_word(text: bytes, statement: _Line) -> tuple[Piece, ...]:
    """The pieces of a line that SP3 adds at a statement."""
    first = statement.found[0]
    return (Piece(0, len(text), statement.number, first.start, first.end, False),)


def _sets(found: Sequence[Token]) -> bool:
    """Whether a statement sets a variable: `x = 1`, `x += 1`, `x++`, `--x`."""
    texts = [token.text for token in found[:3]]
    is_set = len(found) > 2 and found[0].kind is Kind.NAME and b"=" in texts[1:]
    return is_set or (len(found) == 3 and (texts.count(b"+") == 2 or texts.count(b"-") == 2))


def _modifier(name: str, value: Value, start: int, end: int) -> list[tuple[str, int, int]]:
    """`glc:1` as `glc`, and nothing for `glc:0`."""
    name = _RENAMED.get(name, name)
    if name in _FLAGS and isinstance(value, int):
        return [(name, start, end)] if value else []
    return [(f"{name}:{_text(value)}", start, end)]


def _order(modifier: tuple[str, int, int]) -> int:
    """LLVM takes what belongs to the address before the rest."""
    name = modifier[0].partition(":")[0]
    return 0 if name in _ADDRESSING else 1 if name.startswith("offset") else 2


def _text(value: Value) -> str:
    if isinstance(value, int):
        return str(value) if -64 <= value < 1024 else f"{value:#x}"
    return value.text


@lru_cache(maxsize=1 << 13)
def _tokens(text: bytes, begin: int) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """The tokens of a line, and the names after the first; the same for each version of a file that has it."""
    found = tuple(tokens(text, 0, begin))
    names = dict.fromkeys(token.text.decode("utf-8", "replace") for token in found[1:] if token.kind is Kind.NAME)
    return found, tuple(names)


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


def _end_of(statements: Sequence[_Line], index: int) -> int | None:
    """The index of the `end` of a block."""
    depth = 0
    for number in range(index, len(statements)):
        depth += statements[number].word in _OPENING
        if statements[number].word == b"end":
            depth -= 1
            if depth == 0:
                return number
    return None
