"""What features ask about the words of an original; a kind of original without any answers nothing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gcn_lsp.ide.completion_list import Completions
from gcn_lsp.ide.describe.hovered import HoverResult
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.views.preprocessed.view import Inactive


class Words:
    """No words of its own. Lines and columns are those of the original."""

    def hover(self, line: int, column: int) -> HoverResult | None:
        """The word at a place; None leaves the answer to the program."""
        return None

    def definition(self, line: int, column: int) -> list[Location]:
        """Where the word at a place is defined; nothing leaves the answer to the program, as below."""
        return []

    def references(self, line: int, column: int) -> list[Location]:
        """The uses of the word at a place."""
        return []

    def highlights(self, line: int, column: int) -> list[Location]:
        """The places to mark for the word at a place."""
        return []

    def completed(self, line: int, column: int, found: Completions | None) -> Completions | None:
        """The entries of the program at a place, with those of the original."""
        return found

    def inactive(self) -> "Sequence[Inactive]":
        """The lines that are not assembled."""
        return ()

    def in_original(self, markdown: str) -> str:
        """A text about the program in the words of the original."""
        return markdown
