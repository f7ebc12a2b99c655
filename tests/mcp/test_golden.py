"""What agents compute by hand: our answers are those of the page, and the verdicts follow from them."""

import pytest

from tests.mcp import golden
from tests.mcp.golden import Golden


@pytest.mark.parametrize("about", golden.QUESTIONS, ids=lambda about: about.question)
def test_the_verdict_follows_from_the_answers(about: Golden) -> None:
    ours = about.ours
    if about.verdict == golden.RIGHT:
        assert about.theirs.split(" ")[0].strip(",") in (ours.split(" ")[0].strip(","), "0-2")
    elif about.verdict == golden.WRONG:
        assert about.theirs.split(" ")[0] != ours.split(" ")[0]


def test_the_page_has_our_answers() -> None:
    text = golden.PAGE.read_text("utf-8")
    assert golden.page(text) == text, "run `python -m tests.mcp.golden`"
