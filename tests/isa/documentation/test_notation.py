"""Operations are written in the documented notation and name only operands that the instruction has."""

import re
from collections.abc import Iterator

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import Entry, notation

TARGETS = ("gfx900", "gfx906", "gfx908", "gfx90a")
ENTRIES = tuple(entry for entry in map(documentation.entry, documentation.mnemonics()) if entry)
WORD = re.compile(r'"[^"]*"|(?:(?:MODE|STATUS|TRAPSTS)\.[A-Z_]+)|\.?[A-Za-z_]\w*|\d[\w.]*')
DEFINED = re.compile(r"\b([a-z]\w*) = |\bfor (\w+) < ")
MATRICES = frozenset("ABC")


def words(operation: str) -> Iterator[str]:
    """The words of `operation` that are neither numbers nor strings; a type keeps its dot."""
    for match in WORD.finditer(operation):
        if match[0][0] not in '"0123456789':
            yield match[0]


def known_words(entry: Entry) -> set[str]:
    """What may stand in the operation of `entry`: the notation, and the names that the operation itself defines."""
    defined = {name for match in DEFINED.finditer(entry.operation) for name in match.groups() if name}
    fixed = (notation.STATE, notation.FIELDS, notation.CONSTANTS, notation.FUNCTIONS, notation.WORDS, notation.OPERANDS)
    types = {f".{name}" for name in notation.TYPES} | set(notation.TYPES)
    return defined.union(types, *fixed)


def operand_names(mnemonic: str) -> set[str]:
    """The names of operands and modifiers in all forms of `mnemonic` on the four targets."""
    forms = [form for target in TARGETS for form in isa.load_target(target).forms(mnemonic)]
    slots = {name for form in forms for slot in form.slots for name in (slot.name, slot.text)}
    return slots | {operand.name for form in forms for operand in form.operands}


def test_only_words_of_the_notation() -> None:
    unknown = {entry.mnemonic: set(words(entry.operation)) - known_words(entry) for entry in ENTRIES}
    assert {name: found for name, found in unknown.items() if found} == {}


def test_brackets_are_closed() -> None:
    lines = [(entry.mnemonic, line) for entry in ENTRIES for line in entry.operation.splitlines()]
    assert [line for line in lines if any(line[1].count(a) != line[1].count(b) for a, b in ("()", "[]"))] == []


def test_only_operands_of_the_forms() -> None:
    for entry in ENTRIES:
        used = {word for word in words(entry.operation) if word in notation.OPERANDS}
        if "mfma" not in entry.mnemonic:
            used -= MATRICES
        names = operand_names(entry.mnemonic)
        assert (entry.mnemonic, {word for word in used if names.isdisjoint(notation.OPERANDS[word])}) == (
            entry.mnemonic,
            set(),
        )


@pytest.mark.parametrize("table", ["FUNCTIONS", "OPERANDS", "CONSTANTS", "FIELDS", "STATE"])
def test_every_word_of_the_notation_is_used(table: str) -> None:
    used = {word for entry in ENTRIES for word in words(entry.operation)}
    # A field's name stands for its register, too.
    used |= {word.partition(".")[0] for word in used}
    assert sorted(set(getattr(notation, table)) - used) == []
