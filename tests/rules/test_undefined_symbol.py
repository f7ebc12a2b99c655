"""Names that nothing defines."""

import pytest

from tests.support.check import check_diagnostics, check_silent, findings


def test_a_branch_to_a_label_that_is_not_there() -> None:
    check_diagnostics(
        """
        s_branch loop_end
        //       ^^^^^^^^ error[undefined-symbol]: loop_end
        """
    )


def test_labels_may_come_later() -> None:
    check_silent(
        """
        s_branch loop_end
        loop_end:
        """
    )


def test_local_labels() -> None:
    check_silent(
        """
        1:
        s_branch 1b
        s_branch 2f
        2:
        """
    )


def test_a_local_label_in_the_wrong_direction() -> None:
    check_diagnostics(
        """
        s_branch 1b
        //       ^^ error[undefined-symbol]
        1:
        """
    )


def test_what_the_build_may_define_is_another_rules() -> None:
    check_silent(
        """
        s_mov_b32 s0, tile_size
        """
    )


def test_a_value_that_comes_too_late() -> None:
    check_diagnostics(
        """
        v_mov_b32 v[v_acc], 0
        //          ^^^^^ error[undefined-symbol]: v_acc
        .set v_acc, 4
        """
    )


@pytest.mark.parametrize("is_reversed", [False, True])
def test_of_many_labels_the_order_says_nothing(is_reversed: bool) -> None:
    labels = [f"BB{number}_{place}:\n" for number in range(30) for place in range(2, 20, 4)]
    (found,) = findings("".join(reversed(labels) if is_reversed else labels) + "s_branch BB3_1\ns_endpgm")
    assert str(found.message) == "no label `BB3_1` is defined; the nearest label is `BB3_18`"


def test_the_nearest_label_is_offered_but_not_taken_for_certain() -> None:
    (found,) = findings("end:\ns_branch enddd\ns_endpgm")
    (fix,) = found.fixes
    assert (fix.title, fix.edits[0].new_text, found.certain_fix) == ("Change to `end`", "end", None)
