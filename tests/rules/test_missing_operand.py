"""References to operands that a statement of inline assembly does not have."""

from tests.support.inline import fixed, found, in_function


def test_a_number_beyond_the_last() -> None:
    text = in_function('asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "v"(a));')
    assert found(text) == [("missing-operand", "%2")]


def test_a_name_close_to_one_that_is_there() -> None:
    text = in_function('asm volatile("v_mov_b32 %0, %[scr]" : "=v"(x) : [src] "v"(a));')
    assert found(text) == [("missing-operand", "%[scr]")]
    assert "%[src]" in fixed(text)
    assert found(fixed(text)) == []


def test_all_there() -> None:
    assert found(in_function('asm volatile("v_add_u32 %0, %1, %[b]" : "=v"(x) : "v"(a), [b] "v"(b));')) == []
    assert found(in_function('asm volatile("s_nop 0 ; 100%%");')) == []
