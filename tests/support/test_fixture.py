"""The fixture language itself."""

import pytest

from tests.support import fixture


def test_text_without_a_header_is_one_file() -> None:
    parsed = fixture.parse("s_nop 0\ns_nop 1\n")
    assert [file.path for file in parsed.files] == ["kernel.s"]
    assert parsed.main.text == "s_nop 0\ns_nop 1\n"


def test_headers_start_files_and_carry_settings() -> None:
    parsed = fixture.parse(
        """
        //- main.s target:gfx90a mattr:-xnack define:a=4 define:b=0x10
        .include "b.inc"
        //- b.inc
        s_nop 0
        """
    )
    main, included = parsed.files
    assert (main.target, main.mattr, main.defines) == ("gfx90a", "-xnack", {"a": 4, "b": 16})
    assert included.text == "s_nop 0\n"
    assert parsed.include("main.s", "b.inc") == included.source
    assert parsed.include("main.s", "c.inc") is None


def test_carets_label_the_nearest_longer_line_above() -> None:
    parsed = fixture.parse(
        """
        s_mov_b32 s0, v1
        s_nop 0
        //            ^^ error[wrong-operand-kind]: takes an SGPR
        //        ^^ warning[other]
        //<^^^^ hint[third]: from: the start
        """
    )
    assert parsed.annotations == (
        fixture.Annotation("kernel.s", 0, 14, 16, "error", "wrong-operand-kind", "takes an SGPR"),
        fixture.Annotation("kernel.s", 0, 10, 12, "warning", "other", ""),
        fixture.Annotation("kernel.s", 1, 0, 7, "hint", "third", "from: the start"),
    )


def test_carets_without_a_line_above_are_a_mistake_in_the_fixture() -> None:
    with pytest.raises(AssertionError, match="long enough"):
        fixture.parse("s_nop\n//            ^^ error[x]")


def test_cursor_and_selection_count_bytes_and_are_taken_out() -> None:
    parsed = fixture.parse("/* \u00e9 */ s_nop$0 0")
    assert parsed.main.text == "/* \u00e9 */ s_nop 0"
    assert parsed.cursor == fixture.Cursor("kernel.s", 0, 14)
    start, end = fixture.parse("a$0b\nc$0").selection
    assert (start.line, start.column, end.line, end.column) == (0, 1, 1, 1)


def test_carets_count_characters_and_label_bytes() -> None:
    (annotation,) = fixture.parse("/* \u00e9 */ s_nop 0\n//       ^^^^^ error[x]").annotations
    assert (annotation.start, annotation.end) == (10, 15)
