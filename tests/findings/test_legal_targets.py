"""What a report says of a rejected line's fate on other targets."""

from gcn_lsp import rules
from gcn_lsp.findings import legal_targets
from tests.support import fixture
from tests.support.check import build


def messages(text: str) -> list[str]:
    """The messages about a fixture, as a report has them."""
    program = build(fixture.parse(text))
    found = legal_targets.with_targets(program, rules.check(program))
    return [finding.message for finding in found if finding.severity.value == "error"]


def test_the_message_goes_on() -> None:
    (message,) = messages("v_add_f32 v0, s1, s2\n")
    assert message.endswith("it may read one scalar value; as written it is legal on gfx10 and later")


def test_in_a_macro_and_after_an_include() -> None:
    (message,) = messages(
        """
        .macro add x
        v_add_f32 v0, s1, \\x
        .endm
        .include "call.inc"
        //- call.inc
        add s2
        """
    )
    assert message.endswith("as written it is legal on gfx10 and later")


def test_nothing_is_said_where_nobody_takes_it_or_the_message_says_who() -> None:
    text = "v_add_f32 v0, v1\nv_pk_add_f32 v[0:1], v[2:3], v[4:5]\ns_nop 0 )\n"
    found = messages(text)
    assert len(found) == 3
    assert not any("as written" in message for message in found)


def test_without_a_target_there_is_nothing_to_compare_with() -> None:
    assert not any("as written" in message for message in messages("//- k.s target:-\nv_add_f32 v0, v1\n"))
