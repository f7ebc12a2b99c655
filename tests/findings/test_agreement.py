"""When a finding is the same on two targets."""

from gcn_lsp import rules
from gcn_lsp.findings import agreement
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.text import Location, TargetName, Text, message
from tests.support import fixture
from tests.support.check import build


def finding(said: Text) -> Finding:
    return Finding("silently-truncated", Severity.WARNING, Location("k.s", 3, 0, 5), said)


def test_only_the_name_of_the_target_may_differ() -> None:
    words = "s_nop reads {} bits of its operand on {}"
    same = agreement.same(finding(message(words, 4, TargetName("gfx900"))))
    assert same == agreement.same(finding(message(words, 4, TargetName("gfx90a"))))
    assert same != agreement.same(finding(message(words, 7, TargetName("gfx1200"))))


def test_targets_agree_on_what_each_reports_in_its_own_name() -> None:
    """gfx900 and gfx90a read four bits of `s_nop`, gfx1200 seven."""
    found = {}
    for name in ("gfx900", "gfx90a", "gfx1200"):
        (found[name],) = rules.check(build(fixture.parse("s_nop 144\ns_endpgm\n"), name))
    assert found["gfx900"].message == "s_nop reads 4 bits of its operand on gfx900: 144 becomes 0"
    assert agreement.same(found["gfx900"]) == agreement.same(found["gfx90a"])
    assert agreement.same(found["gfx900"]) != agreement.same(found["gfx1200"])
