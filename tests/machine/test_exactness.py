"""A slice of the sample that `exactness` compares with exact fractions."""

import pytest

from tests.machine.exactness import Case, difference, sample


@pytest.mark.parametrize("case", sample(60, 27), ids=str)
def test_a_result_is_exact(case: Case) -> None:
    assert difference(case) == ""
