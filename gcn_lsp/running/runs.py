"""A run of a kernel from start to end, once or in every order that the hardware allows, and what comes of it."""

import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from gcn_lsp import project
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.machine import kernels, orders
from gcn_lsp.machine.arguments import Array, Empty, WrongLaunch
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.launch import Launch, Prepared, prepare
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.observations import ORDER, Log, Observation, PortableObservation
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import LIMIT, Machine
from gcn_lsp.machine.stays import Stay, StayWatch
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.running import harmless_reads, processes, report
from gcn_lsp.running import opened as opening
from gcn_lsp.running.opened import RunnableFile

Trace = Callable[[WaveRun], None]
Progress = Callable[[float], None]
"""Is told which part is done, from 0 to 1."""
Stays = Callable[[Stay], None]
"""Is told once where a run stays that does not go on from there."""


class Task(msgspec.Struct, frozen=True):
    """A run in one order, for any process. limit: of the instructions of all waves."""

    kernel: Kernel
    launch: Launch
    order: Order
    limit: int = LIMIT


class Outcome(msgspec.Struct):
    """A run that is over. arrays: the buffers after it, by the name of the argument. executed: wave instructions.

    is_complete: every wave reached its end. counts: path, line and executions of each instruction in the plain order.
    orders: how many orders of completion were run. is_interrupted: the user ended it.
    """

    findings: tuple[Finding, ...]
    arrays: dict[str, Array]
    executed: int
    is_complete: bool
    counts: tuple[tuple[str, int, int], ...]
    orders: int = 1
    is_interrupted: bool = False

    @property
    def failed(self) -> bool:
        """Whether an error was found, or a wave did not reach its end."""
        return not self.is_complete or any(each.severity is Severity.ERROR for each in self.findings)


def saved(array: Array) -> bytes:
    """An array as a file of numpy's."""
    data = io.BytesIO()
    np.save(data, array)
    return data.getvalue()


def kernel_of(opened: RunnableFile, name: str = "") -> Kernel:
    """The kernel of a name, or the only one. Raises WrongLaunch."""
    found = kernels.of(opened.image)
    names = ", ".join(each.name for each in found)
    if name:
        chosen = next((each for each in found if each.name == name), None) or kernels.by_hand(opened.image, name)
        if chosen is None:
            raise WrongLaunch(f"{opened.path} has no kernel {name}; its kernels: {names or 'none'}.")
        return chosen
    if not found:
        raise WrongLaunch(f"{opened.path} describes no kernel: name a label with --kernel.")
    if len(found) > 1:
        raise WrongLaunch(f"{opened.path} has several kernels: name one with --kernel: {names}.")
    return found[0]


def run(
    opened: RunnableFile,
    kernel: Kernel,
    launch: Launch,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    all_orders: bool = False,
    trace: "Trace | None" = None,
    jobs: int = 1,
    progress: "Progress | None" = None,
    stays: "Stays | None" = None,
) -> Outcome:
    """Run a kernel. Raises WrongLaunch.

    all_orders: repeat it in every order of completion, and report memory that differs; jobs: in so many processes.
    progress: called with the part that is done. stays: called where the plain order stays in the same instructions.
    An interruption (Ctrl-C) ends it with the findings until then.
    """
    first, *rest = orders.of(opened.image.target, seed) if all_orders else (next(orders.of(opened.image.target, seed)),)
    task = Task(kernel, launch, first, limit)
    plain = _one(opened, task, trace, _scaled(progress, 0, 1 + len(rest)), stays)
    counts = tuple(report.executed_lines(opened))
    log, steps = Log(), opened.image.steps
    log.take(plain.observations, steps)
    outcome = Outcome((), plain.arrays, plain.executed, plain.is_complete, counts, 1, plain.is_interrupted)
    if rest and plain.is_complete:
        others = [msgspec.structs.replace(task, order=order) for order in rest]
        for order, again in zip(rest, _others(opened, others, jobs, progress), strict=False):
            outcome.is_interrupted |= again.is_interrupted
            if again.is_interrupted:
                break
            outcome.orders += 1
            outcome.executed += again.executed
            log.take(again.observations, steps)
            own = Log()
            own.take(again.observations, steps)
            for observation in differences(plain.arrays, again.arrays, order, own):
                log.add(observation)
    outcome.findings = report.findings(opened, log)
    return outcome


class _OneRun(msgspec.Struct):
    """What comes of a run in one order, for any process."""

    observations: list[PortableObservation]
    arrays: dict[str, Array]
    executed: int
    is_complete: bool
    is_interrupted: bool


