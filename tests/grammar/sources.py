"""The files that the grammar must be able to read: the tests' own kernels, and real ones where they are at hand."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
_CORPUS = REPOSITORY.parent / "shared" / "corpus"
_OWN = REPOSITORY / "tests" / "data"

OWN_KERNELS = sorted(_OWN.glob("*.s"))
CORPUS = sorted(path for path in _CORPUS.rglob("*") if path.suffix in (".s", ".inc"))


def own_parameters() -> list[object]:
    """One parameter for each kernel of the tests' own."""
    return [pytest.param(path, id=path.name) for path in OWN_KERNELS]


def corpus_parameters() -> list[object]:
    """One parameter for each real kernel, or one that skips and says why."""
    if not CORPUS:
        reason = "the corpus of real kernels is not beside the repository (../shared/corpus)"
        return [pytest.param(None, id="no-corpus", marks=pytest.mark.skip(reason=reason))]
    return [pytest.param(path, id=path.name) for path in CORPUS]
