"""Takes waits and wait states out of compiled kernels one at a time and counts what is noticed.

    python -m tests.analysis.sweep waits --targets gfx900,gfx1200 --levels -O2 --kernels gather,loops
    python -m tests.analysis.sweep barriers
    python -m tests.analysis.sweep orders
    python -m tests.analysis.sweep calls
    python -m tests.analysis.sweep states
    python -m tests.analysis.sweep silence
    python -m tests.analysis.sweep files FOLDER...

The last one runs every rule over the assembly files of folders, see `tests.analysis.files`. The others
print, for each target, how many mutations were noticed at the instruction that needs what is gone, how many elsewhere,
how many have an excuse (see `mutations.excuse`), and each one that has none.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding
from gcn_lsp.program.program import Program
from tests.analysis import compiled, files, mutations
from tests.analysis.compiled import Build, Compiled
from tests.analysis.mutations import Mutation

WAITS = frozenset(("missing-wait", "insufficient-wait"))
BARRIERS = frozenset(("unpublished-lds-write", "unpaired-barrier", "skipped-barrier"))
ORDERS = frozenset(("incomplete-release", "incomplete-acquire", "replayed-atomic"))
CALLS = frozenset(("unfinished-return", "missing-entry-wait", "unsaved-register"))
_RACES = frozenset(("barriers_bare",))  # kernels with barriers but no fences: other waves may read LDS too early
STATES = frozenset(("missing-wait-states",))
# The compiler also ends runs of memory instructions that could not be replayed.
STATES_OR_RUNS = STATES | {"unreplayable-clause"}

MEMORY = frozenset(("broken-clause", "missing-write-back", "unreturned-value", "suspicious-resource"))

NOTICED, ELSEWHERE, MISSED = "noticed where it is needed", "noticed elsewhere", "MISSED"


class Outcome(NamedTuple):
    """What became of one mutation. how: one of the above, or `excused: ` and why."""

    build: Compiled
    mutation: Mutation
    how: str


def of_waits(build: Build) -> Iterator[Outcome]:
    """The outcome of every mutation of every wait in a build."""
    text = compiled.text(build)
    return outcomes(build, text, mutations.of_waits(text, build.target), WAITS, mutations.excuse)


def of_barriers(build: Build) -> Iterator[Outcome]:
    """The outcome of every mutation of every wait before a barrier in a build."""
    text = compiled.text(build)
    return outcomes(
        build, text, mutations.of_barriers(text, build.target), WAITS | BARRIERS, mutations.excuse_of_barriers
    )


def of_orders(build: Build) -> Iterator[Outcome]:
    """The outcome of every mutation of what orders memory in a build."""
    text = compiled.text(build)
    made = mutations.of_orders(text, build.target)
    return outcomes(build, text, made, WAITS | BARRIERS | ORDERS, mutations.excuse_of_orders)


def of_calls(build: Build) -> Iterator[Outcome]:
    """The outcome of every mutation of every wait at an entry or a return of a function in a build."""
    text = compiled.text(build)
    return outcomes(build, text, mutations.of_calls(text, build.target), WAITS | CALLS, mutations.excuse_of_calls)


def of_wait_states(build: Build) -> Iterator[Outcome]:
    """The outcome of every mutation of every `s_nop` in a build."""
    text = compiled.text(build)
    return outcomes(build, text, mutations.of_wait_states(text), STATES_OR_RUNS, mutations.excuse_of_states)


def of_mitigations(build: Build) -> Iterator[Outcome]:
    """The outcome of every mutation of every wait for the arithmetic pipelines in a build."""
    text = compiled.text(build)
    return outcomes(build, text, mutations.of_mitigations(text), STATES, mutations.excuse_of_states)


def false_alarms(build: Build) -> list[Finding]:
    """What is found wrong with the waits, wait states and memory accesses of a build; there should be nothing."""
    wanted = WAITS | STATES | MEMORY | ORDERS | CALLS | (frozenset() if build.kernel in _RACES else BARRIERS)
    return findings(compiled.checked(build), wanted)


def outcomes(
    build: Compiled,
    text: str,
    made: Iterable[Mutation],
    wanted: frozenset[str],
    excuse: "Callable[[str, Mutation], str | None]",
) -> Iterator[Outcome]:
    whole = compiled.assembled(build, text)
    known = {(found.rule, found.where.line) for found in findings(whole, wanted)}
    for mutation in made:
        changed = compiled.assembled(build, mutation.apply(text), whole)
        found = ((each.rule, each.where.line) for each in findings(changed, wanted))
        lines = {line for rule, line in found if (rule, line) not in known}
        if lines & {mutation.line, mutation.expected}:
            how = NOTICED
        elif lines:
            how = ELSEWHERE
        else:
            reason = excuse(text, mutation)
            how = f"excused: {reason}" if reason else MISSED
        yield Outcome(build, mutation, how)


def findings(built: Program, wanted: frozenset[str]) -> list[Finding]:
    return [found for found in rules.check(built) if found.rule in wanted]


_OUTCOMES = {
    "waits": of_waits,
    "barriers": of_barriers,
    "orders": of_orders,
    "calls": of_calls,
    "states": of_wait_states,
    "mitigations": of_mitigations,
}


def main() -> None:
    """Run a sweep and print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("silence", "files", *_OUTCOMES))
    parser.add_argument("folders", nargs="*", help="files or folders of them, for `files`")
    for option in ("kernels", "targets", "levels"):
        parser.add_argument(f"--{option}", default="", type=lambda text: [part for part in text.split(",") if part])
    asked = parser.parse_args()
    if asked.what == "files":
        for line in files.table(list(files.in_processes(files.below(asked.folders)))):
            print(line)
        return
    builds = compiled.builds(asked.kernels, asked.targets, asked.levels or compiled.LEVELS)
    if asked.what == "silence":
        _print_alarms(builds)
    else:
        _print_outcomes(builds, _OUTCOMES[asked.what])


def _print_alarms(builds: Iterable[Build]) -> None:
    number = alarms = 0
    for build in builds:
        number += 1
        for found in false_alarms(build):
            alarms += 1
            print(f"{build}:{found.where.line + 1}: {found.rule}: {found.message}")
    print(f"{number} builds, {alarms} false alarms")


def _print_outcomes(builds: Iterable[Build], outcomes: Callable[[Build], Iterator[Outcome]]) -> None:
    counts: dict[str, Counter[str]] = {}
    seen: set[tuple[str, str]] = set()
    for build in builds:
        body = compiled.text(build).replace(build.target, "")
        if (body, build.target) in seen:  # another level of optimisation made the same
            continue
        seen.add((body, build.target))
        for outcome in outcomes(build):
            counts.setdefault(build.target, Counter())[outcome.how] += 1
            if outcome.how == MISSED:
                print(f"{build}:{outcome.mutation.line + 1}: {outcome.mutation.what}", flush=True)
    total: Counter[str] = sum(counts.values(), Counter())
    for name, counted in (*counts.items(), ("all", total)):
        print(name)
        for how, count in counted.most_common():
            print(f"  {count:6} {how}")
        needed = counted[NOTICED] + counted[ELSEWHERE] + counted[MISSED]
        print(f"  {(needed - counted[MISSED]) / max(needed, 1):.4%} noticed of {needed} without excuse")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
