"""Hostile names sent through every request about every kind of document: the answers hold code and text only."""

import random
from pathlib import Path
from typing import Any

import pytest

from gcn_lsp.project import Files
from gcn_lsp.server.object_text import object_text
from tests.benchmarks.client import CAPABILITIES
from tests.server.random_edits import AT_PLACES, OF_DOCUMENT, Kernel, Session, Text
from tests.support import hostile
from tests.support.hostile import FILES, HostileFile

_PLACES = 60  # of a document
_ALL_HINTS = {"inlay-hints": dict.fromkeys(("registers", "offset", "encoding", "in-flight", "inputs"), True)}


def asked(document: HostileFile, folder: Path, places: int) -> dict[str, Any]:
    """The answers to every request about a document and about places in it, and what was published."""
    path, written = folder / document.name, document.text
    if document.data:
        path.write_bytes(document.data)
        written = object_text(Files(), str(path)).text
    text, uri = Text(written), path.as_uri()
    session = Session(Kernel(uri, written, _ALL_HINTS), "utf-16", written, 1, document.language)
    found: dict[str, Any] = {}
    for name in OF_DOCUMENT:
        found[name] = session.ask(name, text, (0, 0))
    every = [(line, column) for line, each in enumerate(text.lines) for column in range(0, len(each), 3)]
    for place in random.Random(document.name).sample(every, min(places, len(every))):
        for name in AT_PLACES:
            found[f"{name} at {place}"] = session.ask(name, text, place)
    found["published"] = session.published()
    assert session.failures() == ""
    session.close()
    return found


@pytest.mark.parametrize("document", FILES, ids=lambda document: document.name.rpartition(".")[2])
def test_answers_hold_code_and_text_only(document: HostileFile, tmp_path: Path) -> None:
    hostile.write(tmp_path)
    found = asked(document, tmp_path, _PLACES)
    assert CAPABILITIES["textDocument"]["hover"]["contentFormat"] == ["markdown"]
    wrong = [each for name, answer in found.items() for each in hostile.wrong(answer, name)]
    assert not wrong, "\n".join(wrong[:10])
    assert any(hostile.MARK in str(answer) for answer in found.values()), "nothing of the file is shown"


def test_the_test_sees_what_is_active() -> None:
    for text in (hostile.PICTURE, hostile.LINK, hostile.ELEMENT, hostile.BARE, f"\n```\nx\n```\n{hostile.LINK}\n```"):
        assert hostile.active(f"a{text}")
    assert not hostile.active(f"`{hostile.LINK}`")
    assert list(hostile.wrong({"message": "\x1b[31m"}))
