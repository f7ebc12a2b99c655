"""The text of assembly that a statement stands for on one target, with registers and numbers in place of its operands.

The compiler chooses registers, and only the build knows some widths and numbers. What is not known is chosen so that
the instructions take it, if anything fits; so the assembler rejects only what no choice makes right.
"""

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import product

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.match import TargetContext
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.syntax import lines as syntax_lines
from gcn_lsp.syntax.statement import Kind
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline import constraints, template
from gcn_lsp.views.inline.constraints import Constraint
from gcn_lsp.views.inline.statement import Operand, Span, Statement
from gcn_lsp.views.inline.template import Part, Template

GOTO_LABEL = ".Lasm_goto_"

_WIDTHS = (1, 2, 4, 3, 8, 16, 5, 6, 7, 9, 10, 11, 12, 32)
_VALUES = (0, 1, 2, 4, 16, 64, 255)
_DUAL, _MOST_SHIFTED = b"::", 8  # between the halves of a dual instruction; operands for which numbers are tried
_HALF, _HALF_BITS = 0, 16  # the width that stands for half of a register
_TRIES = 64  # choices for one instruction
_EXPLICIT = re.compile(rb"(?<![\w%])([vsa])(?:(\d{1,4})\b|\[\s*(\d{1,4})\s*(?::\s*(\d{1,4})\s*)?\])")
_OPENING = re.compile(rb"(?<![\w.])([vsa])\[\s*$")
_LIMITS = {"v": 256, "s": 100, "a": 256}
_NUMBERED_FROM = 64  # where registers begin whose numbers are constants that only the build knows
_NUMBERED_STEP = 32


class Register(msgspec.Struct, frozen=True):
    """Consecutive registers of a file. half: the low half of one."""

    file: str
    first: int
    count: int
    half: bool = False

    @property
    def text(self) -> str:
        """As the assembler reads it."""
        if self.file not in ("v", "s", "a", "ttmp"):
            return self.file
        if self.half:
            return f"{self.file}{self.first}.l"
        return (
            f"{self.file}{self.first}"
            if self.count == 1
            else f"{self.file}[{self.first}:{self.first + self.count - 1}]"
        )


class Segment(msgspec.Struct, frozen=True, gc=False):
    """Text that stands for bytes of the template: one for one, or all for all (`%0`). number: of the operand."""

    start: int
    end: int
    from_: int
    to: int
    exact: bool
    number: int = -1


