"""What the slots of the operand at the cursor, `|`, accept."""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.reading import next_operand
from gcn_lsp.ide.reading.next_operand import Opening
from tests.instruction.support import assemble, statement_of


def opening(text: str, target: str = "gfx900") -> Opening:
    place = text.index("|")
    return next_operand.opening(isa.load_target(target), statement_of(text.replace("|", "")), place, place, {})


@pytest.mark.parametrize(
    ("text", "register", "plain", "negative"),
    [
        ("v_add_f32 v0, |", "v1", True, True),
        ("v_and_b32_e32 v0, |", "v1", True, False),
        ("v_and_b32_e32 v0, v1, |", "s1", False, False),
        ("s_mov_b64 s[0:1], |", "s[2:3]", True, False),
        ("s_mov_b64 s[0:1], |", "s2", False, False),
        ("s_mov_b64 s[0:1], |", "vcc", True, False),
    ],
)
def test_registers_with_and_without_a_sign(text: str, register: str, plain: bool, negative: bool) -> None:
    found = opening(text)
    assert [found.takes_register(register), found.takes_register(register, is_modified=True)] == [plain, negative]
    assert [found.takes_register(register, is_modified=True), found.takes_register(register)] == [negative, plain]


def test_what_is_kept_of_a_plain_register_is_not_for_one_with_a_sign() -> None:
    assert not assemble("v_not_b32_e32 v0, v77").problems
    assert not opening("v_not_b32_e32 v0, |").takes_register("v77", is_modified=True)


def test_numbers_and_labels() -> None:
    assert opening("s_movk_i32 s0, |").takes_number(5)
    assert not opening("s_movk_i32 s0, |").takes_number(1 << 20)
    assert opening("s_movk_i32 s0, |").takes_number(None)
    assert opening("s_branch |").takes_address()
    assert not opening("v_readfirstlane_b32 s0, |").takes_address()
