"""The numbers that scalars of metadata spell, and the values of maps."""

import pytest

from gcn_lsp.program.kernels.metadata_tree import MetadataMistake, Node, Refused, integer


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12), ("-3", -3), ("0x1F", 31), ("0b101", 5), ("0o17", 15), ("017", 15), ("0", 0), ("1_000", 1000),
        ("018", None), ("", None), ("abc", None), ("1.5", None), ("0x", None),
    ],
)  # fmt: skip
def test_scalars_that_spell_numbers(text: str, number: int | None) -> None:
    assert integer(text) == number


@pytest.mark.parametrize("value", [(1 << 64) - 1, -(1 << 63)])
def test_the_largest_and_the_smallest_number_fit_64_bits(value: int) -> None:
    assert integer(str(value)) == value
    assert integer(hex(value)) == value


@pytest.mark.parametrize("value", [1 << 64, -(1 << 63) - 1])
def test_a_number_of_more_than_64_bits_is_none(value: int) -> None:
    assert integer(str(value)) is None
    assert integer(hex(value)) is None


def scalar(text: str) -> Node:
    return Node(0, 0, len(text), text)


def test_a_map_gives_the_first_value_of_a_key() -> None:
    first, second = scalar("1"), scalar("2")
    found = Node(0, 0, 0, entries=[(scalar("a"), first), (scalar("b"), second), (scalar("a"), second)])
    assert found.get("a") is first
    assert found.get("b") is second
    assert found.get("c") is None


def test_only_scalars_have_numbers_and_only_maps_have_keys() -> None:
    assert scalar("0x10").number == 16
    assert scalar("x").number is None
    assert Node(0, 0, 0, items=[scalar("1")]).number is None
    assert Node(0, 0, 0, items=[scalar("1")]).get("1") is None


def test_a_refusal_carries_its_mistake() -> None:
    mistake = MetadataMistake(1, 2, 3, "no map")
    assert Refused(mistake).mistake is mistake
    assert str(Refused(mistake)) == "no map"
