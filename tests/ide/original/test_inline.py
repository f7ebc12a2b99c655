"""What features say about the operands of inline assembly."""

import pytest

from gcn_lsp.ide import original
from gcn_lsp.ide.original import inline
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline import cpp, document
from gcn_lsp.views.inline.document import StatementAssembly

#        0         1         2         3         4         5
TEXT = 'asm("v_add_u32 %0, %0, %[b]" : "=&v"(x) : [b] "v"(y + 1), "n"(4));'
SOURCE = SourceText.from_bytes("a.cpp", TEXT.encode())


def text() -> StatementAssembly:
    (statement,) = cpp.statements(TEXT.encode())
    return document.of(statement, "gfx90a")


def words() -> original.Words:
    return original.of(document.derived(text(), SOURCE))


def shown(places: list[Location]) -> list[str]:
    return [TEXT[where.start : where.end] for where in places]


def test_hover_says_what_an_operand_is() -> None:
    found = words().hover(0, TEXT.index("%0"))
    assert found is not None
    assert found.markdown.startswith("```cpp\n%0 = x\n```\n\noutput, `=&v`: a VGPR")
    assert found.markdown.endswith("`&`: it shares no register with an input.")
    assert shown([found.where]) == ["%0"]


def test_hover_leaves_mnemonics_to_the_program() -> None:
    assert words().hover(0, TEXT.index("v_add") + 1) is None


@pytest.mark.parametrize(("of", "expected"), [("%0", ['"=&v"']), ("%[b]", ["b"]), ("v_add", [])])
def test_definition(of: str, expected: list[str]) -> None:
    assert shown(words().definition(0, TEXT.index(of) + 1)) == expected


def test_references_are_highlighted() -> None:
    at = TEXT.index("%0")
    assert shown(words().references(0, at)) == ["%0", "%0", '"=&v"']
    assert words().highlights(0, at) == words().references(0, at)


def test_a_name_is_renamed_in_the_list_and_in_the_template() -> None:
    at = TEXT.index("[b] ") + 1
    found = inline.names(text(), "a.cpp", 0, at)
    assert shown(found) == ["b", "b"]
    assert found[0].start == at
    assert inline.names(text(), "a.cpp", 0, TEXT.index("%0")) == []
    assert inline.is_name("sum_2")
    assert not inline.is_name("2sum")


def test_operands_complete_after_a_percent_sign() -> None:
    found = words().completed(0, TEXT.index("%[b]") + 2, None)
    assert found is not None
    assert [(item.label, item.kind, item.detail) for item in found.items] == [
        ("%0", "operand", "x"), ("%[b]", "operand", "y + 1"), ("%2", "operand", "4"),
    ]  # fmt: skip
    assert shown([found.where]) == ["%["]
    assert words().completed(0, TEXT.index("v_add") + 3, None) is None


def test_messages_name_operands() -> None:
    assert words().in_original("`v2` is v2, not v21") == "`%0` is %0, not v21"
