"""Documents of every kind under random edits; `python -m tests.server.random_kinds` does so at length."""

import random
from collections import Counter

import pytest

from tests.server import random_kinds
from tests.server.random_kinds import Kind


@pytest.mark.parametrize("kind", random_kinds.kinds(), ids=lambda kind: kind.name)
def test_an_edited_document_is_found_as_a_fresh_one(kind: Kind) -> None:
    found = list(random_kinds.run(kind, 24, 12, random.Random(1), Counter()))
    assert not found, found[0].what


@pytest.mark.slow
@pytest.mark.parametrize("kind", random_kinds.kinds(), ids=lambda kind: kind.name)
def test_many_edits(kind: Kind) -> None:
    found = [
        failure for seed in range(5) for failure in random_kinds.run(kind, 200, 20, random.Random(seed), Counter())
    ]
    assert not found, found[0].what
