"""Clamp and output modifiers as operations: what they compute, for every instruction that may have them."""

import random
import re
from collections.abc import Callable, Iterator

import msgspec
import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import result_modifiers
from tests.isa.documentation.forms import TARGETS, known
from tests.isa.documentation.test_notation import known_words, words
from tests.isa.documentation.test_operations import LANE, bits, i8, i16, i24, i32
from tests.isa.documentation.values import integer, raw
from tests.machine.operations import run

MUL_2, MUL_4, DIV_2 = 1, 2, 3
NAN, ONE, DENORMAL = 0x7FC0_0000, 0x3F80_0000, 0x0040_0000
TYPED = re.compile(r"D\.\w+")


def modified(mnemonic: str, target: str, *, omod: int = 0, clamp: bool = False) -> result_modifiers.Modified:
    found = documentation.entry(mnemonic, isa.load_target(target))
    assert found is not None
    return result_modifiers.modified(found.operation, mnemonic, target, omod, clamp)


def result(operation: str, *sources: int, **fields: int) -> int:
    """The destination after an operation. fields: of MODE."""
    state = {f"S{place}": bits(number, 32) for place, number in enumerate(sources)}
    state |= {"D": bits(0, 32), "SDST": bits(0, 64), "lane": integer(LANE), "NEG": bits(0, 3)}
    state |= {f"MODE.{name}": bits(number, 2) for name, number in fields.items()}
    return raw(run(operation, state)["D"])


def with_modifiers(target: str) -> Iterator[tuple[documentation.Entry, result_modifiers.Modified]]:
    """The instructions of a target that may have a modifier, with all of them."""
    for mnemonic, found in known(target).items():
        names = {name for form in found.forms for name in form.names}
        if names & {"clamp", "omod"}:
            omod = MUL_2 if "omod" in names else 0
            yield (
                found.entry,
                result_modifiers.modified(found.entry.operation, mnemonic, target, omod, "clamp" in names),
            )


@pytest.mark.parametrize("target", TARGETS)
def test_every_operation_with_modifiers_is_in_the_notation(target: str) -> None:
    count = 0
    for entry, found in with_modifiers(target):
        assert found.notes or not TYPED.search(entry.operation), entry.mnemonic
        written = msgspec.structs.replace(entry, operation=found.operation)
        assert set(words(found.operation)) <= known_words(written), entry.mnemonic
        count += bool(found.operation)
    assert count > 50


def test_every_row_is_needed() -> None:
    """A row without which the effect on some instruction is another."""
    asked = {(each.mnemonic, target) for target in TARGETS for each, _ in with_modifiers(target)}
    needed = set()
    for mnemonic, target in asked:
        for modifier in (result_modifiers.CLAMP, result_modifiers.OMOD):
            needed.add(result_modifiers.row(modifier, mnemonic, target))
    assert [row for row in result_modifiers.ROWS if row not in needed] == []


def limited(exact: int, size: int, *, signed: bool = False) -> int:
    low = -(1 << (size - 1)) if signed else 0
    return max(low, min(exact, low + (1 << size) - 1)) & (1 << size) - 1


def dot(a: int, b: int, size: int, read: Callable[[int], int]) -> int:
    mask = (1 << size) - 1
    return sum(read(a >> low & mask) * read(b >> low & mask) for low in range(0, 32, size))


@pytest.mark.parametrize(
    ("mnemonic", "target", "exact", "size", "signed"),
    [
        ("v_add_u32", "gfx900", lambda a, b, c: a + b, 32, False),
        ("v_sub_u32", "gfx900", lambda a, b, c: a - b, 32, False),
        ("v_add_co_u32", "gfx900", lambda a, b, c: a + b, 32, False),
        ("v_add_nc_i32", "gfx1100", lambda a, b, c: i32(a) + i32(b), 32, True),
        ("v_sub_nc_i16", "gfx1030", lambda a, b, c: i16(a) - i16(b), 16, True),
        ("v_mad_u16", "gfx1030", lambda a, b, c: (a & 0xFFFF) * (b & 0xFFFF) + (c & 0xFFFF), 16, False),
        ("v_mad_i32_i24", "gfx900", lambda a, b, c: i24(a) * i24(b) + i32(c), 32, True),
        ("v_dot4_i32_i8", "gfx906", lambda a, b, c: dot(a, b, 8, i8) + i32(c), 32, True),
        ("v_dot4_u32_u8", "gfx1100", lambda a, b, c: dot(a, b, 8, int) + c, 32, False),
    ],
)
def test_integers_are_limited(
    mnemonic: str, target: str, exact: Callable[[int, int, int], int], size: int, signed: bool
) -> None:
    source, edges, left = random.Random(mnemonic), (0, 1, 0x7FFF_FFFF, 0x8000_8000, 0xFFFF_FFFF), 0
    operation = modified(mnemonic, target, clamp=True).operation
    for _ in range(200):
        a, b, c = (source.choice(edges) if source.random() < 0.5 else source.getrandbits(32) for _ in range(3))
        expected = limited(exact(a, b, c), size, signed=signed)
        left += expected != exact(a, b, c) & (1 << size) - 1
        assert result(operation, a, b, c) & (1 << size) - 1 == expected, (a, b, c)
    assert left


