"""The values of an `.amdgpu_metadata` block as a tree, each with its place, and what makes a block unreadable."""

import msgspec


class Node(msgspec.Struct):
    """A value in the YAML: `text` of a scalar, `items` of a list, or `entries` of a map; the other two are None.

    line: of the block, from 0; start, end: byte columns on it (of a list or map: its start). is_plain: a scalar without
    quotes.
    """

    line: int
    start: int
    end: int
    text: str | None = None
    items: "list[Node] | None" = None
    entries: "list[tuple[Node, Node]] | None" = None
    is_plain: bool = False

    def get(self, key: str) -> "Node | None":
        """The value of a key of a map."""
        return next((value for name, value in self.entries or () if name.text == key), None)

    @property
    def number(self) -> int | None:
        """A scalar as an integer; None if it is not one."""
        return integer(self.text) if self.text is not None else None


class MetadataMistake(msgspec.Struct, frozen=True):
    """A mistake, at columns `start` to `end` of line `line` of the block."""

    line: int
    start: int
    end: int
    message: str


class Refused(Exception):
    """The text is not a tree of values."""

    def __init__(self, mistake: MetadataMistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake


def integer(text: str) -> int | None:
    """The number that a scalar spells; a prefix, or 0 for octal, gives the base. None if it needs more than 64 bits."""
    try:
        value = int(text, 0)
    except ValueError:
        try:
            value = int(text, 8) if text.startswith("0") else int(text)
        except ValueError:
            return None
    return value if -(1 << 63) <= value < 1 << 64 else None
