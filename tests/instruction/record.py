"""Writes `vectors/*.txt` anew from the reference assembler: `python -m tests.instruction.record`; read the difference.

A vector is a line that both assemble to the same bytes, or that both refuse; the rule is then ours. Lines on which
the two disagree are left out, and printed. The lines of which an older version makes something else are recorded for
that version as well, in files of their own.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from gcn_lsp import isa
from gcn_lsp.isa import versions
from gcn_lsp.isa.tables import reader
from tests.instruction import generator
from tests.instruction.support import assemble
from tests.support import llvm

VECTORS = Path(__file__).parent / "vectors"
TARGETS = (
    "gfx900", "gfx906", "gfx908", "gfx90a", "gfx600", "gfx700", "gfx803", "gfx942", "gfx950", "gfx1010", "gfx1030",
    "gfx1100", "gfx1150", "gfx1170", "gfx1200", "gfx1250", "gfx1251", "gfx1310",
)  # fmt: skip
"""A form is recorded for the first of them that has it."""
BROKEN_EVERY = {"gfx900": 700, "gfx906": 25, "gfx908": 60, "gfx90a": 350}  # one broken line is recorded of so many
BROKEN_EVERY_ELSEWHERE = 4000
GOOD_EVERY = 500  # beside a plain line of every mnemonic and syntax, one of so many
PAIRS_EVERY = 40  # of the pairs of dual issue, one in so many


def main() -> None:
    """Write a file of good and one of broken lines for each target."""
    seen: set[str] = set()
    for cpu in TARGETS:
        good, broken = [], []
        every = BROKEN_EVERY.get(cpu, BROKEN_EVERY_ELSEWHERE)
        for lines in generator.forms(isa.load_target(cpu)):
            form = lines.form
            if form.name in seen:
                continue
            chooser = random.Random(form.name)
            if form.family == "VOPD" and chooser.randrange(PAIRS_EVERY):
                continue
            is_first = f"{form.mnemonic}{form.variant}{form.syntax}" not in seen
            seen |= {form.name, f"{form.mnemonic}{form.variant}{form.syntax}"}
            for index, line in enumerate(lines.good()):
                if (is_first and index == 0) or not chooser.randrange(GOOD_EVERY):
                    good.append(line)
            broken += [line for line in lines.broken() if not chooser.randrange(every)]
        for name, chosen in (("good", good), ("broken", broken)):
            distinct = list(dict.fromkeys(chosen))
            rows = list(_rows(distinct, cpu, versions.USUAL))
            _write(f"{cpu}_{name}", versions.USUAL, rows)
            for version in _older(cpu):
                plain = {row.partition(" | ")[2] for row in rows}
                others = [row for row in _rows(distinct, cpu, version) if row.partition(" | ")[2] not in plain]
                if others:
                    _write(f"{cpu}_{name}_llvm{version}", version, others)


def _older(cpu: str) -> Iterator[int]:
    """The versions before the usual one that know a processor."""
    older = (version for version in versions.VERSIONS if version < versions.USUAL)
    return (version for version in older if cpu in reader.of(version).processors)


def _write(name: str, version: int, rows: list[str]) -> None:
    head = f"# What LLVM {version} makes of lines; recorded by tests/instruction/record.py."
    (VECTORS / f"{name}.txt").write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    print(f"{name}: {len(rows)}")


def _rows(lines: list[str], cpu: str, version: int) -> Iterator[str]:
    target = f"{cpu}:{switch}" if (switch := versions.with_switch("", version)) else cpu
    for line, reference in zip(lines, llvm.assemble(lines, cpu, version=version), strict=True):
        instruction = assemble(line, target)
        if (reference.code is None) == bool(instruction.code) or (reference.code or b"") != instruction.code:
            print(f"  {target}: {line}: {reference} / {instruction.code.hex()} {instruction.problems}")
        elif reference.code is None:
            yield f"{target} | {line} | error {instruction.problems[0].rule}"
        else:
            yield f"{target} | {line} | {reference.code.hex()}"


if __name__ == "__main__":
    main()
