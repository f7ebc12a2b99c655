"""What an earlier session found in a long file is told at its opening, and only if nothing has changed since."""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from lsprotocol import types

from gcn_lsp.project import store
from gcn_lsp.server import diagnostic, diagnostics, kept_diagnostics, wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.snapshot import LONG
from gcn_lsp.text import SourceText
from tests.benchmarks import client as measuring

TEXT = (
    """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.include "a.inc"
.include "none.inc"
kernel:
  global_load_dword v1, v0, s[2:3]
  v_add_f32 v2, v1, v1
  v_mov_b32 v3, number
"""
    + "  v_mov_b32 v5, v6\n" * LONG
)


class Folder:
    """A folder with one long file that other sessions open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = TEXT
        self.name = "k.s"
        self.client = Client(related_information=True)
        self.documents = Documents(self.client)
        self.write("a.inc", ".set number, 4\n")

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def open(self) -> Document:
        """The document in a new session."""
        self.documents = Documents(self.client)
        return self.open_another()

    def open_another(self) -> Document:
        """The document in the session that is there."""
        uri = (self.path / self.name).as_uri()
        return self.documents.open(types.TextDocumentItem(uri, "gcn", 1, self.text))

    def keep(self) -> dict[str, diagnostics.Diagnostics]:
        """What a session found, and kept."""
        snapshot = self.open().snapshot
        found = diagnostics.diagnose(snapshot)
        assert snapshot.has_all_findings
        kept_diagnostics.keep(snapshot)
        return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "cache"))
    kept_diagnostics._common.cache_clear()
    (tmp_path / "project").mkdir()
    return Folder(tmp_path / "project")


def test_what_is_kept_is_what_was_found(folder: Folder) -> None:
    assert kept_diagnostics.find(folder.open().snapshot) is None
    found = folder.keep()
    assert "missing-wait" in [each.code for each in found[(folder.path / "k.s").as_uri()]]
    again = folder.open()
    assert kept_diagnostics.find(again.snapshot) == found
    assert again.built is None


def other_text(folder: Folder) -> Document:
    folder.text = TEXT + "\n"
    return folder.open()


def other_include(folder: Folder) -> Document:
    folder.write("a.inc", ".set number, 5\n")
    return folder.open()


def new_include(folder: Folder) -> Document:
    folder.write("none.inc", "")
    return folder.open()


def open_include(folder: Folder) -> Document:
    folder.documents = Documents(folder.client)
    uri = (folder.path / "a.inc").as_uri()
    folder.documents.open(types.TextDocumentItem(uri, "gcn", 1, ".set number, 5\n"))
    return folder.open_another()


def other_configuration(folder: Folder) -> Document:
    folder.write("gcn-lsp.toml", 'ignore = ["missing-wait"]\n')
    return folder.open()


def other_client(folder: Folder) -> Document:
    folder.client = Client(encoding="utf-8")
    return folder.open()


def other_name(folder: Folder) -> Document:
    folder.name = "other.s"
    return folder.open()


@pytest.mark.parametrize(
    "change",
    [other_text, other_include, new_include, open_include, other_configuration, other_client, other_name],
    ids=lambda change: change.__name__,
)
def test_after_a_change_nothing_is_told(folder: Folder, change: Callable[[Folder], Document]) -> None:
    folder.keep()
    assert kept_diagnostics.find(change(folder).snapshot) is None


def test_another_program_finds_nothing(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.keep()
    monkeypatch.setattr(store, "__version__", "99.0")
    kept_diagnostics._common.cache_clear()
    assert kept_diagnostics.find(folder.open().snapshot) is None


@pytest.mark.parametrize("body", [b"", b"\x80", msgspec.msgpack.encode({"seen": {}, "found": {"k.s": 1}})])
def test_what_is_no_result_counts_as_missing(folder: Folder, body: bytes) -> None:
    folder.keep()
    file = kept_diagnostics._file(folder.open().snapshot)
    assert file is not None
    store.write(file, body)
    assert kept_diagnostics.find(folder.open().snapshot) is None


def test_a_buffer_that_is_included_is_not_what_the_next_session_reads(folder: Folder) -> None:
    snapshot = open_include(folder).snapshot
    diagnostics.diagnose(snapshot)
    kept_diagnostics.keep(snapshot)
    assert not list((folder.path.parent / "cache").rglob("*"))


def test_a_short_file_and_one_for_several_targets_are_not_kept(folder: Folder) -> None:
    folder.text = TEXT[: TEXT.index("  v_mov_b32 v5")]
    folder.keep()
    assert not list((folder.path.parent / "cache").rglob("*"))
    folder.text = TEXT[TEXT.index("\n") + 1 :]
    snapshot = folder.open().snapshot
    diagnostics.diagnose(snapshot)
    assert not snapshot.has_all_findings


def test_a_line_that_is_being_typed_is_kept_as_its_opening_will_find_it(folder: Folder) -> None:
    document = folder.open()
    end = types.Position(6, 0)
    folder.documents.edit(
        document.uri, 2, [types.TextDocumentContentChangePartial(types.Range(end, end), "  s_mov_b32\n")]
    )
    diagnostics.diagnose(document.snapshot)
    kept_diagnostics.keep(document.snapshot)
    folder.text = document.snapshot.source.to_bytes().decode()
    again = folder.open().snapshot
    assert kept_diagnostics.find(again) == diagnostics.diagnose(again)


def test_a_client_that_pulls_gets_it_before_the_program_is_built(folder: Folder) -> None:
    folder.client = Client(pulls_diagnostics=True, refreshes_diagnostics=True)
    found = folder.keep()
    document = folder.open()
    pull = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(document.uri))
    report = diagnostic.diagnostic(document.snapshot, pull)
    assert isinstance(report, wire.FullReport)
    assert report.items == found[document.uri] == document.snapshot.pulled_early
    assert document.built is None
    assert not document.is_analysed
    assert document.snapshot.source == SourceText.from_bytes(document.path, folder.text.encode())


def test_a_session_tells_what_the_one_before_has_kept(folder: Folder, tmp_path: Path) -> None:
    uri = (folder.path / "k.s").as_uri()

    def session(count: int) -> list[list[str]]:
        """The rules that some diagnostics name, one after the other."""
        server = measuring.Client(cache=tmp_path / "cache")
        server.initialize()
        told = [server.open(uri, folder.text)[1]]
        told += (server.told_again(uri, 1)[1] for _ in range(count - 1))
        end = time.monotonic() + 60
        while not list((tmp_path / "cache" / store.DIAGNOSTICS).glob("*/*")) and time.monotonic() < end:
            time.sleep(0.05)
        server.close()
        return [sorted(each["code"] for each in found) for found in told]

    first, last = session(2)
    assert "missing-wait" not in first
    assert "missing-wait" in last
    assert session(3) == [last, last, last]  # what is kept, the first stage with it, and all
