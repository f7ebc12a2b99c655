"""One helper for each editor feature; only this module knows how the features are called."""

from gcn_lsp.asm.program import Program
from gcn_lsp.ide import completion, definition, document_symbols, folding_range, hover, references
from gcn_lsp.text import Location
from tests.support import check, fixture


def program_and_cursor(text: str, target: str | None = check.DEFAULT_TARGET) -> tuple[Program, int, int]:
    """The program of a fixture and the place of its `$0`."""
    parsed = fixture.parse(text)
    return check.build(parsed, target), parsed.cursor.line, parsed.cursor.column


def hover_text(text: str, target: str | None = check.DEFAULT_TARGET) -> str | None:
    """The Markdown of the hover at `$0`."""
    result = hover.hover(*program_and_cursor(text, target))
    return result.markdown if result is not None else None


def check_hover(text: str, *parts: str, target: str | None = check.DEFAULT_TARGET) -> None:
    """The hover at `$0` holds each of `parts`."""
    found = hover_text(text, target)
    assert found is not None, "there is no hover"
    missing = [part for part in parts if part not in found]
    assert not missing, f"missing {missing} in:\n{found}"


def check_hover_span(text: str, expected: str, target: str | None = check.DEFAULT_TARGET) -> None:
    """The hover at `$0` is about the text `expected`."""
    program, line, column = program_and_cursor(text, target)
    result = hover.hover(program, line, column)
    assert result is not None, "there is no hover"
    assert _text(program, result.where) == expected


def check_no_hover(text: str, target: str | None = check.DEFAULT_TARGET) -> None:
    """There is nothing to say at `$0`."""
    assert hover_text(text, target) is None


def completions(text: str, target: str | None = check.DEFAULT_TARGET) -> dict[str, completion.CompletionItem]:
    """The entries at `$0` by label, in the order in which an editor shows them."""
    found = completion.complete(*program_and_cursor(text, target))
    items = sorted(found.items, key=lambda item: item.sort or item.label) if found is not None else []
    assert len({item.label for item in items}) == len(items), "an entry is offered twice"
    return {item.label: item for item in items}


def check_completion(
    text: str, *labels: str, absent: tuple[str, ...] = (), target: str | None = check.DEFAULT_TARGET
) -> None:
    """The entries at `$0` include `labels`, in that order, and none of `absent`."""
    found = list(completions(text, target))
    missing = [label for label in labels if label not in found]
    assert not missing, f"missing {missing}; there are {found[:40]}"
    assert sorted(labels, key=found.index) == list(labels)
    assert not set(absent) & set(found)


def check_definition(text: str, *expected: str, target: str | None = check.DEFAULT_TARGET) -> None:
    """The definitions at `$0` are `expected`: `path:line:text`, lines from 1."""
    program, line, column = program_and_cursor(text, target)
    assert _places(program, definition.definition(program, line, column)) == list(expected)


def check_references(
    text: str, *expected: str, include_declaration: bool = True, target: str | None = check.DEFAULT_TARGET
) -> None:
    """The references at `$0` are `expected`: `path:line:text`, lines from 1."""
    program, line, column = program_and_cursor(text, target)
    found = references.references(program, line, column, include_declaration=include_declaration)
    assert _places(program, found) == list(expected)


def outline(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The document symbols as indented lines: `kind name first-last`, lines from 1."""
    program = check.build(fixture.parse(text), target)
    return [line for symbol in document_symbols.document_symbols(program) for line in _outline(symbol, 0)]


def folds(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The folding ranges: `first-last kind`, lines from 1."""
    program = check.build(fixture.parse(text), target)
    return [f"{each.first + 1}-{each.last + 1} {each.kind}" for each in folding_range.folding_ranges(program)]


def _outline(symbol: document_symbols.DocumentSymbol, depth: int) -> list[str]:
    first = f"{'  ' * depth}{symbol.kind} {symbol.name} {symbol.first + 1}-{symbol.last + 1}"
    return [first, *(line for child in symbol.children for line in _outline(child, depth + 1))]


def _places(program: Program, places: list[Location]) -> list[str]:
    return [f"{where.path}:{where.line + 1}:{_text(program, where)}" for where in places]


def _text(program: Program, where: Location) -> str:
    return program.line_text(where.path, where.line)[where.start : where.end].decode()
