"""Every modifier, word, operand kind, register and message of every target is documented, and nothing else is."""

import re
from collections.abc import Callable, Set
from functools import cache

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation, versions
from gcn_lsp.isa.documentation import library
from gcn_lsp.isa.modifiers import dimensions, dpp, table
from gcn_lsp.isa.operands import exports, formats, gpr_index, hwreg, sendmsg, swizzle
from gcn_lsp.isa.target import Target
from gcn_lsp.isa.waits import waitcnt
from tests.isa.documentation.forms import TARGETS

SUMMARY = re.compile(r"[A-Z][^\n]*\.")
BLEMISH = re.compile(r"[{}<>]|  | [.,;]|\.\.\.\.")

# What no table lists: how operands are negated, widened, left out, and operands that look like calls.
SPELLINGS = {"off", "neg", "abs", "sext", "omod", "hwreg", "sendmsg", "swizzle"}
INTERPOLATION = {"attr", "p0", "p10", "p20"}
CONSTANTS = {
    *("vgpr", "sgpr", "agpr", "vgpr-half", "inline-constant", "integer-constant", "literal", "literal64"),
    *("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494309189532"),
}


def modifiers_of(target: Target) -> set[str]:
    counters = waitcnt.fields(target.features) if target.has_forms("s_waitcnt") else {}
    delays = waitcnt.DELAY_FIELDS if target.has_forms("s_delay_alu") else {}
    return {
        *table.modifiers(target.features),
        *dpp.controls(target.features),
        *waitcnt.depctr_fields(target.features),
        *counters,
        *(f"{name}_sat" for name in counters),
        *delays,
        *(("gpr_idx",) if target.has_forms("s_set_gpr_idx_on") else ()),
        *SPELLINGS,
    }


def words_of(target: Target) -> set[str]:
    features = target.features
    known = table.modifiers(features)
    delays = (*waitcnt.DELAY_INSTRUCTIONS, *waitcnt.DELAY_SKIPS) if target.has_forms("s_delay_alu") else ()
    codes = dimensions.CODES if "dim" in known else ()
    return {
        *formats.unified_formats(features),
        *formats.DATA_FORMATS,
        *formats.number_formats(features),
        *(word for modifier in known.values() for word in modifier.values or ()),
        *(dimensions.PREFIX + name for name in codes),
        *exports.targets(features),
        *delays,
        *(gpr_index.MODES if target.has_forms("s_set_gpr_idx_on") else ()),
        *swizzle.modes(features),
    }


def registers_of(target: Target) -> set[str]:
    return {*target.registers, "ttmp", *(f"ttmp{number}" for number in range(target.file_sizes["ttmp"]))}


def hwregs_of(target: Target) -> set[str]:
    return {name.removeprefix("HW_REG_") for name in hwreg.names(target.features)}


def messages_of(target: Target) -> set[str]:
    known = sendmsg.messages(target.features)
    return {name.removeprefix("MSG_") for name in known} | {
        operation for message in known.values() for operation in message.operations
    }


NAMES: dict[str, Callable[[Target], Set[str]]] = {
    "modifiers": modifiers_of,
    "words": words_of,
    "registers": registers_of,
    "hwregs": hwregs_of,
    "messages": messages_of,
}


@cache
def operands() -> frozenset[str]:
    """The kinds of operands of the forms of any target."""
    found = set()
    for target in map(isa.load_target, TARGETS):
        for mnemonic in target.mnemonics:
            kinds = (slot.kind for form in target.forms(mnemonic) for slot in form.slots if slot.role == "operand")
            found |= {kind.type if kind.registers is not None else kind.name for kind in kinds if kind is not None}
    return frozenset(found)


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("name", isa.target_names())
def test_the_names_of_a_target_are_documented_on_it_and_no_others(name: str, kind: str) -> None:
    names = {word for llvm in versions.VERSIONS for word in NAMES[kind](isa.load_target(name, f"+llvm{llvm}"))}
    told = {word for word in documentation.names(kind) if library.has_text(kind, word, name)}
    assert names - told == set()
    assert told - names - INTERPOLATION == set()


