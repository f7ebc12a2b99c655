"""What runs show of the findings of a check: those about waits, barriers and values that nothing has written.

A file is run as its tests say, or else each kernel on made-up arguments, or else its code from the first instruction on
made-up registers, and each of these in every order of completion. A defect that no order shows may still happen.
"""

import os
from collections.abc import Iterable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gcn_lsp import project
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.findings.model import Finding, Related
from gcn_lsp.isa.memory import resources
from gcn_lsp.machine import arguments, kernels, observations, orders
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.launch import Launch
from gcn_lsp.machine.observations import Log, WaveName
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.rules import RULES
from gcn_lsp.running import cases, made_up, report, runs
from gcn_lsp.running import opened as opening
from gcn_lsp.running.opened import RunnableFile

_LIMIT = 2_000_000  # instructions of a run: a check is no place for long ones
_VISITS = 16  # of an instruction by a wave that are compared
_WAVES = 2  # of a made-up work-group: one alone has no race
_BY_HAND_LDS = 1 << 14
_MEMORY = "memory"


class _WitnessRun(msgspec.Struct, frozen=True):
    """A launch to run. name: of it, for messages. is_by_hand: nothing describes what the code starts with."""

    name: str
    file: RunnableFile
    kernel: Kernel
    launch: Launch
    seed: int = 0
    is_by_hand: bool = False


class _ShownFindings(msgspec.Struct, frozen=True):
    """The results of the runs of one launch. found: as findings. values: of stale registers, by path and line.

    reached: the paths and lines of instructions that ran.
    """

    name: str
    orders: int
    found: tuple[Finding, ...]
    values: dict[tuple[str, int], str]
    memory: str
    reached: frozenset[tuple[str, int]]


