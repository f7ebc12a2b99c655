"""`textDocument/codeAction`: fixes of the findings in the selection, all fixes of the file, and refactorings.

`codeAction/resolve` gives the edit of the one that was chosen.
"""

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec
from lsprotocol import types

from gcn_lsp.findings import at_call
from gcn_lsp.findings.model import Finding
from gcn_lsp.ide import fixes, refactor
from gcn_lsp.rules import RULES
from gcn_lsp.server import configure, convert, diagnostics, resolving, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import safe

_RENAME = "gcn-lsp.rename"  # the editor's command that lets the user rename what is at a place
_SHOW = "gcn-lsp.showWitness"  # the editor's command that runs the kernel and says whether a finding shows
_FIX, _REFACTOR = types.CodeActionKind.QuickFix.value, types.CodeActionKind.Refactor.value
_FIX_ALL = types.CodeActionKind.SourceFixAll.value


Actions = Callable[[types.CodeActionParams], list[wire.CodeAction]]


def code_action(snapshot: Snapshot, params: types.CodeActionParams) -> list[wire.CodeAction]:
    """The actions for the selection; the client applies the edits."""
    return offered(snapshot, params, _all(snapshot))


def resolve(snapshot: Snapshot, params: types.CodeAction) -> wire.CodeAction | wire.Failure:
    """The same action with its edit."""
    return resolved(snapshot, params, _all(snapshot))


def _all(snapshot: Snapshot) -> Actions:
    return lambda asked: wanted(asked, _actions(snapshot, asked))


def of_derived(snapshot: Snapshot, params: types.CodeActionParams) -> list[wire.CodeAction]:
    """The same for a derived text: fixes, and what the project can ignore."""
    return offered(snapshot, params, _all_of_derived(snapshot))


def resolve_of_derived(snapshot: Snapshot, params: types.CodeAction) -> wire.CodeAction | wire.Failure:
    """The action of a derived text with its edit."""
    return resolved(snapshot, params, _all_of_derived(snapshot))


def _all_of_derived(snapshot: Snapshot) -> Actions:
    return lambda asked: wanted(asked, _actions_of_derived(snapshot, asked))


def offered(snapshot: Snapshot, params: types.CodeActionParams, actions: Actions) -> list[wire.CodeAction]:
    """The actions, without their edits for a client that asks for that of the chosen one."""
    found = actions(params)
    if not snapshot.client.resolves_actions:
        return found
    start, end, only = params.range.start, params.range.end, params.context.only
    asked = (start.line, start.character, end.line, end.character), None if only is None else tuple(only)
    return [
        msgspec.structs.replace(each, edit=None, data=resolving.data(snapshot, *asked, number))
        for number, each in enumerate(found)
    ]


class _ActionData(resolving.ItemData, frozen=True):
    range: tuple[int, int, int, int]
    only: tuple[str, ...] | None
    number: int


def resolved(snapshot: Snapshot, params: types.CodeAction, actions: Actions) -> wire.CodeAction | wire.Failure:
    """The action that a client has chosen, with its edit, if the document is still the one it is for."""
    known = resolving.known(snapshot, params.data, _ActionData)
    if known is not None:
        first, start, last, end = known.range
        place = types.Range(types.Position(first, start), types.Position(last, end))
        document = types.TextDocumentIdentifier(snapshot.document.uri)
        found = actions(types.CodeActionParams(document, place, types.CodeActionContext([], known.only)))
        # Findings that were settled meanwhile may have moved it.
        for each in (*found[known.number : known.number + 1], *found):
            if each.title == params.title:
                return each
    return wire.Failure(types.LSPErrorCodes.ContentModified.value, "The document has changed since.")


def wanted(params: types.CodeActionParams, actions: Iterable[wire.CodeAction]) -> list[wire.CodeAction]:
    """The actions of the kinds that the client asks for, whose titles may have names of the file.

    A refactoring that a finding's fix already offers under the same title is not listed again.
    """
    kinds = params.context.only
    asked = [each for each in actions if kinds is None or any(_is_of_kind(each.kind, kind) for kind in kinds)]
    fixed = {each.title for each in asked if each.kind == _FIX}
    return [
        msgspec.structs.replace(each, title=safe.one_line(each.title))
        for each in asked
        if not (each.title in fixed and _is_of_kind(each.kind, _REFACTOR))
    ]


def of_findings(snapshot: Snapshot, params: types.CodeActionParams) -> Iterator[wire.CodeAction]:
    """The fixes of the findings in a selection of a document without a program."""
    first, start = convert.position_to_place(snapshot, params.range.start)
    last, end = convert.position_to_place(snapshot, params.range.end)
    yield from _in_derived(snapshot, fixes.touching(snapshot.findings, snapshot.source.path, first, start, last, end))
    every = fixes.certain_edits(snapshot.findings, snapshot.source.path)
    if every:
        changes = wire.WorkspaceEdit(convert.edits_by_uri(snapshot, every))
        yield wire.CodeAction("Apply all certain fixes", _FIX_ALL, changes)


def _is_of_kind(kind: str, wanted: str) -> bool:
    """Whether one kind includes another: kinds are a hierarchy with dots, and the empty one includes all."""
    return not wanted or kind == wanted or kind.startswith(f"{wanted}.")


