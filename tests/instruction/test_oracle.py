"""Every form with every sort of operand, good and broken, against LLVM's assembler: bytes and decisions.

By default a slice of the forms; `pytest -m slow tests/instruction/test_oracle.py` takes all of them and some minutes.
"""

import random
import re
from collections.abc import Iterator

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import versions
from tests.instruction import generator
from tests.instruction.support import assemble
from tests.support import llvm

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)

TARGETS = (
    "gfx600", "gfx700", "gfx803", "gfx810", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010",
    "gfx1030", "gfx1100", "gfx1100:+real-true16", "gfx1150", "gfx1170", "gfx1201", "gfx1250", "gfx1251", "gfx1310",
)  # fmt: skip
VARIANTS = (
    "gfx900:+xnack", "gfx1010:-wavefrontsize32,+wavefrontsize64", "gfx1030:-wavefrontsize32,+wavefrontsize64",
    "gfx1100:-wavefrontsize32,+wavefrontsize64", "gfx1100:-real-true16", "gfx1200:+real-true16",
    "gfx1200:-wavefrontsize32,+wavefrontsize64", "gfx1200:-real-true16", "gfx1250:-real-true16", "gfx9-generic",
    "gfx9-4-generic", "gfx10-1-generic", "gfx10-3-generic", "gfx11-generic", "gfx12-generic",
)  # fmt: skip
"""Features that change what is legal, and generic targets: compared in the long sweep only."""

OLDER = ("gfx908", "gfx1100", "gfx1200", "gfx1250")
"""Compared with LLVM 22 too; the rest of what differs is in `test_versions` and the recorded vectors."""

BATCH = 20_000
AGREEMENT = 0.995
MNEMONICS = 8  # of a target's, taken by default
FORMS = 2  # of each of these
OTHERS_TAKEN = 12  # of the mnemonics of processors that have an instruction set of others, one of so many

# Lines on which we differ from LLVM on purpose, and why.
KNOWN = (
    (r"(?<![\w.])[0-9]+[bf](?!\w)", "whether there is such a local label is for the whole file to say"),
    (r"_co_ci_u32_sdwa \S+ vcc_lo, [^,]*$", "with one source missing, LLVM takes its modifiers for it"),
    (r"^v_s_\w+ .*\bv\d", "LLVM takes VGPRs for the scalar source, and says beside the bytes that they are invalid"),
    (
        r"^v_cvt_scalef32_sr_pk_fp4_f32\w* v\d+, (?!v\[)",
        "LLVM takes constants and scalars for the pair of VGPRs, and calls the numbers invalid beside the bytes",
    ),
    (r"^v_dual_.*\b(v\d+)\b.* :: .*\b\1\b", "only since 23 LLVM knows that halves may read one register on gfx1200"),
    (r"\blit\([^)]*\).*\bundefined_name", "LLVM has an inline constant share the literal of a symbol, and mixes them"),
    (
        r"^s_(get_barrier_state|wakeup_barrier|barrier_\w+) ",
        "LLVM takes registers for the barrier's number and encodes others",
    ),
)


def is_known(line: str) -> bool:
    """Whether we differ from LLVM on this line on purpose."""
    return any(re.search(pattern, line) for pattern, _ in KNOWN)


def _batches(lines: Iterator[str]) -> Iterator[list[str]]:
    batch: dict[str, None] = {}
    for line in lines:
        batch[line] = None
        if len(batch) >= BATCH:
            yield list(batch)
            batch = {}
    if batch:
        yield list(batch)


def _compare(cpu: str, lines: Iterator[str], version: int = llvm.USUAL) -> None:
    """All bytes are equal where both accept; the decisions agree but for a few."""
    count = different = known = 0
    wrong_bytes, examples = [], []
    name, _, mattr = cpu.partition(":")
    target = f"{name}:{versions.with_switch(mattr, version)}"
    for batch in _batches(lines):
        for line, reference in zip(batch, llvm.assemble(batch, name, mattr, version), strict=True):
            count += 1
            instruction = assemble(line, target)
            accepted = bool(instruction.code)
            if accepted != (reference.code is not None):
                if is_known(line):
                    known += 1
                    continue
                different += 1
                examples.append(
                    f"{line}: LLVM {reference.message or 'accepts'}, here {instruction.problems or 'accepted'}"
                )
            elif reference.code and instruction.code != reference.code:
                if is_known(line):
                    known += 1
                    continue
                wrong_bytes.append(f"{line}: LLVM {reference.code.hex()}, here {instruction.code.hex()}")
    agree = 100 - 100 * different / max(1, count)
    print(f"\n{cpu}: {count} lines, {different} decisions differ ({agree:.3f}% agree), {known} for a known reason")
    assert not wrong_bytes, "\n".join(wrong_bytes[:10])
    assert different <= count * (1 - AGREEMENT), "\n".join(examples[:20])


def _target(cpu: str) -> isa.Target:
    name, _, mattr = cpu.partition(":")
    return isa.load_target(name, mattr)


def _slice(cpu: str) -> Iterator[generator.FormLines]:
    """Some forms of some mnemonics, the same in every run."""
    target, chooser = _target(cpu), random.Random(cpu)
    for mnemonic in chooser.sample(target.mnemonics, MNEMONICS):
        forms = list(generator.forms_of(target, mnemonic))
        yield from chooser.sample(forms, min(FORMS, len(forms)))


@pytest.mark.parametrize("cpu", TARGETS)
def test_a_slice_of_the_forms(cpu: str) -> None:
    _compare(cpu, (line for lines in _slice(cpu) for line in (*lines.good(), *lines.broken())))


@pytest.mark.skipif(not llvm.available(22), reason="llvm-mc-22 is not installed (Debian package llvm-22)")
@pytest.mark.parametrize("cpu", OLDER)
def test_a_slice_of_the_forms_of_llvm_22(cpu: str) -> None:
    _compare(cpu, (line for lines in _slice(f"{cpu}:+llvm22") for line in (*lines.good(), *lines.broken())), 22)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS + VARIANTS)
def test_every_form(cpu: str) -> None:
    _compare(cpu, (line for lines in generator.forms(_target(cpu)) for line in lines.good()))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS + VARIANTS)
def test_every_broken_line(cpu: str) -> None:
    _compare(cpu, (line for lines in generator.forms(_target(cpu)) for line in lines.broken()))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS + VARIANTS)
def test_all_slots_at_random(cpu: str) -> None:
    _compare(cpu, (line for lines in generator.forms(_target(cpu)) for line in lines.varied(4)))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", [name for name in isa.target_names() if name not in TARGETS + VARIANTS])
def test_some_forms_of_every_other_processor(cpu: str) -> None:
    target, chooser = _target(cpu), random.Random(cpu)
    forms = [
        chooser.choice(found)
        for mnemonic in target.mnemonics[::OTHERS_TAKEN]
        if (found := list(generator.forms_of(target, mnemonic)))
    ]
    _compare(cpu, (line for lines in forms for line in (*lines.good(), *lines.broken(), *lines.varied(4))))
