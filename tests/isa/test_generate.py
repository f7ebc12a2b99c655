"""The tables are what the generator makes of LLVM's dump, and they hold as many instructions as it does."""

import re
from pathlib import Path

import pytest

from gcn_lsp.isa import features, generate, tables
from gcn_lsp.isa.generation.dump import Dump, references
from gcn_lsp.isa.generation.features import condition

DUMP = Path(__file__).parents[3] / "shared" / "isa" / "amdgpu-tablegen-22.1.8.json.xz"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DUMP.exists(), reason=f"no dump of LLVM's tables beside the repository ({DUMP.name})"),
]


@pytest.fixture(scope="module")
def dump() -> Dump:
    return Dump.read(DUMP)


def test_generating_again_changes_nothing(dump: Dump) -> None:
    files = generate.tables(dump)
    present = {path.relative_to(tables.DATA).as_posix() for path in tables.DATA.rglob("*.*")}
    assert present == set(files)
    stale = [name for name, lines in files.items() if (tables.DATA / name).read_text() != generate.text(name, lines)]
    assert stale == []


@pytest.mark.parametrize(("target", "records", "mnemonics"), [("gfx950", 3324, 1447), ("gfx1250", 4569, 1488)])
def test_number_of_instructions(dump: Dump, target: str, records: int, mnemonics: int) -> None:
    known = generate.target_features(dump)[target]
    names = [
        name
        for name in dump.instructions()
        if features.holds(condition(dump, references(dump[name]["Predicates"])), known)
    ]
    assert len(names) == records
    assert len({re.match(r"\w+", dump[name]["AsmString"])[0] for name in names}) == mnemonics  # type: ignore[index]
