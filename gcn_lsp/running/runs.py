"""A run of a kernel from start to end, once or in every order that the hardware allows, and what comes of it."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.machine import kernels, orders
from gcn_lsp.machine.arguments import Array, Empty, WrongLaunch
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.launch import Launch, Prepared, prepare
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.observations import ORDER, Log, Observation
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import LIMIT, Machine
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.running import report
from gcn_lsp.running.opened import RunnableFile

Trace = Callable[[WaveRun], None]


class Outcome(msgspec.Struct):
    """A run that is over. arrays: the buffers after it, by the name of the argument. executed: wave instructions.

    is_complete: every wave reached its end. counts: path, line and executions of each instruction in the plain order.
    orders: how many orders of completion were run.
    """

    findings: tuple[Finding, ...]
    arrays: dict[str, Array]
    executed: int
    is_complete: bool
    counts: tuple[tuple[str, int, int], ...]
    orders: int = 1

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
) -> Outcome:
    """Run a kernel. Raises WrongLaunch.

    all_orders: repeat it in every order of completion, and report memory that differs.
    """
    first, *rest = orders.of(opened.image.target, seed)
    machine, prepared = run_once(opened, kernel, launch, first, limit, trace)
    log = machine.result.log
    arrays = arrays_of(prepared, launch)
    counts = tuple(report.executed_lines(opened))
    done = 1
    executed = machine.result.executed
    if all_orders and machine.result.is_complete:
        for order in rest:
            again, memory = run_once(opened, kernel, launch, order, limit, None)
            done += 1
            executed += again.result.executed
            for key, each in again.result.log.found.items():
                if key not in log.found:
                    log.found[key] = each
                    log.counts[key] = again.result.log.counts[key]
            for observation in differences(arrays, arrays_of(memory, launch), order, again.result.log):
                log.add(observation)
    return Outcome(report.findings(opened, log), arrays, executed, machine.result.is_complete, counts, done)


def run_once(
    opened: RunnableFile, kernel: Kernel, launch: Launch, order: Order, limit: int, trace: "Trace | None"
) -> tuple[Machine, Prepared]:
    """Run a kernel in one order, and give the machine and its memory afterwards. Raises WrongLaunch."""
    memory = Memory()
    for step in opened.image.steps.values():
        step.count = 0
    opened.image.load(memory)
    prepared = prepare(opened.image, memory, kernel, launch)
    machine = Machine(prepared, order, limit=limit, trace=trace)
    machine.run()
    return machine, prepared


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