def _scaled(progress: "Progress | None", part: int, parts: int) -> "Progress | None":
    """Tells of the progress of one part of several."""
    return None if progress is None else lambda done: progress((part + done) / parts)


def _others(opened: RunnableFile, tasks: "list[Task]", jobs: int, progress: "Progress | None") -> "Iterator[_OneRun]":
    """The runs after the plain one, each when it is asked for, or by processes that share them."""
    parts = 1 + len(tasks)
    workers = min(jobs, len(tasks))
    if workers < 2:
        for number, task in enumerate(tasks, 1):
            yield _one(opened, task, None, _scaled(progress, number, parts))
        return
    with processes.pool(workers) as pool, processes.kept(opened) as key:
        waiting = [pool.submit(_run_there, key, opened.path, opened.settings, task) for task in tasks]
        for number, each in enumerate(waiting, 1):
            try:
                yield each.result()
            except KeyboardInterrupt:
                for other in waiting:
                    other.cancel()
                yield _OneRun([], {}, 0, False, True)
                return
            if progress is not None:
                progress((1 + number) / parts)


def _run_there(key: int, path: str, settings: project.Settings, task: Task) -> _OneRun:
    """A run in another process."""
    return _one(processes.found(key, lambda: opening.read(path, settings)), task, None, None)


def _one(
    opened: RunnableFile,
    task: Task,
    trace: "Trace | None",
    progress: "Progress | None",
    stays: "Stays | None" = None,
) -> _OneRun:
    machine, prepared = run_once(opened, task, trace, progress, stays)
    result, arrays = machine.result, arrays_of(prepared, task.launch)
    return _OneRun(result.log.portable(), arrays, result.executed, result.is_complete, result.is_interrupted)


def run_once(
    opened: RunnableFile,
    task: Task,
    trace: "Trace | None",
    progress: "Progress | None" = None,
    stays: "Stays | None" = None,
) -> tuple[Machine, Prepared]:
    """A run in one order of completion, in memory of its own. Raises WrongLaunch.

    Of the reads of what nothing has written, only those are found on which the result depends.
    """
    machine = _finished(opened, task, trace, progress, stays)

    def again(order: Order, limit: int) -> Machine:
        return _finished(opened, msgspec.structs.replace(task, order=order, limit=limit))

    harmless_reads.remove(machine, again)
    return machine, machine.prepared


def _finished(
    opened: RunnableFile,
    task: Task,
    trace: "Trace | None" = None,
    progress: "Progress | None" = None,
    stays: "Stays | None" = None,
) -> Machine:
    memory = Memory()
    for step in opened.image.steps.values():
        step.count = 0
    opened.image.load(memory)
    prepared = prepare(opened.image, memory, task.kernel, task.launch)
    watch = StayWatch(opened.image, stays) if stays is not None else None
    machine = Machine(prepared, task.order, limit=task.limit, trace=trace, progress=progress, stays=watch)
    machine.run()
    return machine


def arrays_of(prepared: Prepared, launch: Launch) -> dict[str, Array]:
    """The buffers of a launch as arrays of the types and shapes that they came with."""
    found = {}
    for name, region in prepared.buffers.items():
        value = given(launch.arguments, name, prepared.kernel)
        array = value.array if isinstance(value, Empty) else np.asarray(value)
        found[name] = region.data.view(array.dtype).reshape(array.shape)
    return found


def given(arguments: Mapping[str, Any], name: str, kernel: Kernel) -> Any:
    """The value that was given for an argument, by its name or its number."""
    if name in arguments:
        return arguments[name]
    explicit = [each.name for each in kernel.arguments or () if not each.is_hidden]
    return arguments[str(explicit.index(name))]


def differences(one: "dict[str, Array]", other: "dict[str, Array]", order: Order, log: Log) -> "list[Observation]":
    """What another order made of the buffers, at the first place where they differ."""
    found = []
    for name, before in one.items():
        after = other[name]
        same = before.view(np.uint8).reshape(-1) == after.view(np.uint8).reshape(-1)
        if same.all():
            continue
        step = before.dtype.itemsize
        place = int(np.argmin(same)) // step
        count = int((~same.reshape(-1, step).all(axis=1)).sum())
        index = ",".join(map(str, np.unravel_index(place, before.shape or (1,))))
        more = f", and {count - 1} more elements" if count > 1 else ""
        said = (
            f"{name}[{index}] turns from {before.reshape(-1)[place]} into {after.reshape(-1)[place]}{more} when "
            f"{order.name}"
        )
        cause = next(iter(log.found.values()), None)
        found.append(Observation(ORDER, cause.step if cause is not None else None, None, said))
    return found
