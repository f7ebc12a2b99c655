"""Assembly text derived from a file, to be shown beside it: its lines and where each is from."""

import msgspec


class Derived(msgspec.Struct, frozen=True):
    """Lines of assembly, and for each the line of the main file, from 0, that it is from."""

    lines: tuple[str, ...]
    origins: tuple[int, ...]

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "".join(line + "\n" for line in self.lines)
