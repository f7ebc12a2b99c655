"""A slice of what `python -m tests.machine.two_machines` compares: generated kernels for targets of all generations."""

import shutil

import pytest

from tests.machine import two_machines

SEED = 4000


@pytest.mark.skipif(
    any(shutil.which(each) is None for each in (two_machines.CLANG, two_machines.NEWER)),
    reason=f"{two_machines.CLANG} or {two_machines.NEWER} is not installed",
)
@pytest.mark.parametrize("batch", list(two_machines.batches(SEED, 3 * len(two_machines.TARGETS), 2))[::5])
def test_kernels_have_the_same_results_on_both_machines(batch: two_machines.Batch) -> None:
    assert [(seed, difference) for seed, _, difference in two_machines.compare(batch)] == [
        (seed, "") for seed in batch.seeds
    ]


def test_batches_are_all_kernels_once() -> None:
    made = list(two_machines.batches(7, 100, 8))
    assert [seed for batch in made for seed in batch.seeds] == list(range(7, 107))
    assert [batch.target for batch in made[:16]] == list(two_machines.TARGETS)
    assert {batch.level: len(batch.seeds) for batch in made[:-1]} == {"O0": 2, "O2": 8}


def test_a_seed_decides_the_kernel() -> None:
    assert two_machines.Generator(7).text() == two_machines.Generator(7).text() != two_machines.Generator(8).text()
