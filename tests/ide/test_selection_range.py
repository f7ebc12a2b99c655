"""What a selection grows to."""

from tests.support.ide import selections


def test_from_a_word_to_the_file() -> None:
    text = """
        .type k,@function
        k:
        s_nop 0

        .if 1
          v_mov_b32 v[acc$0+3], v1 // c
          s_nop 1
        .else
          s_nop 2
        .endif
        """
    found = selections(text)
    assert found[:7] == [
        "acc",
        "acc+3",
        "v[acc+3]",
        "v[acc+3], v1",
        "v_mov_b32 v[acc+3], v1",
        "v_mov_b32 v[acc+3], v1 // c",
        "  v_mov_b32 v[acc+3], v1 // c",
    ]
    lines = [each.split("\n") for each in found[7:]]
    assert [(each[0].strip(), each[-1].strip()) for each in lines] == [
        ("v_mov_b32 v[acc+3], v1 // c", "s_nop 1"),
        (".if 1", ".endif"),
        ("k:", ""),
        (".type k,@function", ""),
    ]


def test_in_a_comment() -> None:
    assert selections("s_nop 0 // some wo$0rds")[:3] == ["words", "// some words", "s_nop 0 // some words"]


def test_an_empty_file() -> None:
    assert selections("$0") == [""]
