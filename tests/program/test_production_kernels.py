"""Production kernels assemble to the very bytes that LLVM makes of them, and nothing in them is refused.

What the analyses of waits and hazards say of them is tested with those.
"""

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from gcn_lsp import project
from gcn_lsp.findings.model import Severity
from gcn_lsp.program import problems
from gcn_lsp.program.program import build
from gcn_lsp.rules import RULES

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
MANIFEST = CORPUS / "MANIFEST.tsv"


def rows() -> list[dict[str, Any]]:
    if not MANIFEST.exists():
        return []
    with MANIFEST.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.skipif(not MANIFEST.exists(), reason="there is no directory `shared` beside the checkout")
@pytest.mark.parametrize("row", rows(), ids=lambda row: Path(row["file"]).stem[:40])
def test_bytes_and_mistakes(row: dict[str, Any]) -> None:
    path = CORPUS / row["file"]
    settings = project.Settings(
        target=row["mcpu"],
        mattr=row["mattr"],
        defines=json.loads(row["defsym"] or "{}"),
        include_paths=(str(CORPUS / "miopen"),),
    )
    setup = project.load(str(path), settings)
    assert setup.source is not None
    program = build(setup.source, setup.options)
    rules = [found.problem.rule for found in problems.of(program)]
    assert [rule for rule in rules if RULES[rule].severity is Severity.ERROR] == []
    text = program.section_bytes(".text")
    assert (len(text), hashlib.sha256(text).hexdigest()) == (int(row["text_size"]), row["text_sha256"])
