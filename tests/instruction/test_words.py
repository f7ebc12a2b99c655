"""Every modifier that the reader of operands takes is a row of the tables, and every row is taken."""

import pytest

from gcn_lsp import isa
from gcn_lsp.instruction import modifiers
from gcn_lsp.isa.modifiers import cache_policy, dpp, table
from tests.instruction.support import assemble
from tests.isa.llvm import encodings, needs_llvm

TARGETS = ("gfx600", "gfx803", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250")
every_target = pytest.mark.parametrize("name", TARGETS)

# Read with other operands or as tokens of a form: cache policies, formats, and the words of buffer addressing.
_MERGED = {"format", "dfmt", "nfmt", *cache_policy.HINT_WORDS, *(row.name for row in cache_policy.ROWS)}

_TOKENS = {"off", "vcc", "vcc_lo", "exec", "exec_lo", "m0", "scc", "src_lds_direct", "lds_direct"}
"""Words of forms that are operands, not modifiers."""

_CARRIERS = (
    "v_add_f32_e64 v0, v1, v2", "v_mov_b32_dpp v0, v1", "v_mov_b32_sdwa v0, v1", "ds_read2_b32 v[0:1], v2",
    "ds_load_2addr_b32 v[0:1], v2", "v_pk_add_f16 v0, v1, v2", "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
    "global_load_dword v0, v[2:3], off", "global_load_b32 v0, v[2:3], off", "s_load_dword s0, s[2:3], 0",
    "s_load_b32 s0, s[2:3], 0", "image_load v[0:3], v[0:1], s[0:7] dmask:0xf",
)  # fmt: skip


def test_words_of_slots_are_rows_and_rows_are_words_of_slots() -> None:
    taken: set[str] = set()
    for target in map(isa.load_target, TARGETS):
        for mnemonic in target.mnemonics:
            for form in target.forms(mnemonic):
                slots = [slot for slot in form.slots if slot.role == "modifier" or slot.kind is None]
                taken |= {word for slot in slots for word in _words(slot, target)}
    words = {word.rstrip(":") for word in taken if word.removeprefix("no") not in taken or not word.startswith("no")}
    assert table.all_names() - _MERGED - words == set()
    assert {
        word for word in words if word.isidentifier() and not word.startswith("v_")
    } - table.all_names() - _TOKENS == set()


def _words(slot: isa.Slot, target: isa.Target) -> frozenset[str]:
    return frozenset((slot.text,)) if slot.kind is None else modifiers.spellings(slot.kind, target) or frozenset()


@every_target
@needs_llvm
def test_every_word_is_judged_as_by_llvm(name: str) -> None:
    target = isa.load_target(name)
    words = [row.name for row in table.modifiers(target.features).values() if row.shape == "flag"]
    words += [*(row.name for row in cache_policy.ROWS), *dpp.BARE]
    for row in table.ROWS.values():
        values = (
            [f"{value}" for value in row.values or ()] if row.shape != "integer" else [row.low, row.high, row.high + 1]
        )
        words += [f"{row.name}:{value}" for value in values]
    words += [f"{factor}:{value}" for factor in table.OUTPUT_MODIFIERS for value in range(5)]
    for control in dpp.CONTROLS.values():
        if control.low is not None and control.high is not None:
            words += [
                f"{control.name}:{value}" for value in (control.low - 1, control.low, control.high, control.high + 1)
            ]
    lines = [f"{carrier} {word}" for carrier in _CARRIERS if target.has_forms(carrier.split()[0]) for word in words]
    found = zip(lines, encodings(name, lines), strict=True)
    assert [line for line, code in found if bool(assemble(line, name).code) != bool(code)] == []
