"""Inputs that a template does not use."""

import pytest

from tests.support.inline import found, in_function


def test_an_input_without_use() -> None:
    text = in_function('asm volatile("v_add_u32 %0, %1, %1" : "=v"(x) : "v"(a), "v"(b));')
    assert found(text) == [("unused-operand", "b")]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("" :: "v"(a));',
        'asm volatile("v_mov_b32 %0, 1" : "=v"(x) : "0"(a));',
        'asm volatile("s_nop 0" : "+v"(x));',
        'asm volatile("v_mov_b32 %0, %[a]" : "=v"(x) : [a] "v"(a));',
    ],
)
def test_operands_that_order_or_keep_values(statement: str) -> None:
    assert found(in_function(statement)) == []
