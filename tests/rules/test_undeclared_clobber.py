"""Registers that a statement changes and does not declare."""

import pytest

from tests.support.inline import fixed, found, in_function


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ('asm volatile("v_mov_b32 v7, %0" :: "v"(a));', "v7"),
        ('asm volatile("s_mov_b64 s[4:5], 0" :::);', "s[4:5]"),
        ('asm volatile("v_add_co_u32 %0, vcc, %1, %2" : "=v"(x) : "v"(a), "v"(b));', "vcc"),
        ('asm volatile("s_add_u32 %0, %1, 4" : "=s"(x) : "s"(a));', "s_add_u32 %0, %1, 4"),
    ],
)
def test_a_register_without_a_clobber(statement: str, text: str) -> None:
    source = in_function(statement)
    assert found(source) == [("undeclared-clobber", text)]
    assert found(fixed(source)) == []


def test_a_mask_that_is_not_restored() -> None:
    assert found(in_function('asm volatile("s_and_b64 exec, exec, %0" :: "s"((long)a) : "scc");')) == [
        ("undeclared-clobber", "exec")
    ]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("v_mov_b32 v7, %0" :: "v"(a) : "v7");',
        'asm volatile("v_mov_b32 v[%0], %1" :: "n"(REGISTER), "v"(a));',
        'asm volatile("s_mov_b32 m0, %0" :: "s"(a));',
        'asm volatile("v_cmpx_eq_u32 vcc, %0, %1\\ns_mov_b64 exec, -1" :: "v"(a), "v"(b) : "vcc");',
        'asm volatile("v_mov_b32 %0, %1" : "={v7}"(x) : "v"(a));',
    ],
)
def test_registers_that_the_compiler_knows(statement: str) -> None:
    assert found(in_function(statement)) == []
