"""References to operands that a statement of inline assembly does not have."""

import pytest

from tests.support.inline import findings, fixed, found, in_function


def test_a_number_beyond_the_last() -> None:
    text = in_function('asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "v"(a));')
    assert found(text) == [("missing-operand", "%2")]


@pytest.mark.parametrize(
    ("operands", "has"), [("", "no operand"), (': : "v"(a)', "one operand"), (': "=v"(x) : "v"(a)', "2 operands")]
)
def test_the_number_of_operands(operands: str, has: str) -> None:
    text = in_function(f'asm volatile("s_nop 0 ; %7" {operands});')
    assert f"`%7` does not exist: the statement has {has}" in [each.message for each in findings(text)]


def test_a_name_close_to_one_that_is_there() -> None:
    text = in_function('asm volatile("v_mov_b32 %0, %[scr]" : "=v"(x) : [src] "v"(a));')
    assert found(text) == [("missing-operand", "%[scr]")]
    assert "%[src]" in fixed(text)
    assert found(fixed(text)) == []


def test_all_there() -> None:
    assert found(in_function('asm volatile("v_add_u32 %0, %1, %[b]" : "=v"(x) : "v"(a), [b] "v"(b));')) == []
    assert found(in_function('asm volatile("s_nop 0 ; 100%%");')) == []
