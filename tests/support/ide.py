"""One helper for each editor feature; only this module knows how the features are called."""

from collections.abc import Iterable

from gcn_lsp.findings.model import Finding
from gcn_lsp.ide import (  # fmt: skip
    call_hierarchy,
    completion,
    definition,
    document_highlight,
    document_link,
    document_symbol,
    fixes,
    folding_range,
    formatting,
    hover,
    inlay_hint,
    refactor,
    references,
    rename,
    selection_range,
    semantic_tokens,
    signature_help,
    token_types,
    workspace_symbol,
)
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, SourceText, rendered
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
    assert places(program, definition.definition(program, line, column)) == list(expected)


def check_references(
    text: str, *expected: str, include_declaration: bool = True, target: str | None = check.DEFAULT_TARGET
) -> None:
    """The references at `$0` are `expected`: `path:line:text`, lines from 1."""
    program, line, column = program_and_cursor(text, target)
    found = references.references(program, line, column, include_declaration=include_declaration)
    assert places(program, found) == list(expected)


def highlights(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The highlights at `$0` as `line:text kind`, lines from 1."""
    program, line, column = program_and_cursor(text, target)
    found = document_highlight.document_highlight(program, line, column)
    return [
        f"{each.where.line + 1}:{_text(program, each.where)} {'write' if each.is_write else 'read'}" for each in found
    ]


def renamed(text: str, new: str, target: str | None = check.DEFAULT_TARGET, others: tuple[str, ...] = ()) -> str:
    """The files of a fixture after what `$0` names was renamed, headers and all; or why that is refused."""
    parsed = fixture.parse(text)
    program = check.build(parsed, target)
    further = [file.source for file in parsed.files if file.path in others]
    found = rename.rename(program, parsed.cursor.line, parsed.cursor.column, new, further)
    if found.refused:
        return rendered(found.refused, program.path)
    texts = {file.path: file.source for file in parsed.files}
    for edit in sorted(found.edits, key=lambda edit: edit.where, reverse=True):
        where = edit.where
        texts[where.path] = texts[where.path].replace(
            where.line, where.start, where.line, where.end, edit.new_text.encode()
        )
    if len(texts) == 1:
        return next(iter(texts.values())).to_bytes().decode().strip()
    return "\n".join(f"//- {path}\n{source.to_bytes().decode().strip()}" for path, source in texts.items())


def rename_target(text: str, target: str | None = check.DEFAULT_TARGET) -> str | None:
    """What would be renamed at `$0`."""
    program, line, column = program_and_cursor(text, target)
    where = rename.prepare(program, line, column)
    return _text(program, where) if where is not None else None


def tokens(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The semantic tokens of a fixture as `text type`, a line each, from the numbers that go to the client."""
    program = check.build(fixture.parse(text), target)
    numbers = semantic_tokens.semantic_tokens(program, "utf-8").numbers()
    return decode_tokens(program, numbers)


def decode_tokens(program: Program, numbers: list[int]) -> list[str]:
    """Tokens as `text type`, with a blank line between lines of the program."""
    found: list[str] = []
    line = column = 0
    for index in range(0, len(numbers), 5):
        distance, start, length, kind, modifiers = numbers[index : index + 5]
        assert modifiers == 0
        line, column = line + distance, start if distance else column + start
        if distance and found:
            found.append("")
        text = program.source.lines[line][column : column + length].decode()
        assert len(text.encode()) == length
        found.append(f"{text} {token_types.LEGEND[kind]}")
    return found


def signatures(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The signatures at `$0`, the active parameter in angle brackets."""
    found = []
    for each in signature_help.signature_help(*program_and_cursor(text, target)):
        label = each.label
        if each.active is not None:
            active = each.parameters[each.active]
            label = f"{label[: active.start]}<{label[active.start : active.end]}>{label[active.end :]}"
        found.append(label)
    return found


def selections(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The texts that are selected one after the other from `$0` on."""
    program, line, column = program_and_cursor(text, target)
    found = []
    for span in selection_range.selection_range(program, line, column):
        lines = [text.decode() for text in program.source.lines[span.first : span.last + 1]]
        lines[-1] = lines[-1][: span.end]
        lines[0] = lines[0][span.start :]
        found.append("\n".join(lines))
    return found


def links(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The document links: `line:text path`."""
    program = check.build(fixture.parse(text), target)
    return [
        f"{each.where.line + 1}:{_text(program, each.where)} {each.path}"
        for each in document_link.document_links(program)
    ]


def calls(text: str, target: str | None = check.DEFAULT_TARGET) -> tuple[list[str], list[str]]:
    """Who calls what `$0` names, and what that calls: `kind name: path:line:text ...`."""
    program, line, column = program_and_cursor(text, target)
    item = call_hierarchy.prepare(program, line, column)
    assert item is not None, "there is no macro or function"
    both = (call_hierarchy.incoming_calls(program, item.name), call_hierarchy.outgoing_calls(program, item.name))
    incoming, outgoing = (
        [f"{each.other.kind} {each.other.name}: {' '.join(places(program, list(each.places)))}" for each in found]
        for found in both
    )
    return incoming, outgoing


def outline(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The document symbols as indented lines: `kind name first-last`, lines from 1."""
    program = check.build(fixture.parse(text), target)
    return [line for symbol in document_symbol.document_symbols(program) for line in _outline(symbol, 0)]


def folds(text: str, target: str | None = check.DEFAULT_TARGET) -> list[str]:
    """The folding ranges: `first-last kind`, lines from 1."""
    program = check.build(fixture.parse(text), target)
    return [f"{each.first + 1}-{each.last + 1} {each.kind}" for each in folding_range.folding_ranges(program)]


def _outline(symbol: document_symbol.DocumentSymbol, depth: int) -> list[str]:
    first = f"{'  ' * depth}{symbol.kind} {symbol.name} {symbol.first + 1}-{symbol.last + 1}"
    return [first, *(line for child in symbol.children for line in _outline(child, depth + 1))]


def places(program: Program, found: list[Location]) -> list[str]:
    """Places as `path:line:text`, lines from 1."""
    return [f"{where.path}:{where.line + 1}:{_text(program, where)}" for where in found]


def _text(program: Program, where: Location) -> str:
    return program.line_text(where.path, where.line)[where.start : where.end].decode()


def ask_everything(
    built: Program, line: int, column: int, findings: Iterable[Finding] = (), others: Iterable[SourceText] = ()
) -> None:
    """Every feature at one place, to test only that it answers. others: files for `rename`."""
    hover.hover(built, line, column)
    offered = completion.complete(built, line, column)
    for item in (offered.items if offered is not None else ())[:20]:
        completion.resolve(built, item, line)
    signature_help.signature_help(built, line, column)
    definition.definition(built, line, column)
    references.references(built, line, column)
    document_highlight.document_highlight(built, line, column)
    rename.prepare(built, line, column)
    rename.declaring_files(built, line, column)
    rename.rename(built, line, column, "other_name", others)
    selection_range.selection_range(built, line, column)
    callable_ = call_hierarchy.prepare(built, line, column)
    for name in (callable_.name if callable_ is not None else "", "x", "M"):
        call_hierarchy.incoming_calls(built, name)
        call_hierarchy.outgoing_calls(built, name)
    document_link.document_links(built)
    document_symbol.document_symbols(built)
    folding_range.folding_ranges(built)
    inlay_hint.inlay_hints(built, line, line + 5, ("registers", "offset", "encoding"))
    semantic_tokens.semantic_tokens(built, "utf-16").numbers()
    semantic_tokens.tokens_on(built, line, line + 5, "utf-8")
    formatting.format_document(built, formatting.Style())
    formatting.format_typed(built, line, formatting.Style())
    fixes.certain_edits(findings, built.path)
    for first, last in ((line, line), (max(line, 0), max(line, 0) + 2)):
        refactor.refactorings(built, refactor.Selection(first, column, last, column))
    workspace_symbol.search([("k.s", workspace_symbol.of_buffer(built.source))], "x")