class Document(msgspec.Struct, frozen=True, dict=True):
    """A statement as assembly for one target.

    text: its bytes. segments: its map. registers: of the operands by number; those of constants have none. chosen:
    numbers of the operands of which a width or a value was chosen. numbered: registers that constants number.
    unknown: references to operands that are not there.
    """

    statement: Statement
    template: Template
    target: str
    mattr: str
    text: bytes
    segments: tuple[Segment, ...]
    registers: tuple["Register | None", ...]
    chosen: frozenset[int]
    numbered: tuple[Register, ...]
    unknown: tuple[Part, ...]
    accepted: bool

    @cached_property
    def program(self) -> Program:
        """The program of the text. Its places are those of the text, in a file without a name."""
        return build(SourceText.from_bytes("", self.text), Options(self.target, self.mattr))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer(rb"\r\n|\n|\r", self.text))]

    def _offset(self, line: int, column: int) -> int:
        return self._line_starts[min(line, len(self._line_starts) - 1)] + column

    def span(self, where: Location) -> Span:
        """The place in the source for a place in the text."""
        start = self._offset(where.line, where.start)
        end = self._offset(where.line, where.end)
        return self.template.span(self._origin(start, is_end=False), self._origin(end, is_end=True))

    def _origin(self, offset: int, *, is_end: bool) -> int:
        for segment in self.segments:
            if segment.start <= offset < segment.end or (is_end and segment.start < offset == segment.end):
                if segment.exact:
                    return segment.from_ + offset - segment.start
                return segment.to if is_end else segment.from_
        return len(self.template.text)

    def runs(self, line: int) -> Iterator[tuple[int, int, bool]]:
        """The columns of each run of a line whose bytes are written one for one, in one place, or are not."""
        starts = self._line_starts
        first = starts[line]
        last = starts[line + 1] - 1 if line + 1 < len(starts) else len(self.text)
        for segment in self.segments:
            start, end = max(segment.start, first), min(segment.end, last)
            if start >= end:
                continue
            if not segment.exact:
                yield start - first, end - first, False
                continue
            for piece_start, piece_end, exact in self.template.runs(
                segment.from_ + start - segment.start, segment.from_ + end - segment.start
            ):
                shift = segment.start - segment.from_ - first
                yield piece_start + shift, piece_end + shift, exact

    def is_plain(self, where: Location) -> bool:
        """Whether the source can be edited at a place of the text."""
        start, end = self._offset(where.line, where.start), self._offset(where.line, where.end)
        return self.template.is_plain(self._origin(start, is_end=False), self._origin(end, is_end=end > start))

    def is_escaped(self, where: Location) -> bool:
        """Whether a line end is written as `\\n` at a place of the text."""
        offset = self._origin(self._offset(where.line, where.start), is_end=False)
        return self.template.is_escaped(offset)

    def place(self, line: int, column: int) -> "tuple[int, int] | None":
        """The line and the column of the text at a place of the source; None outside of the template."""
        offset = self.template.offset(line, column)
        if offset is None:
            return None
        for segment in self.segments:
            if segment.from_ <= offset < segment.to or (offset == segment.to == len(self.template.text)):
                found = segment.start + (offset - segment.from_ if segment.exact else 0)
                found = min(found, segment.end)
                break
        else:
            found = len(self.text)
        number = sum(start <= found for start in self._line_starts) - 1
        return number, found - self._line_starts[number]

    def operand_at(self, line: int, column: int) -> "int | None":
        """The number of the operand to which the template refers at a place of the source."""
        offset = self.template.offset(line, column)
        if offset is not None:
            for part in self.template.parts:
                if part.number != -1 and part.start <= offset <= part.end:
                    return part.number
        return None

    def in_source(self, text: str) -> str:
        """A message with operands as the source writes them in place of the registers that were chosen."""
        for number, register in enumerate(self.registers):
            if register is not None and constraints.read(self.statement.operands[number].constraint).fixed is None:
                pattern = rf"(?<![\w\[]){re.escape(register.text)}(?![\w\]])"
                text = re.sub(pattern, lambda _, number=number: self.name(number), text)  # type: ignore[misc]
        return text

    def name(self, number: int) -> str:
        """An operand as the template refers to it, `%0` or `%[name]`."""
        operand = self.statement.operands[number]
        if self.statement.dialect == "llvm":
            return f"${number}"
        return f"%[{operand.name}]" if operand.name else f"%{number}"

    def described(self, number: int) -> str:
        """An operand with its C expression, for messages."""
        expression = self.statement.operands[number].expression
        shown = f" ({expression})" if 0 < len(expression) <= 40 else ""
        return f"`{self.name(number)}`{shown}"


_known: ByValue[Hashable, Document] = ByValue(4096)


def of(statement: Statement, target: str, mattr: str = "") -> Document:
    """The text of a statement for a target. Statements that differ only in their places share its program."""
    operands = tuple(
        (each.constraint, each.name, each.width, each.value, each.symbol, each.offset) for each in statement.operands
    )
    clobbers = tuple(clobber.name for clobber in statement.clobbers)
    key = (statement.dialect, statement.template, operands, clobbers, statement.labels, target, mattr)
    known = _known.get(key)
    if known is None:
        return _known.keep(key, _Maker(statement, target, mattr).document())
    if known.statement == statement:
        return known
    moved = msgspec.structs.replace(known, statement=statement, template=template.of(statement))
    moved.__dict__["program"] = known.program
    return moved


class _Group(msgspec.Struct, frozen=True):
    """A register that constants number: `v[%0:%1]`. last: the part of its end, the same as first for a single one."""

    file: str
    first: Part
    last: Part


