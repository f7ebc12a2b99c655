"""The launch that an editor asks for: reads its configuration and prepares the run."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from gcn_lsp import project
from gcn_lsp.debug.messages import Message, RefusedRequest
from gcn_lsp.machine import arguments, kernels, launch, orders
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.launch import Launch, Prepared
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import LIMIT
from gcn_lsp.running import made_up, runs
from gcn_lsp.running import opened as opening
from gcn_lsp.running.opened import RunnableFile


class PreparedRun(msgspec.Struct, frozen=True):
    """A launch that can be made again and again. said: what the user should know of it."""

    file: RunnableFile
    make: Callable[[], Prepared]
    order: Order
    limit: int
    said: str


def prepare(given: Message) -> PreparedRun:
    """The run of a launch request. Raises RefusedRequest and WrongLaunch."""
    path = given.get("program")
    if not isinstance(path, str):
        raise RefusedRequest("The launch needs `program`, the file with the kernel.")
    settings = project.Settings(
        target=given.get("target") or None,
        mattr=str(given.get("mattr") or ""),
        defines={str(name): int(value) for name, value in (given.get("defines") or {}).items()},
        include_paths=tuple(map(str, given.get("include") or ())),
    )
    path = os.path.abspath(path)  # an editor may count from another folder
    file = opening.read(path, settings)
    kernel = runs.kernel_of(file, str(given.get("kernel") or ""))
    seed = int(given.get("seed") or 0)
    asked, said = _launch(given, kernel, os.path.dirname(path), seed)

    def make() -> Prepared:
        memory = Memory()
        file.image.load(memory)
        return launch.prepare(file.image, memory, kernel, asked)

    order = _order(str(given.get("order") or ""), file, seed)
    return PreparedRun(file, make, order, int(given.get("limit") or LIMIT), said)


def configurations(path: str) -> Iterator[Message]:
    """A configuration for each kernel of a file, with a launch that is made up. Raises WrongLaunch."""
    file = opening.read(path, project.Settings())
    for kernel in kernels.of(file.image):
        made = made_up.of(kernel)
        yield {
            "type": "gcn",
            "request": "launch",
            "name": f"Debug {kernel.name}",
            "program": path,
            "kernel": kernel.name,
            "grid": _short(made.grid),
            "block": _short(made.block),
            "args": made.arguments,
        }


def _launch(given: Message, kernel: Kernel, folder: str, seed: int) -> tuple[Launch, str]:
    """The launch, and what was made up where the configuration has neither arguments nor registers."""
    folder = str(given.get("cwd") or folder)
    registers = {str(name): str(value) for name, value in (given.get("registers") or {}).items()}
    texts, said = given.get("args"), ""
    made = made_up.of(kernel)
    if texts is None and not registers:
        texts = made.arguments
        told = ", ".join(f"{name}={text}" for name, text in texts.items())
        said = f"The launch gives no `args`, so these are made up: {told}" if told else ""
    parsed = {str(name): arguments.parse(str(value), folder, seed) for name, value in (texts or {}).items()}
    block = _sizes(given.get("block") or list(made.block), "block")
    grid = _sizes(given.get("grid") or (list(made.grid) if said else None), "grid")
    return Launch(grid, block, parsed, registers, int(given.get("lds") or 0)), said


def _sizes(value: Any, name: str) -> tuple[int, int, int]:
    parts = value if isinstance(value, list) else [value]
    if not 1 <= len(parts) <= 3 or not all(type(part) is int and part > 0 for part in parts):
        raise RefusedRequest(f"The launch needs `{name}`, one to three numbers above 0.")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z


def _short(sizes: tuple[int, int, int]) -> "int | list[int]":
    return sizes[0] if sizes[1:] == (1, 1) else list(sizes)


def _order(name: str, file: RunnableFile, seed: int) -> Order:
    known = list(orders.of(file.image.target, seed))
    if name in ("", "early"):
        return known[0]
    if name == "late":
        return known[1]
    raise RefusedRequest(f"`order` is early or late, not {name}.")
