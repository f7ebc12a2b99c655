"""What is left after interpretation: instructions in order, values of symbols, problems."""

import pytest

from tests.preproc.recorder import run, texts

NESTED = """\
.macro inner n
s_nop \\n
.endm
.macro outer a, b=3
.if \\a > 1
inner \\a
.else
inner \\b
.endif
.rept 2
s_sleep \\a
.endr
.endm
outer 2
outer 1, 7"""


@pytest.mark.parametrize("pieces", [1, 2, 5, 15])
def test_macros_conditionals_and_repetition(pieces: int) -> None:
    assert texts(NESTED, pieces=pieces) == ["s_nop 2", "s_sleep 2", "s_sleep 2", "s_nop 7", "s_sleep 1", "s_sleep 1"]


def test_irp_and_irpc() -> None:
    assert texts(".irp r, v0, v1 v2\ns_nop \\r\n.endr\n.irpc c, ab\nx\\c\n.endr") == [
        "s_nop v0", "s_nop v1", "s_nop v2", "xa", "xb",
    ]  # fmt: skip


def test_the_number_of_the_call() -> None:
    assert texts(".macro m\nl\\@:\n.endm\nm\nm") == ["l0:", "l1:"]


def test_a_macro_may_begin_with_a_dot() -> None:
    assert texts(".macro .v_clear n\ns_nop \\n\n.endm\n.v_clear 4") == ["s_nop 4"]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (".if 1", True), (".if 0", False), (".ifeq 0", True), (".ifne 0", False), (".ifgt 1", True), (".iflt 1", False),
        (".ifge 0", True), (".ifle 1", False), (".ifdef one", True), (".ifdef none", False), (".ifndef none", True),
        (".ifnotdef one", False), (".ifb", True), (".ifb x", False), (".ifnb x", True), (".ifc a, a", True),
        (".ifnc a, a", False), ('.ifeqs "a b", "a b"', True), ('.ifnes "a", "a"', False),
    ],
)  # fmt: skip
def test_conditions(condition: str, holds: bool) -> None:
    found = texts(f"{condition}\nyes\n.else\nno\n.endif", symbols={"one": 1})
    assert found == (["yes"] if holds else ["no"])


def test_elseif_takes_the_first_that_holds() -> None:
    assert texts(".if 0\na\n.elseif 1\nb\n.elseif 1\nc\n.else\nd\n.endif") == ["b"]


def test_alternate_macros_evaluate_their_arguments() -> None:
    assert texts(".altmacro\nq = 5\n.macro m n\ns_nop n\n.endm\nm %q+1\n.noaltmacro\nm 3") == ["s_nop 6", "s_nop n"]


def test_symbols_change_along_the_file() -> None:
    _, state = run("a = 1\n.set b, a+1\na = b*10\n.equ c, a")
    assert {name: state.symbols[name] for name in "abc"} == {"a": 20, "b": 2, "c": 20}


def test_a_value_is_told_where_it_is_used() -> None:
    _, state = run(".set a, b+1\n.set b, 4\n.set c, a*1")
    assert state.symbols["c"] == 5


def test_includes() -> None:
    files = {"a.inc": 's_nop 1\n.include "b.inc"', "b.inc": "x = 3"}
    recorder, state = run('.include "a.inc"\ns_nop 2', files=files)
    assert recorder.texts == ["s_nop 1", "s_nop 2"]
    assert state.symbols["x"] == 3


def test_a_condition_of_the_build_is_not_judged() -> None:
    recorder, state = run(".if size > 4\na = 1\nx\n.else\na = 2\ny\n.endif\nz")
    assert recorder.texts == ["z"]
    assert recorder.unknown == ["size"]
    assert type(state.symbols["a"]) is not int


def test_an_error_because_of_an_absent_symbol_asks_for_it() -> None:
    recorder, _ = run('.ifndef VERSION\n.error "VERSION is needed"\n.end\n.endif\ns_nop 0')
    assert recorder.problems == []
    assert recorder.unknown == ["VERSION"]
    assert recorder.texts == ["s_nop 0"]


def test_metadata_is_not_interpreted() -> None:
    recorder, _ = run(".amdgpu_metadata\n---\n  /* not a comment\n.end_amdgpu_metadata\ns_nop 0", pieces=3)
    assert recorder.raw == [(b"---", b"  /* not a comment")]
    assert recorder.texts == ["s_nop 0"]


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        (".endm", "stray-block-end", 0),
        (".endif", "stray-block-end", 0),
        (".else", "stray-block-end", 0),
        (".if 1\n.else\n.else\n.endif", "stray-block-end", 2),
        (".endr", "stray-block-end", 0),
        (".nonsense 1", "unknown-directive", 0),
        (".set a", "malformed-directive", 0),
        (".set a, 1/0", "invalid-expression", 0),
        (".macro 1\n.endm", "malformed-directive", 0),
        (".macro m\n.endm\n.macro m\n.endm", "duplicate-macro", 2),
        (".macro m a\n.endm\nm 1, 2", "macro-arguments", 2),
        ('.include "none.inc"', "include-not-found", 0),
        ('.include "main.inc"', "include-cycle", 0),
        (".rept 1000000000\ns_nop 0\n.endr", "expansion-limit", 0),
        (".rept 1000000000\n.endr", "expansion-limit", 0),
        (".macro m\nm\n.endm\nm", "expansion-limit", 0),
        ('.error "stop"', "user-error", 0),
        ('.warning "look"', "user-warning", 0),
        (".equiv a, 1\n.equiv a, 2", "symbol-redefined", 1),
        ("a = a_later\n.purgem nothing", "malformed-directive", 1),
        (") 5", "syntax-error", 0),
    ],
)
def test_problems(text: str, rule: str, line: int) -> None:
    recorder, _ = run(text, files={"main.inc": '.include "main.inc"'})
    assert recorder.problems == [(rule, line)]


def test_a_call_with_an_argument_of_the_build_is_not_judged() -> None:
    recorder, _ = run(".altmacro\n.set size, of_build\n.macro m n\ns_nop n\n.endm\nm %size+1\ns_nop 9")
    assert recorder.problems == []
    assert recorder.texts == ["s_nop 9"]
    assert recorder.unknown == ["of_build"]
