"""Pages of words that the target does not have: they say so first, and cite documents of targets that have them."""

from collections.abc import Callable

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.describe import words
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import documents
from gcn_lsp.isa.target import Target

PAGES: dict[str, Callable[[str, Target], str | None]] = {
    "hwregs": words.hardware_register_name,
    "messages": words.message_name,
    "modifiers": words.modifier,
    "words": words.word,
    "registers": words.special_register,
}
# These are hardware registers there, which their page names.
_ELSEWHERE = {"flat_scratch", "flat_scratch_lo", "flat_scratch_hi"}


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", ["gfx700", "gfx908", "gfx1100", "gfx1250"])
def test_every_word_that_a_target_lacks(name: str, kind: str) -> None:
    target = isa.load_target(name)
    own = documents.of_kind(kind, name)
    lacking = 0
    for word in set(documentation.names(kind)) - _ELSEWHERE:
        text = PAGES[kind](word, target)
        assert text is not None, word
        has_it = documentation.has_text(kind, word, name)
        is_anywhere = any(documentation.has_text(kind, word, other) for other in isa.target_names())
        assert text.startswith(f"**{name} does not have ") == (not has_it and is_anywhere), word
        if not has_it and is_anywhere and own:
            lacking += 1
            cited = next((line for line in text.splitlines() if line.startswith("Source: ")), "")
            having = [other for other in isa.target_names() if documentation.has_text(kind, word, other)]
            assert own not in cited or any(documents.of_kind(kind, other) == own for other in having), word
    assert lacking > 5 or not own


def test_a_word_that_the_target_has_is_described_at_once() -> None:
    text = words.hardware_register_name("HW_REG_MODE", isa.load_target("gfx908"))
    assert text is not None
    assert text.startswith("**hardware register** `MODE`")