def test_every_kind_of_operand_is_documented() -> None:
    assert operands() - set(documentation.names("operands")) == set()
    assert set(documentation.names("operands")) - operands() == CONSTANTS


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", ["modifiers", "words", "operands"])
def test_text(kind: str, target: str) -> None:
    loaded = isa.load_target(target)
    look_up = {"modifiers": documentation.modifier, "words": documentation.word, "operands": documentation.operand}
    for name in documentation.names(kind):
        entry = look_up[kind](name, loaded)
        assert entry is not None
        assert entry.name == name
        assert entry.syntax
        assert SUMMARY.fullmatch(entry.summary), name
        assert all(note.endswith(".") for note in entry.notes), name
        assert not any(map(BLEMISH.search, (entry.summary, *entry.notes))), name
        assert all(value.meaning for value in entry.values), name


@pytest.mark.parametrize("target", TARGETS)
def test_values_are_those_of_the_tables(target: str) -> None:
    loaded = isa.load_target(target)
    for name, modifier in table.modifiers(loaded.features).items():
        entry = documentation.modifier(name, loaded)
        assert entry is not None
        if modifier.values and name != "dim":
            assert {value.spelling for value in entry.values} == set(modifier.values), name


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", ["registers", "hwregs"])
def test_registers(kind: str, target: str) -> None:
    loaded = isa.load_target(target)
    look_up = {"registers": documentation.special_register, "hwregs": documentation.hwreg}[kind]
    for name in documentation.names(kind):
        entry = look_up(name, loaded)
        assert entry is not None
        assert entry.bits in (1, 20, 32, 64)
        assert entry.access.startswith("read")
        assert SUMMARY.fullmatch(entry.summary), name
        taken: set[int] = set()
        for field in entry.fields:
            bits = set(range(field.low, field.high + 1))
            assert bits, (name, field)
            assert bits <= set(range(entry.bits)), (name, field)
            assert not bits & taken, (name, field)
            taken |= bits


@pytest.mark.parametrize("target", TARGETS)
def test_messages_have_the_numbers_of_the_tables(target: str) -> None:
    loaded = isa.load_target(target)
    for name, message in sendmsg.messages(loaded.features).items():
        entry = documentation.message(name, loaded)
        assert entry is not None
        assert entry.number == message.number
        assert SUMMARY.fullmatch(entry.summary)
        for operation, number in message.operations.items():
            told = documentation.message(operation, loaded)
            assert told is not None
            assert told.number == number


def test_a_prefix_does_not_matter() -> None:
    assert documentation.hwreg("HW_REG_MODE", None) is not None
    with_prefix, without = documentation.message("MSG_INTERRUPT"), documentation.message("INTERRUPT")
    assert with_prefix is not None
    assert without is not None
    assert with_prefix.number == without.number == 1


@pytest.mark.parametrize(
    ("name", "target", "field"),
    [
        ("IB_STS", "gfx803", ("VM_CNT", 3, 0)),
        ("IB_STS", "gfx1100", ("VM_CNT", 15, 10)),
        ("WAVE_STATE_PRIV", "gfx1200", ("SCC", 9, 9)),
        ("STATUS", "gfx1030", ("SCC", 0, 0)),
        ("HW_ID", "gfx90a", ("SE_ID", 15, 13)),
    ],
)
def test_a_layout_is_that_of_the_target(name: str, target: str, field: tuple[str, int, int]) -> None:
    entry = documentation.hwreg(name, isa.load_target(target))
    assert entry is not None
    assert field in {(each.name, each.high, each.low) for each in entry.fields}


def test_a_name_that_a_target_lacks_is_told_as_another_has_it() -> None:
    entry = documentation.hwreg("XCC_ID", isa.load_target("gfx1100"))
    assert entry is not None
    assert entry.fields


def test_unknown_names_have_no_entry() -> None:
    assert documentation.modifier("nonsense") is None
    assert documentation.word("BUF_FMT_NONSENSE") is None
    assert documentation.operand("nonsense") is None
    assert documentation.special_register("s7") is None
    assert documentation.hwreg("HW_REG_NONSENSE") is None
    assert documentation.message("MSG_NONSENSE") is None
