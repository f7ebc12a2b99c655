"""Letters of constraints and names of clobbers that clang does not know."""

import pytest

from tests.support.inline import fixed, found, in_function


def test_a_letter_of_another_machine() -> None:
    text = in_function('asm volatile("v_mov_b32 %0, %1" : "=h"(x) : "v"(a));')
    assert ("unknown-constraint", '"=h"') in found(text)


def test_a_range_of_registers_as_a_clobber() -> None:
    text = in_function('asm volatile("v_mov_b32 %0, 1" : "=v"(x) :: "v[4:5]");')
    assert found(text) == [("unknown-constraint", "v[4:5]")]
    assert '"v4", "v5"' in fixed(text)
    assert found(fixed(text)) == []


@pytest.mark.parametrize("name", ["memory", "cc", "vcc", "scc", "m0", "v255", "s4", "a0", "flat_scratch"])
def test_clobbers_that_clang_knows(name: str) -> None:
    assert found(in_function(f'asm volatile("s_nop 0" ::: "{name}");')) == []
