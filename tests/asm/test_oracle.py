"""Every form with every sort of operand, good and broken, against LLVM's assembler: bytes and decisions.

By default a slice of the forms; `pytest -m slow tests/asm/test_oracle.py` takes all of them and some minutes.
"""

import random
from collections.abc import Iterator

import pytest

from gcn_lsp import isa
from tests.asm import generator
from tests.asm.support import assemble
from tests.support import llvm

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)

TARGETS = ("gfx900", "gfx906", "gfx908", "gfx90a")
BATCH = 20_000
AGREEMENT = 0.99
SLICE = 300  # of the forms one in so many is taken by default


def _batches(lines: Iterator[str]) -> Iterator[list[str]]:
    batch: dict[str, None] = {}
    for line in lines:
        batch[line] = None
        if len(batch) >= BATCH:
            yield list(batch)
            batch = {}
    if batch:
        yield list(batch)


def _compare(cpu: str, lines: Iterator[str]) -> None:
    """All bytes are equal where both accept; the decisions agree in 99 of 100."""
    count = different = 0
    wrong_bytes, examples = [], []
    for batch in _batches(lines):
        for line, reference in zip(batch, llvm.assemble(batch, cpu), strict=True):
            count += 1
            instruction = assemble(line, cpu)
            accepted = not instruction.problems
            if accepted != (reference.code is not None):
                different += 1
                examples.append(
                    f"{line}: LLVM {reference.message or 'accepts'}, here {instruction.problems or 'accepted'}"
                )
            elif reference.code and instruction.code != reference.code:
                wrong_bytes.append(f"{line}: LLVM {reference.code.hex()}, here {instruction.code.hex()}")
    print(f"\n{cpu}: {count} lines, {different} decisions differ ({100 - 100 * different / count:.3f}% agree)")
    assert not wrong_bytes, "\n".join(wrong_bytes[:10])
    assert different <= count * (1 - AGREEMENT), "\n".join(examples[:20])


def _slice(cpu: str) -> Iterator[generator.FormLines]:
    chooser = random.Random(cpu)
    return (lines for lines in generator.forms(isa.load_target(cpu)) if not chooser.randrange(SLICE))


@pytest.mark.parametrize("cpu", TARGETS)
def test_a_slice_of_the_forms(cpu: str) -> None:
    _compare(cpu, (line for lines in _slice(cpu) for line in lines.good()))


@pytest.mark.parametrize("cpu", TARGETS)
def test_a_slice_of_broken_lines(cpu: str) -> None:
    _compare(cpu, (line for lines in _slice(cpu) for line in lines.broken()))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS)
def test_every_form(cpu: str) -> None:
    _compare(cpu, (line for lines in generator.forms(isa.load_target(cpu)) for line in lines.good()))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS)
def test_every_broken_line(cpu: str) -> None:
    _compare(cpu, (line for lines in generator.forms(isa.load_target(cpu)) for line in lines.broken()))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS)
def test_all_slots_at_random(cpu: str) -> None:
    _compare(cpu, (line for lines in generator.forms(isa.load_target(cpu)) for line in lines.varied(4)))
