"""Edits of the client applied to the text, in every encoding of positions, as against editing a string."""

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from gcn_lsp.project import dialects
from gcn_lsp.server import convert, paths
from gcn_lsp.server.client import Client
from gcn_lsp.server.documents import Documents
from gcn_lsp.text import Location, TextEdit

Encoding = Literal["utf-8", "utf-16", "utf-32"]

URI = "untitled:kernel"
TEXT = st.text(st.sampled_from("ab ;é𝄞\n"), max_size=12)
NEW_TEXT = st.lists(st.sampled_from(["x", "y", " ", "é", "𝄞", "\n", "\r\n"]), max_size=5).map("".join)


def units(text: str, encoding: Encoding) -> int:
    return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2, "utf-32": len(text)}[encoding]


def position(text: str, offset: int, encoding: Encoding) -> types.Position:
    """The position of character `offset` of `text`."""
    before = text[:offset].split("\n")
    return types.Position(len(before) - 1, units(before[-1], encoding))


def opened(text: str, encoding: Encoding) -> Documents:
    store = Documents(Client(encoding=encoding))
    store.open(types.TextDocumentItem(URI, "asm", 1, text))
    return store


def partial(start: types.Position, end: types.Position, text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(range=types.Range(start, end), text=text)


def lines_of(store: Documents) -> tuple[bytes, ...]:
    document = store.get(URI)
    assert document is not None
    return document.snapshot.source.lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@given(text=TEXT, data=st.data())
def test_edits_are_those_of_a_string(encoding: Encoding, text: str, data: st.DataObject) -> None:
    store = opened(text, encoding)
    for version in range(2, 5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        new = data.draw(NEW_TEXT)
        change = partial(position(text, start, encoding), position(text, end, encoding), new)
        store.edit(URI, version, [change])
        text = text[:start] + new.replace("\r\n", "\n") + text[end:]
        assert [line.decode() for line in lines_of(store)] == text.split("\n")


def test_several_changes_apply_one_after_the_other() -> None:
    store = opened("one\ntwo", "utf-16")
    zero = types.Position(0, 0)
    whole = types.TextDocumentContentChangeWholeDocument("three\nfour")
    store.edit(URI, 2, [whole, partial(zero, zero, "a\n"), partial(types.Position(1, 5), types.Position(2, 0), "-")])
    assert lines_of(store) == (b"a", b"three-four")


@pytest.mark.parametrize(
    ("start", "end"),
    [((0, 99), (0, 99)), ((9, 0), (9, 9)), ((1, 2), (0, 1)), ((0, 1), (9, 9))],
)
def test_places_outside_the_text_are_moved_into_it(start: tuple[int, int], end: tuple[int, int]) -> None:
    store = opened("abc\nde", "utf-16")
    store.edit(URI, 2, [partial(types.Position(*start), types.Position(*end), "x")])
    assert b"".join(lines_of(store)).count(b"x") == 1


def test_half_a_surrogate_pair_is_text() -> None:
    store = opened("a\ud834b", "utf-16")
    assert lines_of(store) == (b"a?b",)


def test_a_hint_edited_away_changes_the_target() -> None:
    store = opened("; gcn-lsp: target=gfx90a\ns_nop 0", "utf-8")
    document = store.get(URI)
    assert document is not None
    assert document.snapshot.setup.target_choice.target == "gfx90a"
    before = document.snapshot.setup
    store.edit(URI, 2, [partial(types.Position(1, 0), types.Position(1, 0), "  ")])
    assert document.snapshot.setup is before
    store.edit(URI, 3, [partial(types.Position(0, 18), types.Position(0, 24), "gfx900")])
    assert document.snapshot.setup.target_choice.target == "gfx900"
    store.edit(
        URI, 4, [partial(types.Position(0, 0), types.Position(1, 0), "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, 0\n")]
    )
    assert document.snapshot.setup.target_choice.candidates[-1] == "gfx908"
    store.edit(URI, 5, [partial(types.Position(0, 0), types.Position(1, 0), "")])
    assert document.snapshot.setup.target_choice.target is None


def test_an_edit_of_what_a_compiler_wrote_changes_the_features() -> None:
    wave = ".amdhsa_wavefront_size32"
    text = f'.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\n.ident "clang version 22.1.8"\n{wave} 0\n{wave} 0\n'
    store = opened(text, "utf-8")
    document = store.get(URI)
    assert document is not None

    def mattr_after(version: int, line: int, start: int, end: int, new: str) -> str:
        store.edit(URI, version, [partial(types.Position(line, start), types.Position(line, end), new)])
        return document.snapshot.setup.options.mattr

    assert document.snapshot.setup.options.mattr == "+llvm22,+wavefrontsize64"
    assert mattr_after(2, 1, 22, 24, "23") == "+wavefrontsize64"
    assert mattr_after(3, 3, 25, 26, "1") == ""
    assert mattr_after(4, 1, 22, 24, "19") == "+llvm22"
    assert mattr_after(5, 0, 0, 0, "\n") == "+llvm22"
    assert mattr_after(6, 4, 0, 26, "") == "+llvm22,+wavefrontsize64"


def test_paths() -> None:
    assert paths.path_of("file:///a/b%20c.s") == "/a/b c.s"
    assert paths.path_of(URI) == URI
    store = opened("", "utf-8")
    assert store.uri_of(URI) == URI
    assert store.uri_of("/a/b c.s") == "file:///a/b%20c.s"


def test_an_edit_that_takes_a_line_reaches_to_the_next() -> None:
    document = opened("é\n  s_nop 4\ns_endpgm", "utf-16").get(URI)
    assert document is not None
    snapshot = document.snapshot
    edits = (TextEdit(Location(snapshot.source.path, 1, 0, 9), "", takes_line=True),)
    ((uri, (edit,)),) = convert.edits_by_uri(snapshot, edits).items()
    assert uri == URI
    assert (edit.range.start.line, edit.range.start.character) == (1, 0)
    assert (edit.range.end.line, edit.range.end.character) == (2, 0)


@pytest.mark.parametrize(
    ("name", "text", "edits"),
    [
        # The line that is edited is never the one that decides; it decides with others.
        ("k.asm", "shader main\n  type(CS)\n  s_endpgm\nend\n", [((1, 2), "//", "SP3", ""), ((1, 2), "", "", "SP3")]),
        ("k.sp3", "var x = 1\n  s_nop 0\n", [((0, 0), "//", "SP3", ""), ((0, 0), "", "", "SP3")]),
        ("k.sp3", "  s_nop 0\n  s_endpgm\n", [((0, 0), "function f(a)\n", "", "SP3")]),
        ("k.s", "#define SIZE 4\n  s_nop 0\n  s_endpgm\n", [((1, 8), "SIZE + ", "", "C preprocessor")]),
        ("k.s", "// by hand\n.amdcl2\n.gpu Fiji\n", [((0, 0), "s_nop 0\n", "CLRX", "")]),
        ("k.s", " s_nop 0 // 00000000: BF800000\n" * 4, [((0, 0), " s_nop 1\n", "CodeXL", "")]),
    ],
)
def test_an_edit_elsewhere_changes_the_dialect(
    name: str, text: str, edits: list[tuple[tuple[int, int], str, str, str]]
) -> None:
    store = Documents(Client(encoding="utf-8"))
    document = store.open(types.TextDocumentItem(f"file:///{name}", "gcn", 1, text))
    for version, (place, typed, before, after) in enumerate(edits, 2):
        assert document.snapshot.setup.dialect == before
        start = types.Position(*place)
        end = start if typed else types.Position(place[0], place[1] + 2)
        store.edit(document.uri, version, [partial(start, end, typed)])
        assert document.snapshot.setup.dialect == after


def test_a_text_is_searched_once_for_what_decides_its_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []
    marks = dialects.marks

    def counted(lines: Sequence[bytes]) -> bool:
        searched.append(len(lines))
        return marks(lines)

    monkeypatch.setattr(dialects, "marks", counted)
    store = opened("# a comment\n" + "s_nop 0\n" * 50, "utf-16")
    for version in range(2, 6):
        store.edit(URI, version, [partial(types.Position(3, 6), types.Position(3, 7), str(version))])
    assert lines_of(store)[3] == b"s_nop 5"
    assert sorted(searched) == [1, 1, 1, 1, 52]
