"""The values of SP3's expressions."""

import pytest

from gcn_lsp.views.c.lex import Token, Wrong, tokens
from gcn_lsp.views.sp3.values import Registers, Value, ValueReader, WrittenName, register


def double(name: str, values: list[Value], token: Token, depth: int) -> Value:
    del name, token, depth
    (value,) = values
    assert isinstance(value, int)
    return value * 2


def value(text: str) -> Value:
    variables: dict[str, Value] = {"a": 3, "base": Registers("s", 4)}
    return ValueReader(tokens(text.encode()), variables, {"double": None}, double).whole()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("010 + 0x10", 26),
        ("a * 2 ? base : 0", Registers("s", 4)),
        ("base + 1", Registers("s", 5)),
        ("base[1]", Registers("s", 5)),
        ("v[a : a + 1]", Registers("v", 3, 2)),
        ("[ttmp2, ttmp3]", Registers("ttmp", 2, 2)),
        ("base == s4", 1),
        ("0.5", WrittenName("0.5")),
        ("-0.5", WrittenName("-0.5")),
        ("vmcnt(a) & lgkmcnt(0)", WrittenName("vmcnt(3) & lgkmcnt(0)")),
        ("HW_REG_SQ_SHADER_TBA_LO", WrittenName("16")),
        ("double(a + 1) - 1", 7),
        ("0xffffffffffffffff + 1", 0),
        ("0x7fffffffffffffff << 1", 0xFFFFFFFFFFFFFFFE),
    ],
)
def test_values(text: str, expected: Value) -> None:
    assert value(text) == expected


_ONLY_THE_BUILD = (
    "only the build can define `FAMILY`: lines that depend on it are not checked; give a value with -D FAMILY=VALUE"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "division by zero"),
        ("base * 2", "`*` takes whole numbers"),
        ("FAMILY <= 4", _ONLY_THE_BUILD),
        ("v[FAMILY]", _ONLY_THE_BUILD),
        ("~base", "`~` takes a whole number"),
        ("a[1]", "this does not name registers"),
        ("v[base]", "this is no whole number"),
        ("[a]", "a list in brackets holds registers"),
        ("1x", "`1x` is no number"),
        ("(a", "`)` is missing after `a`"),
        ("a a", "`a` is in place of the end of the statement"),
    ],
)
def test_a_mistake(text: str, message: str) -> None:
    with pytest.raises(Wrong) as raised:
        value(text)
    assert raised.value.message == message


def test_registers_are_written_as_the_assembler_does() -> None:
    names = ("s4", "exec_hi", "vcc", "ttmp11", "m0", "a", "v999999", "x1")
    assert [found.text if (found := register(name)) else "" for name in names] == [
        "s4", "exec_hi", "vcc_lo", "ttmp11", "m0", "a0", "", "",
    ]  # fmt: skip
    assert Registers("vcc", 0).widened(2).text == "vcc"
    assert Registers("s", 4, 1).widened(4).text == "s4"
