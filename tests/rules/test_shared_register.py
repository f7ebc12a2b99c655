"""Two symbols for one register, both in use at once."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.rules import shared_register
from gcn_lsp.text import SourceText
from tests.support import fixture
from tests.support.check import build, check_diagnostics

SET = ".set a, 4\n.set b, 4\n.set c, 5\n"


def told(code: str, symbols: str = SET) -> list[tuple[int, list[int]]]:
    """The lines of the findings and of the places that explain each, from 1, those of the symbols not counted."""
    built = build(fixture.parse(symbols + code))
    before = symbols.count("\n") - 1
    return [
        (found.where.line - before, [related.where.line - before for related in found.related])
        for found in shared_register.check(built)
    ]


def test_a_value_under_another_name() -> None:
    check_diagnostics(
        """
        .set offset, 3
        .set count, 3
        v_lshlrev_b32 v[offset], 2, v0
        ds_write_b32 v[offset], v0
        v_mov_b32 v[count], 5
        ds_write_b32 v[offset], v0
        //<^^^^^^^^^^^^^^^^^^^^^^^ hint[shared-register]: `offset` and `count` are both v3: this reads the value
        """
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("v_mov_b32 v[a], 0\nv_mov_b32 v[b], 1\nv_mov_b32 v0, v[a]\n", [(3, [1, 2])]),
        ("s_mov_b32 s[a], 0\ns_mov_b32 s[b], 1\ns_mov_b32 m0, s[a]\n", [(3, [1, 2])]),
        # Part of a tuple.
        ("v_mov_b32 v[c], 0\nds_read_b64 v[a:a+1], v0\nv_mov_b32 v0, v[c]\n", [(3, [1, 2])]),
        # In a loop.
        ("l:\nv_mov_b32 v[a], 0\nv_mov_b32 v[b], 1\nv_mov_b32 v0, v[a]\ns_cbranch_scc1 l\n", [(4, [2, 3])]),
    ],
)
def test_told(code: str, found: list[tuple[int, list[int]]]) -> None:
    assert told(code) == found


@pytest.mark.parametrize(
    "code",
    [
        "v_mov_b32 v[a], 0\nv_mov_b32 v0, v[a]\nv_mov_b32 v[b], 1\nv_mov_b32 v1, v[b]\n",  # one after the other
        "v_mov_b32 v[a], 0\nv_mov_b32 v[c], 1\nv_mov_b32 v0, v[a]\n",
        "v_mov_b32 v[a], 0\nv_mov_b32 v0, v[b]\n",  # only ever written as one of them
        "s_mov_b32 s[a], 0\nv_mov_b32 v[b], 1\ns_mov_b32 m0, s[a]\n",  # two files
        "v_mov_b32 v[a], 0\nv_mov_b32 v4, 1\nv_mov_b32 v0, v[a]\n",  # without a name
        "v_mov_b32 v[a], 0\nv_mov_b32 v[b], 1\nv_mov_b32 v[a], 2\nv_mov_b32 v0, v[a]\n",
        # At a join, which is not straight code.
        "v_mov_b32 v[a], 0\ns_cbranch_scc1 e\nv_mov_b32 v[b], 1\ne:\nv_mov_b32 v0, v[a]\n",
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    "symbols", [".set a, 4\n.set b, a\n", ".set base, 4\n.set a, base\n.set b, base\n", "a = 4\nb = a + 0\n"]
)
def test_symbols_that_are_meant_to_share(symbols: str) -> None:
    assert told("v_mov_b32 v[a], 0\nv_mov_b32 v[b], 1\nv_mov_b32 v0, v[a]\n", symbols) == []


def test_through_a_macro() -> None:
    macro = ".macro put r, x\nv_mov_b32 v[\\r], \\x\n.endm\n.macro get r\nv_mov_b32 v0, v[\\r]\n.endm\n"
    built = build(fixture.parse(SET + macro + "put a, 0\nput b, 1\nget a\n"))
    assert [found.where.line for found in shared_register.check(built)] == [7]
    built = build(fixture.parse(SET + macro + "put a, 0\nput b, 1\nget a\nget c\n"))
    assert list(shared_register.check(built)) == []


def test_after_an_edit() -> None:
    text = SET + "v_mov_b32 v[a], 0\nv_mov_b32 v[b], 1\nv_mov_b32 v0, v[a]\n" + "s_nop 0\n" * 200
    options = program.Options(target="gfx900")
    first = program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert [found.where.line for found in shared_register.check(first)] == [5]
    for edit in ((".set b, 4", ".set b, 6"), (".set b, 4", ".set b, a"), ("v[b], 1", "v[c], 1")):
        source = SourceText.from_bytes("k.s", text.replace(*edit).encode())
        again = list(shared_register.check(program.build(source, options, first)))
        assert again == list(shared_register.check(program.build(source, options))) == []
