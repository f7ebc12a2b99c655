"""The tables are what the generator makes of LLVM's dump, and they hold as many instructions as it does."""

import re
from functools import cache
from pathlib import Path

import pytest

from gcn_lsp.isa import conditions, generate
from gcn_lsp.isa.generation import builtins
from gcn_lsp.isa.generation.dump import Dump, references
from gcn_lsp.isa.generation.features import condition
from gcn_lsp.isa.tables import reader

FOLDER = Path(__file__).parents[3] / "shared" / "isa"
DUMPS = {22: "amdgpu-tablegen-22.1.8.json.xz", 23: "amdgpu-tablegen-23.1.1.json.xz"}

pytestmark = pytest.mark.slow


@cache
def dump_of(version: int) -> Dump:
    path = FOLDER / DUMPS[version]
    if not path.exists():
        pytest.skip(f"no dump of LLVM's tables beside the repository ({path.name})")
    return Dump.read(path)


@pytest.mark.parametrize("version", DUMPS)
def test_generating_again_changes_nothing(version: int) -> None:
    files, folder = generate.tables(dump_of(version)), reader.DATA / str(version)
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} - {builtins.FILE}
    assert present == set(files)
    stale = [name for name, lines in files.items() if (folder / name).read_text() != generate.text(name, lines)]
    assert stale == []


@pytest.mark.parametrize(("target", "records", "mnemonics"), [("gfx950", 3324, 1447), ("gfx1250", 4569, 1488)])
def test_number_of_instructions(target: str, records: int, mnemonics: int) -> None:
    dump = dump_of(22)
    known = generate.target_features(dump)[target]
    names = [
        name
        for name in dump.instructions()
        if conditions.met(condition(dump, references(dump[name]["Predicates"])), known)
    ]
    assert len(names) == records
    assert len({re.match(r"\w+", dump[name]["AsmString"])[0] for name in names}) == mnemonics  # type: ignore[index]
