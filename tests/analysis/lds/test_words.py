"""The values of all work-items: sums of unknown and known parts."""

from gcn_lsp.analysis.lds import words
from gcn_lsp.analysis.lds.words import Sharing, Word
from gcn_lsp.isa.machine import word_operations

UNKNOWN = words.unknown("argument", Sharing.WORK_GROUP)
LANES = words.of(tuple(range(128)))


def evaluated(formula: str, **sources: Word) -> Word:
    found = words.evaluated(tuple(formula.split()), sources)
    assert found is not None
    return found


def test_equal_words_are_one_object() -> None:
    assert evaluated("a 4 + 4 -", a=UNKNOWN) is UNKNOWN
    assert evaluated("a b +", a=UNKNOWN, b=LANES) is evaluated("b a +", a=UNKNOWN, b=LANES)


def test_a_word_stays_one_object_however_many_others_there_were() -> None:
    """A value in first lanes is known by its word: a second object for that word would be another value."""
    first = words.of_first_lanes(words.applied(word_operations.ADD, UNKNOWN, LANES), 64)
    for number in range(1 << 15):
        words.of(number)
    assert words.of_first_lanes(words.applied(word_operations.ADD, UNKNOWN, LANES), 64) is first


def test_an_address_of_each_lane() -> None:
    address = evaluated("a 7 & 4 << a 3 >> 7 << |", a=LANES)
    assert address.lanes == tuple((lane & 7) << 4 | (lane >> 3) << 7 for lane in range(128))


def test_the_unknown_part_cancels() -> None:
    one, other = evaluated("a 2 << b +", a=UNKNOWN, b=LANES), evaluated("a 2 << 0x8000 +", a=UNKNOWN)
    assert words.applied("-", one, other).terms == ()
    assert one.terms == other.terms


def test_two_exclusive_ors_with_one_number() -> None:
    toggled = evaluated("a 0x8000 ^", a=UNKNOWN)
    assert toggled is not UNKNOWN
    assert evaluated("a 0x8000 ^", a=toggled) is UNKNOWN
    assert evaluated("a 0x4000 ^", a=toggled) is evaluated("a 0xc000 ^", a=UNKNOWN)


def test_parts_without_common_bits_are_added() -> None:
    high = evaluated("a 12 <<", a=UNKNOWN)
    assert evaluated("a b |", a=high, b=LANES) is evaluated("a b +", a=high, b=LANES)
    assert evaluated("a b | 0xfff &", a=high, b=LANES) is LANES
    flags = words.unknown("flags", Sharing.WORK_GROUP, 0x7F)
    shifted = evaluated("a 7 << b | 7 >>", a=LANES, b=flags)
    assert shifted is LANES


def test_a_signed_product_of_24_bits() -> None:
    formula = " ".join(word_operations.FORMULAS["v_mul_i32_i24"])
    assert evaluated(formula, a=LANES, b=words.of(0x104)).lanes == tuple(0x104 * lane for lane in range(128))
    assert evaluated(formula, a=words.of(0xFFFFFE), b=words.of(3)).constant == (1 << 32) - 6
    assert evaluated(formula, a=words.of(0x7F000002), b=words.of(3)).constant == 6


def test_a_signed_field() -> None:
    formula = " ".join(word_operations.FORMULAS["v_bfe_i32"])
    assert evaluated(formula, a=LANES, b=words.of(2), c=words.of(1)).lanes == tuple(
        0xFFFFFFFF if lane & 4 else 0 for lane in range(128)
    )
    assert evaluated(formula, a=words.of(0x50), b=words.of(4), c=words.of(4)).constant == 5
    assert evaluated(formula, a=words.of(0x80), b=words.of(4), c=words.of(4)).constant == (1 << 32) - 8
    assert evaluated(formula, a=words.of(0x80), b=words.of(4), c=words.of(0)).constant == 0


def test_values_that_differ_between_waves() -> None:
    number = evaluated("a 6 >>", a=LANES)
    assert words.differ_by_wave(number, 64)
    assert not words.differ_by_wave(number, 128)
    assert not words.differ_by_wave(evaluated("a 63 &", a=LANES), 64)
    assert not words.differ_by_wave(UNKNOWN, 64)


def test_the_first_lanes_of_waves() -> None:
    found = words.of_first_lanes(evaluated("a b +", a=LANES, b=UNKNOWN), 64)
    assert found.lanes == (0,) * 64 + (64,) * 64
    assert found.scope is Sharing.WORK_GROUP
    assert words.of_first_lanes(words.unknown("loaded", Sharing.LANE), 64).scope is Sharing.WAVE
