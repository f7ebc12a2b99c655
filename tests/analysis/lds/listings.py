"""Plants mistakes in listings of real kernels that copy to LDS, and counts those that a rule notices, by kind.

    python -m tests.analysis.lds.listings --each 3 --seed 1 TARGET FILE...

The files are assembly, for example what `gcn-lsp disassemble` writes for aiter's objects. A mistake is a barrier or a
wait taken away, a count that is one too high, or the M0 of another copy. Not each of them is wrong: kernels wait where
nothing is in flight. What was not noticed is printed with its line, to be read.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.rules import RULES
from gcn_lsp.text import SourceText

NOTICING = (
    *("missing-wait", "insufficient-wait", "unpublished-lds-write", "skipped-barrier"),
    *("unpublished-lds-copy", "overwritten-lds-read", "overwritten-lds-copy", "early-lds-write"),
    "missing-barrier",
)
_BARRIER = re.compile(r"\s*(s_barrier(?:_signal -1|_wait -1)?)\s*(?://.*)?$")
_WAIT = re.compile(r"\s*(s_wait\w*) +([^/;]*?)\s*(?:[/;].*)?$")
_COUNT = re.compile(r"\b(vmcnt|lgkmcnt)\((\d+)\)|^(0x[0-9a-f]+|\d+)$")
_M0 = re.compile(r"(\s*s_(?:add_u32|mov_b32|movk_i32) m0, )(0x[0-9a-f]+|\d+)(.*)$")


class Planted(NamedTuple):
    """A mistake: its kind, the line from 0, what stands there then."""

    kind: str
    line: int
    text: str


def mistakes(lines: list[str]) -> Iterator[Planted]:
    """Every mistake that can be planted in a listing."""
    others: dict[tuple[str, str], set[str]] = {}
    for line in lines:
        if found := _M0.match(line):
            others.setdefault((found[1], found[3]), set()).add(found[2])
    for number, line in enumerate(lines):
        if _BARRIER.match(line):
            yield Planted("no barrier", number, "")
        elif wait := _WAIT.match(line):
            yield Planted("no wait", number, "")
            for count in _COUNT.finditer(wait[2]):
                more = f"{count[1]}({int(count[2]) + 1})" if count[1] else str(int(count[3], 0) + 1)
                start, end = wait.start(2) + count.start(), wait.start(2) + count.end()
                yield Planted("count one too high", number, line[:start] + more + line[end:])
        elif found := _M0.match(line):
            for other in sorted(others[found[1], found[3]] - {found[2]})[:1]:
                yield Planted("other buffer", number, f"{found[1]}{other}{found[3]}")


def noticed(target: str, lines: list[str]) -> set[tuple[str, int]]:
    """What the rules report: rule and line."""
    return found_in(build(SourceText.from_bytes("k.s", "\n".join(lines).encode()), Options(target)))


def found_in(program: Program) -> set[tuple[str, int]]:
    """What the rules report in a program: rule and line."""
    return set(_findings(program))


def has_new(program: Program, before: Collection[tuple[str, int]]) -> bool:
    """Whether the rules report anything in a program that is not among some findings."""
    return any(each not in before for each in _findings(program))


def _findings(program: Program) -> Iterator[tuple[str, int]]:
    for name in NOTICING:
        check = RULES[name].check
        for each in check(program) if check is not None else ():
            yield name, each.where.line


def is_noticed(target: str, lines: list[str], planted: Planted) -> bool:
    """Whether a mistake makes a finding that is not there without it."""
    changed = [*lines[: planted.line], planted.text, *lines[planted.line + 1 :]]
    program = build(SourceText.from_bytes("k.s", "\n".join(changed).encode()), Options(target))
    return has_new(program, noticed(target, lines))


def main() -> None:
    """Plant mistakes in files and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="mistakes of each kind in a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("target")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    dice, planted, seen = random.Random(options.seed), Counter[str](), Counter[str]()
    for name in options.files:
        lines = Path(name).read_text().split("\n")
        every = list(mistakes(lines))
        for kind in sorted({each.kind for each in every}):
            some = [each for each in every if each.kind == kind]
            for each in dice.sample(some, min(options.each, len(some))):
                planted[kind] += 1
                if is_noticed(options.target, lines, each):
                    seen[kind] += 1
                else:
                    print(f"{name}:{each.line + 1}: {kind}: {lines[each.line].strip()}")
    for kind, count in planted.items():
        print(f"{kind}: {seen[kind]} of {count}")


if __name__ == "__main__":
    main()
