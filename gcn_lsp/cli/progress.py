"""Progress bars on a terminal, on standard error; elsewhere nothing."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Each = TypeVar("Each")


def over(made: "Iterator[Each]", total: int, what: str, hidden: bool = False) -> "Iterator[Each]":
    """The results of `made` as they come, with a progress bar if there are several."""
    if total < 2 or hidden or not sys.stderr.isatty():
        return made
    from rich.console import Console  # late: needed only on a terminal
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())

    def shown() -> "Iterator[Each]":
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            yield from bar.track(made, total, description=what)

    return shown()


@contextmanager
def of_part(what: str, *, hidden: bool = False) -> "Iterator[Callable[[float], None] | None]":
    """A function that shows which part is done, from 0 to 1; None where nobody would see it."""
    if hidden or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # late: needed only on a terminal
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda done: bar.update(task, completed=done)
