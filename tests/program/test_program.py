"""The snapshot of a file: bytes, places, symbols, problems, and its reuse after an edit."""

import random
from typing import Any

import pytest

from gcn_lsp.program import problems
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText

KERNEL = """\
.set vA, 4
.macro add dst, a=1
v_add_f32 v[\\dst], v[vA], v[\\a]
.endm
.text
kernel:
s_load_dwordx2 s[0:1], s[4:5], 0x0
s_waitcnt lgkmcnt(0)
loop:
add vA+1
add vA+2, 2
.set vA, vA+4
.rept 2
v_mul_f32 v0, v[vA], v0
.endr
s_cmp_eq_u32 s0, 0
s_cbranch_scc0 loop
s_endpgm"""


def program(text: str, previous: "Program | None" = None, **options: Any) -> Program:
    return build(SourceText.from_bytes("k.s", text.encode()), Options(target="gfx900", **options), previous)


def rules(text: str, **options: Any) -> list[tuple[str, int]]:
    return [(found.problem.rule, found.where.line) for found in problems.of(program(text, **options))]


def test_instructions_in_program_order() -> None:
    found = [(item.where.line, item.text) for item in program(KERNEL).items() if item.item.kind == "instruction"]
    assert found == [
        (6, "s_load_dwordx2 s[0:1], s[4:5], 0x0"),
        (7, "s_waitcnt lgkmcnt(0)"),
        (2, "v_add_f32 v[vA+1], v[vA], v[1]"),
        (2, "v_add_f32 v[vA+2], v[vA], v[2]"),
        (13, "v_mul_f32 v0, v[vA], v0"),
        (13, "v_mul_f32 v0, v[vA], v0"),
        (15, "s_cmp_eq_u32 s0, 0"),
        (16, "s_cbranch_scc0 loop"),
        (17, "s_endpgm"),
    ]


def test_bytes_of_a_section() -> None:
    # From llvm-mc for gfx900.
    expected = "020006c0000000007fc08cbf04030a0204050c020801000a0801000a008006bffaff84bf000081bf"
    assert program(KERNEL).section_bytes(".text").hex() == expected


def test_padding_of_code_is_no_operations() -> None:
    text = "s_nop 1\n.p2align 4\nend:\ns_endpgm\n.byte 1\n.p2align 3\n.data\n.p2align 2\n.byte 7\n.balign 4, 0xff"
    found = program(text)
    code = "010080bf" + "000080bf" * 3 + "000081bf" + "01" + "000000"
    assert found.section_bytes(".text").hex() == code
    assert found.section_bytes(".data").hex() == "07ffffff"


def test_data_directives() -> None:
    text = """\
.data
start:
.byte 1, -1
.short 0x1234
.long stop-start, 5
.quad 1<<40
.float 1.0
.double 0.5
.asciz "ab"
.fill 2, 2, 3
.space 3, 9
stop:"""
    expected = "01ff34122a0000000500000000000000000100000000803f000000000000e03f61620003000300090909"
    assert program(text).section_bytes(".data").hex() == expected


def test_local_labels() -> None:
    text = "1: s_nop 0\ns_branch 1b\ns_branch 1f\n1: s_branch 1b"
    assert program(text).section_bytes(".text").hex() == "000080bffeff82bf000082bfffff82bf"


def test_an_expansion_knows_its_calls() -> None:
    text = ".macro inner\nv_mov_b32 v0, s999\n.endm\n.macro outer\ninner\n.endm\ns_nop 0\nouter"
    (found,) = problems.of(program(text))
    assert found.where.line == 1
    assert [(step.name, step.where.line) for step in found.steps] == [("outer", 7), ("inner", 4)]
    assert text.splitlines()[1][found.where.start : found.where.end] == "s999"


def test_columns_in_a_macro_body_are_those_of_the_body() -> None:
    text = ".macro m first_register\nv_add_f32 v[\\first_register], v0, s999\n.endm\nm 12345-12340"
    (found,) = problems.of(program(text))
    assert text.splitlines()[1][found.where.start : found.where.end] == "s999"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s_endpgm", []),
        ("a:\na:", [("duplicate-label", 1)]),
        ("a = 1\na:", [("duplicate-label", 1)]),
        (".if 1\ns_nop 0", [("unterminated-block", 0)]),
        (".macro m\ns_nop 0", [("unterminated-block", 0)]),
        (".amdhsa_kernel k\n.amdhsa_next_free_vgpr 4", [("unterminated-block", 0)]),
        ("s_branch nowhere", [("undefined-symbol", 0)]),
        (".globl far\ns_branch far", []),
        (".if late\n.endif\nlate = 1", [("undefined-symbol", 0)]),
        ("s_branch far\n.space 200000\nfar:", [("branch-out-of-range", 0)]),
        (".byte 256", [("immediate-out-of-range", 0)]),
        (".byte 255, -128", []),
        (".p2align 40", [("invalid-expression", 0)]),
        (".space 1<<60", [("invalid-expression", 0)]),
        (".popsection", [("stray-block-end", 0)]),
        (".set unused, UNDEF\ns_endpgm", []),
        (".end\nnonsense here", []),
    ],
)
def test_problems(text: str, expected: list[tuple[str, int]]) -> None:
    assert rules(text) == expected


