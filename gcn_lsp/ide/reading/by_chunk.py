"""What a feature finds in a chunk, kept as long as the chunk: after an edit only the edited chunk is looked at anew."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk

Found = TypeVar("Found")


class ByChunk(Generic[Found]):
    """`find(chunk, *key)`, called once for each chunk and key. It may depend on nothing else."""

    def __init__(self, find: "Callable[..., Found]") -> None:
        self._find = find
        self._known: WeakKeyDictionary[Chunk, dict[tuple[Hashable, ...], Found]] = WeakKeyDictionary()

    def __call__(self, chunk: "Chunk", *key: Hashable) -> Found:
        """What was found in the chunk."""
        by_key = self._known.get(chunk)
        if by_key is None:
            by_key = self._known[chunk] = {}
        if key not in by_key:
            by_key[key] = self._find(chunk, *key)
        return by_key[key]
