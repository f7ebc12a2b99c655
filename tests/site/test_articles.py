"""The pages written by hand: their examples do what they say."""

import doctest
from pathlib import Path

import pytest

from gcn_lsp.site import pages

ASSETS = Path(pages.__file__).parent / "assets"


def test_the_examples_of_the_interface_run() -> None:
    found = doctest.testfile(str(ASSETS / "api.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 15
    assert found.failed == 0


@pytest.mark.parametrize("article", pages.ARTICLES, ids=lambda article: article.file)
def test_an_article_is_a_page_with_its_title(article: pages.Article) -> None:
    assert (ASSETS / article.file).read_text("utf-8").startswith(f"# {article.title}\n")


def test_every_article_is_published() -> None:
    assert {path.name for path in ASSETS.glob("*.md")} == {article.file for article in pages.ARTICLES}
