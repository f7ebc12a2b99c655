"""Finding statements in the text of a source, with macros and conditions."""

import time

import pytest

from gcn_lsp.views.inline import conditions, cpp, scan


def templates(text: str) -> list[bytes]:
    return [statement.template for statement in cpp.statements(text.encode())]


@pytest.mark.parametrize(
    "text",
    [
        'asm("s_nop 0");',
        'asm volatile("s_nop 0");',
        '__asm__ __volatile__ ("s_nop 0" ::: "memory");',
        '__asm volatile("s_nop" " 0");',
        'asm volatile(R"(s_nop 0)");',
        'asm volatile(R"x(s_nop 0)x");',
        'asm volatile(u8"s_nop 0");',
        'asm goto("s_nop 0" :::: out);',
        'asm volatile( // )"\n "s_nop 0" /* ") */ );',
        'asm volatile("s_\\\nnop 0");',
        'asm volatile("\\x73_nop\\0400");',
    ],
)
def test_ways_to_write_one(text: str) -> None:
    assert templates(f"void f() {{ {text} }}") == [b"s_nop 0"]


def test_what_is_none() -> None:
    assert templates('// asm("s_nop 0");\n/* asm("s_nop 1"); */ const char* s = "asm(\\"s_nop 2\\")"; int asm_x;') == []


def test_strings_of_macros() -> None:
    text = '#define ONE "s_nop 0\\n"\n#define TWO ONE ONE\nvoid f() { asm(TWO "s_nop 1"); }'
    assert templates(text) == [b"s_nop 0\ns_nop 0\ns_nop 1"]


def test_a_macro_that_names_itself() -> None:
    text = '#define A B B\n#define B A A\nvoid f() { asm(A "s_nop 1"); }'
    (statement,) = cpp.statements(text.encode())
    assert not statement.is_complete


def test_a_statement_in_a_macro() -> None:
    text = '#define WAIT(n) \\\n  asm volatile("s_nop 0\\n" \\\n   n "s_nop 1")\n'
    text += 'void f() { WAIT("s_nop 4\\n"); WAIT(x); }\n'
    (statement,) = cpp.statements(text.encode())
    assert statement.template == b"s_nop 0\ns_nop 4\ns_nop 1"
    lines = text.split("\n")
    written = [lines[piece.span.line][piece.span.start : piece.span.end] for piece in statement.pieces]
    assert written == ["s_nop 0", "\\n", "s_nop 4", "\\n", "s_nop 1"]


@pytest.mark.parametrize(
    ("before", "target", "expected"),
    [
        ("#if defined(__gfx942__)", "gfx942", True),
        ("#if defined(__gfx942__)", "gfx950", False),
        ("#ifdef __gfx942__\n#else", "gfx942", False),
        ("#ifndef __gfx942__", "gfx950", True),
        ("#if defined(__gfx942__) || defined(__gfx950__)", "gfx950", True),
        ("#if !defined(__gfx942__) && X", "gfx950", None),
        ("#if __GFX9__", "gfx90a", None),
        ("#if 0\n#elif defined(__gfx90a__)", "gfx90a", True),
        ("#if 0", "gfx90a", False),
        ("#if __CUDA_ARCH__ >= 800", "gfx90a", None),
        ("#if defined(__CUDA_ARCH__)", "gfx90a", False),
        ("#ifdef __AMDGCN__\n#ifdef __gfx90a__\n#endif", "gfx950", True),
        ("#if )(", "gfx950", None),
    ],
)
def test_conditions(before: str, target: str, expected: "bool | None") -> None:
    (snippet,) = scan.scan(f'{before}\nasm("s_nop 0");\n'.encode()).snippets
    assert conditions.holds(snippet.guard, target) is expected


@pytest.mark.parametrize(
    "text",
    [
        'asm volatile("s_nop 0',
        'asm volatile("s_nop 0"',
        'asm volatile(R"(s_nop 0',
        "asm volatile(",
        "asm(((((",
        'asm volatile("s_nop" : "=v"(',
        "asm volatile('s_nop');",
        'asm("%", "%[", "%[]");',
        "asm" * 1000,
        "/*" * 5000 + "asm(",
        '"asm(' * 5000,
        "#define asm(x) asm(x)\nasm(asm(1))",
        "#if\n" * 500 + 'asm("s_nop 0");',
        "#define X " + "/*" * 100_000 + "\nasm(X);",
        "#if " + "(" * 1_500 + "1" + ")" * 1_500 + '\nasm("s_nop 0");\n#endif',
    ],
)
def test_what_has_no_end(text: str) -> None:
    started = time.process_time()
    assert len(cpp.statements(text.encode())) <= 1
    assert time.process_time() - started < 1


def test_words_without_an_end_do_not_take_long() -> None:
    started = time.process_time()
    assert cpp.statements(b"asm(" * 50_000) == ()
    assert time.process_time() - started < 5
