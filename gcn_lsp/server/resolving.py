"""The data sent with a part of an answer, with which the client asks for the rest.

The first two values are the document's URI and its version; the client sends all of them back as they are.
"""

from typing import Any, TypeVar

import msgspec

from gcn_lsp.server.snapshot import Snapshot


class ItemData(msgspec.Struct, frozen=True, array_like=True):
    """The values of an item. uri: of the document that it is from."""

    uri: str
    version: int


Known = TypeVar("Known", bound=ItemData)


def data(snapshot: Snapshot, *values: Any) -> tuple[Any, ...]:
    """The values of an item of this document's version, which a subclass of `ItemData` reads."""
    return (snapshot.document.uri, snapshot.version, *values)


def document_of(values: Any) -> str:
    """The URI of the document that an item is from; empty for an item that is not ours."""
    is_ours = isinstance(values, (list, tuple)) and values and isinstance(values[0], str)
    return values[0] if is_ours else ""


def known(snapshot: Snapshot, values: Any, kind: type[Known], *, any_version: bool = False) -> Known | None:
    """The values as they were sent; None if they are not ours, or about another version of the document.

    any_version: those of another version too, for values that are names and no places.
    """
    try:
        found = msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return None
    return found if any_version or found.version == snapshot.version else None
