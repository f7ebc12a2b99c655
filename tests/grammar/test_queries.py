"""The queries fit the grammar, and find in a kernel what they are for."""

import pytest
import tree_sitter

from gcn_lsp.syntax import language, tree
from tests.grammar.sources import OWN_KERNELS, REPOSITORY

QUERIES = REPOSITORY / "grammar" / "queries"

EXPECTED = {
    "highlights.scm": {
        "function",
        "label",
        "keyword.directive",
        "number",
        "string.escape",
        "variable.parameter",
        "comment",
    },
    "folds.scm": {"fold"},
    "indents.scm": {"indent", "outdent", "indent.begin", "indent.end"},
    "locals.scm": {"local.scope", "local.definition.macro", "local.definition.parameter", "local.reference"},
    "tags.scm": {"name", "definition.function", "definition.macro", "reference.call"},
    "injections.scm": {"injection.content"},
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_query_finds_what_it_is_for(name: str) -> None:
    query = tree_sitter.Query(language.LANGUAGE, (QUERIES / name).read_text())
    found: set[str] = set()
    for path in OWN_KERNELS:
        found.update(tree_sitter.QueryCursor(query).captures(tree.parse(path.read_bytes()).root_node))
    assert found >= EXPECTED[name]


def test_every_query_is_tested() -> None:
    assert {path.name for path in QUERIES.glob("*.scm")} == set(EXPECTED)