def _actions(snapshot: Snapshot, params: types.CodeActionParams) -> Iterator[wire.CodeAction]:
    first, start = convert.position_to_place(snapshot, params.range.start)
    last, end = convert.position_to_place(snapshot, params.range.end)
    shown = _shown(snapshot)
    touching = fixes.touching(shown, snapshot.source.path, first, start, last, end)
    yield from _configuring(snapshot, touching)
    for offer in fixes.fixes(snapshot.program, shown, first, start, last, end):
        yield _fix(snapshot, offer)
    yield from _ignoring(snapshot, touching)
    yield from _showing(snapshot, touching)  # it changes nothing: after all that does
    for found in refactor.refactorings(snapshot.program, refactor.Selection(first, start, last, end)):
        solved = tuple(finding for finding in touching if finding.rule == found.solves)
        yield _solving(snapshot, _refactoring(snapshot, found), solved)
    every = fixes.certain_edits(snapshot.findings, snapshot.source.path)
    if every:
        changes = wire.WorkspaceEdit(convert.edits_by_uri(snapshot, every))
        yield wire.CodeAction("Apply all certain fixes", _FIX_ALL, changes)


def _actions_of_derived(snapshot: Snapshot, params: types.CodeActionParams) -> Iterator[wire.CodeAction]:
    first, start = convert.position_to_place(snapshot, params.range.start)
    last, end = convert.position_to_place(snapshot, params.range.end)
    touching = fixes.touching(_shown(snapshot), snapshot.source.path, first, start, last, end)
    yield from _configuring(snapshot, touching)
    yield from _in_derived(snapshot, touching)


def _shown(snapshot: Snapshot) -> list[Finding]:
    return [at_call.at_call(snapshot.program, finding) for finding in snapshot.findings]


def _configuring(snapshot: Snapshot, found: Iterable[Finding]) -> Iterator[wire.CodeAction]:
    """The changes of the configuration that resolve each finding."""
    for finding in found:
        for title, edit in configure.actions(snapshot, finding):
            solved = (diagnostics.finding_to_diagnostic(snapshot, finding),)
            yield wire.CodeAction(title, types.CodeActionKind.QuickFix.value, edit, solved)


def _showing(snapshot: Snapshot, found: Iterable[Finding]) -> Iterator[wire.CodeAction]:
    """For each finding that a run can show the action that runs it, in an editor that can."""
    for finding in found if _SHOW in snapshot.client.commands else ():
        if RULES[finding.rule].shown_by:
            command = wire.Command(_SHOW_TITLE, _SHOW, (snapshot.document.uri, finding.where.line, finding.rule))
            solved = (diagnostics.finding_to_diagnostic(snapshot, finding),)
            yield wire.CodeAction(_SHOW_TITLE, types.CodeActionKind.QuickFix.value, None, solved, command=command)


_SHOW_TITLE = "Show it happen"


def _ignoring(snapshot: Snapshot, found: Iterable[Finding]) -> Iterator[wire.CodeAction]:
    """For each rule of the findings the action that ignores it in the project."""
    for finding in {finding.rule: finding for finding in found}.values():
        for title, edit in configure.ignoring(snapshot, finding.rule):
            solved = (diagnostics.finding_to_diagnostic(snapshot, finding),)
            yield wire.CodeAction(title, types.CodeActionKind.QuickFix.value, edit, solved)


def _in_derived(snapshot: Snapshot, found: Iterable[Finding]) -> Iterator[wire.CodeAction]:
    """The fixes of findings in a derived text. Refactorings would need the places in its original."""
    for finding in found:
        for fix in finding.fixes:
            yield _fix(snapshot, fixes.OfferedFix(finding, fix))


def _fix(snapshot: Snapshot, offer: fixes.OfferedFix) -> wire.CodeAction:
    return wire.CodeAction(
        title=offer.fix.title,
        kind=types.CodeActionKind.QuickFix.value,
        edit=convert.workspace_edit(snapshot, offer.fix.edits),
        diagnostics=(diagnostics.finding_to_diagnostic(snapshot, offer.finding),),
        is_preferred=offer.fix is offer.finding.certain_fix,
    )


def _solving(snapshot: Snapshot, action: wire.CodeAction, solved: Iterable[Finding]) -> wire.CodeAction:
    """A refactoring as the fix of the findings that it resolves."""
    told = tuple(diagnostics.finding_to_diagnostic(snapshot, finding) for finding in solved)
    return msgspec.structs.replace(action, kind=_FIX, diagnostics=told) if told else action


def _refactoring(snapshot: Snapshot, found: refactor.Refactoring) -> wire.CodeAction:
    edits = [
        wire.TextEdit(convert.places_to_range(snapshot, edit.first, edit.start, edit.last, edit.end), edit.text)
        for edit in found.edits
    ]
    # The box for a new name is one place to type at; a snippet would leave a cursor at each use.
    if found.named_at is not None and _RENAME in snapshot.client.commands:
        # The name is of ASCII, and so is what is before it: bytes are characters.
        command = wire.Command("Rename the symbol", _RENAME, (snapshot.document.uri, *found.named_at))
        edit = wire.WorkspaceEdit({snapshot.document.uri: edits})
        return wire.CodeAction(found.title, found.kind, edit, command=command)
    if found.named and snapshot.client.takes_snippet_edits:
        named = re.compile(rf"(?<![\w.$]){re.escape(found.named)}(?![\w.$])")
        stops = [(edit, [match.span() for match in named.finditer(edit.new_text)]) for edit in edits]
        return wire.CodeAction(found.title, found.kind, convert.with_stops(snapshot, stops))
    return wire.CodeAction(found.title, found.kind, wire.WorkspaceEdit({snapshot.document.uri: edits}))
