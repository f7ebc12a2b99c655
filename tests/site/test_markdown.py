"""Markdown of pages as HTML: blocks, tables, and what is inside of them."""

import subprocess
import sys

import pytest

from gcn_lsp.site import markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# title\n\none\ntwo\n", "<p>one two</p>"),
        ("## Why\n\n`v_a<b>` is **2 * 3** & [more](x.html)", '<h2>Why</h2><p><code>v_a&lt;b&gt;</code> is '
         '<strong>2 * 3</strong> &amp; <a href="x.html">more</a></p>'),
        ("- one\n  goes on\n- `two`", "<ul><li>one goes on</li><li><code>two</code></li></ul>"),
        ("a\n- b\n\nc", "<p>a</p><ul><li>b</li></ul><p>c</p>"),
        ("![a \"b\"](c.png)", '<p><img src="c.png" alt="a &quot;b&quot;"></p>'),
        ("<script>", "<p>&lt;script&gt;</p>"),
    ],
)  # fmt: skip
def test_blocks(text: str, html: str) -> None:
    assert markdown.body(text) == html


def test_code_is_as_it_is_written() -> None:
    found = markdown.body("```\n  # not a <heading>\n\n- nor a list\n```\n")
    assert "<code>  # not a &lt;heading&gt;\n\n- nor a list</code>" in found
    assert "<ul>" not in found


def test_a_table_has_the_caption_and_bars_in_its_cells() -> None:
    found = markdown.body("| a | b |\n| --- | --- |\n| `x \\| y` | **z** |\n", "What it is")
    assert "<caption>What it is</caption>" in found
    assert '<th scope="col">a</th><th scope="col">b</th>' in found
    assert '<th scope="row"><code>x | y</code></th><td><strong>z</strong></td>' in found


def test_the_reader_is_loaded_for_a_page_only() -> None:
    modules = "import sys, gcn_lsp.site.pages; print('markdown_it' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", modules], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
