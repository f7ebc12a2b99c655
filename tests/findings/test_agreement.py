"""When a finding is the same on two targets."""

from gcn_lsp import rules
from gcn_lsp.findings import agreement
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.text import Location, OfTarget, Text, message
from tests.support import fixture
from tests.support.check import build


def finding(said: Text) -> Finding:
    return Finding("silently-truncated", Severity.WARNING, Location("k.s", 3, 0, 5), said)


def test_only_the_name_of_the_target_may_differ() -> None:
    words = "s_nop reads {} bits of its operand on {}"
    same = agreement.same(finding(message(words, 4, OfTarget("gfx900"))))
    assert same == agreement.same(finding(message(words, 4, OfTarget("gfx90a"))))
    assert same != agreement.same(finding(message(words, 7, OfTarget("gfx1200"))))


def test_targets_agree_on_what_each_reports_in_its_own_name() -> None:
    """gfx900 and gfx90a read four bits of `s_nop`, gfx1200 seven."""
    found = {}
    for name in ("gfx900", "gfx90a", "gfx1200"):
        (found[name],) = rules.check(build(fixture.parse("s_nop 144\ns_endpgm\n"), name))
    assert found["gfx900"].message == "s_nop reads 4 bits of its operand on gfx900: 144 becomes 0"
    assert agreement.same(found["gfx900"]) == agreement.same(found["gfx90a"])
    assert agreement.same(found["gfx900"]) != agreement.same(found["gfx1200"])


def test_targets_agree_on_a_missing_wait_whatever_they_call_its_counter() -> None:
    scalar = "s_load_dword s2, s[4:5], 0x0\ns_add_u32 s3, s2, s2\n"
    code = f"{scalar}global_load_dword v2, v1, s[4:5]\nv_add_f32 v3, v2, v2\ns_endpgm\n"
    counters = {}
    for name in ("gfx942", "gfx1200"):
        found = [each for each in rules.check(build(fixture.parse(code), name)) if each.rule == "missing-wait"]
        counters[name] = [agreement.same(each) for each in found]
        assert len(found) == 2
    assert counters["gfx942"] == counters["gfx1200"]
    unnamed = build(fixture.parse(code), None)
    assert unnamed.candidates is not None
    assert "gfx1200" in unnamed.candidates.names
    assert [each.where.line for each in rules.check(unnamed) if each.rule == "missing-wait"] == [1, 3]