@pytest.mark.parametrize(
    ("source", "mode", "expected"),
    [
        (0x4000_0000, 1, ONE), (0xC000_0000, 1, 0), (0x3F00_0000, 1, 0x3F00_0000), (0x7F80_0000, 1, ONE),
        (0x8000_0000, 1, 0), (NAN, 1, 0), (NAN, 0, NAN),
    ],
)  # fmt: skip
def test_floats_are_clamped(source: int, mode: int, expected: int) -> None:
    """The sum of a number and -0.0 is that number."""
    before = modified("v_add_f32", "gfx1100", clamp=True).operation
    assert result(before, source, 0x8000_0000, DX10_CLAMP=mode, IEEE=0) == expected
    always = modified("v_add_f32", "gfx1200", clamp=True).operation
    assert result(always, source, 0x8000_0000, DX10_CLAMP=0, IEEE=0) == (0 if source == NAN else expected)


@pytest.mark.parametrize(
    ("target", "source", "omod", "modes", "expected"),
    [
        ("gfx900", ONE, MUL_2, {"IEEE": 0, "FP_DENORM_32": 0}, 0x4000_0000),
        ("gfx900", ONE, MUL_4, {"IEEE": 0, "FP_DENORM_32": 1}, 0x4080_0000),
        ("gfx900", ONE, DIV_2, {"IEEE": 0, "FP_DENORM_32": 0}, 0x3F00_0000),
        ("gfx900", ONE, MUL_2, {"IEEE": 1, "FP_DENORM_32": 0}, ONE),
        ("gfx900", ONE, MUL_2, {"IEEE": 0, "FP_DENORM_32": 2}, ONE),
        ("gfx900", 0x8000_0000, MUL_2, {"IEEE": 0, "FP_DENORM_32": 0}, 0),
        ("gfx1200", ONE, MUL_2, {"IEEE": 1, "FP_DENORM_32": 3}, 0x4000_0000),
        ("gfx1200", DENORMAL >> 2, MUL_2, {"FP_DENORM_32": 3}, 0),
        ("gfx1200", DENORMAL, MUL_2, {"FP_DENORM_32": 3}, 0x0080_0000),
        ("gfx1200", 0x7F00_0000, MUL_4, {}, 0x7F80_0000),
    ],
)
def test_floats_are_scaled(target: str, source: int, omod: int, modes: dict[str, int], expected: int) -> None:
    assert result(modified("v_add_f32", target, omod=omod).operation, source, 0x8000_0000, **modes) == expected


def test_a_result_is_scaled_and_then_clamped() -> None:
    operation = modified("v_add_f32", "gfx1200", omod=MUL_4, clamp=True).operation
    assert result(operation, 0x3F00_0000, 0, IEEE=0) == ONE


@pytest.mark.parametrize(
    ("mnemonic", "target", "note"),
    [
        ("v_cmp_lt_f32", "gfx900", "makes a comparison with any NaN raise"),
        ("v_cmp_lt_u32", "gfx1100", "is ignored here"),
        ("v_max_i32", "gfx900", "changes no result here"),
        ("v_max_i32", "gfx1250", "is ignored here"),
        ("v_dot4_u32_u8", "gfx1200", "is ignored here"),
        ("v_cvt_pk_fp8_f32", "gfx1250", "chooses the format E5M3"),
        ("v_pk_max3_i16", "gfx1250", "makes negative results 0"),
        ("v_pk_add_max_i16", "gfx1250", "makes negative results 0"),
        ("v_add_min_i32", "gfx1310", "makes negative results 0"),
        ("v_add_max_u32", "gfx1250", "is ignored here"),
    ],
)
def test_what_clamp_means(mnemonic: str, target: str, note: str) -> None:
    assert note in modified(mnemonic, target, clamp=True).notes[0]