def with_witnesses(path: str, settings: project.Settings, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings of a file, those that runs can show with a note about whether they did."""
    given = tuple(findings)
    if not any(RULES[each.rule].shown_by for each in given):
        return given
    try:
        seen, reason = [_seen(asked) for asked in _asked(path, settings)], "nothing in the file can be run"
    except WrongLaunch as error:
        seen, reason = [], str(error).rstrip(".")
    return tuple(_with_witness(each, seen, reason) for each in given)


def _with_witness(finding: Finding, seen: "list[_ShownFindings]", reason: str) -> Finding:
    if not RULES[finding.rule].shown_by:
        return finding
    if not seen:
        said = f"not shown: {reason}"
    else:
        said = next((text for each in seen if (text := _shown(finding, each))), None) or _not_shown(finding, seen)
    return msgspec.structs.replace(finding, related=(*finding.related, Related(finding.where, said)))


def _shown(finding: Finding, seen: _ShownFindings) -> str:
    """What a launch showed of a finding; empty for nothing."""
    own = {_line(finding), *((each.where.path, each.where.line) for each in finding.related)}
    for each in seen.found:
        if each.rule not in RULES[finding.rule].shown_by:
            continue
        places = {_line(each), *((other.where.path, other.where.line) for other in each.related)}
        is_same = _line(each) == _line(finding) if each.rule == observations.MISSING_WAIT else bool(places & own)
        if is_same:
            parts = (each.message, seen.values.get(_line(each), ""), seen.memory)
            return f"shown on {seen.name}: {'; '.join(part for part in parts if part)}"
    return ""


def _not_shown(finding: Finding, seen: "list[_ShownFindings]") -> str:
    names = ", ".join(dict.fromkeys(each.name for each in seen))
    runs_of = f"{sum(each.orders for each in seen)} runs on {names}"
    if not any(_line(finding) in each.reached for each in seen):
        return f"not shown: none of {runs_of} reaches this line"
    return f"not shown in {runs_of}, which does not make it safe"


def _line(finding: Finding) -> tuple[str, int]:
    return finding.where.path, finding.where.line


# What is run


def _asked(path: str, settings: project.Settings) -> Iterator[_WitnessRun]:
    """The launches of a file: of its tests, or else of its kernels, or else of its code. Raises WrongLaunch."""
    has_test = False
    for case in _tests_of(path):
        has_test = True
        own = project.Settings(
            target=case.target, mattr=case.mattr, defines=dict(case.defines), include_paths=case.include
        )
        file = opening.read(case.source, own)
        yield _WitnessRun(f"test {case.name}", file, runs.kernel_of(file, case.kernel), case.launch, case.seed)
    if has_test:
        return
    file = opening.read(path, settings)
    described = kernels.of(file.image)
    for kernel in described:
        made = made_up.of(kernel, _WAVES * kernel.lanes)
        given = {name: arguments.parse(text) for name, text in made.arguments.items()}
        yield _WitnessRun(f"made-up arguments of {kernel.name}", file, kernel, Launch(made.grid, made.block, given))
    if not described and file.image.steps:
        lanes = file.image.target.wavefront_size
        kernel = Kernel("the code", min(file.image.steps), lanes=lanes)
        memory = np.random.default_rng(0).random(made_up.ELEMENTS).astype(np.float32)
        sizes = (_WAVES * lanes, 1, 1)
        launch = Launch(sizes, sizes, {_MEMORY: memory}, {}, _BY_HAND_LDS)
        yield _WitnessRun("made-up registers", file, kernel, launch, is_by_hand=True)


def _tests_of(path: str) -> Iterator[cases.Case]:
    """The tests beside a file that are about it."""
    folder = os.path.dirname(os.path.abspath(path))
    for name in sorted(os.listdir(folder)):
        if name.endswith(cases.ENDING):
            for case in cases.read(os.path.join(folder, name)):
                if os.path.abspath(case.source) == os.path.abspath(path):
                    yield case


def _seen(asked: _WitnessRun) -> _ShownFindings:
    """Run a launch in every order. Raises WrongLaunch."""
    file = asked.file
    log, memory, count = Log(), "", 0
    reached: set[tuple[str, int]] = set()
    first: dict[str, arguments.Array] = {}
    values: list[_StaleValues] = []
    for order in orders.of(file.image.target, asked.seed):
        recorder = _StaleValues(file, order, is_by_hand=asked.is_by_hand)
        task = runs.Task(asked.kernel, asked.launch, order, _LIMIT)
        machine, prepared = runs.run_once(file, task, recorder.note)
        after = runs.arrays_of(prepared, asked.launch)
        reached |= {_place(file, step) for step in file.image.steps.values() if step.count}
        for key, each in machine.result.log.found.items():
            log.found.setdefault(key, each)
            log.counts.setdefault(key, machine.result.log.counts[key])
        if not count:
            first = after
        elif not memory and machine.result.is_complete:
            memory = next((each.said for each in runs.differences(first, after, order, machine.result.log)), "")
        count += 1
        values.append(recorder)
    stale: dict[tuple[str, int], str] = {}
    for other in values[1:]:
        for place, said in values[0].compared(other):
            stale.setdefault(place, said)
    return _ShownFindings(asked.name, count, report.findings(file, log), stale, memory, frozenset(reached))


class _StaleValues:
    """The registers that an instruction touches while an access may still write them, in one order."""

    def __init__(self, file: RunnableFile, order: Order, *, is_by_hand: bool) -> None:
        self._file = file
        self._order = order
        self._is_by_hand = is_by_hand
        self._found: dict[tuple[WaveName, int, int], tuple[PlacedInstruction, dict[str, NDArray[np.uint32]]]] = {}
        self._visits: dict[tuple[WaveName, int], int] = {}

    def note(self, run: WaveRun) -> None:
        """Look at a wave before its instruction."""
        if self._is_by_hand and not run.executed:
            _make_up(run)
        step = run.image.steps.get(run.wave.pc)
        if step is None or not run.in_flight.writes & step.effects.reads:
            return
        visit = self._visits.get((run.name, step.address), 0)
        self._visits[run.name, step.address] = visit + 1
        if visit < _VISITS:
            touched = run.in_flight.writes & step.effects.reads
            self._found[run.name, step.address, visit] = step, _contents(run, touched)

    def compared(self, other: "_StaleValues") -> "Iterator[tuple[tuple[str, int], str]]":
        """The registers that another order leaves stale: the place of the instruction and a sentence."""
        for key, (step, fresh) in self._found.items():
            if key not in other._found:
                continue
            stale = other._found[key][1]
            for name, values in fresh.items():
                lanes = np.flatnonzero(values != stale[name]).tolist() if name in stale else []
                if lanes:
                    lane = lanes[0]
                    place = f"{name}[{lane}]" if len(values) > 1 else name
                    said = (
                        f"{place} is {_text(stale[name][lane])} in place of {_text(values[lane])} when "
                        f"{other._order.name}"
                    )
                    yield _place(self._file, step), said
                    break


def _place(file: RunnableFile, step: PlacedInstruction) -> tuple[str, int]:
    """The path and the line of an instruction in the file that was written."""
    where = file.file.derived.to_original(file.image.placed(step).where)
    return where.path, where.line


def _contents(run: WaveRun, registers: int) -> "dict[str, NDArray[np.uint32]]":
    wave = run.wave
    found = {f"s{each}": wave.sgprs[each : each + 1].copy() for each in sets.numbers(registers, "s")}
    found |= {f"v{each}": wave.vgprs[each].copy() for each in sets.numbers(registers, "v")}
    return found | {f"a{each}": wave.accvgprs[each].copy() for each in sets.numbers(registers, "a")}


def _text(bits: np.uint32) -> str:
    return f"{int(bits):#x} ({np.asarray(bits, np.uint32).view(np.float32):g} as a float)"


def _make_up(run: WaveRun) -> None:
    """Let the registers that hold addresses lead to memory, and take all others for written."""
    region = run.group.prepared.buffers[_MEMORY]
    wave = run.wave
    lanes = np.arange(wave.lanes, dtype=np.uint64)
    wave.vgprs[:] = (4 * lanes).astype(np.uint32)
    for step in run.image.steps.values():
        for operand in step.instruction.operands if step.is_memory else ():
            if operand.slot in ("sbase", "saddr") and operand.file == "s" and operand.count == 2:
                wave.set_scalars(operand.first, (region.base & 0xFFFF_FFFF, region.base >> 32))
            elif operand.file == "s" and operand.count == 4:
                resource = _resource(run, region.base, region.size)
                wave.set_scalars(operand.first, [resource >> 32 * place & 0xFFFF_FFFF for place in range(4)])
            elif operand.slot == "vaddr" and operand.file == "v" and operand.count == 2:
                addresses = np.uint64(region.base) + 4 * lanes
                wave.vgprs[operand.first] = (addresses & np.uint64(0xFFFF_FFFF)).astype(np.uint32)
                wave.vgprs[operand.first + 1] = (addresses >> np.uint64(32)).astype(np.uint32)
    run.defined = -1


def _resource(run: WaveRun, base: int, size: int) -> int:
    """The V# of memory."""
    layout = resources.resource("buffer", run.image.target.features)
    # A dword, of the formats of gfx10 and later any, and the size counts in bytes.
    values = {"base": base, "num_records": size, "data_format": 4, "format": 4, "oob_select": 3}
    return sum(values.get(field.name, 0) << field.low for field in layout.fields) if layout is not None else base
