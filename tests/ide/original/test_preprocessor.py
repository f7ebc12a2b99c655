"""What features say about the words of the C preprocessor."""

from gcn_lsp.ide import original
from gcn_lsp.ide.completion_list import CompletionItem, Completions
from gcn_lsp.ide.original.preprocessor import Macros
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.map import as_written
from gcn_lsp.views.preprocessed import view

FILES = {"regs.h": b"#define ACC v3\n"}
TEXT = """\
#include "regs.h"
#define TWICE(a) a + a
v_mov_b32 ACC, TWICE(2)
#if 0
s_nop 0
#endif
#de
 AC
"""


def include(includer: str, name: str) -> SourceText | None:
    del includer
    return SourceText.from_bytes(name, FILES[name]) if name in FILES else None


def words() -> original.Words:
    found = original.of(view.of(SourceText.from_bytes("a.S", TEXT.encode()), include, {"FROM_BUILD": "1"}, 1000))
    assert isinstance(found, Macros)
    return found


def test_hover_shows_the_definition_and_the_expansion() -> None:
    found = words().hover(2, 16)
    assert found is not None
    assert found.markdown == "```c\n#define TWICE(a) a + a\n```\nDefined on line 2. Here it expands to `2 + 2`."
    assert found.where == Location("a.S", 2, 15, 20)


def test_hover_names_the_file_of_a_definition() -> None:
    found = words().hover(2, 11)
    assert found is not None
    assert "Defined on line 1 of `regs.h`." in found.markdown


def test_hover_leaves_other_words_to_the_program() -> None:
    assert words().hover(2, 3) is None


def test_definition_of_a_macro_and_of_an_include() -> None:
    assert words().definition(2, 11) == [Location("regs.h", 0, 8, 11)]
    assert words().definition(0, 12) == [Location("regs.h", 0, 0, 0)]
    assert words().definition(2, 3) == []


def test_references() -> None:
    assert [where.line for where in words().references(2, 16)] == [1, 2]
    assert words().references(2, 3) == []


def test_the_lines_that_a_condition_leaves_out() -> None:
    assert [(each.first, each.last, each.condition) for each in words().inactive()] == [(4, 4, "#if 0")]


def test_directives_complete_after_a_hash() -> None:
    found = words().completed(6, 3, None)
    assert found is not None
    assert "define" in [item.label for item in found.items]
    assert found.where == Location("a.S", 6, 1, 3)


def test_macros_come_after_the_entries_of_the_program() -> None:
    own = Completions(Location("a.S", 7, 1, 3), (CompletionItem("s_nop", "mnemonic"),), True)
    found = words().completed(7, 3, own)
    assert found is not None
    assert [item.label for item in found.items] == ["s_nop", "ACC", "FROM_BUILD", "TWICE"]
    assert found.is_incomplete


def test_a_text_as_it_is_written_has_no_words_of_its_own() -> None:
    found = original.of(as_written(SourceText("a.s", (b"s_nop 0",))))
    assert found.hover(0, 1) is None
    assert found.definition(0, 1) == found.references(0, 1) == found.highlights(0, 1) == []
    assert found.completed(0, 1, None) is None
    assert not found.inactive()
    assert found.in_original("`v2`") == "`v2`"
