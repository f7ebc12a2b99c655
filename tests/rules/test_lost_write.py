"""Two values that one instruction stores at one address of LDS."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "lost-write"


def test_a_forgotten_offset() -> None:
    check_diagnostics(
        """
        ds_write2_b32 v0, v1, v2
        //<^^^^^^^^^^^^^^^^^^^^^ warning[lost-write]: `offset0` and `offset1` are both 0, so `v1` and `v2` are stored
        """
    )


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("gfx600", "ds_write2_b32 v0, v1, v2 offset0:3 offset1:3"),
        ("gfx90a", "ds_write2st64_b64 v0, v[2:3], v[4:5] offset0:3 offset1:3"),
        ("gfx1100", "ds_store_2addr_b32 v0, v1, v2 offset0:0x10 offset1:16"),
        ("gfx1200", "ds_store_2addr_stride64_b64 v0, v[2:3], v[4:5]"),
    ],
)
def test_all_forms(target: str, line: str) -> None:
    (found,) = (each for each in findings(line + "\n", target) if each.rule == RULE)
    assert found.severity.value == "warning"


@pytest.mark.parametrize(
    "line",
    [
        "ds_write2_b32 v0, v1, v2 offset1:1",
        "ds_write2_b32 v0, v1, v2 offset0:1",
        "ds_write2_b32 v0, v1, v1",
        "ds_write2_b32 v0, v1, v2 offset0:n offset1:n",
        "ds_read2_b32 v[1:2], v0",
        "ds_wrxchg2_rtn_b32 v[4:5], v0, v1, v2",
        "ds_cmpst_b32 v0, v1, v2",
        "ds_write_b32 v0, v1",
        "ds_write2_b32 v0, v1",
    ],
)
def test_nothing_is_lost(line: str) -> None:
    check_no_finding(line + "\n", RULE)


def test_in_a_macro_it_is_told_for_the_call_whose_offsets_are_equal() -> None:
    macro = ".macro both one, other\n  ds_write2_b32 v0, v1, v2 offset0:\\one offset1:\\other\n.endm\n"
    (found,) = (each for each in findings(f"{macro}both 1, 2\nboth 3, 3\nboth 4, 5\n") if each.rule == RULE)
    assert "both 3" in found.message
    assert [(found.where.line, *(related.where.line for related in found.related))] == [(1, 4)]


def test_in_an_include() -> None:
    check_diagnostics(
        """\
//- k.s target:gfx900
.include "store.inc"
//- store.inc
.set n, 4
ds_write2_b32 v0, v1, v2 offset0:n offset1:4
//<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[lost-write]: are both 4
"""
    )
