"""Settings in the shapes in which editors send them."""

from typing import Any

import msgspec
import pytest

from gcn_lsp.project import Settings
from gcn_lsp.project.settings import InlayHints
from gcn_lsp.server import settings


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, Settings()),
        ([], Settings()),
        ({}, Settings()),
        ({"target": "gfx90a"}, Settings(target="gfx90a")),
        ({"gcn-lsp": {"target": "gfx90a", "server": {"path": "x"}}}, Settings(target="gfx90a")),
        ({"target": "", "mattr": None, "defines": {}, "ignore": []}, Settings()),
        ({"includePaths": ["inc", "/abs"]}, Settings(include_paths=("/w/inc", "/abs"))),
        ({"include-paths": ["inc"]}, Settings(include_paths=("/w/inc",))),
        ({"inlayHints": {"registers": True}}, Settings()),
        ({"inlayHints": {"registers": False}}, Settings(inlay_hints=InlayHints(registers=False))),
        ({"inlayHints": {"inFlight": True}}, Settings(inlay_hints=InlayHints(in_flight=True))),
        ({"inlay_hints": {"in_flight": True}}, Settings(inlay_hints=InlayHints(in_flight=True))),
        ({"inlay-hints": {"in-flight": True}}, Settings(inlay_hints=InlayHints(in_flight=True))),
        ({"defines": {"N": 4}, "select": ["unknown-target"]}, Settings(defines={"N": 4}, select=("unknown-target",))),
    ],
)
def test_read(value: Any, expected: Settings) -> None:
    assert settings.read(value, ["/w"]) == (expected, [])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"target": "gfx90b"}, "setting 'gcn-lsp.target': unknown target 'gfx90b'"),
        ({"defines": {"N": "x"}}, "setting 'gcn-lsp.defines': 'defines' must be"),
        (
            {"inlayHints": {"inFlihgt": True}},
            "setting 'gcn-lsp.inlayHints.inFlihgt': unknown setting 'inFlihgt'; did you",
        ),
        ({"inludePaths": ["x"]}, "setting 'gcn-lsp.inludePaths': unknown setting 'inludePaths'; did you mean"),
        ({"ignore": ["unused-lable"]}, "setting 'gcn-lsp.ignore': 'unused-lable' is not a rule"),
        ({"inlayHints": {"registers": "v"}}, "setting 'gcn-lsp.inlayHints': 'inlay-hints' must be a table"),
    ],
)
def test_a_mistake_is_a_message_and_a_default(value: Any, message: str) -> None:
    found, messages = settings.read({**value, "mattr": "+xnack"}, [])
    assert msgspec.structs.replace(found, ignore=()) == Settings(mattr="+xnack")
    assert len(messages) == 1
    assert messages[0].startswith(message)
