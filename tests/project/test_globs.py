"""Patterns for paths: what they match, and that no pattern takes long."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.project.globs import Glob


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.s", "k.s", True),
        ("*.s", "a/k.s", True),
        ("a/*.s", "a/k.s", True),
        ("a/*.s", "a/b/k.s", False),
        ("a/**/*.s", "a/k.s", True),
        ("a/**/*.s", "a/b/c/k.s", True),
        ("./a/k?.s", "a/k1.s", True),
        ("a/[!b]*.s", "a/b.s", False),
        ("a/[z-a].s", "a/b.s", False),
        ("a/**", "a/b/c", True),
        ("a/**", "b/a/c", False),
        ("a**/k.s", "a/k.s", False),
        ("**/k.s", "k.s", True),
        ("k[[]1].s", "k[1].s", True),
        ("[&|~a]", "|", True),
        ("*", "../k.s", True),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert Glob(glob).match(path) is matches


_PARTS = ("*", "**", "**/", "/", "?", "[ab]", "[!a]", "a", "b", ".")
_AS_EXPRESSIONS = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "[ab]": "[ab]", "[!a]": "[^a]"}


@given(st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6), st.text("ab./", max_size=9))
def test_a_pattern_matches_as_its_expression(parts: list[str], path: str) -> None:
    whole = "/" + "".join(parts)
    written = re.findall(r"\*\*/|\*\*|\*|\?|\[!?[^]]+\]|.", whole)
    expression = "".join(_AS_EXPRESSIONS.get(part) or re.escape(part) for part in written)
    assert Glob(whole).match(f"/{path}") is bool(re.fullmatch(expression, f"/{path}"))


@pytest.mark.parametrize("glob", ["**/" * 12 + "x", "*a" * 12, "*a" * 500 + "b", "[ab]*" * 200 + "x", "*" * 100_000])
def test_no_pattern_takes_long(glob: str) -> None:
    path = "/".join(["a" * 80] * 40)
    assert Glob(glob).match(path) is (glob[-1] in "a*")  # the regular expression takes hours
