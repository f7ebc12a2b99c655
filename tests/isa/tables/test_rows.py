"""What is asked of single rows is what the whole tables say."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import builtins
from gcn_lsp.isa.tables import reader


@pytest.mark.parametrize("llvm", [22, 23])
def test_targets_of_each_mnemonic(llvm: int) -> None:
    tables = reader.of(llvm)
    assert {name: tables.targets_with(name) for name in tables.mnemonic_targets} == dict(tables.mnemonic_targets)
    assert [tables.targets_with(name) for name in ("", "a", "zzz", "v_add", "BUFFER_ATOMIC_ADD")] == [()] * 5


@pytest.mark.parametrize("llvm", [22, 23])
def test_meanings_and_spellings_have_every_row(llvm: int) -> None:
    tables = reader.of(llvm)
    cells = [line.split("\t") for line in tables.lines("meanings.tsv")]
    rows = [(instruction, mnemonic) for instruction, mnemonic, _ in cells]
    meanings = {mnemonic: tables.meanings(mnemonic) for _, mnemonic in rows}
    assert sorted((one, name) for name, found in meanings.items() for one, _ in found) == sorted(rows)
    spellings = {instruction: tables.spellings(instruction) for instruction, _ in rows}
    assert [(one, name) for one, found in spellings.items() for name, _ in found] == rows
    assert (tables.meanings("BUFFER_ATOMIC_ADD"), tables.spellings("buffer_atomic_add"), tables.spellings("")) == (
        *([], []),
        [],
    )


def test_builtins_of_each_instruction() -> None:
    target = isa.load_target("gfx950")
    single = [
        each
        for name in builtins.names()
        for each in builtins.named(name)
        if len(each.instructions) == 1 and each.instructions[0] != builtins.SEVERAL and each.is_on(target.name)
    ]
    names = {each.instructions[0] for each in single}
    assert len(names) > 100
    assert sorted(each.name for name in names for each in builtins.becoming(name, target)) == sorted(
        each.name for each in single
    )
