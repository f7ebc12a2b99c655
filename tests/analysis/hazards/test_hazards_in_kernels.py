"""The findings in production kernels: each was examined, and everything else must be silent.

The kernels for gfx908 and gfx942 break rows of the document or of LLVM's tables. The Winograd kernels keep to the
documents where LLVM's compiler is more careful than they ask (see `isa.hazards.wait_states`, S-05 and S-06).
"""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"

# v_cmpx two instructions before an MFMA, which needs four (MI100 document); v_accvgpr_read right before the ds_write of
# its result (LLVM asks for two wait states); v_cmp right before a v_cndmask with its mask (gfx942 needs two, and the
# kernel is for gfx90a but for the names); scalar and vector loads that overwrite their address in a run, which only
# matters with XNACK.
EXPECTED = {
    "igemm_bwd_gtcx_nhwc_fp16": {"M908-01": 9, "M908-13": 64},
    "igemm_wrw_gtcx_nchw_fp32": {"M908-13": 16},
    "igemm_fwd_gtcx3_nhwc_fp16": {"S-22b": 26},
    "naive_conv_gcn": {"S-03": 12, "S-04": 18},
}


def kernels() -> list[dict[str, str]]:
    """The rows of the corpus' manifest."""
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "MANIFEST.tsv").open() as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def load(kernel: dict[str, str]) -> Program:
    """A kernel as its build assembles it."""
    path = CORPUS / kernel["file"]

    def include(includer: str, name: str) -> "SourceText | None":
        for folder in (Path(includer).parent, path.parent):
            if (folder / name).exists():
                return SourceText.from_bytes(str(folder / name), (folder / name).read_bytes())
        return None

    options = Options(kernel["mcpu"], kernel["mattr"], json.loads(kernel["defsym"]), include)
    return build(SourceText.from_bytes(str(path), path.read_bytes()), options)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real kernels is not beside the repository")
@pytest.mark.parametrize("kernel", kernels(), ids=lambda kernel: Path(kernel["file"]).name)
def test_what_is_found(kernel: dict[str, str]) -> None:
    result = hazards.of(load(kernel))
    assert result is not None
    expected = next((rows for name, rows in EXPECTED.items() if name in kernel["file"]), {})
    assert Counter(hazard.row.id for hazard in result.found) == expected
