"""Constraints that give an operand a register which its instruction does not take."""

from tests.support.inline import fixed, found, in_function


def test_a_vector_register_in_a_scalar_instruction() -> None:
    text = in_function('asm volatile("s_add_i32 %0, %1, 4" : "=s"(x) : "v"(a) : "scc");')
    assert found(text) == [("constraint-mismatch", '"v"')]


def test_a_scalar_register_for_data() -> None:
    text = in_function('asm volatile("ds_write_b32 %0, %1" :: "v"(p), "s"(a) : "memory");')
    assert found(text) == [("constraint-mismatch", '"s"')]
    assert found(fixed(text)) == []


def test_a_register_for_an_offset() -> None:
    text = in_function('asm volatile("ds_read_b32 %0, %1 offset:%2" : "=v"(x) : "v"(p), "v"(a) : "memory");')
    assert ("constraint-mismatch", '"v"') in found(text)


def test_what_the_instruction_takes() -> None:
    assert found(in_function('asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "s"(a), "v"(b));')) == []
    assert found(in_function('asm volatile("v_mov_b32 %0, %1" : "=v"(x) : "n"(4));')) == []


def test_a_mistake_that_no_constraint_corrects() -> None:
    text = in_function('asm volatile("v_mov_b33 %0, %1" : "=v"(x) : "v"(a));')
    assert found(text) == [("unknown-mnemonic", "v_mov_b33")]


def test_named_registers_of_another_size() -> None:
    text = in_function('asm volatile("s_nop 0" :: "{v[30:31]}"(a));')
    assert found(text) == [("constraint-mismatch", '"{v[30:31]}"')]
    assert found(in_function('asm volatile("s_nop 0" :: "{v31}"(a));')) == []
    wide = 'void f(double w) {{ asm volatile("s_nop 0" :: "{}"(w)); }}'
    assert found(wide.format("{s[8:9]}")) == []
    assert found(wide.format("{s8}")) == [("constraint-mismatch", '"{s8}"')]
