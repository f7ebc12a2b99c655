"""The parts of a template, and where its bytes are written."""

import pytest

from gcn_lsp.views.inline import cpp, template
from gcn_lsp.views.inline.template import Template

#         0         1         2         3
SOURCE = """\
void f() {
  asm("v_mov_b32 %0, %1\\n\\t"
      "s_nop 0 ; 100%%" R"(
 s_nop 1)" "" : "=v"(x) : [a] "v"(a));
}
"""


def read(text: str) -> Template:
    (statement,) = cpp.statements(text.encode())
    return template.of(statement)


def asm(text: str, operands: str = ':: "v"(x), [n] "n"(4)') -> Template:
    return read(f'void f() {{ asm("{text}" {operands}); }}')


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("s_nop 0", [("s_nop 0", -1, "")]),
        ("v_mov_b32 v0, %0", [("v_mov_b32 v0, ", -1, ""), ("", 0, "")]),
        ("s_nop %[n]", [("s_nop ", -1, ""), ("", 1, "")]),
        ("s_nop %c1", [("s_nop ", -1, ""), ("", 1, "c")]),
        ("s_nop %7", [("s_nop ", -1, ""), ("", None, "")]),
        ("s_nop %[other]", [("s_nop ", -1, ""), ("", None, "")]),
        ("%% %=", [("%", -1, ""), (" ", -1, ""), ("0", -1, "")]),
    ],
)
def test_parts(text: str, parts: list[tuple[str, int | None, str]]) -> None:
    assert [(part.text.decode(), part.number, part.modifier) for part in asm(text).parts] == parts


def test_a_label_of_goto_follows_the_operands() -> None:
    found = read('void f() { asm goto("s_cbranch_scc0 %l[out]" : : "s"(x) : : out); out:; }')
    assert [part.number for part in found.parts] == [-1, 1]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("s_nop 0", ["s_nop 0"]),
        ("s_nop 0\\ns_nop %0", ["s_nop 0", "s_nop <0>"]),
        ("s_nop %0\\n\\ns_endpgm\\n", ["s_nop <0>", "", "s_endpgm", ""]),
    ],
)
def test_lines(text: str, lines: list[str]) -> None:
    found = asm(text)
    shown = [
        "".join(part.text.decode() if part.number == -1 else f"<{part.number}>" for part in line)
        for line in found.lines()
    ]
    assert shown == lines
    for line in found.lines():
        for part in line:
            assert part.number != -1 or found.text[part.start : part.end] == part.text


@pytest.mark.parametrize(
    ("of", "written"),
    [
        ("v_mov_b32", "v_mov_b32"),
        ("%0", "%0"),
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("s_nop 0", "s_nop 0"),
        ("%%", "%%"),
        ("s_nop 1", "s_nop 1"),
        ("%1\n\ts_nop", "%1\\n\\t"),  # as far as the end of the first line
    ],
)
def test_where_bytes_of_the_template_are_written(of: str, written: str) -> None:
    found, lines = read(SOURCE), SOURCE.split("\n")
    start = found.text.index(of.encode())
    span = found.span(start, start + len(of))
    assert lines[span.line][span.start : span.end] == written


def test_every_place_in_a_literal_is_one_of_the_template_and_back() -> None:
    found = read(SOURCE)
    for offset in range(len(found.text)):
        span = found.span(offset, offset + 1)
        if span.start < span.end:  # a line end in a raw literal has no column
            assert found.offset(span.line, span.start) == offset
    assert found.offset(0, 3) is None
    assert found.offset(1, 4) is None
    assert found.offset(1, 25) == found.text.index(b"\t")  # after the `\n`


@pytest.mark.parametrize(
    ("of", "plain", "escaped"),
    [("s_nop 0", True, True), ("%1\n", False, True), ("\t", False, True), ("s_nop 1", True, False)],
)
def test_what_can_be_edited(of: str, plain: bool, escaped: bool) -> None:
    found = read(SOURCE)
    start = found.text.index(of.encode())
    assert found.is_plain(start, start + len(of)) is plain
    assert found.is_escaped(start) is escaped
    assert found.is_plain(start, start)
