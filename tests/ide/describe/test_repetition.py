"""The hover of the name in the header of a repetition, and of its uses: the values that it stands for."""

import pytest

from tests.support.ide import check_hover, check_hover_span, check_no_hover


def test_the_name_of_irp_stands_for_the_values() -> None:
    check_hover(".irp $0i, 0, 4, 8\nv_mov_b32 v\\i, 0\n.endr", "`i` of `.irp`, 3 steps: `0`, `4`, `8`")
    check_hover_span(".irp re$0g, 0, 4\nv_mov_b32 v\\reg, 0\n.endr", "reg")


def test_the_name_of_irpc_stands_for_the_letters() -> None:
    check_hover(".irpc $0c, xyz\n.set \\c, 0\n.endr", "`c` of `.irpc`, 3 steps: `x`, `y`, `z`")


def test_long_lists_are_cut() -> None:
    values = ", ".join(map(str, range(20)))
    check_hover(f".irp $0i, {values}\n.endr", "20 steps: `0`, ", "`7` and 12 more")


def test_a_use_in_the_body_has_the_same_hover() -> None:
    check_hover(".irp i, 1, 2\nv_mov_b32 v0, \\$0i\n.endr", "`i` of `.irp`, 2 steps: `1`, `2`")


def test_the_inner_name_hides_the_outer_one() -> None:
    text = ".irp i, 1, 2\n.irp i, 8\n.if \\$0i == 8\n.endif\n.endr\n.endr"
    check_hover(text, "`i` of `.irp`, 1 step: `8`")


def test_a_parameter_of_a_macro_around_it_stays_one() -> None:
    text = ".macro m x\n.irp i, 1, 2\nv_mov_b32 v\\i, \\$0x\n.endr\n.endm"
    check_hover(text, "**parameter** `x` of macro `m`")


@pytest.mark.parametrize("text", [".irp $0", ".irp i$0", ".irpc $0, x"])
def test_a_broken_header_says_nothing(text: str) -> None:
    check_no_hover(text)
