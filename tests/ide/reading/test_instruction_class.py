"""The class of an instruction for a reader."""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.reading.instruction_class import instruction_class


@pytest.mark.parametrize("target", ["gfx1250", "gfx1310"])
@pytest.mark.parametrize("word", ["s_set_pc_i64", "s_swap_pc_i64", "s_add_pc_i64", "s_branch", "s_endpgm"])
def test_what_writes_the_program_counter_is_a_branch(target: str, word: str) -> None:
    assert instruction_class(isa.load_target(target), word) == "branch"


@pytest.mark.parametrize("word", ["s_setpc_b64", "s_set_pc_i64", "s_cbranch_scc0", "s_call_b64", "s_rfe_b64"])
def test_branch_without_a_target(word: str) -> None:
    assert instruction_class(None, word) == "branch"


@pytest.mark.parametrize(
    ("word", "found"),
    [("s_getpc_b64", "scalar"), ("s_nop", "wait"), ("s_barrier", "sync"), ("v_mov_b32", "vector"), ("x_y", None)],
)
def test_other_classes(word: str, found: "str | None") -> None:
    assert instruction_class(isa.load_target("gfx90a"), word) == found
