"""Hostile names in every output format: a terminal, a browser and a CI service get text, and no commands."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from tests.support import hostile
from tests.support.hostile import FILES, MARK

_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u2028\u2029]")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files, the working folder."""
    hostile.write(tmp_path)
    for file in FILES:
        (tmp_path / file.name).write_text(file.text)
    (tmp_path / "::error::x.s").write_text("s_bad\n")
    (tmp_path / "\x1b[31mred.s").write_text("s_bad\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def output(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout


def test_text_is_for_a_terminal_and_no_command_of_a_service(folder: Path) -> None:
    found = output("check", "--format", "text", ".")
    assert MARK in found
    assert _UNSEEN.search(found.replace("\n", "").replace("\t", "")) is None
    for line in found.splitlines():
        assert not line.lstrip().startswith(("::", "##["))


def test_a_workflow_command_is_one_of_ours(folder: Path) -> None:
    found = output("check", "--format", "github", ".")
    assert MARK in found
    assert _UNSEEN.search(found.replace("\n", "")) is None
    for line in found.splitlines():
        assert re.match(r"::(error|warning|notice) (file|title)=[^:]*::", line), line


def test_a_log_has_no_links(folder: Path) -> None:
    found = json.loads(output("check", "--format", "sarif", "."))
    messages = [result["message"] for result in found["runs"][0]["results"]]
    assert any(MARK in message["text"] for message in messages)
    for message in messages:
        assert list(message) == ["text"]
        assert "](" not in message["text"]
        assert _UNSEEN.search(message["text"]) is None


class Elements(HTMLParser):
    """The elements of a page, and the attributes that name an address or a script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in (("", tag), *attributes):
            acts = name in ("src", "href", "xlink:href", "action") or name.startswith("on")
            if acts or value in ("img", "iframe", "object", "embed"):
                self.found.append(f"<{tag} {name}={value}>")


@pytest.mark.parametrize(
    "arguments", [("report", "--html"), ("graph", "--format", "svg"), ("graph", "--format", "html")]
)
def test_pages_and_drawings_have_no_element_of_a_file(arguments: tuple[str, ...], folder: Path) -> None:
    page = output(*arguments, "kernel.s")
    assert MARK in page
    assert not [each for each in Elements(page).found if MARK in each or "alert" in each]
