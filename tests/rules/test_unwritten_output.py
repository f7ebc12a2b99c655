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


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("s_nop 1\\nv_mov_b32_dpp %0, %1 row_shr:1 bound_ctrl:0" : "=v"(x) : "v"(a));',
        'asm volatile("v_cvt_pk_fp8_f32 %0, %1, %2" : "=v"(x) : "v"(a), "v"(b));',
        'asm volatile("v_cvt_scalef32_pk_fp4_f16 %0, %1, %2" : "=v"(x) : "v"(a), "v"(b));',
    ],
)
def test_a_destination_that_is_written_in_part(statement: str) -> None:
    assert found(in_function(statement), "gfx950") == []


def test_an_accumulator_is_used() -> None:
    text = in_function('asm volatile("v_fmac_f32 %0, %1, %2" : "=v"(x) : "v"(a), "v"(b));')
    assert found(text, "gfx942") == [("unwritten-output", '"=v"')]
