"""What the features say about names of the C preprocessor, whose text the program does not have."""

from collections.abc import Iterator

from lsprotocol import types

from gcn_lsp.ide.completion_list import CompletionItem
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import Snapshot
from gcn_lsp.text import Location
from gcn_lsp.views.preprocessed.preprocessor import DIRECTIVES
from gcn_lsp.views.preprocessed.view import Preprocessed

_INACTIVE = "inactive-code"
_HINT = types.DiagnosticSeverity.Hint.value
_UNNECESSARY = (types.DiagnosticTag.Unnecessary.value,)


def hover(snapshot: Snapshot, position: types.Position) -> wire.Hover | None:
    """The definition of the macro at the cursor, and what its use expands to."""
    view = snapshot.derived
    if not isinstance(view, Preprocessed):
        return None
    line, column = convert.position_to_place(snapshot, position)
    found = view.macro(line, column)
    if found is None:
        return None
    macro, where = found
    code = [macro.heading]
    place = view.definition(macro.name, line)
    said = "Defined by the build or the target."
    if place is not None:
        file = "" if place.path == snapshot.source.path else f" of `{place.path.rpartition('/')[2]}`"
        said = f"Defined on line {place.line + 1}{file}."
    derived = view.to_derived(line, column)
    is_use = place is None or (place.path, place.line) != (snapshot.source.path, line)
    expansion = b""
    if is_use and derived is not None:
        expansion = view.expansion(*derived)
    if expansion:
        said += f" Here it expands to `{expansion.decode('utf-8', 'replace')}`."
    markdown = "```c\n" + "\n".join(code) + "\n```\n" + said
    return wire.Hover(convert.markup(snapshot, markdown), convert.location_to_range(snapshot, where))


def definition(snapshot: Snapshot, position: types.Position) -> list[wire.Location]:
    """The definition of the macro at the cursor, or the file that an `#include` names."""
    view = snapshot.derived
    if not isinstance(view, Preprocessed):
        return []
    line, column = convert.position_to_place(snapshot, position)
    included = view.included(line)
    if included:
        return [wire.Location(snapshot.uri_of(included), wire.Range(wire.Position(0, 0), wire.Position(0, 0)))]
    found = view.macro(line, column)
    place = view.definition(found[0].name, line) if found is not None else None
    return [] if place is None else [convert.location_to_location(snapshot, place)]


def references(snapshot: Snapshot, position: types.Position) -> list[wire.Location]:
    """The uses of the macro at the cursor in the document."""
    view = snapshot.derived
    if not isinstance(view, Preprocessed):
        return []
    found = view.macro(*convert.position_to_place(snapshot, position))
    if found is None:
        return []
    return [convert.location_to_location(snapshot, where) for where in view.uses(found[0].name)]


def completions(snapshot: Snapshot, line: int, column: int) -> tuple[Location | None, list[CompletionItem]]:
    """The macros whose names may be completed at a place of the text, or the directives after a `#`."""
    view = snapshot.derived
    if not isinstance(view, Preprocessed):
        return None, []
    text = snapshot.source.lines[line][:column]
    word = len(text) - len(text.rstrip(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"))
    where = Location(snapshot.source.path, line, column - word, column)
    before = text[: column - word].strip()
    if before == b"#":
        return where, [CompletionItem(name.decode(), "directive") for name in sorted(DIRECTIVES)]
    known = view.macros_at(line)
    return where, [
        CompletionItem(name.decode("utf-8", "replace"), "macro", known[name].heading)
        for name in sorted(known)
        if not name.startswith(b"__")
    ]


def inactive(snapshot: Snapshot) -> Iterator[wire.Diagnostic]:
    """The lines that a condition leaves out, for an editor to fade."""
    view = snapshot.derived
    if not isinstance(view, Preprocessed) or not snapshot.client.diagnostic_tags:
        return
    for lines in view.inactive:
        where = convert.whole_lines(snapshot, lines.first, lines.last)
        message = f"not assembled, because of `{lines.condition}`" if lines.condition else "not assembled"
        yield wire.Diagnostic(where, _HINT, _INACTIVE, "gcn-lsp", message, tags=_UNNECESSARY)
