"""Long work in steps: a generator that pauses wherever something more urgent may come first, and returns its result."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")

Steps: TypeAlias = Generator[None, None, Result]


def finish(work: Steps[Result]) -> Result:
    """The result of all steps, without a pause between them."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
