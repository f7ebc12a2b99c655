"""What is announced: of all that the server does what a client says that it takes."""

from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from gcn_lsp.server import app, paths

# Of each part of what is announced: what a client must say, and where the announcement is.
NEEDED: dict[str, dict[str, Any]] = {
    "declarationProvider": {"textDocument": {"declaration": {}}},
    "implementationProvider": {"textDocument": {"implementation": {}}},
    "linkedEditingRangeProvider": {"textDocument": {"linkedEditingRange": {}}},
    "inlineCompletionProvider": {"textDocument": {"inlineCompletion": {}}},
    "documentRangeFormattingProvider.rangesSupport": {"textDocument": {"rangeFormatting": {"rangesSupport": True}}},
    "codeActionProvider.resolveProvider": {
        "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}
    },
    "codeLensProvider.resolveProvider": {"textDocument": {"codeLens": {"resolveSupport": {"properties": ["command"]}}}},
    "inlayHintProvider.resolveProvider": {
        "textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip"]}}}
    },
    "documentLinkProvider.resolveProvider": {"textDocument": {"documentLink": {"tooltipSupport": True}}},
    "diagnosticProvider.workspaceDiagnostics": {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {}}},
    "executeCommandProvider": {"workspace": {"executeCommand": {}}},
    "workspace.textDocumentContent": {"workspace": {"textDocumentContent": {}}},
    "workspace.fileOperations.willRename": {"workspace": {"fileOperations": {"willRename": True}}},
}


def announced(said: dict[str, Any]) -> dict[str, Any]:
    """What is announced to a client that says this, in JSON."""
    converter = default_converter()
    server = app.create()
    start = converter.structure({"processId": None, "rootUri": None, "capabilities": said}, types.InitializeParams)
    steps = server.wire.lsp_initialize(start)
    try:
        while True:
            next(steps)
    except StopIteration as end:
        found: dict[str, Any] = end.value.capabilities
        return found


def at(found: Any, name: str) -> Any:
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


@pytest.mark.parametrize("name", NEEDED)
def test_a_part_is_announced_to_a_client_that_takes_it(name: str) -> None:
    assert at(announced(NEEDED[name]), name) not in (None, False)


def test_nothing_of_it_is_announced_to_a_client_that_says_nothing() -> None:
    found = announced({})
    assert {name: at(found, name) for name in NEEDED if at(found, name) not in (None, False)} == {}
    assert found["hoverProvider"]
    assert found["documentRangeFormattingProvider"] is True


def test_a_workspace_is_pulled_only_with_its_documents() -> None:
    assert not announced({"workspace": {"diagnostics": {}}})["diagnosticProvider"]["workspaceDiagnostics"]


def test_the_commands_are_what_the_client_can_be_asked_for() -> None:
    own = {method for method, _, _ in (*app.REQUESTS, *app.SESSION_REQUESTS) if method.startswith("gcn-lsp/")}
    plain = announced({"workspace": {"executeCommand": {}}})
    assert set(plain["executeCommandProvider"]["commands"]) == own
    every = announced(
        {
            "workspace": {"executeCommand": {}, "applyEdit": True, "textDocumentContent": {}},
            "window": {"showDocument": {"support": True}},
        }
    )
    names = ("showLine", "showExpansion", "showEncoded", "showAssembly", "applyWaits")
    assert set(every["executeCommandProvider"]["commands"]) == own | {f"gcn-lsp/{name}" for name in names}


def test_any_file_or_folder_may_be_renamed() -> None:
    (found,) = announced(NEEDED["workspace.fileOperations.willRename"])["workspace"]["fileOperations"]["willRename"][
        "filters"
    ]
    assert (found["scheme"], found["pattern"]) == ("file", {"glob": "**/*"})


def test_the_schemes_are_those_of_derived_texts() -> None:
    assert announced(NEEDED["workspace.textDocumentContent"])["workspace"]["textDocumentContent"] == {
        "schemes": paths.SCHEMES
    }