class _Maker:
    """Chooses what is not known, line by line."""

    def __init__(self, statement: Statement, target: str, mattr: str) -> None:
        self.statement = statement
        self.template = template.of(statement)
        self.target = target
        self.mattr = mattr
        self.isa = isa.load_target(target, mattr)
        self.context: TargetContext = assembler.context_of(self.isa)
        self.read = tuple(self._constraint(number) for number in range(len(statement.operands)))
        self.widths: dict[int, int] = {}
        self.files: dict[int, str] = {}
        self.values: dict[str, int] = {}
        self.taken: dict[str, int] = {"v": 2, "s": 4, "a": 0}
        self.numbered_at = dict.fromkeys("vsa", _NUMBERED_FROM)
        self.registers: dict[int, Register] = {}
        self.chosen: set[int] = set()
        self.groups: list[Register] = []
        self.explicit = _explicit(self.template.text, statement)

    def _constraint(self, number: int) -> Constraint:
        return constraints.read(self.statement.operands[number].constraint)

    def tied(self, number: int) -> int:
        """The operand whose register an operand has: its own, or the one that its constraint names."""
        tied = self.read[number].tied
        for _ in range(2):
            if not tied:
                return number
            found = _named(self.statement.operands, tied)
            if found is None or found == number:
                return number
            number, tied = found, self.read[found].tied
        return number

    def document(self) -> Document:
        settled = [self._settle(line) for line in self._lines()]
        text, segments = self._written(self.template.parts)
        registers = tuple(self._register(number) for number in range(len(self.statement.operands)))
        unknown = tuple(part for part in self.template.parts if part.number is None)
        return Document(
            self.statement, self.template, self.target, self.mattr, text, segments, registers, frozenset(self.chosen),
            tuple(self.groups), unknown, all(settled) and not unknown,
        )  # fmt: skip

    def _lines(self) -> Iterator[tuple[Part, ...]]:
        """The parts of each line."""
        line: list[Part] = []
        for part in self.template.parts:
            if part.number != -1 or b"\n" not in part.text:
                line.append(part)
                continue
            at = part.start
            for text in part.text.split(b"\n")[:-1]:
                line.append(Part(at, at + len(text), text))
                yield tuple(line)
                line = []
                at += len(text) + 1
            rest = part.text[at - part.start :]
            if rest:
                line.append(Part(at, part.end, rest))
        yield tuple(line)

    # Choosing

    def _settle(self, line: tuple[Part, ...]) -> bool:
        """Choose what a line has that is not known yet; whether the assembler takes the line."""
        if all(part.number == -1 for part in line):
            return self._is_taken(line)
        groups = tuple(self._groups(line))
        in_groups = {part.number for group in groups for part in (group.first, group.last)}
        open_: list[int] = []
        numbers = []
        for part in line:
            number = part.number
            if number is None or number < 0 or number in in_groups or number >= len(self.read):
                continue
            number = self.tied(number)
            read = self.read[number]
            operand = self.statement.operands[number]
            if read.is_immediate:
                if operand.symbol and operand.symbol not in self.values and operand.symbol not in numbers:
                    numbers.append(operand.symbol)
                    self.chosen.add(number)
            elif read.fixed is None and number not in self.registers and number not in open_:
                open_.append(number)
        choices = self._choices(line, open_, groups, numbers)
        first: tuple[dict[int, int], dict[int, str], dict[str, int]] | None = None
        saved = self._state()
        for tried, (widths, files, values, counts) in enumerate(choices):
            self._restore(saved)
            self._choose(open_, widths, files, values, groups, counts)
            if self._is_taken(line):
                self.chosen.update(number for number in open_ if not self.statement.operands[number].width)
                return True
            if first is None:
                first = widths, files, values
                kept = self._state()
            if tried >= _TRIES:
                break
        if first is not None and self._takes_others(line, open_, saved, first):
            return True
        if first is not None:
            self._restore(kept)
        self.chosen.update(number for number in open_ if not self.statement.operands[number].width)
        return False

    def _takes_others(
        self,
        line: tuple[Part, ...],
        open_: Sequence[int],
        saved: tuple[object, ...],
        choice: tuple[dict[int, int], dict[int, str], dict[str, int]],
    ) -> bool:
        """Whether a dual instruction, which restricts the numbers of its registers, takes others than the next ones."""
        if not any(_DUAL in part.text for part in line) or len(open_) > _MOST_SHIFTED:
            return False
        for shifts in product((0, 1), repeat=len(open_)):
            self._restore(saved)
            for number, shift in zip(open_, shifts, strict=True):
                self.taken[choice[1][number]] += shift
                self._choose((number,), *choice, (), {})
            if self._is_taken(line):
                return True
        return False

    def _state(self) -> tuple[object, ...]:
        return (
            dict(self.registers), dict(self.values), dict(self.taken), dict(self.numbered_at), list(self.groups),
        )  # fmt: skip

    def _restore(self, state: tuple[object, ...]) -> None:
        registers, values, taken, numbered_at, groups = state
        self.registers, self.values = dict(registers), dict(values)  # type: ignore[call-overload]
        self.taken, self.numbered_at = dict(taken), dict(numbered_at)  # type: ignore[call-overload]
        self.groups = list(groups)  # type: ignore[call-overload]

    def _choices(
        self, line: tuple[Part, ...], open_: Sequence[int], groups: Sequence[_Group], numbers: Sequence[str]
    ) -> Iterator[tuple[dict[int, int], dict[int, str], dict[str, int], dict[int, int]]]:
        """Widths, files, values and counts of numbered registers to try, the likeliest first."""
        zero = dict.fromkeys(numbers, 0)
        others = numbers if self._has_forms(line) else ()
        for values in [zero, *(dict.fromkeys(numbers, value) for value in _VALUES[1:] if others)]:
            for widths, counts in self._by_forms(line, open_, groups):
                for files in self._file_choices(open_):
                    yield widths, files, values, counts
        if not self._has_forms(line):
            return  # no choice makes it an instruction
        unknown = [number for number in open_ if not self._width(number)]
        known = {number: self._width(number) for number in open_ if self._width(number)}
        if len(unknown) <= 2 and (unknown or groups):
            group_counts = _WIDTHS if groups else (1,)
            for count in group_counts:
                for combination in product(_WIDTHS, repeat=len(unknown)):
                    for files in self._file_choices(open_):
                        widths = {**known, **dict(zip(unknown, combination, strict=True))}
                        yield widths, files, zero, dict.fromkeys(range(len(groups)), count)

    def _has_forms(self, line: tuple[Part, ...]) -> bool:
        """Whether the target has the mnemonic of a line."""
        word = self._places(line, ())[2]
        return bool(word) and bool(self.context.candidates(word).matchers)

    def _width(self, number: int) -> int:
        """The known width of an operand, or of one tied to it."""
        operand = self.statement.operands[number]
        if operand.width:
            return operand.width
        return next(
            (
                other.width
                for at, other in enumerate(self.statement.operands)
                if other.width and self.tied(at) == number
            ),
            0,
        )

    def _file_choices(self, open_: Sequence[int]) -> Iterator[dict[int, str]]:
        for files in product(*(self.read[number].files or ("v",) for number in open_)):
            yield dict(zip(open_, files, strict=True))

    def _by_forms(
        self, line: tuple[Part, ...], open_: Sequence[int], groups: Sequence[_Group]
    ) -> Iterator[tuple[dict[int, int], dict[int, int]]]:
        """The widths of the slots in which operands are, by each form of the line's mnemonic."""
        known = {number: self._width(number) or 1 for number in open_}
        places, group_places, word = self._places(line, groups)
        seen = set()
        for matcher in self.context.candidates(word).matchers if word else ():
            found = dict(known)
            counts = dict.fromkeys(range(len(groups)), 1)
            steps = [step for step in matcher.steps if step.slot.role != "modifier"]
            for place, step in enumerate(steps):
                bits = step.rule.registers.bits if step.rule.registers is not None else 0
                width = max(1, (bits + 31) // 32) if bits != _HALF_BITS else _HALF
                number = places.get(place)
                if number in found and not self._width(number):
                    found[number] = width
                if place in group_places:
                    counts[group_places[place]] = max(1, width)
            key = (tuple(found.items()), tuple(counts.items()))
            if key not in seen:
                seen.add(key)
                yield found, counts
        if not seen:
            yield known, dict.fromkeys(range(len(groups)), 1)

    def _places(self, line: tuple[Part, ...], groups: Sequence[_Group]) -> tuple[dict[int, int], dict[int, int], str]:
        """The operands and the numbered registers by their position in the operand list, and the mnemonic."""
        text = b"".join(b"\x01%d\x02" % (part.number or 0) if part.number != -1 else part.text for part in line)
        text = text.partition(b";")[0].partition(b"//")[0]
        head = re.match(rb"\s*(?:[\w.$]+:\s*)*(\w+)\s*", text)
        if head is None:
            return {}, {}, ""
        depth, place = 0, 0
        places: dict[int, int] = {}
        group_places: dict[int, int] = {}
        firsts = {group.first.number: at for at, group in enumerate(groups)}
        for token in re.finditer(rb"\x01(\d+)\x02|[\[\](),]", text[head.end() :]):
            mark = token[0]
            if mark in (b"[", b"("):
                depth += 1
            elif mark in (b"]", b")"):
                depth -= 1
            elif mark == b",":
                place += depth == 0
            else:
                number = int(token[1])
                if depth == 0 and place not in places and number < len(self.read):
                    places[place] = self.tied(number)
                elif depth > 0 and number in firsts and place not in group_places:
                    group_places[place] = firsts[number]
        return places, group_places, head[1].decode("latin-1").lower()

    def _groups(self, line: tuple[Part, ...]) -> Iterator[_Group]:
        """The registers of a line that constants number."""
        for at, part in enumerate(line):
            number = part.number
            if (
                number is None
                or number < 0
                or number >= len(self.read)
                or not self.read[number].is_immediate
                or at == 0
            ):
                continue
            opening = _OPENING.search(line[at - 1].text)
            if opening is None:
                continue
            last = part
            if at + 2 < len(line) and line[at + 1].text.strip() == b":" and isinstance(line[at + 2].number, int):
                last = line[at + 2]
            yield _Group(opening[1].decode(), part, last)

    def _choose(
        self, open_: Sequence[int], widths: dict[int, int], files: dict[int, str], values: dict[str, int],
        groups: Sequence[_Group], counts: dict[int, int],
    ) -> None:  # fmt: skip
        self.values.update(values)
        for number in open_:
            chosen = self._allocate(files[number], max(1, widths[number]))
            if widths[number] == _HALF and chosen.file == "v":
                chosen = msgspec.structs.replace(chosen, half=True)
            self.registers[number] = chosen
        for at, group in enumerate(groups):
            self._number(group, counts.get(at, 1))

    def _number(self, group: _Group, count: int) -> None:
        first, last = self.statement.operands[group.first.number or 0], self.statement.operands[group.last.number or 0]
        if first.symbol and first.symbol not in self.values:
            start = self.numbered_at[group.file]
            if last is not first and last.symbol == first.symbol:
                count = last.offset - first.offset + 1
            elif last.symbol and last.symbol in self.values:
                start = self.values[last.symbol] + last.offset - count + 1
            elif not last.symbol and last is not first:
                start = (last.value or 0) - count + 1
            self.values[first.symbol] = start - first.offset
            self.chosen.update(part.number for part in (group.first, group.last) if part.number is not None)
            following = start + _NUMBERED_STEP
            limit = _LIMITS[group.file]
            self.numbered_at[group.file] = following if following + _NUMBERED_STEP <= limit else _NUMBERED_STEP // 2
        start = self._value(first)
        if last is not first and last.symbol and last.symbol not in self.values:
            self.values[last.symbol] = start + count - 1 - last.offset
            self.chosen.update(part.number for part in (group.first, group.last) if part.number is not None)
        stop = self._value(last)
        if 0 <= start <= stop < 1024:
            self.groups.append(Register(group.file, start, stop - start + 1))

    def _allocate(self, file: str, count: int) -> Register:
        """Free registers; scalar ones aligned as the compiler aligns them."""
        alignment = (2 if count > 1 else 1) if file != "s" else min(4, 1 << (count - 1).bit_length())
        at = self.taken[file]
        limit = _LIMITS[file]
        for _ in range(4 * limit):
            at = -(-at // alignment) * alignment
            if at + count > limit:
                at = 0
                if count > limit:
                    break
            if not self.explicit.get(file, frozenset()).intersection(range(at, at + count)):
                break
            at += 1
        self.taken[file] = at + count
        return Register(file, at, count)

    def _value(self, operand: Operand) -> int:
        if operand.value is not None:
            return operand.value
        return self.values.get(operand.symbol, 0) + operand.offset

    def _register(self, number: int) -> "Register | None":
        read = self.read[number]
        if read.fixed is not None:
            return Register(*read.fixed)
        if read.is_immediate:
            return None
        source = self.tied(number)
        if self.read[source].fixed is not None:
            return Register(*self.read[source].fixed)  # type: ignore[misc]
        if source not in self.registers:
            files = self.read[source].files or ("v",)
            self.registers[source] = self._allocate(files[0], self._width(source) or 1)
        return self.registers[source]

    # Writing

    def _is_taken(self, line: tuple[Part, ...]) -> bool:
        """Whether the assembler takes a line with what is chosen so far."""
        if any(part.number is None for part in line):
            return False
        text, _ = self._written(line)
        for statement in syntax_lines.parse_line(text).statements:
            if (
                statement.kind is Kind.COMMAND
                and not statement.word.startswith(".")
                and not assembler.accepts(self.context, statement, {})
            ):
                return False
        return True

    def _written(self, parts: Sequence[Part]) -> tuple[bytes, tuple[Segment, ...]]:
        written: list[bytes] = []
        segments = []
        at = 0
        for part in parts:
            text = part.text if part.number == -1 else self._text(part)
            exact = part.number == -1 and len(text) == part.end - part.start
            number = -1 if part.number is None else part.number
            segments.append(Segment(at, at + len(text), part.start, part.end, exact, number))
            written.append(text)
            at += len(text)
        return b"".join(written), tuple(segments)

    def _text(self, part: Part) -> bytes:
        number = part.number
        if number is None:
            return b"asm_no_such_operand"
        if number >= len(self.read):
            return f"{GOTO_LABEL}{number - len(self.read)}".encode()
        register = self._register(number)
        if register is not None:
            return register.text.encode()
        value = self._value(self.statement.operands[number])
        return str(-value if part.modifier == "n" else value).encode()


def _named(operands: tuple[Operand, ...], name: str) -> "int | None":
    """The number of an operand by number or name."""
    if name.isdigit():
        return int(name) if int(name) < len(operands) else None
    return next((number for number, operand in enumerate(operands) if operand.name == name), None)


def _explicit(text: bytes, statement: Statement) -> dict[str, frozenset[int]]:
    """The registers that the template or the clobbers name, by file."""
    found: dict[str, set[int]] = {}
    for file, single, first, last in _EXPLICIT.findall(text):
        start = int(single or first)
        stop = min(int(last or start), start + 64)
        found.setdefault(file.decode(), set()).update(range(start, stop + 1))
    named = [constraints.register(clobber.name) for clobber in statement.clobbers]
    named += [constraints.read(operand.constraint).fixed for operand in statement.operands]
    for register in named:
        if register is not None:
            found.setdefault(register[0], set()).update(range(register[1], register[1] + min(register[2], 64)))
    return {file: frozenset(numbers) for file, numbers in found.items()}
