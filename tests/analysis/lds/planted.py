"""Plants mistakes in listings of real kernels, asks the oracle which are real, and counts those that a rule notices.

    python -m tests.analysis.lds.planted --each 3 --seed 1 FILE...

The files are assembly, for example what `gcn-lsp disassemble` writes for aiter's objects; what is not there is left
out. Mistakes are those of `listings`: a barrier or a wait taken away, a count that is one too high, the M0 of another
copy. A mistake is real if the oracle (`happens_before`, on the traces of `replay`) finds accesses without an order that
have one in the kernel as it is, or reads that bring other data. It prints each real one that was not noticed, with its
races, and the counts by kind; with `--unreal`, which takes longer, also those that are noticed and not real.
"""

import argparse
import random
import re
import time
from collections import Counter
from pathlib import Path

from gcn_lsp.machine.image import Image, PlacedInstruction
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText
from tests.analysis.lds import happens_before, listings
from tests.analysis.lds.happens_before import Race
from tests.analysis.lds.listings import Planted
from tests.analysis.lds.replay import Replay, Trace

_TARGET = re.compile(r'\.amdgcn_target\s+"amdgcn-amd-amdhsa--(gfx\w+)')
_STEPS = 4_000  # of a wave
_SEEDS = (1,)
OTHER_BUFFER = "other buffer"


def target_of(text: str) -> "str | None":
    """The target that a listing names."""
    found = _TARGET.search(text)
    return found[1] if found is not None else None


class Subject:
    """A kernel: its lines, its traces with some arguments, and its races and findings as it is."""

    def __init__(self, text: str, target: str, steps: int = _STEPS) -> None:
        self._steps = steps
        self.lines = text.split("\n")
        self.target = target
        self.program = build(SourceText.from_bytes("k.s", text.encode()), Options(target))
        self.findings = listings.found_in(self.program)
        self.replays = [self._replayed(self.program, seed) for seed in _SEEDS]
        image = self.replays[0][0]
        self.addresses: dict[int, int] = {}
        self.lines_of: dict[int, int] = {}
        for step in image.steps.values():
            line = image.placed(step).where.line
            self.addresses.setdefault(line, step.address)
            self.lines_of[step.address] = line
        self.reached = {address for _, traces in self.replays for trace in traces for address in trace.path}
        self.races = [self._in_lines(happens_before.races(image, traces, {}), image) for image, traces in self.replays]

    def _replayed(self, program: Program, seed: int) -> tuple[Image, list[Trace]]:
        replay = Replay(program, seed, self._steps)
        return replay.image, replay.traces()

    def is_reached(self, planted: Planted) -> bool:
        """Whether a wave of a replay gets to the line."""
        return self.addresses.get(planted.line) in self.reached

    def changed(self, planted: Planted) -> Program:
        """The kernel with the mistake."""
        return self.built("\n".join([*self.lines[: planted.line], planted.text, *self.lines[planted.line + 1 :]]))

    def built(self, text: str) -> Program:
        """Another version of the kernel."""
        return build(SourceText.from_bytes("k.s", text.encode()), Options(self.target), self.program)

    def new_races(self, planted: Planted, program: Program) -> set[Race]:
        """The races that a mistake makes, of the first arguments that show one."""
        address = self.addresses.get(planted.line, 0)
        is_moved = planted.kind == OTHER_BUFFER
        change = {} if is_moved else {address: _replacement(planted.text, self.target)}
        for replayed, before, seed in zip(self.replays, self.races, _SEEDS, strict=True):
            image, traces = self._replayed(program, seed) if is_moved else replayed
            found = self._in_lines(happens_before.races(image, traces, change), image) - before
            if is_moved:
                found |= self._in_lines(happens_before.misled(replayed, (image, traces)), replayed[0])
            if found:
                return found
        return set()

    @staticmethod
    def _in_lines(found: set[Race], image: Image) -> set[Race]:
        """Races with lines, from 1, in place of addresses."""
        lines = {
            each: image.placed(image.steps[each]).where.line + 1
            for each in {place for race in found for place in race[1:]}
        }
        return {Race(race.kind, lines[race.first], lines[race.second]) for race in found}


def _replacement(text: str, target: str) -> "PlacedInstruction | None":
    """The instruction of a line; None if there is none."""
    program = build(SourceText.from_bytes("k.s", f"{text}\n".encode()), Options(target))
    return next(iter(Image(program).steps.values()), None)


def main() -> None:
    """Plant mistakes in files and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="mistakes of each kind in a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unreal", action="store_true", help="look for findings of those that are not real too")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    planted, real, seen, unreal = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for name in options.files:
        text = Path(name).read_text() if Path(name).is_file() else ""
        target = target_of(text)
        if target is None:
            print(f"{name}: left out, no listing with a target")
            continue
        start = time.monotonic()
        subject = Subject(text, target)
        every = [each for each in listings.mistakes(subject.lines) if subject.is_reached(each)]
        print(f"{name}: {len(every)} places, {len(subject.races[0])} races as it is, {len(subject.findings)} findings")
        for kind in sorted({each.kind for each in every}):
            some = [each for each in every if each.kind == kind]
            for each in dice.sample(some, min(options.each, len(some))):
                planted[kind] += 1
                program = subject.changed(each)
                races = subject.new_races(each, program)
                is_noticed = (bool(races) or options.unreal) and listings.has_new(program, subject.findings)
                real[kind] += bool(races)
                seen[kind] += bool(races) and is_noticed
                unreal[kind] += is_noticed and not races
                if bool(races) != is_noticed:
                    verdict = "REAL, not noticed" if races else "noticed, not real"
                    told = "; ".join(sorted(f"{each.kind} {each.first} and {each.second}" for each in races)[:3])
                    print(
                        f"  {each.line + 1}: {kind}: {subject.lines[each.line].strip()}: {verdict} {told}", flush=True
                    )
        so_far = f"so far noticed {seen.total()} of {real.total()} real ones"
        print(f"  {time.monotonic() - start:.0f} s, {so_far}", flush=True)
    for kind, count in planted.items():
        print(f"{kind}: noticed {seen[kind]} of {real[kind]} real ones, {count} planted; {unreal[kind]} more noticed")
    print(f"all: noticed {seen.total()} of {real.total()} real ones, {planted.total()} planted")


if __name__ == "__main__":
    main()
