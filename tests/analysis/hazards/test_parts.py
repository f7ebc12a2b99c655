"""Every role and file that a row can name has its registers."""

import pytest

from gcn_lsp import isa
from gcn_lsp.analysis.hazards import parts
from gcn_lsp.isa import hazards
from gcn_lsp.isa.hazards.access import Access, File


def test_every_role_selects_registers() -> None:
    assert set(parts._ACCESS) == set(Access)


def test_every_file_has_registers() -> None:
    assert set(parts._FILES) == set(File)
    assert all(parts._FILES.values())


@pytest.mark.parametrize("target", ["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"])
def test_roles_about_operands_name_their_slots(target: str) -> None:
    about_slots = {Access.SLOTS, Access.THIRD, Access.ADDEND, Access.MASK, Access.USES_BY_NAME}
    for row in hazards.rows(isa.load_target(target).features):
        for part in (row.writes, row.meets):
            assert bool(part.slots) == (part.access in about_slots), (row.id, part)
