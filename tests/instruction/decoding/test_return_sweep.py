"""A sample of the sweep: what does not come back has bits that LLVM's assembler does not give either."""

import pytest

from tests.instruction.decoding import return_sweep
from tests.support import llvm

EACH = 60


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("cpu", ["gfx803", "gfx942", "gfx1030", "gfx1200", "gfx1250"])
def test_changed_instructions_come_back_or_cannot(cpu: str) -> None:
    count = return_sweep.counted(return_sweep.of_random(EACH, [cpu]))
    assert count.came_back.total() > EACH // 2
    assert not count.wrong
    assert not list(count.faults())
