"""Operations are written in the documented notation, name only operands that the form has, and name all of them."""

import re
from collections.abc import Iterator

import pytest

from gcn_lsp.isa.documentation import Entry, notation, result_modifiers
from tests.isa.documentation.forms import TARGETS, Written, known

WORD = re.compile(r'"[^"]*"|(?:(?:MODE|STATUS|STATE_PRIV|TRAPSTS)\.[A-Z_0-9]+)|\.?[A-Za-z_]\w*|\d[\w.]*')
DEFINED = re.compile(r"\b([a-z]\w*) = |\bfor (\w+) < ")
MATRICES = frozenset("ABC")
MATRIX_FAMILIES = ("mfma", "smfmac", "wmma", "swmmac")

# What an encoding may leave out, and then counts as 0 or VCC (notation.py says so).
MAY_BE_ABSENT = frozenset(("SADDR", "SOFFSET", "OFFSET", "ADDR", "SDST", "S2", "BYTE_SEL", "TENSOR2", "TENSOR3"))

# Modifiers change what any instruction does in their own documented way; an operation need not name them.
IMPLIED = {"gds", "compr", "vm", "row_en", "done", "en", "dpp_ctrl", "attrchan", "src0_modifiers", "src1_modifiers"}

# Operands that have no effect, or that words describe.
WITHOUT_EFFECT = re.compile(r"s_endpgm|s_version|v_cmps?x?_(f|t|tru)_\w+|image_bvh\w*")


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


def entries(target: str) -> Iterator[tuple[Entry, tuple[Written, ...]]]:
    """Each entry as the target has it, with the forms of the mnemonic."""
    for found in known(target).values():
        yield found.entry, found.forms


def operands_of(entry: Entry) -> set[str]:
    """The operands that the operation names."""
    used = {word for word in words(entry.operation) if word in notation.OPERANDS}
    return used if any(f"_{family}_" in entry.mnemonic for family in MATRIX_FAMILIES) else used - MATRICES


def without_result(form: Written, entry: Entry) -> bool:
    """Whether the form may lack D: a load to LDS, `off` in its place, an atomic that returns nothing."""
    return "lds" in form.tokens or form.tokens[:1] == ("off",) or "if RETURN: D" in entry.operation


@pytest.mark.parametrize("target", TARGETS)
def test_only_words_of_the_notation(target: str) -> None:
    unknown = {entry.mnemonic: set(words(entry.operation)) - known_words(entry) for entry, _ in entries(target)}
    assert {name: found for name, found in unknown.items() if found} == {}


@pytest.mark.parametrize("target", TARGETS)
def test_brackets_are_closed(target: str) -> None:
    lines = [(entry.mnemonic, line) for entry, _ in entries(target) for line in entry.operation.splitlines()]
    assert [line for line in lines if any(line[1].count(a) != line[1].count(b) for a, b in ("()", "[]"))] == []


@pytest.mark.parametrize("target", TARGETS)
def test_only_operands_of_the_form(target: str) -> None:
    strange = []
    for entry, forms in entries(target):
        used = operands_of(entry)
        anywhere = frozenset().union(*(form.names for form in forms))
        strange += [(entry.mnemonic, word) for word in used if anywhere.isdisjoint(notation.OPERANDS[word])]
        for form in forms:
            absent = {word for word in used - MAY_BE_ABSENT if form.names.isdisjoint(notation.OPERANDS[word])}
            if absent - ({"D"} if without_result(form, entry) else set()):
                strange.append((entry.mnemonic, form.syntax))
    assert strange == []


@pytest.mark.parametrize("target", TARGETS)
def test_every_operand_is_told(target: str) -> None:
    untold = []
    for entry, forms in entries(target):
        if WITHOUT_EFFECT.fullmatch(entry.mnemonic) or entry.mnemonic.startswith("v_dual_"):
            continue
        used = operands_of(entry)
        told = {name for word in used | in_notes(entry) for name in notation.OPERANDS[word]}
        for form in forms:
            if form.positional - told - IMPLIED:
                untold.append((entry.mnemonic, form.syntax))
            if {"vdst", "sdst"} <= form.positional and "SDST" not in used:
                untold.append((entry.mnemonic, "sdst"))
    assert untold == []


def in_notes(entry: Entry) -> set[str]:
    """The operands that the notes name."""
    return {word for word in re.findall(r"\b[A-Z]\w*", " ".join(entry.notes)) if word in notation.OPERANDS}


def with_modifiers() -> Iterator[str]:
    """What the modifiers of a result add to an operation."""
    for size in (32, 64):
        for target in TARGETS:
            yield result_modifiers.modified(f"D.f{size} = S0.f{size}", "", target, 1, True).operation


@pytest.mark.parametrize("table", ["FUNCTIONS", "OPERANDS", "CONSTANTS", "FIELDS", "STATE"])
def test_every_word_of_the_notation_is_used(table: str) -> None:
    used = {word for target in TARGETS for entry, _ in entries(target) for word in words(entry.operation)}
    used |= {word for operation in with_modifiers() for word in words(operation)}
    # A field's name stands for its register, too.
    used |= {word.partition(".")[0] for word in used}
    assert sorted(set(getattr(notation, table)) - used) == []
