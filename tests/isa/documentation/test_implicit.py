"""What is shown as read and written implicitly is what LLVM's tables have, on every form of every target.

Where they differ, either hardware does less than the tables say (`implicit.TOO_MUCH`, spelt out again here), or the
entry knows of something that LLVM does not model.
"""

from collections.abc import Iterator

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import conditions, documentation
from gcn_lsp.isa.documentation import implicit

REGISTERS = {"scc": "SCC", "vcc": "VCC", "exec": "EXEC", "m0": "M0", "mode": "MODE", "flat_scr": "FLAT_SCRATCH"}
"""The registers of the tables; their counters are among an entry's counters."""

ONLY_IN_THE_TABLES = {
    ("reads", "M0", "ds_", "gfx9+"),
    ("reads", "M0", "ds_nop", ""),
    ("reads", "M0", "v_interp_", "gfx11+"),
    ("reads", "EXEC", "v_mfma_", ""),
    ("reads", "EXEC", "v_smfmac_", ""),
    ("reads", "EXEC", "v_wmma_", ""),
    ("reads", "EXEC", "v_swmmac_", ""),
    ("reads", "EXEC", "ds_load_tr", "gfx125"),
    ("reads", "EXEC", "ds_load_b64_tr", "gfx125"),
    ("reads", "EXEC", "ds_load_b96_tr", "gfx125"),
    ("reads", "EXEC", "ds_load_b128_tr", "gfx125"),
    ("reads", "EXEC", "v_s_", ""),
    ("reads", "SCC", "s_barrier_signal_isfirst", ""),
    ("reads", "MODE", "s_set_gpr_idx_idx", ""),
    ("reads", "MODE", "s_set_gpr_idx_mode", ""),
    ("writes", "SCC", "s_setvskip", ""),
    ("writes", "MODE", "s_set_gpr_idx_idx", ""),
    ("writes", "MODE", "s_set_gpr_idx_mode", ""),
}
ONLY_SHOWN = {
    *(
        ("reads", name, mnemonic, "")
        for name in ("EXEC", "MODE")
        for mnemonic in ("s_cbranch_g_fork", "s_cbranch_i_fork")
    ),
    *(
        ("writes", name, mnemonic, "")
        for name in ("EXEC", "MODE")
        for mnemonic in ("s_cbranch_g_fork", "s_cbranch_i_fork")
    ),
    *((kind, "MODE", "s_cbranch_join", "") for kind in ("reads", "writes")),
    ("writes", "EXEC", "s_cbranch_join", ""),
    ("writes", "MODE", "s_setvskip", ""),
    ("reads", "M0", "v_interp_p2_f16", "gfx9"),
    ("reads", "M0", "ds_", "gfx8"),  # of two records with one encoding, the second is gfx9's, which needs no M0
    ("reads", "M0", "s_barrier_init", "gfx12+"),  # also where the operand is m0
}


def differences(target: str) -> Iterator[tuple[str, str, str, bool]]:
    """`reads` or `writes`, a register, a mnemonic, and whether it is the table that has it."""
    loaded = isa.load_target(target)
    for mnemonic in loaded.mnemonics:
        entry = documentation.entry(mnemonic, loaded)
        for form in loaded.forms(mnemonic):
            named = {slot.text.removesuffix("_lo") for slot in form.slots}
            shown = {"reads": implicit.reads(entry, (form,), target), "writes": implicit.writes(entry, (form,), target)}
            for kind, registers in (("reads", form.uses), ("writes", form.defs)):
                expected = {REGISTERS[name] for name in registers if name in REGISTERS and name not in named}
                found = {name.partition(".")[0] for name in shown[kind].always} & set(REGISTERS.values())
                yield from ((kind, name, mnemonic, True) for name in expected - found)
                yield from ((kind, name, mnemonic, False) for name in found - expected)


def covers(rows: set[tuple[str, str, str, str]], found: tuple[str, str, str], target: str) -> bool:
    kind, name, mnemonic = found
    return any(
        (kind, name) == row[:2] and mnemonic.startswith(row[2]) and conditions.covers(row[3], target) for row in rows
    )


@pytest.mark.parametrize("target", isa.target_names())
def test_what_is_shown_is_what_the_tables_have(target: str) -> None:
    unexplained = [
        (*found, in_table)
        for *found, in_table in differences(target)
        if not covers(ONLY_IN_THE_TABLES if in_table else ONLY_SHOWN, (found[0], found[1], found[2]), target)
    ]
    assert unexplained == []


def test_every_exception_is_met() -> None:
    targets = ("gfx600", "gfx700", "gfx803", "gfx900", "gfx908", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250")
    met = {(found, target) for target in targets for found in differences(target)}
    for rows, in_table in ((ONLY_IN_THE_TABLES, True), (ONLY_SHOWN, False)):
        for row in rows:
            assert any(covers({row}, found[:3], target) for found, target in met if found[3] is in_table), row


def test_the_tables_of_exceptions_agree() -> None:
    spelt = {
        ("writes" if row.writes else "reads", REGISTERS[row.register], mnemonic, row.condition)
        for row in implicit.TOO_MUCH
        for mnemonic in row.mnemonics
    }
    assert spelt == ONLY_IN_THE_TABLES


def test_forms_that_differ_are_told_apart() -> None:
    target = isa.load_target("gfx908")
    entry = documentation.entry("buffer_load_dword", target)
    found = implicit.reads(entry, target.forms("buffer_load_dword"), target.name)
    assert (found.always, found.sometimes) == (("EXEC",), ("M0",))
    pair = isa.load_target("gfx1100").forms("v_dual_mov_b32")
    assert implicit.reads(None, pair, "gfx1100") == implicit.Implicit(("EXEC",))
    assert implicit.reads(entry, (), "gfx908").always == (entry.reads if entry is not None else None)
