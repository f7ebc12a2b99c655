"""Production kernels assemble to the very bytes that each version of LLVM makes of them; nothing in them is refused.

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
from gcn_lsp.isa import versions
from gcn_lsp.program import problems
from gcn_lsp.program.program import Program, build
from gcn_lsp.rules import RULES
from tests.support import llvm, llvm_object

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
MANIFEST = CORPUS / "MANIFEST.tsv"
RECORDED = 22  # the version whose bytes the manifest has


def rows() -> list[dict[str, Any]]:
    if not MANIFEST.exists():
        return []
    with MANIFEST.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def assembled(row: dict[str, Any], version: int) -> Program:
    settings = project.Settings(
        target=row["mcpu"],
        mattr=row["mattr"],
        llvm=version,
        defines=json.loads(row["defsym"] or "{}"),
        include_paths=(str(CORPUS / "miopen"),),
    )
    setup = project.load(str(CORPUS / row["file"]), settings)
    assert setup.source is not None
    return build(setup.source, setup.options)


@pytest.mark.skipif(not MANIFEST.exists(), reason="there is no directory `shared` beside the checkout")
@pytest.mark.parametrize("row", rows(), ids=lambda row: Path(row["file"]).stem[:40])
def test_bytes_and_mistakes(row: dict[str, Any]) -> None:
    """The manifest has what LLVM 22 makes of them; the newest version is asked where its bytes are others."""
    newest = assembled(row, versions.VERSIONS[-1])
    rules = [found.problem.rule for found in problems.of(newest)]
    assert [rule for rule in rules if RULES[rule].severity is Severity.ERROR] == []
    text = newest.section_bytes(".text")
    known = (int(row["text_size"]), row["text_sha256"])
    if (len(text), hashlib.sha256(text).hexdigest()) == known:
        return
    former = assembled(row, RECORDED).section_bytes(".text")
    assert (len(former), hashlib.sha256(former).hexdigest()) == known
    if not llvm.available():
        pytest.skip(f"the bytes of LLVM {RECORDED} are right; {llvm.MISSING}")
    options = [f"-I{CORPUS / 'miopen'}", f"-I{(CORPUS / row['file']).parent}"]
    options += [f"-defsym={name}={value}" for name, value in json.loads(row["defsym"] or "{}").items()]
    reference = llvm_object.assemble((CORPUS / row["file"]).read_bytes(), row["mcpu"], row["mattr"], options)
    assert reference.sections is not None
    assert text == reference.sections[".text"]
