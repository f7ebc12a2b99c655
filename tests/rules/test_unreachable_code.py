"""Instructions that no path leads to."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.rules import unreachable_code
from gcn_lsp.text import SourceText
from tests.support import fixture
from tests.support.check import build, check_diagnostics


def told(text: str, target: str = "gfx900") -> list[tuple[int, int]]:
    """The first and last lines, from 1, of the findings."""
    found = unreachable_code.check(build(fixture.parse(text), target))
    return [(each.where.line + 1, (each.last or each.where).line + 1) for each in found]


def test_behind_a_branch() -> None:
    check_diagnostics(
        """
        k:
          s_branch end
          v_mov_b32 v0, 0
        //^^^^^^^^^^^^^^^ hint[unreachable-code]: no path leads here
        end:
          s_endpgm
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        "s_cbranch_scc0 e\n v_mov_b32 v0, 0\ne:\n s_endpgm",
        "loop:\n v_mov_b32 v0, 0\n s_branch loop",
        "s_endpgm\n s_nop 0\n s_code_end\n s_endpgm",
        # Its address may be taken.
        "s_getpc_b64 s[0:1]\n s_add_u32 s0, s0, t-k\n s_endpgm\nt:\n v_mov_b32 v0, 0\n s_endpgm",
        "s_endpgm\nt:\n v_mov_b32 v0, 0\n s_endpgm\n.section .data\n.quad t",
        "s_endpgm\n.globl t\nt:\n v_mov_b32 v0, 0\n s_endpgm",
        "s_endpgm\n.type t, @function\nt:\n v_mov_b32 v0, 0\n s_endpgm",
        "s_call_b64 s[0:1], f\n s_endpgm\nf:\n v_mov_b32 v0, 0\n s_setpc_b64 s[0:1]",
        # A jump to anywhere.
        "s_setpc_b64 s[0:1]\n v_mov_b32 v0, 0\n s_endpgm",
        "s_setpc_b64 s[0:1]\nt:\n v_mov_b32 v0, 0\n s_endpgm",
        # Bytes that are code, perhaps.
        ".long 0xbf820000\n s_endpgm\n v_mov_b32 v0, 0\n s_endpgm",
        "s_branch 1\n s_nop 0\n v_mov_b32 v0, 0\n s_endpgm",
    ],
)
def test_silent(code: str) -> None:
    assert told(f"k:\n {code}\n", "gfx1030") == []


def test_one_finding_for_a_run() -> None:
    text = "k:\n s_endpgm\n s_nop 0\n v_mov_b32 v0, 0\na:\n s_branch b\nb:\n v_mov_b32 v1, 0\n s_branch a\n s_nop 1\n"
    assert told(text) == [(4, 9)]


def test_a_loop_that_only_leads_to_itself() -> None:
    assert told("k:\n s_endpgm\nloop:\n v_mov_b32 v0, 0\n s_cbranch_scc1 loop\n s_endpgm\n") == [(4, 5)]


def test_at_a_join_of_ways_that_are_not_reached() -> None:
    text = "k:\n s_endpgm\n s_cbranch_scc0 a\n v_mov_b32 v0, 0\na:\n v_mov_b32 v1, 0\n s_endpgm\n"
    assert told(text) == [(3, 6)]


def test_the_next_kernel_is_judged_for_itself() -> None:
    text = "k:\n s_setpc_b64 s[0:1]\n.globl n\nn:\n s_endpgm\n v_mov_b32 v0, 0\n s_endpgm\n"
    assert told(text) == [(6, 6)]


MACRO = ".macro leave to\n s_branch \\to\n v_mov_b32 v0, 0\n.endm\n"


def test_in_a_macro_once() -> None:
    assert told(MACRO + "k:\n leave a\na:\n leave b\nb:\n s_endpgm\n") == [(3, 3)]


def test_a_call_of_a_macro_that_is_reached_elsewhere() -> None:
    macro = ".macro clear r\n v_mov_b32 \\r, 0\n.endm\n"
    assert told(macro + "k:\n clear v0\n s_endpgm\n clear v1\n s_endpgm\n") == []


@pytest.mark.parametrize(("included", "found"), [(".quad t", []), (".quad k", [(5, 5)])])
def test_a_label_that_an_included_file_names(included: str, found: list[tuple[int, int]]) -> None:
    text = f'//- k.s\n.include "data.inc"\nk:\n s_endpgm\nt:\n v_mov_b32 v0, 0\n s_endpgm\n//- data.inc\n{included}\n'
    assert told(text) == found


def test_after_an_edit() -> None:
    text = "k:\n s_cbranch_scc0 e\n" + " v_mov_b32 v0, 0\n" * 200 + "e:\n s_endpgm\n"
    options = program.Options(target="gfx900")
    first = program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert list(unreachable_code.check(first)) == []
    source = SourceText.from_bytes("k.s", text.replace("s_cbranch_scc0", "s_branch").encode())
    again = list(unreachable_code.check(program.build(source, options, first)))
    assert again == list(unreachable_code.check(program.build(source, options)))
    assert [(each.where.line, each.last.line) for each in again if each.last] == [(2, 201)]
