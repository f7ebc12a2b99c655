"""The arguments of `.section`."""

import pytest

from gcn_lsp.program.declarations import Section, section


def test_a_section() -> None:
    assert section(".foo") == Section(".foo")
    assert section('.foo, "ax", @progbits') == Section(".foo", frozenset("ax"), "progbits")
    assert section('"a b", "aM", @progbits, 4') == Section("a b", frozenset("aM"), "progbits", "4")


@pytest.mark.parametrize("arguments", ["", '.foo "a"', ".foo, a", '.foo, "z"', '.foo, "aM"', '.foo, "a", progbits'])
def test_malformed_arguments(arguments: str) -> None:
    assert isinstance(section(arguments), str)
