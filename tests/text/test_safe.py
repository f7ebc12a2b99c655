"""Text made safe: as Markdown it is read back as code and text, whatever is in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gcn_lsp.text import safe

_LETTERS = st.text(st.sampled_from("`~a \n\r\t#*_[]()<>!|\\&;:/.-+=1x\x1b\u202e\u2028"), max_size=30)


def _inline(markdown: str) -> list[tuple[str, str]]:
    """The types and contents of what is in a paragraph."""
    found = MarkdownIt("commonmark").parse(markdown)
    assert [token.type for token in found] == ["paragraph_open", "inline", "paragraph_close"]
    return [(token.type, token.content) for token in found[1].children or ()]


@given(_LETTERS)
def test_code_is_code(text: str) -> None:
    shown = safe.one_line(text)
    ((kind, content),) = _inline(safe.code(text))
    assert kind == "code_inline"
    assert content.strip(" ") == shown.strip(" ")


@given(_LETTERS)
def test_a_block_is_a_block(text: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(safe.block(text, "gcn"))
    assert (token.type, token.info) == ("fence", "gcn")
    assert token.content.count("\n") == safe.block(text, "gcn").count("\n") - 1


@given(_LETTERS)
def test_escaped_text_is_text(text: str) -> None:
    found = _inline(f"a {safe.escaped(text)} b")
    assert {kind for kind, _ in found} <= {"text", "text_special"}
    assert "".join(content for _, content in found).split() == f"a {safe.one_line(text)} b".split()


@given(_LETTERS, _LETTERS)
def test_a_sentence_is_code_and_text(one: str, two: str) -> None:
    found = _inline(f"a {safe.sentence(f'`{one}` is {two}')} b")
    assert {kind for kind, _ in found} <= {"text", "text_special", "code_inline"}


def test_a_sentence_of_ours_keeps_its_code() -> None:
    assert safe.sentence("`v_x` is not an instruction of gfx90a") == "`v_x` is not an instruction of gfx90a"


@pytest.mark.parametrize(
    "letter", ["\x1b", "\x9b", "\u202e", "\u2066", "\u200b", "\ufeff", "\ud800", "\U000e0041", "\x7f"]
)
def test_what_is_not_seen_is_marked(letter: str) -> None:
    assert safe.visible(f"a{letter}b") == "a\ufffdb"


def test_other_letters_stay() -> None:
    assert safe.visible("größe 𝄞 \t\n v[0:3]") == "größe 𝄞 \t\n v[0:3]"
    assert safe.one_line("a\r\nb\tc\u2028d") == "a b c d"
