"""Lines with one mistake as people make them: an accepted line of some form, changed in one place.

And where the reference assembler's caret and our finding stand: in the same operand or not.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from tests.instruction import generator
from tests.instruction.support import assemble

_REGISTER = re.compile(r"\b(v|s|a|ttmp)(\d+)\b(?!\])")
_TUPLE = re.compile(r"\b(v|s|a|ttmp)\[(\d+):(\d+)\]")
_NUMBER = re.compile(r"(?<![\w.\[:])-?(?:0x[0-9a-f]+|\d+\.\d+|\d+)\b(?![:\]])")
_VALUE = re.compile(r"(?<=:)-?\d+\b(?!\])")
# Comments, and a broken octal number after an unknown keyword, at which LLVM loops for ever.
_LEFT_OUT = re.compile(r"//|/\*|;|#|:0[0-9]*[89]")
_FILES = ("v", "s", "a", "ttmp")
_KEYWORDS = (
    "glc", "slc", "dlc", "scc", "sc0", "sc1", "nt", "clamp", "mul:2", "offset:16", "offen", "idxen", "gds", "lds",
    "row_mirror", "quad_perm:[0,1,2,3]", "op_sel:[1,0]", "op_sel_hi:[0,1]", "neg_lo:[1,0]", "dst_sel:WORD_1", "unorm",
    "dmask:0x3", "dim:SQ_RSRC_IMG_2D", "cbsz:1", "blgp:2", "abid:1", "row_mask:0x3", "bound_ctrl:1", "fi:1", "nv",
    "th:TH_LOAD_NT", "scope:SCOPE_SE", "high", "done", "a16", "d16", "r128", "offset0:4", "offset1:5",
    "scale_offset", "tfe",
)  # fmt: skip
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_,[]:|-()."
_SUFFIXES = ("_e32", "_e64", "_sdwa", "_dpp", "_e64_dpp", "")

Change = Callable[[str, random.Random, isa.Target], str]


class Mutant(NamedTuple):
    """A changed line, and the byte columns of what is not as it was; empty where something is gone."""

    line: str
    start: int
    end: int


def mutants(
    target: isa.Target, cpu: str, mnemonics: Iterable[str], count: int, chooser: random.Random
) -> Iterator[Mutant]:
    """`count` changed lines of each mnemonic, from lines that are accepted."""
    for mnemonic in mnemonics:
        matchers = assembler.context_of(target).candidates(mnemonic).matchers
        if not matchers:
            continue
        for _ in range(count):
            form = generator.FormLines(target, chooser.choice(matchers), chooser.randrange(1000))
            line = next(form.varied(1)) if chooser.random() < 0.3 else form.line(form.base)
            if not assemble(line, cpu).code:
                line = form.line(form.base)
            yield _mutant(line, mutated(line, chooser, target))


def _mutant(before: str, after: str) -> Mutant:
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    behind = next(
        (index for index in range(shorter - start) if before[-1 - index] != after[-1 - index]), shorter - start
    )
    return Mutant(after, start, len(after) - behind)


def mutated(line: str, chooser: random.Random, target: isa.Target) -> str:
    """The line with one change; another change where one has nothing to change or leaves no instruction."""
    while True:
        found = chooser.choice(_CHANGES)(line, chooser, target)
        is_label = re.match(r"\w+\s*[:=]", found)
        if found != line and re.match(r"[a-z]\w*( |$)", found) and not is_label and not _LEFT_OUT.search(found):
            return found


def _operands(line: str) -> tuple[str, list[str]]:
    word, _, rest = line.partition(" ")
    return word, rest.split(", ")


def _joined(word: str, parts: list[str]) -> str:
    return f"{word} {', '.join(parts)}".strip()


def _drop(line: str, chooser: random.Random, target: isa.Target) -> str:
    word, parts = _operands(line)
    parts.pop(chooser.randrange(len(parts)))
    return _joined(word, parts)


def _repeat(line: str, chooser: random.Random, target: isa.Target) -> str:
    word, parts = _operands(line)
    parts.insert(chooser.randrange(len(parts) + 1), chooser.choice(parts))
    return _joined(word, parts)


def _exchange(line: str, chooser: random.Random, target: isa.Target) -> str:
    word, parts = _operands(line)
    one, two = chooser.randrange(len(parts)), chooser.randrange(len(parts))
    parts[one], parts[two] = parts[two], parts[one]
    return _joined(word, parts)


def _junk(line: str, chooser: random.Random, target: isa.Target) -> str:
    word, parts = _operands(line)
    values = (*generator.JUNK, *generator.INTEGERS, *generator.FLOATS, *generator.WRAPPED, *sorted(target.registers))
    parts[chooser.randrange(len(parts))] = chooser.choice(values)
    return _joined(word, parts)


def _one_match(pattern: re.Pattern[str], line: str, chooser: random.Random) -> "re.Match[str] | None":
    found = list(pattern.finditer(line))
    return chooser.choice(found) if found else None


def _replaced(line: str, match: "re.Match[str]", text: str) -> str:
    return line[: match.start()] + text + line[match.end() :]


def _file(line: str, chooser: random.Random, target: isa.Target) -> str:
    match = _one_match(chooser.choice((_REGISTER, _TUPLE)), line, chooser)
    if match is None:
        return line
    return _replaced(line, match, chooser.choice(_FILES) + match[0][len(match[1]) :])


def _width(line: str, chooser: random.Random, target: isa.Target) -> str:
    match = _one_match(_TUPLE, line, chooser)
    if match is None:
        match = _one_match(_REGISTER, line, chooser)
        return line if match is None else _replaced(line, match, f"{match[1]}[{match[2]}:{int(match[2]) + 1}]")
    return _replaced(line, match, f"{match[1]}[{match[2]}:{int(match[3]) + chooser.choice((-1, 1, 2, 4))}]")


def _shift(line: str, chooser: random.Random, target: isa.Target) -> str:
    match = _one_match(_TUPLE, line, chooser)
    if match is None:
        return line
    by = chooser.choice((1, 2, 3, 97, 200))
    return _replaced(line, match, f"{match[1]}[{int(match[2]) + by}:{int(match[3]) + by}]")


def _beyond(line: str, chooser: random.Random, target: isa.Target) -> str:
    match = _one_match(_REGISTER, line, chooser)
    return (
        line
        if match is None
        else _replaced(line, match, match[1] + chooser.choice(("101", "103", "106", "255", "256", "999")))
    )


def _number(line: str, chooser: random.Random, target: isa.Target) -> str:
    match = _one_match(chooser.choice((_NUMBER, _VALUE)), line, chooser)
    values = (*generator.INTEGERS, *generator.FLOATS, *generator.WRAPPED)
    return line if match is None else _replaced(line, match, chooser.choice(values))


def _keyword(line: str, chooser: random.Random, target: isa.Target) -> str:
    return f"{line}{chooser.choice((' ', ', '))}{chooser.choice(_KEYWORDS)}"


def _letter(line: str, chooser: random.Random, target: isa.Target) -> str:
    """A slip of the keyboard."""
    place = chooser.randrange(len(line))
    how = chooser.randrange(4)
    if how == 0:
        return line[:place] + line[place + 1 :]
    if how == 1:
        return line[:place] + chooser.choice(_LETTERS) + line[place:]
    if how == 2:
        return line[:place] + chooser.choice(_LETTERS) + line[place + 1 :]
    return line[:place] + line[place : place + 2][::-1] + line[place + 2 :]


def _mnemonic(line: str, chooser: random.Random, target: isa.Target) -> str:
    word, _, rest = line.partition(" ")
    base = re.sub(r"_(e32|e64|sdwa|dpp|e64_dpp)$", "", word)
    if chooser.random() < 0.5:
        return f"{base}{chooser.choice(_SUFFIXES)} {rest}".strip()
    return f"{chooser.choice(target.mnemonics)} {rest}".strip()


_CHANGES: tuple[Change, ...] = (
    _drop, _repeat, _exchange, _junk, _junk, _file, _width, _shift, _beyond, _number, _keyword, _letter, _letter,
    _mnemonic,
)  # fmt: skip


# Where the mistake is


def operand_at(line: str, column: int) -> tuple[int, int]:
    """The byte columns of the word or operand around `column`, or of the one that ends there."""
    start, depth, ranges = 0, 0, []
    for index, letter in enumerate(line):
        depth += (letter in "[(") - (letter in "])")
        if letter in ", " and depth <= 0:
            ranges.append((start, index))
            start = index + 1
    ranges.append((start, len(line)))
    ranges = [found for found in ranges if found[1] > found[0]]
    inside = [found for found in ranges if found[0] <= column < found[1]]
    before = [found for found in ranges if found[1] <= column]
    return (inside or before[-1:] or ranges)[0]
