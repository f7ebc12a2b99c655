"""Every mnemonic of every target executes, or one of the reasons in the table says why it does not."""

import pytest

from gcn_lsp.machine import reasons
from tests.isa.documentation.forms import TARGETS
from tests.machine.coverage import EXECUTES, NOTHING, outcomes

SAMPLED = ("gfx900", "gfx942")


@pytest.mark.parametrize(
    "target", [each if each in SAMPLED else pytest.param(each, marks=pytest.mark.slow) for each in TARGETS]
)
def test_a_mnemonic_executes_or_has_a_reason(target: str) -> None:
    found = outcomes(target)
    known = {EXECUTES, NOTHING, *reasons.SENTENCES}
    assert {name: outcome for name, outcome in found.items() if outcome not in known} == {}
    assert list(found.values()).count(EXECUTES) > 0.75 * len(found)
    assert list(found.values()).count(NOTHING) < 10
