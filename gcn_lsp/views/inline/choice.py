"""Chooses registers and numbers for the operands of a statement, so that its instructions take them if anything fits.

The compiler chooses registers, and only the build knows some widths and numbers. A choice never changes: for each line
a generator gives choices that follow from the one before, the likeliest first, and the first that the assembler takes
is kept; where it takes none, the first of all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, product

import immutables
import msgspec

from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.match import TargetContext
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import lines as syntax_lines
from gcn_lsp.syntax.statement import StatementKind
from gcn_lsp.views.inline import constraints
from gcn_lsp.views.inline.constraints import Constraint
from gcn_lsp.views.inline.statement import Statement, StatementOperand
from gcn_lsp.views.inline.template import Template, TemplatePart

GOTO_LABEL = ".Lasm_goto_"

_WIDTHS = (1, 2, 4, 3, 8, 16, 5, 6, 7, 9, 10, 11, 12, 32)
_VALUES = (1, 2, 4, 16, 64, 255)  # tried for constants after 0
_DUAL, _MOST_SHIFTED = b"::", 8  # between the halves of a dual instruction; operands for which numbers are tried
_HALF, _HALF_BITS = 0, 16  # the width that stands for half of a register
_TRIES = 65  # choices for one instruction
_EXPLICIT = regex(rb"(?<![\w%])([vsa])(?:(\d{1,4})\b|\[\s*(\d{1,4})\s*(?::\s*(\d{1,4})\s*)?\])")
_OPENING = regex(rb"(?<![\w.])([vsa])\[\s*$")
_HEAD = regex(rb"\s*(?:[\w.$]+:\s*)*(\w+)\s*")
_MARK = regex(rb"\x01(\d+)\x02|[\[\](),]")  # an operand's number between marks of ours, or what nests or divides
_LIMITS = {"v": 256, "s": 100, "a": 256}
_FIRST = immutables.Map({"v": 2, "s": 4, "a": 0})  # the registers below often have inputs of the kernel
_NUMBERED = immutables.Map(dict.fromkeys("vsa", 64))  # where registers begin that constants of the build number
_NUMBERED_STEP = 32

Line = tuple[TemplatePart, ...]


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


class ChosenOperands(msgspec.Struct, frozen=True):
    """What is chosen so far.

    registers: by number of the operand. values: of constants by name. free: by file, where the search for free
    registers begins. following: the same for registers that constants number, which are in `numbered`. chosen: numbers
    of the operands of which a width or a value was chosen.
    """

    registers: "immutables.Map[int, Register]" = immutables.Map()
    values: "immutables.Map[str, int]" = immutables.Map()
    free: "immutables.Map[str, int]" = _FIRST
    following: "immutables.Map[str, int]" = _NUMBERED
    numbered: tuple[Register, ...] = ()
    chosen: frozenset[int] = frozenset()

    def value(self, operand: StatementOperand) -> int:
        """The value of a constant."""
        if operand.value is not None:
            return operand.value
        return self.values.get(operand.symbol, 0) + operand.offset


class _Group(msgspec.Struct, frozen=True):
    """A register that constants number: `v[%0:%1]`. last: the operand of its end, the same for a single register."""

    file: str
    first: int
    last: int


class _Open(msgspec.Struct, frozen=True):
    """What is not known on a line: operands that need registers, constants by name, registers that constants number."""

    operands: tuple[int, ...]
    symbols: tuple[str, ...]
    groups: tuple[_Group, ...]
    chosen: frozenset[int]


class _Guess(msgspec.Struct, frozen=True):
    """Widths and files by operand, the value of all constants, the count of registers by group."""

    widths: Mapping[int, int]
    files: Mapping[int, str]
    value: int
    counts: Mapping[int, int]


class _Uses(msgspec.Struct, frozen=True):
    """The mnemonic of a line, and what is at each place of its operand list: operands, and indices of groups."""

    word: str
    operands: Mapping[int, int]
    groups: Mapping[int, int]


class Search(msgspec.Struct, frozen=True, dict=True):
    """The choices for a statement on the target of `context`."""

    statement: Statement
    template: Template
    context: TargetContext

    @cached_property
    def _read(self) -> tuple[Constraint, ...]:
        return tuple(constraints.read(operand.constraint) for operand in self.statement.operands)

    @cached_property
    def _explicit(self) -> Mapping[str, frozenset[int]]:
        return _explicit(self.template.text, self.statement)

    def best(self) -> tuple[ChosenOperands, bool]:
        """The choice for all operands, and whether the assembler takes all lines with it."""
        choice, accepted = ChosenOperands(), True
        for line in self.template.lines():
            choice, is_taken = self._settled(choice, line)
            accepted = accepted and is_taken
        every = (*(part.number for part in self.template.parts), *range(len(self._read)))
        return self._with_registers(choice, every), accepted

    def register(self, choice: ChosenOperands, number: int) -> Register | None:
        """The register of an operand; None for a constant."""
        read, source = self._read[number], self._tied(number)
        if read.fixed is None and read.is_immediate:
            return None
        fixed = read.fixed or self._read[source].fixed
        return choice.registers[source] if fixed is None else Register(*fixed)

    def text(self, choice: ChosenOperands, part: TemplatePart) -> bytes:
        """The text in place of a part of the template."""
        number = part.number
        if number == -1:
            return part.text
        if number is None:
            return b"asm_no_such_operand"
        if number >= len(self._read):
            return f"{GOTO_LABEL}{number - len(self._read)}".encode()
        register = self.register(choice, number)
        if register is not None:
            return register.text.encode()
        value = choice.value(self.statement.operands[number])
        return str(-value if part.modifier == "n" else value).encode()

    # The search

    def _settled(self, before: ChosenOperands, line: Line) -> tuple[ChosenOperands, bool]:
        """The choice after a line, and whether the assembler takes the line."""
        if all(part.number == -1 for part in line):
            return before, self._is_taken(before, line)
        found = self._choices(before, line)
        first = next(found)
        taken = (choice for choice in chain((first,), found) if self._is_taken(choice, line))
        choice = next(taken, None)
        return (first, False) if choice is None else (choice, True)

    def _choices(self, before: ChosenOperands, line: Line) -> Iterator[ChosenOperands]:
        """Choices after a line, the likeliest first."""
        left = self._open(before, line)
        guesses = self._guesses(line, left)
        first = next(guesses)
        for guess in islice(chain((first,), guesses), _TRIES):
            yield self._chosen(before, line, left, guess, ())
        # A dual instruction restricts the numbers of its registers: perhaps it takes others than the next ones.
        if any(_DUAL in part.text for part in line) and len(left.operands) <= _MOST_SHIFTED:
            for shifts in product((0, 1), repeat=len(left.operands)):
                yield self._chosen(before, line, left, first, shifts)

    def _open(self, before: ChosenOperands, line: Line) -> _Open:
        """What a line has that is not known yet."""
        groups = tuple(self._groups(line))
        in_groups = {number for group in groups for number in (group.first, group.last)}
        operands: dict[int, None] = {}
        symbols: dict[str, None] = {}
        chosen: set[int] = set()
        for part in line:
            if not self._is_operand(part.number) or part.number in in_groups:
                continue
            number = self._tied(part.number or 0)
            read, operand = self._read[number], self.statement.operands[number]
            if read.is_immediate:
                if operand.symbol and operand.symbol not in before.values and operand.symbol not in symbols:
                    symbols[operand.symbol] = None
                    chosen.add(number)
            elif read.fixed is None and number not in before.registers:
                operands[number] = None
                if not operand.width:
                    chosen.add(number)
        return _Open(tuple(operands), tuple(symbols), groups, frozenset(chosen))

    def _is_operand(self, number: int | None) -> bool:
        return number is not None and 0 <= number < len(self._read)

    def _groups(self, line: Line) -> Iterator[_Group]:
        """The registers of a line that constants number."""
        for at, part in enumerate(line):
            number = part.number
            if number is None or not self._is_operand(number) or not self._read[number].is_immediate or at == 0:
                continue
            opening = _OPENING.search(line[at - 1].text)
            if opening is None:
                continue
            last = number
            if at + 2 < len(line) and line[at + 1].text.strip() == b":" and isinstance(line[at + 2].number, int):
                last = line[at + 2].number or 0
            yield _Group(opening[1].decode(), number, last)

    def _guesses(self, line: Line, left: _Open) -> Iterator[_Guess]:
        """What to try for a line: the widths of the slots of its mnemonic's forms, then others."""
        uses = self._uses(line, left.groups)
        has_forms = bool(uses.word) and bool(self.context.candidates(uses.word).matchers)
        by_forms = tuple(self._by_forms(uses, left))
        for value in (0, *(_VALUES if has_forms and left.symbols else ())):
            for widths, counts in by_forms:
                for files in self._files(left):
                    yield _Guess(widths, files, value, counts)
        if not has_forms:
            return  # no choice makes it an instruction
        known = {number: width for number in left.operands if (width := self._width(number))}
        unknown = [number for number in left.operands if number not in known]
        if len(unknown) > 2 or not (unknown or left.groups):
            return
        for count in _WIDTHS if left.groups else (1,):
            for combination in product(_WIDTHS, repeat=len(unknown)):
                for files in self._files(left):
                    widths = {**known, **dict(zip(unknown, combination, strict=True))}
                    yield _Guess(widths, files, 0, dict.fromkeys(range(len(left.groups)), count))

    def _files(self, left: _Open) -> Iterator[Mapping[int, str]]:
        for files in product(*(self._read[number].files or ("v",) for number in left.operands)):
            yield dict(zip(left.operands, files, strict=True))

    def _by_forms(self, uses: _Uses, left: _Open) -> Iterator[tuple[Mapping[int, int], Mapping[int, int]]]:
        """The widths of operands and the counts of groups by each form of a mnemonic, each combination once."""
        known = {number: self._width(number) or 1 for number in left.operands}
        ones = dict.fromkeys(range(len(left.groups)), 1)
        seen = set()
        for matcher in self.context.candidates(uses.word).matchers if uses.word else ():
            widths, counts = dict(known), dict(ones)
            for place, step in enumerate(step for step in matcher.steps if step.slot.role != "modifier"):
                bits = step.rule.registers.bits if step.rule.registers is not None else 0
                width = max(1, (bits + 31) // 32) if bits != _HALF_BITS else _HALF
                number = uses.operands.get(place)
                if number in widths and not self._width(number):
                    widths[number] = width
                if place in uses.groups:
                    counts[uses.groups[place]] = max(1, width)
            key = (tuple(widths.items()), tuple(counts.items()))
            if key not in seen:
                seen.add(key)
                yield widths, counts
        if not seen:
            yield known, ones

    def _uses(self, line: Line, groups: Sequence[_Group]) -> _Uses:
        """The mnemonic of a line, and what its operand list has at which place."""
        text = b"".join(b"\x01%d\x02" % (part.number or 0) if part.number != -1 else part.text for part in line)
        text = text.partition(b";")[0].partition(b"//")[0]
        head = _HEAD.match(text)
        if head is None:
            return _Uses("", {}, {})
        depth = place = 0
        operands: dict[int, int] = {}
        in_groups: dict[int, int] = {}
        firsts = {group.first: at for at, group in enumerate(groups)}
        for token in _MARK.finditer(text, head.end()):
            mark = token[0]
            if mark in (b"[", b"("):
                depth += 1
            elif mark in (b"]", b")"):
                depth -= 1
            elif mark == b",":
                place += depth == 0
            else:
                number = int(token[1])
                if depth == 0 and place not in operands and number < len(self._read):
                    operands[place] = self._tied(number)
                elif depth > 0 and number in firsts and place not in in_groups:
                    in_groups[place] = firsts[number]
        return _Uses(head[1].decode("latin-1").lower(), operands, in_groups)

    def _is_taken(self, choice: ChosenOperands, line: Line) -> bool:
        """Whether the assembler takes a line."""
        if any(part.number is None for part in line):
            return False
        text = b"".join(self.text(choice, part) for part in line)
        return all(
            statement.kind is not StatementKind.COMMAND
            or statement.word.startswith(".")
            or assembler.accepts(self.context, statement, {})
            for statement in syntax_lines.parse_line(text).statements
        )

    # Choices that follow from others

    def _chosen(
        self, before: ChosenOperands, line: Line, left: _Open, guess: _Guess, shifts: Sequence[int]
    ) -> ChosenOperands:
        """The choice that a guess makes of the one before. shifts: registers to leave out before each operand's."""
        values = before.values.update(dict.fromkeys(left.symbols, guess.value))
        choice = msgspec.structs.replace(before, values=values, chosen=before.chosen | left.chosen)
        for at, number in enumerate(left.operands):
            file = guess.files[number]
            if shifts:
                free = choice.free.set(file, choice.free[file] + shifts[at])
                choice = msgspec.structs.replace(choice, free=free)
            choice = self._allocated(choice, number, file, guess.widths[number])
        for at, group in enumerate(left.groups):
            choice = self._numbered(choice, group, guess.counts.get(at, 1))
        return self._with_registers(choice, (part.number for part in line))

    def _numbered(self, choice: ChosenOperands, group: _Group, count: int) -> ChosenOperands:
        """The choice with values for the constants that number registers."""
        first, last = self.statement.operands[group.first], self.statement.operands[group.last]
        is_pair = last is not first
        if first.symbol and first.symbol not in choice.values:
            start = choice.following[group.file]
            if is_pair and last.symbol == first.symbol:
                count = last.offset - first.offset + 1
            elif last.symbol and last.symbol in choice.values:
                start = choice.values[last.symbol] + last.offset - count + 1
            elif not last.symbol and is_pair:
                start = (last.value or 0) - count + 1
            after = start + _NUMBERED_STEP
            after = after if after + _NUMBERED_STEP <= _LIMITS[group.file] else _NUMBERED_STEP // 2
            choice = _with_value(choice, group, first, start, choice.following.set(group.file, after))
        start = choice.value(first)
        if is_pair and last.symbol and last.symbol not in choice.values:
            choice = _with_value(choice, group, last, start + count - 1, choice.following)
        stop = choice.value(last)
        if not 0 <= start <= stop < 1024:
            return choice
        return msgspec.structs.replace(
            choice, numbered=(*choice.numbered, Register(group.file, start, stop - start + 1))
        )

    def _allocated(self, choice: ChosenOperands, number: int, file: str, width: int) -> ChosenOperands:
        """The choice with free registers for an operand; scalar ones are aligned as the compiler aligns them."""
        count = max(1, width)
        alignment = (2 if count > 1 else 1) if file != "s" else min(4, 1 << (count - 1).bit_length())
        at, limit = choice.free[file], _LIMITS[file]
        for _ in range(4 * limit):
            at = -(-at // alignment) * alignment
            if at + count > limit:
                at = 0
                if count > limit:
                    break
            if not self._explicit.get(file, frozenset()).intersection(range(at, at + count)):
                break
            at += 1
        register = Register(file, at, count, half=width == _HALF and file == "v")
        return msgspec.structs.replace(
            choice, registers=choice.registers.set(number, register), free=choice.free.set(file, at + count)
        )

    def _with_registers(self, choice: ChosenOperands, numbers: Iterable[int | None]) -> ChosenOperands:
        """The choice with a register for each of some operands that needs one."""
        for number in numbers:
            if number is None or not self._is_operand(number) or self._read[number].is_immediate:
                continue
            source = self._tied(number)
            if source in choice.registers or self._read[number].fixed or self._read[source].fixed:
                continue
            file = (self._read[source].files or ("v",))[0]
            choice = self._allocated(choice, source, file, self._width(source) or 1)
        return choice

    # Operands

    def _tied(self, number: int) -> int:
        """The operand whose register an operand has: its own, or the one that its constraint names."""
        tied = self._read[number].tied
        for _ in range(2):
            if not tied:
                return number
            found = _named(self.statement.operands, tied)
            if found is None or found == number:
                return number
            number, tied = found, self._read[found].tied
        return number

    def _width(self, number: int) -> int:
        """The known width of an operand, or of one tied to it; 0 if it is not known."""
        operands = self.statement.operands
        tied = (each.width for at, each in enumerate(operands) if each.width and self._tied(at) == number)
        return operands[number].width or next(tied, 0)


def _with_value(
    choice: ChosenOperands, group: _Group, operand: StatementOperand, number: int, following: "immutables.Map[str, int]"
) -> ChosenOperands:
    """The choice with the value of a constant that makes it number a register."""
    return msgspec.structs.replace(
        choice,
        values=choice.values.set(operand.symbol, number - operand.offset),
        following=following,
        chosen=choice.chosen | {group.first, group.last},
    )


def _named(operands: tuple[StatementOperand, ...], name: str) -> int | None:
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
