"""Every real kernel has the shape that the grammar describes: no error and nothing missing, at any place."""

from pathlib import Path

import pytest

from gcn_lsp.syntax import tree
from tests.grammar.sources import corpus_parameters, own_parameters
from tests.support.flaws import flaws


@pytest.mark.parametrize("path", [*own_parameters(), *corpus_parameters()])
def test_a_kernel_has_no_flaw(path: Path) -> None:
    assert flaws(path.read_bytes()) == []


@pytest.mark.parametrize("path", own_parameters())
def test_line_ends_do_not_change_the_tree(path: Path) -> None:
    source = path.read_bytes()
    assert str(tree.parse(source.replace(b"\n", b"\r\n")).root_node) == str(tree.parse(source).root_node)
