"""A sample of `tests.views.inline.mutations`: correct statements are silent, and what breaks them is noticed."""

import shutil

import pytest

from tests.views.inline import generated, mutations

pytestmark = pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")


def test_what_is_taken_out_of_correct_statements_is_noticed() -> None:
    counts = mutations.Counts()
    for made in generated.statements(25, 3):
        target = mutations.GENERATED_FOR
        found = {rule for rule, _ in mutations.found(made.statement, target)}
        assert found <= mutations.OF_PLACES
        wrong = [each for each in mutations.mutants_of(made, target) if each[0] != "constraint"]  # clang takes long
        counts.judge("generated", made.statement, wrong, target)
    assert counts.noticed == counts.made
    assert set(counts.made) == {"early clobber", "clobber", "last wait"}
