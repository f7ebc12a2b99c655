"""Inputs that a statement writes to."""

import pytest

from tests.support.inline import found, in_function


def test_an_input_that_is_written() -> None:
    text = in_function('asm volatile("v_add_u32 %1, 1, %1\\nv_mov_b32 %0, %1" : "=v"(x) : "v"(a));')
    assert found(text) == [("modified-input", "%1")]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("v_add_u32 %0, 1, %0" : "+v"(a));',
        'asm volatile("v_add_u32 %1, 1, %1" : "=v"(x) : "0"(a));',
    ],
)
def test_an_input_with_an_output(statement: str) -> None:
    assert found(in_function(statement)) == []
