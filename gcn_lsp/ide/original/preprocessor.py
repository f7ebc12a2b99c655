"""The words of the C preprocessor: its macros, directives and included files, which the program does not have."""

from collections.abc import Sequence

from gcn_lsp.ide.completion_list import CompletionItem, Completions
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.describe.hovered import HoverResult
from gcn_lsp.ide.original.words import Words
from gcn_lsp.text import Location, Text, message
from gcn_lsp.views.preprocessed.preprocessor import DIRECTIVES
from gcn_lsp.views.preprocessed.view import Inactive, Preprocessed

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"


class Macros(Words):
    """The words of a file behind the C preprocessor."""

    def __init__(self, view: Preprocessed) -> None:
        self._view = view

    def hover(self, line: int, column: int) -> HoverResult | None:
        """The definition of the macro at a place, and what its use expands to."""
        view, path = self._view, self._view.original.path
        found = view.macro(line, column)
        if found is None:
            return None
        macro, where = found
        place = view.definition(macro.name, line)
        said: Text = "Defined by the build or the target."
        if place is not None:
            said = message("Defined on {}.", place)
        at = view.to_derived(line, column)
        is_use = place is None or (place.path, place.line) != (path, line)
        expansion = view.expansion(*at) if is_use and at is not None else b""
        if expansion:
            said = message("{} Here it expands to {}.", said, markdown.code(expansion.decode("utf-8", "replace")))
        return HoverResult(where, message("{}\n{}", markdown.block(macro.heading, "c"), said))

    def definition(self, line: int, column: int) -> list[Location]:
        """The definition of the macro at a place, or the file that an `#include` names."""
        included = self._view.included(line)
        if included:
            return [Location(included, 0, 0, 0)]
        found = self._view.macro(line, column)
        place = self._view.definition(found[0].name, line) if found is not None else None
        return [] if place is None else [place]

    def references(self, line: int, column: int) -> list[Location]:
        """The uses of the macro at a place in the file."""
        found = self._view.macro(line, column)
        return [] if found is None else list(self._view.uses(found[0].name))

    def completed(self, line: int, column: int, found: Completions | None) -> Completions | None:
        """The entries with the macros of the preprocessor; on a line of its own, only those."""
        whole = self._view.original.lines[line]
        text = whole[:column]
        word = len(text) - len(text.rstrip(_LETTERS))
        where = Location(self._view.original.path, line, column - word, column)
        items = tuple(self._entries(line, text[: column - word].strip()))
        if not (items or found):
            return found
        if found is None or whole.lstrip()[:1] == b"#":
            return Completions(where, items, False)
        return Completions(found.where, (*found.items, *items), found.is_incomplete)

    def _entries(self, line: int, before: bytes) -> list[CompletionItem]:
        """The macros that may be completed on a line, or the directives after a `#`."""
        if before == b"#":
            return [CompletionItem(name.decode(), "directive") for name in sorted(DIRECTIVES)]
        known = self._view.macros_at(line)
        return [
            CompletionItem(name.decode("utf-8", "replace"), "macro", known[name].heading)
            for name in sorted(known)
            if not name.startswith(b"__")
        ]

    def inactive(self) -> Sequence[Inactive]:
        """The lines that a condition leaves out."""
        return self._view.inactive
