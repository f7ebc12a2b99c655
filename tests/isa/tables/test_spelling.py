"""Suggestions for mistyped mnemonics: none is certain that is another condition, size, sign or type."""

import difflib
import random
import re
from collections.abc import Iterator

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.tables import other_names, spelling

_TARGETS = ("gfx600", "gfx803", "gfx908", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250")
_CONDITIONS = [
    "eq",
    "ne",
    "lg",
    "lt",
    "le",
    "gt",
    "ge",
    "neq",
    "nlt",
    "nle",
    "ngt",
    "nge",
    "nlg",
    "o",
    "u",
    "f",
    "t",
    "tru",
    "scc0",
    "scc1",
    "vccz",
    "vccnz",
    "execz",
    "execnz",
]
_TYPE = re.compile(r"([iufb]|bf)(8|16|24|32|64|96|128)")
_LETTERS = ("i", "u", "f", "b", "bf")
_SIZES = ("4", "8", "16", "24", "32", "64", "96", "128")
_WIDTHS = [
    "byte",
    "ubyte",
    "sbyte",
    "short",
    "ushort",
    "sshort",
    "dword",
    "dwordx2",
    "dwordx3",
    "dwordx4",
    "x2",
    "x3",
    "x4",
    "x8",
    "x16",
]
_SIGNED = ["umin", "smin", "umax", "smax", "min", "max", "fmin", "fmax"]


def _others(part: str) -> Iterator[str]:
    """The parts that say another condition, size, sign or type than `part`."""
    for words in (_CONDITIONS, _WIDTHS, _SIGNED):
        if part in words:
            yield from words
    match = _TYPE.fullmatch(part)
    if match:
        yield from (match[1] + size for size in _SIZES)
        yield from (letter + match[2] for letter in _LETTERS)


@pytest.mark.parametrize("target_name", _TARGETS)
def test_no_mnemonic_is_certain_for_another_condition_size_sign_or_type(target_name: str) -> None:
    target = isa.load_target(target_name)
    tried = 0
    for mnemonic in target.mnemonics:
        parts = mnemonic.split("_")
        for index, part in enumerate(parts):
            for other in _others(part):
                typed = "_".join((*parts[:index], other, *parts[index + 1 :]))
                if other == part or target.has_forms(typed):
                    continue
                tried += 1
                assert not spelling.only_misspelt(typed, mnemonic), (typed, mnemonic)
                assert not spelling.of_other_sizes(typed, mnemonic, target), (typed, mnemonic)
    assert tried > 3000


@pytest.mark.parametrize("target_name", _TARGETS[2:5])
def test_no_mnemonic_of_one_target_is_taken_for_a_slip_of_another_name(target_name: str) -> None:
    target = isa.load_target(target_name)
    by_length: dict[int, list[str]] = {}
    for mnemonic in target.mnemonics:
        by_length.setdefault(mnemonic.count("_"), []).append(mnemonic)
    for name in isa.load_target("gfx1250").mnemonics:
        for mnemonic in by_length.get(name.count("_"), ()):
            differing = sum(left != right for left, right in zip(name.split("_"), mnemonic.split("_"), strict=True))
            if differing == 1:
                assert not spelling.only_misspelt(name, mnemonic), (name, mnemonic)


@pytest.mark.parametrize(
    ("typed", "meant", "is_certain"),
    [
        ("v_mvo_b32", "v_mov_b32", True),
        ("s_wiatcnt", "s_waitcnt", True),
        ("v_addf32", "v_add_f32", True),
        ("s_cmp_qe_u32", "s_cmp_eq_u32", False),
        ("s_cmp_ne_u64", "s_cmp_eq_u64", False),
        ("v_add_f31", "v_add_f32", False),
        ("s_cbranch_vcnz", "s_cbranch_vccz", False),
        ("v_and_f32", "v_add_f32", False),
        ("global_load_bbyte", "global_load_sbyte", False),
        ("v_mul_f32", "v_mul_legacy_f32", False),
    ],
)
def test_a_slip_is_certain_only_in_letters_that_decide_nothing(typed: str, meant: str, is_certain: bool) -> None:
    assert spelling.only_misspelt(typed, meant) is is_certain


def test_names_of_manuals_keep_their_condition_and_type() -> None:
    target = isa.load_target("gfx908")
    for name in ("s_cmp_ne_u64", "s_cmp_ne_u32", "s_cmp_ne_i32", "s_cmpk_ne_u32", "s_cmpk_ne_i32"):
        found = other_names.in_manual(name, target)
        assert found is not None
        assert found.same
        assert found.names == (name.replace("_ne_", "_lg_"),)
    for name in ("v_cmp_lg_u32", "v_cmpx_lg_i64"):
        found = other_names.in_manual(name, target)
        assert found is not None
        assert found.same
        assert found.names == (name.replace("_lg_", "_ne_"),)


def test_not_equal_of_floats_has_two_names_and_neither_is_certain() -> None:
    found = other_names.in_manual("v_cmp_ne_f32", isa.load_target("gfx908"))
    assert found is not None
    assert not found.same
    assert found.names == ("v_cmp_neq_f32", "v_cmp_lg_f32")


def test_a_manual_name_that_a_target_has_is_none() -> None:
    assert other_names.in_manual("s_cmp_lg_u64", isa.load_target("gfx908")) is None
    assert other_names.in_manual("s_subvector_loop_start", isa.load_target("gfx908")) is None


def test_letters_in_common_leave_out_no_name() -> None:
    target = isa.load_target("gfx90a")
    dice = random.Random(1)
    for _ in range(40):
        name = dice.choice(target.mnemonics)
        at = dice.randrange(len(name))
        name = name[:at] + dice.choice(("", "x", "4", "_", "é", "v" * 12)) + name[at + dice.randrange(3) :]
        ratios = [difflib.SequenceMatcher(None, each, name, False).ratio() for each in target.mnemonics]
        near = sum(ratio >= 0.7 for ratio in ratios)
        found = isa.nearest_mnemonics(name, target, len(ratios))
        assert len(found) == near, name
        assert not found or difflib.SequenceMatcher(None, found[0], name, False).ratio() == max(ratios), name


def test_no_mnemonic_is_near_a_name_that_is_longer_than_all_together() -> None:
    assert spelling.nearest_mnemonics("x" * 2_000_000, isa.load_target("gfx900")) == ()
    assert 2 * max(len(name) for name in isa.load_target("gfx900").mnemonics) < spelling._LONG
