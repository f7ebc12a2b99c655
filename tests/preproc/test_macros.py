"""Macro headers, arguments and substitution; expectations checked with LLVM's assembler."""

import pytest

from gcn_lsp.preproc import macros
from gcn_lsp.preproc.macros import ArgumentError, Macro, Parameter, Substitution


def macro(header: str, *body: str) -> Macro:
    parsed = macros.parse_header(header.encode())
    assert not isinstance(parsed, ArgumentError), parsed
    return Macro(parsed[0], parsed[1], tuple(line.encode() for line in body))


@pytest.mark.parametrize(
    ("header", "parameters"),
    [
        ("M", ()),
        ("M a, b c", (Parameter("a"), Parameter("b"), Parameter("c"))),
        ("M, a", (Parameter("a"),)),
        ("M a:req, b=2", (Parameter("a", required=True), Parameter("b", b"2"))),
        ("M a = 0x7f, b = 1 + 2", (Parameter("a", b"0x7f"), Parameter("b", b"1+2"))),
        ("M rest:vararg", (Parameter("rest", vararg=True),)),
    ],
)
def test_headers(header: str, parameters: tuple[Parameter, ...]) -> None:
    assert macros.parse_header(header.encode()) == ("M", parameters)


@pytest.mark.parametrize("header", ["", "1", "M a, a", "M a:odd", "M v:vararg, b", "M (a)"])
def test_bad_headers_say_where(header: str) -> None:
    assert isinstance(macros.parse_header(header.encode()), ArgumentError)


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ('1 + 2, "a b"  c', ["1+2", "a b", "c"]),
        ("x=1, z=(1 , 2)", ["1", "2", "(1 , 2)"]),
        ("-1 -2 3", ["-1-2", "3", ""]),
        ("1 -2", ["1-2", "2", ""]),
        ("", ["", "2", ""]),
        ("v[0:1],,s3", ["v[0:1]", "2", "s3"]),
    ],
)
def test_arguments(call: str, values: list[str]) -> None:
    called = macro("M x, y=2, z")
    found, problem = macros.parse_arguments(call.encode(), called)
    assert problem is None
    assert [value.decode() for value in macros.replacements(called, found)] == values


@pytest.mark.parametrize(
    ("header", "call", "message"),
    [
        ("M x, y", "1, 2, 3", "takes 2 arguments"),
        ("M x", "a=1", "no parameter `a`"),
        ("M x:req", "", "needs a value for its parameter `x`"),
        ("M x, y", "x=1, 2", "positional"),
        ("M x", "(1", "not closed"),
    ],
)
def test_bad_calls(header: str, call: str, message: str) -> None:
    _, problem = macros.parse_arguments(call.encode(), macro(header))
    assert problem is not None
    assert message in problem.message


def test_vararg_takes_the_rest_as_it_is() -> None:
    called = macro("M a:req, b:vararg")
    found, problem = macros.parse_arguments(b'1, 2, "x" , 3', called)
    assert problem is None
    assert macros.replacements(called, found) == (b"1", b'2, "x" , 3')


def test_substitution() -> None:
    line = rb"v_add_f32 v[\a+1], \a\()x, \b ; \c \@"
    assert macros.substitute(line, Substitution((b"a", b"b"), (b"vA", b"2"), 7)) == rb"v_add_f32 v[vA+1], vAx, 2 ; \c 7"


def test_columns_lead_back_to_the_body() -> None:
    substitution = Substitution((b"a",), (b"long_name+3",))
    line = rb"v_mov_b32 v[\a], s9999"
    mapping = macros.segments(line, substitution)
    text = macros.substitute(line, substitution)
    start = text.index(b"s9999")
    assert macros.to_source(start, start + 5, mapping) == (line.index(b"s9999"), line.index(b"s9999") + 5)
    inside = text.index(b"name")
    assert macros.to_source(inside, inside + 4, mapping) == (line.index(b"\\a"), line.index(b"\\a") + 2)


def test_alternate_mode_replaces_bare_names() -> None:
    substitution = Substitution((b"x", b"y"), (b"6", b"a b, c"), 0, alternate=True)
    assert macros.substitute(rb'.print "x y&x x_y \x &x"', substitution) == b'.print "6 a b, c6 x_y 6 &6"'


def test_alternate_mode_arguments() -> None:
    def double(offset: int) -> tuple[bytes, int]:
        return b"42", offset + 2

    found, problem = macros.parse_arguments(b"%aa, <a b!>, c>", macro("M x, y"), double)
    assert problem is None
    assert found == (b"42", b"a b>, c")
