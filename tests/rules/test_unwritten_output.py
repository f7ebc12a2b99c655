"""Outputs that are read before they are written."""

import pytest

from tests.support.inline import found, in_function


def test_an_output_that_is_read_first() -> None:
    text = in_function('asm volatile("v_add_u32 %0, %0, %1" : "=v"(x) : "v"(a));')
    assert found(text) == [("unwritten-output", '"=v"')]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("v_add_u32 %0, %0, %1" : "+v"(x) : "v"(a));',
        'asm volatile("v_add_u32 %0, %0, %1" : "=v"(x) : "0"(a));',
        'asm volatile("v_mov_b32 %0, 1\\nv_add_u32 %0, %0, %0" : "=v"(x));',
        'asm volatile("s_barrier" : "=v"(x));',  # orders the statement
    ],
)
def test_an_output_with_a_value(statement: str) -> None:
    assert found(in_function(statement)) == []
