import pytest

from tests.instruction.support import code_of


@pytest.mark.parametrize(
    ("mode", "code"), [("gpr_idx()", "000011bf"), ("gpr_idx(SRC0,DST)", "000911bf"), ("15", "000f11bf")]
)
def test_vgpr_index_modes(mode: str, code: str) -> None:
    assert code_of(f"s_set_gpr_idx_on s0, {mode}") == code