def test_symbols_of_the_build_are_named_and_not_judged() -> None:
    found = program(".if size > 4\nv_mov_b32 v0, nonsense\n.endif\n.set acc, size*2\nv_mov_b32 v[acc], 0")
    assert [problem.problem.message for problem in problems.of(found)] == []
    assert found.build_defined == ("size",)


def test_what_is_set_where_the_build_decides_is_not_judged() -> None:
    choice = ".if size > 4\nwide = 1\n.else\nwide = 2\n.endif\n"
    found = program(choice + ".if wide == 1\nv_mov_b32 v[wide], 0\n.endif\nv_mov_b32 v[wide], 0")
    assert list(problems.of(found)) == []
    assert found.build_defined == ("size",)


def test_defined_symbols_of_the_command_line() -> None:
    found = program("v_mov_b32 v[acc], 0", defines={"acc": 3})
    assert found.section_bytes(".text").hex() == "8002067e"


def test_a_symbol_has_its_value_of_the_line() -> None:
    found = program(KERNEL)
    assert [found.symbol_value("vA", line) for line in (0, 1, 11, 12)] == [None, 4, 4, 8]


def test_without_a_target_what_no_target_accepts_is_wrong() -> None:
    source = SourceText.from_bytes("k.s", b"v_mov_b32 v0, v1, v2\nv_nonsense v0\nv_add_f32 v0, v1, v2")
    found = [(problem.problem.rule, problem.where.line) for problem in problems.of(build(source, Options()))]
    assert found == [("wrong-operand-count", 0), ("unknown-mnemonic", 1)]


def test_a_missing_include_keeps_quiet_about_what_it_may_define() -> None:
    assert rules('.include "none.inc"\nm v0\nv_mov_b32 v[reg], 0\ns_branch far') == [("include-not-found", 0)]


def snapshot(found: Program) -> object:
    """All that an edit could spoil."""
    return (
        [(item.where, item.steps, item.section, item.offset, item.code, item.text) for item in found.items()],
        [(problem.problem, problem.where, problem.steps) for problem in problems.of(found)],
        found.section_bytes(".text"),
        dict(found.final_state.symbols),
        found.build_defined,
    )


LINES = [
    "s_nop 0", "loop: s_nop 1", "s_branch loop", ".macro m a", "v_mov_b32 v[\\a], 0", ".endm", "m 3", "m x",
    ".if x > 2",
    ".else", ".endif", "x = 5", "x = x + 1", ".rept 3", ".endr", "v_add_f32 v0, v[x], v1", "nonsense", "/* open", "*/",
    ".p2align 4", ".data", ".text", ".byte 1, 2", "s_cbranch_scc0 1f", "1:", "s_branch 1b", ".amdgpu_metadata",
    ".end_amdgpu_metadata", "", "; comment", ".if . - loop > 16", "m",
    # Closing words more often than opening ones, so that not all of the file is inside something.
    *[".endm", ".endif", ".endr", "*/", ".end_amdgpu_metadata"] * 4,
    *["v_add_f32 v0, v[x], v1", "m x", "x = x + 1"] * 5,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_an_edited_program_equals_a_fresh_one(seed: int) -> None:
    random_ = random.Random(seed)
    source = SourceText("k.s", tuple(random_.choice(LINES).encode() for _ in range(300)))
    options = Options(target="gfx900")
    current = build(source, options)
    for _ in range(12):
        for _ in range(random_.choice((1, 1, 1, 2, 3))):  # several edits in one version: a rename, several cursors
            first = random_.randrange(len(source.lines))
            last = min(len(source.lines) - 1, first + random_.choice((0, 0, 0, 1, 5, 150)))
            new = b"\n".join(random_.choice(LINES).encode() for _ in range(random_.choice((0, 1, 1, 1, 2, 200))))
            source = source.replace(first, 0, last, len(source.lines[last]), new)
        current = build(source, options, current)
        assert snapshot(current) == snapshot(build(source, options))


def test_what_stands_between_two_edits_is_left_alone() -> None:
    source = SourceText("k.s", tuple(b"v_mov_b32 v0, %d" % number for number in range(2000)))
    options = Options(target="gfx900")
    before = build(source, options)
    edited = source.replace(100, 0, 100, 0, b"s_nop 1\n").replace(1500, 0, 1500, 0, b"s_nop 2\n")
    after = build(edited, options, before)
    assert sum(old is new for old in before.chunks for new in after.chunks) == len(before.chunks) - 2
    assert snapshot(after) == snapshot(build(edited, options))


def test_an_edit_leaves_other_chunks_alone() -> None:
    source = SourceText("k.s", (b"s_nop 0",) * 1000)
    options = Options(target="gfx900")
    before = build(source, options)
    after = build(source.replace(500, 7, 500, 7, b"\ns_nop 1"), options, before)
    assert sum(old is new for old in before.chunks for new in after.chunks) == len(before.chunks) - 1


def test_a_symbol_leaves_chunks_alone_that_do_not_ask_for_it() -> None:
    """All chunks have another state before them, but what was assembled remains."""
    lines = [b".set x, 1", *(b"v_mov_b32 v0, %d" % number for number in range(1000)), b"v_mov_b32 v0, x"]
    source, options = SourceText("k.s", tuple(lines)), Options(target="gfx900")
    before = build(source, options)
    after = build(source.replace(0, 8, 0, 9, b"2"), options, before)
    kept = [old.items is new.items for old, new in zip(before.chunks, after.chunks, strict=True)]
    assert kept == [False, *[True] * (len(kept) - 2), False]
