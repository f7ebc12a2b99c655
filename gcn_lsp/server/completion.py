"""`textDocument/completion`, and `completionItem/resolve` for the documentation of the visible entry."""

from typing import Any

import msgspec
from lsprotocol import types

from gcn_lsp.ide import completion as ide
from gcn_lsp.ide import completion_list
from gcn_lsp.ide.completion_list import CompletionKind
from gcn_lsp.patterns import regex
from gcn_lsp.program.program import Program
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import FileSnapshot, Snapshot
from gcn_lsp.text import safe

_KINDS = {
    "mnemonic": types.CompletionItemKind.Function,
    "builtin": types.CompletionItemKind.Function,
    "macro": types.CompletionItemKind.Method,
    "directive": types.CompletionItemKind.Keyword,
    "register": types.CompletionItemKind.Variable,
    "operand": types.CompletionItemKind.Variable,
    "symbol": types.CompletionItemKind.Constant,
    "label": types.CompletionItemKind.Reference,
    "modifier": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "parameter": types.CompletionItemKind.TypeParameter,
    "rule": types.CompletionItemKind.Event,
    "snippet": types.CompletionItemKind.Snippet,
}
_KIND_NUMBERS = {name: kind.value for name, kind in _KINDS.items()}
_SNIPPET = types.InsertTextFormat.Snippet.value
_PLAIN = types.InsertTextFormat.PlainText.value


def is_asked(snapshot: Snapshot, params: types.CompletionParams) -> bool:
    """Whether an answer is wanted. Every blank makes a client ask, and is worth an answer only after a key."""
    if params.context is None or params.context.trigger_character != " ":
        return True
    line, column = convert.position_to_place(snapshot, params.position)
    return _AFTER_KEY.fullmatch(snapshot.source.lines[line][:column]) is not None


_AFTER_KEY = regex(rb"[ \t]*(?:-[ \t]+)*\.\w+: ")


def completion(snapshot: Snapshot, params: types.CompletionParams) -> wire.CompletionList | None:
    """The possible entries at the cursor."""
    return _completed(snapshot, snapshot.program, params)


def before_analysis(snapshot: FileSnapshot, params: types.CompletionParams) -> wire.CompletionList | None:
    """The entries that need no control flow, else from the line and the tables alone; None to wait for the program.

    It runs in the middle of a document's first analysis.
    """
    program = snapshot.built_so_far
    if program is not None:
        return _completed(snapshot, program.without_flow(), params)
    line, column = convert.position_to_place(snapshot, params.position)
    program = snapshot.program_of_line(line)
    if program is None:
        return None
    found = ide.complete_line(program, column, *_asked(snapshot, params))
    if found is None:
        return None
    # Not by its location, since that asks for the program.
    where = convert.span_to_range(snapshot.source.lines[line], line, found.where.start, found.where.end, snapshot)
    return _listed(snapshot, found, line, where)


def _completed(snapshot: Snapshot, program: Program, params: types.CompletionParams) -> wire.CompletionList | None:
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.complete(program, line, column, *_asked(snapshot, params))
    found = snapshot.words.completed(*convert.position_to_place(snapshot, params.position), found)
    return listed(snapshot, found, line) if found is not None else None


def _asked(snapshot: Snapshot, params: types.CompletionParams) -> tuple[str, int]:
    """The character that made the client ask, and how many entries it takes."""
    trigger = params.context.trigger_character if params.context is not None else None
    return trigger or "", completion_list.ALL if snapshot.client.enter_keeps_text else completion_list.LIMIT


def listed(snapshot: Snapshot, found: ide.Completions, line: int) -> wire.CompletionList:
    """The entries as a client takes them."""
    return _listed(snapshot, found, line, convert.location_to_range(snapshot, found.where))


def _listed(snapshot: Snapshot, found: ide.Completions, line: int, replaced: wire.Range) -> wire.CompletionList:
    common = snapshot.client.common_edit_range
    offered = found.items if snapshot.client.snippets else [item for item in found.items if item.kind != "snippet"]
    items = tuple(_item(snapshot, item, line, None if common else replaced) for item in offered)
    is_incomplete = found.is_cut if snapshot.client.enter_keeps_text else found.is_incomplete
    return wire.CompletionList(is_incomplete, items, wire.ItemDefaults(replaced) if common else None)


def resolve(snapshot: Snapshot, params: types.CompletionItem) -> types.CompletionItem:
    """The same entry with its documentation. Its data, which we sent, has its kind and its line."""
    kind, line = _data(params.data)
    said = ide.resolve(snapshot.program, ide.CompletionItem(params.label, kind), line) if kind is not None else ""
    text = convert.markdown(snapshot, said)
    if text:
        params.documentation = convert.markup_content(snapshot, text)
    return params


def _item(snapshot: Snapshot, item: ide.CompletionItem, line: int, replaced: wire.Range | None) -> wire.CompletionItem:
    is_snippet = item.is_snippet and snapshot.client.snippets
    text = item.text if is_snippet or not item.is_snippet else item.label
    return wire.CompletionItem(
        label=item.label,
        kind=_KIND_NUMBERS[item.kind],
        data=(item.kind, line),
        detail=_beside(item.label, safe.one_line(convert.said(snapshot, item.detail))),
        sort_text=item.sort,
        # The colon ends the name: an editor that compares it would keep the entry for the value behind it, and take it
        # with Enter in place of both.
        filter_text=item.label[:-1] if item.label.endswith(":") else "",
        text_edit=wire.TextEdit(replaced, text) if replaced is not None else None,
        # If all entries have the same range, only a text that differs from the label needs to be sent.
        text_edit_text=text if replaced is None and text != item.label else "",
        insert_text_format=_SNIPPET if is_snippet else _PLAIN,
        command=_ASK_AGAIN if item.asks_again and _ASK_AGAIN.command in snapshot.client.commands else None,
    )


def _beside(label: str, detail: str) -> str:
    """What fits beside a label. VS Code would cut the name to show more; the documentation has all of it."""
    room = _ROW - len(label)
    if len(detail) <= room:
        return detail
    words, _, _ = detail[:room].rpartition(" ")
    return f"{words.rstrip(',;:')}…" if len(words) >= _LEAST else ""


_ASK_AGAIN = wire.Command("Show the values", "editor.action.triggerSuggest")
_ROW = 50  # letters of a row in VS Code's list, whose width does not follow its contents
_LEAST = 8


def _data(data: Any) -> tuple[CompletionKind | None, int]:
    try:
        return msgspec.convert(data, tuple[CompletionKind, int])
    except msgspec.ValidationError:  # not one of our entries
        return None, 0
