"""The page with the control flow: long blocks short and whole."""

import re

from gcn_lsp.ide.drawing import html
from tests.ide.drawing.test_svg import flow


def _page(count: int) -> str:
    return html.render(
        flow("k:\n" + "".join(f"  s_mov_b32 s{number}, 0\n" for number in range(count)) + "  s_endpgm\n")
    )


def test_a_long_block_is_drawn_short_and_whole() -> None:
    page = _page(30)
    short, whole = re.findall(r'<figure class="(?:short|whole)">.*?</figure>', page, re.DOTALL)
    assert "... 17 more" in short
    assert re.search(r">s_mov_b32 s15, 0</text>", short) is None
    assert "more" not in whole
    assert all(f">s_mov_b32 s{number}, 0</text>" in whole for number in range(30))
    assert 'id="whole"' in page.partition("<figure")[0]


def test_a_page_without_long_blocks_has_one_drawing() -> None:
    page = _page(10)
    assert page.count("<figure") == 1
    assert 'id="whole"' not in page


def test_the_page_needs_no_other_file() -> None:
    assert not re.search(r"\bsrc=|<link|@import|url\((?!#)", _page(30))
