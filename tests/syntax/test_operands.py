"""Operands and expressions as trees."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gcn_lsp.syntax import nodes, operands


def show(node: nodes.Node) -> str:
    """The tree in a compact prefix notation."""
    match node:
        case nodes.Integer() | nodes.Float():
            return str(node.value)
        case nodes.Name():
            return node.name
        case nodes.LocalLabel():
            return f"{node.number}{'f' if node.forward else 'b'}"
        case nodes.String():
            return repr(node.value.decode())
        case nodes.Unary():
            return f"({node.op} {show(node.operand)})"
        case nodes.Binary():
            return f"({node.op} {show(node.left)} {show(node.right)})"
        case nodes.Call():
            return f"{node.name}({', '.join(map(show, node.arguments))})"
        case nodes.Absolute():
            return f"|{show(node.operand)}|"
        case nodes.Index():
            return f"{node.base}[{show(node.first)}" + (f":{show(node.last)}]" if node.last is not None else "]")
        case nodes.Bracket():
            return f"[{', '.join(map(show, node.items))}]"
        case nodes.Modifier():
            return f"{node.name}={show(node.value)}"
        case nodes.DualIssue():
            return f":: {node.name}"
        case nodes.Malformed():
            return f"!{node.message}"
    raise AssertionError(node)


def parse(text: str) -> list[str]:
    data = text.encode()
    return [show(node) for node in operands.parse(data, 0, len(data))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("v0, v1, v2", ["v0", "v1", "v2"]),
        ("v0 v1 v2", ["v0", "v1", "v2"]),
        ("v[0:3], s[acc+2*(i-1)]", ["v[0:3]", "s[(+ acc (* 2 (- i 1)))]"]),
        ("[v0, v1,v2]", ["[v0, v1, v2]"]),
        ("-v0, |v1|, -|v2|, neg(v3), abs(v4), sext(v5)",
         ["(- v0)", "|v1|", "(- |v2|)", "neg(v3)", "abs(v4)", "sext(v5)"]),
        ("vmcnt(0) & lgkmcnt(0x0)", ["(& vmcnt(0) lgkmcnt(0))"]),
        ("vmcnt(0), expcnt(1) lgkmcnt(2)", ["vmcnt(0)", "expcnt(1)", "lgkmcnt(2)"]),
        ("hwreg(HW_REG_MODE, 4, 4)", ["hwreg(HW_REG_MODE, 4, 4)"]),
        ("v0, v1 offset:16 glc", ["v0", "v1", "offset=16", "glc"]),
        ("v0, v1 offset:swizzle(QUAD_PERM,0,1,2,3)", ["v0", "v1", "offset=swizzle(QUAD_PERM, 0, 1, 2, 3)"]),
        ("op_sel:[0,1,0] neg_lo:[1,0]", ["op_sel=[0, 1, 0]", "neg_lo=[1, 0]"]),
        ("dst_sel:BYTE_0 dim:2D", ["dst_sel=BYTE_0", "dim=2D"]),
        ("0x1F, 0b11, 017, 42", ["31", "3", "15", "42"]),
        ("1.5, -0.5, 1e5, .25, 0x1.8p1", ["1.5", "(- 0.5)", "100000.0", "0.25", "3.0"]),
        ("1b, 12f, 0x1b", ["1b", "12f", "27"]),
        ("v0, v1 :: v_dual_add_f32 v2, v3", ["v0", "v1", ":: v_dual_add_f32", "v2", "v3"]),
        ('"a\\n\\101"', ["'a\\nA'"]),
        ("v[\\first:\\first+1], \\@", ["v[\\first:(+ \\first 1)]", "\\@"]),
        ("sym@rel32@lo+4", ["(+ sym@rel32@lo 4)"]),
        (".-label", ["(- . label)"]),
        ("s[2:3] |v4|, v6", ["s[2:3]", "|v4|", "v6"]),
        ("vmcnt (0), v1 (2)", ["vmcnt(0)", "v1", "2"]),
        ("v [0:1], v1", ["v[0:1]", "v1"]),
        ("s [2], ttmp\t[n], x [1]", ["s[2]", "ttmp[n]", "x", "[1]"]),
        ("v0, v1 |v2|", ["v0", "v1", "|v2|"]),
        ("-exec_lo |v2|", ["(- exec_lo)", "|v2|"]),
        ("v1.l|v2|", ["v1.l", "|v2|"]),
        ("a |b", ["(| a b)"]),
        ("v1 || v2", ["(|| v1 v2)"]),
        ("1.5 + 2", ["1.5", "(+ 2)"]),
        ("'a', ';'", ["97", "59"]),
        ("v0,\0v1", ["v0", "v1"]),
        ("k,@function", ["k", "@function"]),
    ],
)  # fmt: skip
def test_operands(text: str, expected: list[str]) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 & 3 == 3", "(== (+ 1 (& 2 3)) 3)"),
        ("1 || 0 && 1", "(|| 1 (&& 0 1))"),
        ("1 << 2 + 3", "(+ (<< 1 2) 3)"),
        ("a - b - c", "(- (- a b) c)"),
        ("-a * ~b", "(* (- a) (~ b))"),
        ("max(a, b) + 1", "(+ max(a, b) 1)"),
    ],
)
def test_precedence_is_that_of_llvm(text: str, expected: str) -> None:
    data = text.encode()
    assert show(operands.parse_expression(data, 0, len(data))) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v[0:3", "`]` is missing"),
        ("v0, , v1", "an operand is missing here"),
        ("|v0", "the closing `|` is missing"),
        ("(1 + 2", "`)` is missing"),
        ("hwreg(1", "`)` is missing"),
        ("{id: 1", "`,` or `}` is missing"),
        ("offset:", "a value is expected after `offset:`"),
        ("1 +", "an expression is missing here"),
        ("%5", "unexpected `%`"),
        ("v0, \u00e9, v1", "unexpected `\u00e9`"),
        ('v0, "text', 'the closing `"` is missing'),
        ("0xp1", "unexpected `0xp1`"),
        ("{id 1}", "expected a field such as `id: 1` before `id`"),
        ("v0 :: 1", "a mnemonic is expected after `::`"),
        ("[v0 v1]", "expected `,` or `]` before `v1`"),
        ("v0, 08", "`08` starts with 0 but is not an octal number"),
    ],
)
def test_what_is_no_operand_says_what_was_expected(text: str, message: str) -> None:
    assert f"!{message}" in parse(text)


def test_an_error_does_not_reach_beyond_the_next_comma() -> None:
    assert parse("%5 6, v1") == ["!unexpected `%`", "v1"]


def test_deep_nesting_is_cut_off() -> None:
    (node,) = operands.parse(b"(" * 5000 + b"1" + b")" * 5000, 0, 10001)
    assert isinstance(node, nodes.Malformed)


@pytest.mark.parametrize("place", range(2))
def test_what_is_right_beside_a_flaw_is_read(place: int) -> None:
    texts = ["v[a+1:a+2]", "(1+2)*3"]
    texts.insert(place, "s[1,)")
    assert [text for text in parse(", ".join(texts)) if text[0] != "!"] == ["v[(+ a 1):(+ a 2)]", "(* (+ 1 2) 3)"]


@given(st.binary(max_size=80))
def test_any_bytes_give_nodes_inside_the_text(data: bytes) -> None:
    for node in operands.parse(data, 0, len(data)):
        assert 0 <= node.start <= node.end <= len(data)


@example("\\@)0")  # a number is all that follows a stray parenthesis
@given(st.text(alphabet='v[]():,|-+*&\\@0123456789xabc. "', max_size=60))
def test_any_mix_of_syntax_gives_nodes_inside_the_text(text: str) -> None:
    data = text.encode()
    for node in operands.parse(data, 0, len(data)):
        assert 0 <= node.start <= node.end <= len(data)
