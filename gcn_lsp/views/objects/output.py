"""The lines of a text, passed on as bytes while the text is made: that of a large object is never held as lines."""

from collections.abc import Callable, Sequence

_PIECE = 4096
"""How many lines are passed on together."""


class Output:
    """Takes lines, as a list does, and passes them on to `write`; its length is their number."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._waiting: list[str] = []
        self._written = 0

    def __len__(self) -> int:
        return self._written + len(self._waiting)

    def append(self, line: str) -> None:
        """Add a line."""
        self._waiting.append(line)

    def __iadd__(self, lines: Sequence[str]) -> "Output":
        self._waiting += lines
        if len(self._waiting) >= _PIECE:
            self.flush()
        return self

    def flush(self) -> None:
        """Pass on what waits."""
        self._waiting.append("")
        self._write("\n".join(self._waiting).encode())
        self._written += len(self._waiting) - 1
        self._waiting.clear()
