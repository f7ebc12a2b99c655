"""`initialize` is read, and its answer is one, as lsprotocol's converter does it; what is wrong is left to that."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import client_capabilities

from gcn_lsp.server import app, first_message, wire
from gcn_lsp.server.client import Client
from gcn_lsp.text import json_bytes

CONVERTER = default_converter()
CLIENTS = ("neovim@v0.7.0", "neovim@v0.10.0", "visual_studio_code@v1.65.2", "emacs@v29.1")
MORE = {
    "experimental": {"commands": {"commands": ["a.b"]}, "enter_keeps_text": True},
    "general": {"positionEncodings": ["utf-8", "utf-16"], "markdown": {"parser": "marked"}},
}


def message(capabilities: Any, **params: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": 4, "rootUri": None, "capabilities": capabilities, **params},
    }


def said() -> list[dict[str, Any]]:
    known = [CONVERTER.unstructure(client_capabilities(name)) for name in CLIENTS]
    return [{}, MORE, *known, {**known[0], **MORE}]


def answered(start: Any) -> wire.InitializeResult:
    steps = app.create().wire.lsp_initialize(start)
    try:
        while True:
            next(steps)
    except StopIteration as end:
        found: wire.InitializeResult = end.value
        return found


@pytest.mark.parametrize("capabilities", said())
def test_a_client_is_understood_as_by_the_converter(capabilities: Mapping[str, Any]) -> None:
    sent = message(capabilities, workspaceFolders=[{"uri": "file:///a", "name": "a"}], initializationOptions={"a": 1})
    own, other = first_message.read(sent).params, CONVERTER.structure(sent, types.InitializeRequest).params
    assert Client.of(own.capabilities) == Client.of(other.capabilities)
    assert (own.process_id, own.root_uri, own.root_path, own.locale) == (4, None, None, None)
    assert own.initialization_options == other.initialization_options == {"a": 1}
    assert [(each.uri, each.name) for each in own.workspace_folders] == [("file:///a", "a")]
    written = json_bytes(answered(own))
    assert written == json_bytes(answered(other))
    # What is announced is what the protocol has: nothing in it is unknown to its classes.
    structured = CONVERTER.structure(json.loads(written), types.InitializeResult)
    assert CONVERTER.unstructure(structured) == json.loads(written)


@pytest.mark.parametrize(
    "sent",
    [
        message(5),
        message(None),
        message({"textDocument": 5}),
        message({"general": {"positionEncodings": "utf-8"}}),
        message({"general": {"positionEncodings": [8]}}),
        message({}, processId="4"),
        message({}, rootUri=4),
        message({}, workspaceFolders=[{"uri": "file:///a"}]),
        message({}, workspaceFolders={"uri": "file:///a"}),
        {"jsonrpc": "2.0", "id": 1, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "initialize", "params": {"capabilities": {}}},
    ],
)
def test_anything_else_is_left_to_the_converter(sent: dict[str, Any]) -> None:
    assert first_message.read(sent) is None


def test_lists_that_are_none_say_nothing() -> None:
    wrong: dict[str, Any] = {
        "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": 5}},
        "textDocument": {"hover": {"contentFormat": 5}, "codeAction": {"resolveSupport": {"properties": 5}}},
    }
    client = Client.of(first_message.read(message(wrong)).params.capabilities)
    assert (client.creates_files, client.resolves_actions, client.markdown) == (False, False, True)
