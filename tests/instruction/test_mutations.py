"""Lines with one mistake, against LLVM's assembler: the same decision, and our finding where the mistake is.

By default a few lines for some targets; `pytest -m slow tests/instruction/test_mutations.py` takes all targets and some
minutes, and says how many lines agreed.
"""

import random
from collections import Counter

import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from tests.instruction import mutations
from tests.instruction.mutations import Mutant
from tests.instruction.support import assemble
from tests.instruction.test_oracle import VARIANTS, is_known
from tests.support import llvm

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)

SAMPLED = ("gfx700", "gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250")
SAMPLED_MNEMONICS, SAMPLED_LINES = 25, 4
MNEMONICS, LINES = 450, 8
DECISIONS, PLACES = 0.999, 0.95

SAME, CHANGED, COUNT, MNEMONIC, ELSEWHERE = (
    "in the operand that LLVM points at",
    "on what was changed, and LLVM is elsewhere",
    "a wrong number of operands is told at the mnemonic",
    "LLVM points at the mnemonic, we at an operand",
    "elsewhere",
)
BETTER = (CHANGED, COUNT, MNEMONIC)
"""Reasons for which another place than LLVM's is as good or better."""


def _place(mutant: Mutant, column: int, problem: Problem) -> str:
    """The place of our problem relative to LLVM's column."""
    start, end = mutations.operand_at(mutant.line, column)
    if start <= problem.start <= end:
        return SAME
    start, end = mutations.operand_at(mutant.line, mutant.start)
    if start <= problem.start <= max(end, mutant.end):
        return CHANGED
    if problem.rule == "wrong-operand-count":
        return COUNT
    return MNEMONIC if column == 0 else ELSEWHERE


def _compare(cpu: str, mnemonics: int, lines: int) -> tuple[Counter[str], list[str]]:
    """How often what was found, and the lines on which the decisions differ, or the bytes."""
    name, _, mattr = cpu.partition(":")
    target = isa.load_target(name, mattr)
    chooser = random.Random(cpu)
    chosen = chooser.sample(target.mnemonics, min(mnemonics, len(target.mnemonics)))
    found = {mutant.line: mutant for mutant in mutations.mutants(target, cpu, chosen, lines, chooser)}
    counts: Counter[str] = Counter()
    differences = []
    for mutant, reference in zip(found.values(), llvm.assemble(list(found), name, mattr), strict=True):
        instruction = assemble(mutant.line, cpu)
        counts["lines"] += 1
        if bool(instruction.code) != (reference.code is not None) or (reference.code or b"") != instruction.code:
            known = is_known(mutant.line)
            counts["known" if known else "different"] += 1
            if not known:
                ours = instruction.code.hex() or instruction.problems
                differences.append(f"{mutant.line}: LLVM {reference.message or reference.code!r}, here {ours}")
        elif reference.code is None:
            counts["rejected"] += 1
            counts[_place(mutant, reference.column - 1, instruction.problems[0])] += 1
    return counts, differences


def _told(counts: Counter[str]) -> str:
    rejected = max(1, counts["rejected"])
    placed = [f"{100 * counts[reason] / rejected:.2f}% {reason}" for reason in (SAME, *BETTER, ELSEWHERE)]
    decisions = f"{counts['different']} decisions differ, {counts['known']} for a known reason"
    return f"{counts['lines']} lines, {decisions}; of the places {'; '.join(placed)}"


def _check(counts: Counter[str], differences: list[str]) -> None:
    assert counts["different"] <= counts["lines"] * (1 - DECISIONS), "\n".join(differences[:20])
    placed = sum(counts[reason] for reason in (SAME, *BETTER))
    assert placed >= counts["rejected"] * PLACES, _told(counts)


def test_a_few_mistakes() -> None:
    counts: Counter[str] = Counter()
    differences = []
    for cpu in SAMPLED:
        more, different = _compare(cpu, SAMPLED_MNEMONICS, SAMPLED_LINES)
        counts += more
        differences += different
    _check(counts, differences)


@pytest.mark.slow
def test_mistakes_for_every_target() -> None:
    total: Counter[str] = Counter()
    differences = []
    for cpu in (*isa.target_names(), *(cpu for cpu in VARIANTS if ":" in cpu)):
        counts, different = _compare(cpu, MNEMONICS, LINES)
        print(f"\n{cpu}: {_told(counts)}", *different, sep="\n  ")
        total += counts
        differences += different
    print(f"\nall: {_told(total)}")
    assert total["lines"] >= 200_000
    _check(total, differences)


@pytest.mark.parametrize(
    ("line", "column", "operand"),
    [
        ("v_add_f32 v0, v[1:2], v3", 16, "v[1:2]"),
        ("v_add_f32 v0, v[1:2], v3", 0, "v_add_f32"),
        ("v_add_f32 v0, v1 , v3", 16, "v1"),
        ("ds_read_b32 v0, v1 offset:", 26, "offset:"),
        ("buffer_load_dword v0, off, s[0:3], 0 offen quad_perm:[0,1,2,3] x", 45, "quad_perm:[0,1,2,3]"),
    ],
)
def test_the_operand_at_a_column(line: str, column: int, operand: str) -> None:
    start, end = mutations.operand_at(line, column)
    assert line[start:end] == operand
