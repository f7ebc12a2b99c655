"""Paths that run off the end of a kernel."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.rules import missing_endpgm
from gcn_lsp.text import SourceText
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_fix

DESCRIPTOR = """
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""


def told(text: str, target: str = "gfx900") -> list[tuple[int, str]]:
    """The lines, from 1, and the messages of the findings."""
    found = missing_endpgm.check(build(fixture.parse(text + DESCRIPTOR), target))
    return [(finding.where.line + 1, finding.message) for finding in found]


def test_the_end_of_the_section() -> None:
    check_diagnostics(
        """
        k:
          s_nop 0
        //^^^^^^^ warning[missing-endpgm]: control runs off the end of the code after this, in kernel `k`
        .rodata
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        "s_nop 0\n s_endpgm",
        "loop:\n s_nop 0\n s_branch loop",
        "s_setpc_b64 s[0:1]",
        "s_trap 2",
        "s_nop 0\n .long 0xbf810000",
        "s_cbranch_scc0 e\n s_endpgm\ne:\n s_endpgm",
        "s_branch e\n s_nop 0\n s_nop 1\ne:\n s_endpgm",
        "s_endpgm\n s_nop 0",
        "s_endpgm\n.fill 4, 4, 0xbf9f0000",
        "s_branch elsewhere",
        '.include "missing.inc"',
    ],
)
def test_silent(code: str) -> None:
    assert told(f"k:\n {code}\n") == []


def test_in_a_loop() -> None:
    text = "k:\n s_sub_u32 s0, s0, 1\n s_cmp_lg_u32 s0, 0\n s_cbranch_scc1 k\n"
    assert [line for line, _ in told(text)] == [4]


def test_one_branch_of_two() -> None:
    assert [line for line, _ in told("k:\n s_cbranch_scc0 b\n s_endpgm\nb:\n s_nop 0\n")] == [5]


def test_a_label_at_the_end() -> None:
    assert [line for line, _ in told("k:\n s_cbranch_scc0 b\n s_endpgm\nb:\n")] == [4]


def test_behind_a_label_the_fix_is_indented_like_the_code() -> None:
    parsed = fixture.parse("k:\n    s_cbranch_scc0 b\n    s_endpgm\nb:\n" + DESCRIPTOR)
    (finding,) = missing_endpgm.check(build(parsed))
    assert [edit.new_text for edit in finding.fixes[0].edits] == ["\n    s_endpgm"]


def test_into_the_next_kernel() -> None:
    text = "k:\n s_nop 0\nnext:\n s_endpgm\n.type next, @function\n"
    assert told(text) == [
        (2, "control runs into `next` after this, in kernel `k`: `s_endpgm` is missing"),
    ]


def test_into_the_padding() -> None:
    assert [line for line, _ in told("k:\n s_nop 0\n s_code_end\n s_code_end\n", "gfx1030")] == [2]


def test_code_of_no_kernel_is_not_judged() -> None:
    assert told("k:\n s_endpgm\nother:\n s_nop 0\n") == []


def test_through_a_macro() -> None:
    (finding,) = missing_endpgm.check(
        build(fixture.parse(".macro last n\n s_nop \\n\n.endm\nk:\n last 3\n" + DESCRIPTOR))
    )
    assert (finding.where.line, finding.fixes) == (1, ())
    assert [related.where.line for related in finding.related] == [4]


def test_a_kernel_with_a_header() -> None:
    header = "k:\n.amd_kernel_code_t\n kernarg_segment_byte_size = 8\n.end_amd_kernel_code_t\n"
    found = list(missing_endpgm.check(build(fixture.parse(header + " s_nop 0\n"), "gfx803")))
    assert [finding.where.line for finding in found] == [4]
    assert list(missing_endpgm.check(build(fixture.parse(header + " s_endpgm\n"), "gfx803"))) == []


def test_the_fix() -> None:
    check_fix(
        """
        k:
          s_nop 0 ; the last
        .rodata
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """,
        """
        k:
          s_nop 0 ; the last
          s_endpgm
        .rodata
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """,
        rule="missing-endpgm",
    )


def test_after_an_edit() -> None:
    text = "k:\n" + " s_nop 0\n" * 200 + " s_endpgm\n" + DESCRIPTOR
    options = program.Options(target="gfx900")
    first = program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert list(missing_endpgm.check(first)) == []
    edited = text.replace(" s_endpgm\n", "")
    source = SourceText.from_bytes("k.s", edited.encode())
    again = list(missing_endpgm.check(program.build(source, options, first)))
    assert again == list(missing_endpgm.check(program.build(source, options)))
    assert [finding.where.line for finding in again] == [200]
