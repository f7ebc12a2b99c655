"""HTML from text: what is escaped, and what becomes a link."""

import pytest

from gcn_lsp.site import markup


def test_text_is_escaped_and_code_of_a_tag_is_not() -> None:
    assert markup.escape('a<b> & "c"') == "a&lt;b&gt; &amp; &quot;c&quot;"
    assert markup.code("a<b>") == "<code>a&lt;b&gt;</code>"
    assert markup.tag("p", "<b>x</b>") == "<p><b>x</b></p>"


def test_a_link_escapes_its_address_and_takes_code_as_its_text() -> None:
    assert markup.link("a.html?x&y", markup.code("a")) == '<a href="a.html?x&amp;y"><code>a</code></a>'


def test_a_list_has_an_item_for_each_text() -> None:
    assert markup.items(["a", "b"]).count("<li>") == 2


def test_a_table_has_its_caption_its_head_and_its_rows() -> None:
    html = markup.table("Bits", ("name", "bits"), [("op", "7..0"), ("sdst", "15..8")])
    for part in ("Bits", ">name</th>", ">bits</th>", "7..0", "sdst"):
        assert part in html
    assert html.count("<tr>") == 3


@pytest.mark.parametrize(("title", "slug"), [("Vector memory", "vector-memory"), ("LDS & GDS", "lds-gds")])
def test_a_slug_is_a_name_for_addresses(title: str, slug: str) -> None:
    assert markup.slug(title) == slug
