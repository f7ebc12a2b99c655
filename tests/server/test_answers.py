"""Every request is answered where there is nothing to say: for documents that are not open, wrong parameters, and after
a cancellation; and none before `initialize`."""

from collections.abc import Iterator
from typing import Any

import pytest
from lsprotocol import types

from gcn_lsp.server import app, lifecycle
from gcn_lsp.server.lifecycle import Phase
from tests.server.test_lifecycle import EXIT, SHUTDOWN, Running

PLACE = {"line": 0, "character": 0}
RANGE = {"start": PLACE, "end": PLACE}
URI = "file:///nowhere/k.s"
# All that any of the requests needs.
PARAMS: dict[str, Any] = {
    "textDocument": {"uri": URI},
    "position": PLACE,
    "positions": [PLACE],
    "range": RANGE,
    "ranges": [RANGE],
    "options": {"tabSize": 4, "insertSpaces": True},
    "ch": "\n",
    "newName": "n",
    "name": "s_nop",
    "target": "gfx90a",
    "previousResultId": "1",
    "label": "x",
    "data": [URI, 1],
    "title": "x",
    "selectionRange": RANGE,
}
CONTEXTS: dict[str, Any] = {
    "textDocument/references": {"includeDeclaration": True},
    "textDocument/codeAction": {"diagnostics": []},
    "textDocument/inlineCompletion": {"triggerKind": 1},
}
ITEM = {"name": "k", "kind": 12, "uri": URI, "range": RANGE, "selectionRange": RANGE, "data": URI}


def params(method: str) -> dict[str, Any]:
    found = dict(PARAMS)
    if method in CONTEXTS:
        found["context"] = CONTEXTS[method]
    if method.startswith("callHierarchy/"):
        return {"item": ITEM}
    if method == types.INLAY_HINT_RESOLVE:
        return {"position": PLACE, "label": "x", "data": [URI, 1]}
    return found


METHODS = [method for method, _, _ in app.REQUESTS]
_INVALID = types.ErrorCodes.InvalidParams.value


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    running = Running(None, params={"capabilities": {"workspace": {"diagnostics": {}, "executeCommand": {}}}})
    yield running
    running.send(SHUTDOWN)
    running.send(EXIT)
    assert running.process.wait(60) == 0


def answers(server: Running, *asked: tuple[str, Any]) -> "list[dict[str, Any]]":
    """The answers to requests that are sent at once, in their order."""
    for number, (method, given) in enumerate(asked):
        server.send({"id": number, "method": method, "params": given})
    found: dict[Any, dict[str, Any]] = {}
    while len(found) < len(asked):
        message = server.receive()
        if "method" not in message:
            found[message["id"]] = message
    return [found[number] for number in range(len(asked))]


def test_a_document_that_is_not_open_has_no_answer(server: Running) -> None:
    found = answers(server, *((method, params(method)) for method in METHODS))
    assert [method for method, answer in zip(METHODS, found, strict=True) if "error" in answer] == []
    told = {method: answer["result"] for method, answer in zip(METHODS, found, strict=True) if answer["result"]}
    assert {method for method in told if not method.endswith("/resolve")} == set()
    assert told[types.CODE_LENS_RESOLVE]["data"] == [URI, 1]  # an item comes back as it is


@pytest.mark.parametrize("given", [{}, {"textDocument": None}, {"textDocument": {}}, {"item": 5}, {"data": 3}])
def test_parameters_that_name_nothing_are_invalid(server: Running, given: Any) -> None:
    found = answers(server, *((method, given) for method in METHODS))
    codes = {
        method: answer["error"]["code"] for method, answer in zip(METHODS, found, strict=True) if "error" in answer
    }
    assert {method: code for method, code in codes.items() if code != _INVALID} == {}
    assert types.TEXT_DOCUMENT_HOVER in codes


def test_a_request_that_waits_can_be_cancelled(server: Running) -> None:
    (first,) = answers(server, (types.WORKSPACE_DIAGNOSTIC, {"previousResultIds": []}))
    assert first["result"] == {"items": []}
    server.send({"id": "waits", "method": types.WORKSPACE_DIAGNOSTIC, "params": {"previousResultIds": []}})
    server.send({"method": "$/cancelRequest", "params": {"id": "waits"}})
    cancelled = server.receive()
    assert (cancelled["id"], cancelled["error"]["code"]) == ("waits", types.LSPErrorCodes.RequestCancelled.value)
    (after,) = answers(server, (types.TEXT_DOCUMENT_HOVER, params(types.TEXT_DOCUMENT_HOVER)))
    assert after["result"] is None


@pytest.mark.parametrize("method", [method for method, _, _ in (*app.REQUESTS, *app.SESSION_REQUESTS)])
def test_nothing_is_answered_before_initialize(method: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params(method)}
    with pytest.raises(lifecycle.Refused) as refused:
        lifecycle.admitted(message, Phase.NEW)
    assert refused.value.answer.error.code == types.ErrorCodes.ServerNotInitialized.value
