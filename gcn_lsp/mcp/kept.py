"""Answers that are kept for their cursors: the next part of a long one needs no second check of the file."""

from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any

import msgspec

from gcn_lsp import api

MOST = 4
"""Whole answers that are kept at the same time, the latest ones."""


class _Kept(msgspec.Struct, frozen=True):
    """A whole answer, and what was read for it."""

    answer: Any
    read: tuple[api.FilesRead, ...]


class KeptAnswers:
    """The latest answers by their questions, each as long as the files that were read for it have the same content."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[Hashable, _Kept] = {}

    def of(self, question: Hashable, ask: Callable[[], tuple[Any, Sequence[api.Assembly]]]) -> Any:
        """The answer that is kept; else that of `ask`, which says too of which assembly it is."""
        with self._lock:
            kept = self._kept.pop(question, None)
        if kept is None or not all(each.are_unchanged for each in kept.read):
            answer, assemblies = ask()
            kept = _Kept(answer, tuple(each.files_read for each in assemblies))
        with self._lock:
            self._kept[question] = kept
            for oldest in tuple(self._kept)[:-MOST]:
                del self._kept[oldest]
        return kept.answer
