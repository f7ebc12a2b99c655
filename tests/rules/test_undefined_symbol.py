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


DESCRIPTOR = """
        .rodata
        .amdhsa_kernel rad
        //             ^^^ error[undefined-symbol]: `red` has no descriptor
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
"""


def test_a_descriptor_of_a_label_that_is_not_there() -> None:
    check_diagnostics("        red:\n          s_endpgm\n" + DESCRIPTOR)
    assert findings("rad:\n  s_endpgm\n" + DESCRIPTOR) == []


def test_the_label_of_a_descriptor_is_offered_if_it_is_the_only_one() -> None:
    (finding,) = findings(".globl red\nred:\n  s_endpgm\nhelper:\n  s_endpgm\n" + DESCRIPTOR)
    assert [(fix.title, fix.is_certain) for fix in finding.fixes] == [("Change to `red`", False)]
    assert [edit.new_text for edit in finding.fixes[0].edits] == ["red"]
    two = ".globl red\nred:\n  s_endpgm\n.globl blue\nblue:\n  s_endpgm\n"
    (finding,) = [found for found in findings(two + DESCRIPTOR) if found.rule == "undefined-symbol"]
    assert finding.fixes == ()
    assert finding.severity.value == "error"


@pytest.mark.parametrize("code", ["", "s_endpgm\n", ".data\nred:\n.long 0\n", ".set rad, 0x100\nred:\n  s_endpgm\n"])
def test_a_descriptor_whose_label_may_be_elsewhere(code: str) -> None:
    assert [found.rule for found in findings(code + DESCRIPTOR) if found.rule == "undefined-symbol"] == []


def test_a_declared_label_of_a_descriptor() -> None:
    (finding,) = findings(".globl rad\nred:\n  s_endpgm\n" + DESCRIPTOR)
    assert (finding.rule, finding.severity.value) == ("undefined-symbol", "warning")
    described = DESCRIPTOR.replace("rad", "red")
    found = findings(".globl rad\nred:\n  s_endpgm\n" + described + DESCRIPTOR)
    assert not any(each.rule == "undefined-symbol" for each in found)
