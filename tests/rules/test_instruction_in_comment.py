"""Instructions that a `;` makes a comment."""

import pytest

from tests.support.inline import fixed, found, in_function


def test_two_instructions_on_a_line() -> None:
    text = in_function('asm volatile("s_nop 0; s_nop 1");')
    assert found(text) == [("instruction-in-comment", "s_nop")]
    assert '"s_nop 0\\n s_nop 1"' in fixed(text)
    assert found(fixed(text)) == []


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("s_nop 0\\ns_nop 1;\\n");',
        'asm volatile("; s_nop 1\\ns_nop 0");',  # commented out
        'asm volatile("s_nop 0 ; waits a cycle");',
        'asm volatile("s_nop 0 // ; s_nop 1");',
    ],
)
def test_comments(statement: str) -> None:
    assert found(in_function(statement)) == []
