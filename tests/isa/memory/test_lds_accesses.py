"""What a mnemonic says about an access of LDS."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.memory import lds_accesses

TARGETS = ("gfx600", "gfx803", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250")


@pytest.mark.parametrize(
    ("mnemonic", "width", "step"),
    [
        ("ds_read_b32", 4, 4),
        ("ds_write_b8_d16_hi", 1, 1),
        ("ds_read2_b64", 8, 8),
        ("ds_write2st64_b32", 4, 256),
        ("ds_store_2addr_stride64_b64", 8, 512),
        ("ds_read_b64_tr_b16", 8, 8),
        ("ds_load_tr6_b96", 12, 12),
        ("ds_pk_add_f16", 4, 4),
        ("ds_add_f64", 8, 8),
        ("ds_nop", 0, 0),
    ],
)
def test_widths_and_steps(mnemonic: str, width: int, step: int) -> None:
    assert lds_accesses.width(mnemonic) == width
    assert lds_accesses.offset_step(mnemonic) == step


@pytest.mark.parametrize("name", TARGETS)
def test_every_read_and_write_says_its_width(name: str) -> None:
    target = isa.load_target(name)
    plain = [each for each in target.mnemonics if each.startswith((*lds_accesses.READS, *lds_accesses.WRITES))]
    assert plain
    assert [each for each in plain if not lds_accesses.width(each)] == []
