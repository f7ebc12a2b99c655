"""The lines that two versions of a text share at their beginnings and ends."""

from collections import deque
from collections.abc import Callable, Sequence

import msgspec

_KEPT = 4  # results of the last calls


class UnchangedLines(msgspec.Struct, frozen=True, gc=False):
    """Which lines of an old text a new one has: those before `front`, and those from `back`, which move by `shift`."""

    front: int
    back: int
    shift: int

    @staticmethod
    def of(old: Sequence[bytes], new: Sequence[bytes]) -> "UnchangedLines":
        """What `new` has of `old`; neither may change. After an edit several ask about the same two versions."""
        for known_old, known_new, known in tuple(_known):
            if known_old is old and known_new is new:
                return known
        found = UnchangedLines._compared(old, new)
        _known.append((old, new, found))
        return found

    @staticmethod
    def after_edit(old: Sequence[bytes], new: Sequence[bytes], first: int, end: int) -> None:
        """Remember what `new` has of `old`, of which only the lines from `first` to before `end` were replaced."""
        shift = len(new) - len(old)
        part = UnchangedLines._compared(old[first:end], new[first : end + shift])
        if shift == 0 and part.front == end - first:
            first = len(old) - part.front  # nothing is another: all lines are at the front
        _known.append((old, new, UnchangedLines(first + part.front, first + part.back, shift)))

    @staticmethod
    def _compared(old: Sequence[bytes], new: Sequence[bytes]) -> "UnchangedLines":
        most = min(len(old), len(new))
        end, new_end = len(old), len(new)
        front = common(most, lambda low, high: old[low:high] == new[low:high])
        back = common(
            most - front, lambda low, high: old[end - high : end - low] == new[new_end - high : new_end - low]
        )
        return UnchangedLines(front, end - back, new_end - end)

    def now(self, line: int) -> int | None:
        """The number that a line of the old text has in the new one; None if it is not there."""
        if line < self.front:
            return line
        return line + self.shift if line >= self.back else None


_known: deque[tuple[Sequence[bytes], Sequence[bytes], UnchangedLines]] = deque(maxlen=_KEPT)


def common(most: int, is_same: Callable[[int, int], bool]) -> int:
    """The largest common size of two texts, up to `most`; `is_same` compares from one size to another."""
    low, high = 0, most + 1  # at least `low` and fewer than `high` are common
    while high - low > 1:
        middle = (low + high) // 2
        if is_same(low, middle):
            low = middle
        else:
            high = middle
    return low
