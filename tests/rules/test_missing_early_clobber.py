"""Outputs that are written while an input is still to be read."""

import pytest

from tests.support.inline import findings, fixed, found, in_function

SHIFTED = '"v_lshlrev_b32 %0, 4, %1\\n\\tv_add_u32 %0, %0, %2"'


def test_an_input_that_is_read_later() -> None:
    text = in_function(f'asm volatile({SHIFTED} : "=v"(x) : "v"(a), "v"(b));')
    assert found(text) == [("missing-early-clobber", '"=v"')]
    assert '"=&v"' in fixed(text)
    assert found(fixed(text)) == []
    (finding,) = findings(text)
    assert [related.message for related in finding.related] == ["%0 is written here", "%2 is read here"]


def test_several_targets_agree() -> None:
    assert found(in_function(f'asm volatile({SHIFTED} : "=v"(x) : "v"(a), "v"(b));'), "") == [
        ("missing-early-clobber", '"=v"')
    ]


@pytest.mark.parametrize(
    "statement",
    [
        f'asm volatile({SHIFTED} : "=&v"(x) : "v"(a), "v"(b));',
        f'asm volatile({SHIFTED} : "=v"(x) : "v"(a), "s"(b));',  # another file
        f'asm volatile({SHIFTED} : "=v"(x) : "v"(a), "0"(b));',  # the same register on purpose
        'asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "v"(a), "v"(b));',
        'asm volatile("v_mov_b32 %0, %2\\nv_mov_b32 %1, 4" : "=v"(x), "=v"(y) : "v"(a));',
    ],
)
def test_registers_that_cannot_be_shared_or_may_be(statement: str) -> None:
    assert found(in_function(statement)) == []
