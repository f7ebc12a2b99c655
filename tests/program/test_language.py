"""The parts of the assembler's language that state goes through; expected bytes are from llvm-mc for gfx900."""

import random

import pytest

from gcn_lsp.program import problems
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText
from tests.program.test_program import snapshot

OPTIONS = Options(target="gfx900")

NAMED = """\
.long .amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr
v_mov_b32 v7, s3
.long .amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr
v_add_f64 v[10:11], v[0:1], v[2:3]
.set k, .amdgcn.next_free_vgpr
s_mov_b64 s[8:9], vcc
.set .amdgcn.next_free_vgpr, 3
v_mov_b32 v1, 0
.long .amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr, k"""


def program(text: str) -> Program:
    return build(SourceText.from_bytes("k.s", text.encode()), OPTIONS)


def data(text: str) -> str:
    built = program(".data\n" + text)
    assert [problem.problem.message for problem in problems.of(built)] == []
    return built.section_bytes(".data").hex()


def rules(text: str) -> list[tuple[str, int]]:
    return [(found.problem.rule, found.where.line) for found in problems.of(program(text))]


def values(text: str) -> list[tuple[int, ...]]:
    """The numbers of each `.long`."""
    items = (item for item in program(text).items() if item.item.kind == "data")
    return [
        tuple(int.from_bytes(item.code[at : at + 4], "little") for at in range(0, len(item.code), 4)) for item in items
    ]


def test_registers_named_so_far() -> None:
    assert values(NAMED) == [(0, 0), (8, 4), (3, 10, 12)]


def test_an_edit_before_moves_the_registers_named() -> None:
    far = "\n" + "s_nop 0\n" * 200
    source = SourceText.from_bytes("k.s", (NAMED + far + ".long .amdgcn.next_free_sgpr").encode())
    before = build(source, OPTIONS)
    edited = source.replace(1, 0, 1, len(source.lines[1]), b"v_mov_b32 v7, s77")
    after = build(edited, OPTIONS, before)
    assert after.section_bytes(".text") == build(edited, OPTIONS).section_bytes(".text")
    assert after.section_bytes(".text")[-4:] == (78).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".long x\nx=5\nx=6", "05000000"),
        ("x=y\n.long x+1\ny=4\ny=5", "05000000"),
        ("y=3\nx=y+z\ny=4\n.long x\nz=1", "04000000"),
        ("x=.\n.long 1\n.long .-x", "0100000004000000"),
        ("l: .long 1, .-l, .-l", "010000000400000008000000"),
        (".byte totalnumvgprs(3, 5), extrasgprs(1, 0, 0), extrasgprs(0, 1, 0), extrasgprs(0, 0, 1)", "05020604"),
        (".byte occupancy(10, 4, 256, 10, 800, 16, 16, 96, 40), alignto(5, 3), max(1, 7), or(1, 4)", "06060705"),
        (".macro m\n.byte \\+, \\@\n.endm\nm\nm\n.rept 2\n.byte \\+\n.endr", "00000101" + "0001"),
        (".macro m\n.if 1\n.endm\nm\n.byte 1\n.endif", "01"),
        (".pushsection .rodata\n.popsection\n.byte 1\n.previous\n.data\n.byte 2", "0102"),
        ('.ascii "a" "b", "\\x41"', "616241"),
        (".float nan, -inf, 0x1p4", "ffffff7f000080ff00008041"),
        (".2byte UC_VERSION_GFX12 | UC_VERSION_W32_BIT", "0940"),
        (".ifdef .option.machine_version_major\n.byte 1\n.else\n.byte 2\n.endif", "02"),
        ("a=b\na=a+1\nb=3\n.byte a", "04"),
        # Numbers alone are read at once, anything else argument by argument.
        (".byte 0x1F, -1,255 , 0,-128\n.byte 0x1F, -1,255 , 0,-(128)", "1fffff0080" * 2),
        (
            ".byte 017, 10\n.short -0x8000,0XFFFF, 18\n.quad -1, 18446744073709551615",
            "0f0a" + "0080ffff1200" + "ff" * 16,
        ),
        ("a=a\na=5\n.byte a", "05"),
        ('.macro m r:vararg\n.ascii "[\\r]"\n.endm\nm a , b  ; comment\nm\nm a  ', "5b61202c206220205d5b5d5b6120205d"),
        (".uleb128 b-a, 5\n.text\na: .space 200\nb:", "c80105"),
        (".sleb128 a-b, b-a+d\n.text\na: .space 64\nb: d=70", "408601"),
        (".uleb128 b-a\na: .space 128\n.sleb128 c-b\nb: .byte 1\nc:", "8101" + "00" * 128 + "01" + "01"),
        (".irpc i, 12\n.byte \\i\n.end\n.endr\n.byte 9", "01"),
    ],
)
def test_bytes(text: str, expected: str) -> None:
    assert data(text) == expected


@pytest.mark.parametrize(("target", "most"), [("gfx1100", 63), ("gfx1200", 255)])
def test_code_that_is_fetched_ahead(target: str, most: int) -> None:
    """LLVM has this from version 23."""
    text = "a: .space 1028\nb: .space 33000\nc:\n.rodata\n.byte instprefsize(b-a), instprefsize(c-a), instprefsize(a-a)"
    built = build(SourceText.from_bytes("k.s", text.encode()), Options(target=target))
    assert [problem.problem.message for problem in problems.of(built)] == []
    assert list(built.section_bytes(".rodata")) == [9, most, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".macro m\n.if 1\n.endm\nm", [("unterminated-block", 3)]),
        ("x == 1", [("syntax-error", 0)]),
        (".equiv x, 1\nx = 2", [("symbol-redefined", 1)]),
        (".endif 5", [("malformed-directive", 0), ("stray-block-end", 0)]),
        (".irp x 1\n.endr", [("malformed-directive", 0)]),
        (".irpc x, 1 2\n.endr", [("malformed-directive", 0)]),
        (".previous", [("stray-block-end", 0)]),
        ('.asciz "a" "b"', [("malformed-directive", 0)]),
        ('.ascii "\\q"', [("malformed-directive", 0)]),
        (".long max()", [("invalid-expression", 0)]),
        (".bss\n.byte 1", [("malformed-directive", 1)]),
        (".globl 5", [("malformed-directive", 0)]),
        (".hword 1", [("unknown-directive", 0)]),
        (".set a, b+b\n" * 60, []),
        ("a = a", [("undefined-symbol", 0)]),
        ("a = 1-!a\na = 1-!a", [("undefined-symbol", 1)]),
        ("a = b\nb = a + 1", [("undefined-symbol", 1)]),
        (".macro m\n.endm\nm 5", [("macro-arguments", 2)]),
        (".weak x\n.globl x", [("symbol-redefined", 1)]),
        (".globl x\n.local x", [("symbol-redefined", 1)]),
        (".globl x\n.weak x\n.comm x, 4", []),
        ('.section .q,"a"\n.section .q,"aw"', [("malformed-directive", 1)]),
        ('.section .q,"a"\n.section .q', []),
        ('.section .q,"a",@nobits\n.section .q,"a",@progbits', [("malformed-directive", 1)]),
        ('.section .text.x\n.section .text.x,"ax",@progbits', []),
        (
            '.section .q,"y"\n.section .q "a"\n.section .q,"a",@what',
            [("malformed-directive", line) for line in range(3)],
        ),
        (".comm x, 4, 40", [("invalid-expression", 0)]),
        (".section .bss.q\n.byte 1", [("malformed-directive", 1)]),
    ],
)
def test_mistakes(text: str, expected: list[tuple[str, int]]) -> None:
    assert rules(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w: s_nop 0\ns_branch w", "feff"),
        (".globl\n1: s_nop 0\ns_branch 1b", "feff"),
        (".globl w\nw: s_nop 0\ns_branch w", "ffff"),
        ("w: s_nop 0\ns_branch w\n.weak w", "ffff"),
        (".hidden w\nw: s_nop 0\ns_branch w", "feff"),
        (".globl v\nw: s_nop 0\nv = w\ns_branch v", "ffff"),
        (".globl w\nw: s_nop 0\nv = w\ns_branch v", "feff"),
        (".data\nw: .long 0\n.text\ns_branch w", "ffff"),
    ],
)
def test_branches_that_the_linker_fills_in(text: str, expected: str) -> None:
    assert program(text).section_bytes(".text")[-4:].hex() == expected + "82bf"


FAR = "s_nop 0\n" * 0x3E


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("s_branch l\n" + FAR + "s_nop 1\nl: s_nop 2", "400082bf000080bf", "010080bf020080bf"),
        ("s_branch l\n" + FAR + "l: s_nop 2", "3e0082bf000080bf", "000080bf020080bf"),
        ("s_call_b64 s[0:1], l\ns_nop 0\n" + FAR + "l: s_nop 2", "3f0000bb000080bf", "000080bf020080bf"),
        (".globl l\ns_branch l\nl: s_nop 2", "ffff82bf000080bf", "000080bf020080bf"),
        ("s_branch l\n" + FAR + "s_nop 1\nl: .long l-k, k-l\nk:", "400082bf000080bf", "f8ffffff08000000"),
        ("k: s_branch l\n" + FAR + "s_nop 1\nl: .long l-k", "400082bf000080bf", "010080bf04010000"),
    ],
)
def test_a_branch_that_gfx1010_gets_wrong_is_made_longer(text: str, first: str, last: str) -> None:
    built = build(SourceText.from_bytes("k.s", text.encode()), Options(target="gfx1010"))
    assert list(problems.of(built)) == []
    code = built.section_bytes(".text").hex()
    assert (code[:16], code[-16:]) == (first, last)
    assert "000080bf" not in program("s_branch l\n" + "s_nop 1\n" * 0x3F + "l:").section_bytes(".text").hex()


def test_common_symbols_of_this_file_are_in_bss() -> None:
    built = program(".local x\n.comm y, 4\n.lcomm z, 1\n.comm x, 8, 4\n.long x-z")
    assert built.layout.labels["x"].offset == 16
    assert len(built.section_bytes(".bss")) == 24


LINES = [
    ".macro m a", ".long \\a, \\+, \\@", ".endm", "m 1", "m x", "m y", ".purgem m", ".long x, .amdgcn.next_free_vgpr",
    ".long .amdgcn.next_free_sgpr", "v_mov_b32 v9, s40", "v_mov_b32 v[x], 0", ".set .amdgcn.next_free_vgpr, 2", "x = 3",
    "x = y + 1", "y = 4", "y = .", ".equiv z, 3", "z = 5", ".set w, x + l", "l:", ".long w - l", ".byte w", ".data",
    ".pushsection .rodata", ".popsection", ".previous",
    ".text", ".rept 2", ".endr", ".irp i, 1, 2", ".if x > 3", ".endif",
    ".macro o", ".if 1", "o", "/* open", "*/",
    ".lcomm c, 4", ".org . + 2, 1", ".balign 4", "s_branch l", "1: s_branch 1b",
    ".globl l", ".weak l", ".local c", ".comm c, 4", '.section .q,"a"', '.section .q,"aw"', ".uleb128 l - x, k - l",
    "k:", "x = x", ".subsection 1", ".subsection 2", ".data 1", ".long k - l", ".macro v r:vararg", "v 1, 2  ",
    *["s_nop 0", ".long x, y", ".endm", ".endif", ".endr", "*/"] * 6,
]  # fmt: skip


@pytest.mark.parametrize("target", ["gfx900", "gfx1010"])
@pytest.mark.parametrize("seed", range(6))
def test_an_edited_program_equals_a_fresh_one(seed: int, target: str) -> None:
    random_, options = random.Random(seed), Options(target=target)
    source = SourceText("k.s", tuple(random_.choice(LINES).encode() for _ in range(300)))
    current = build(source, options)
    for _ in range(12):
        first = random_.randrange(len(source.lines))
        last = min(len(source.lines) - 1, first + random_.choice((0, 0, 0, 1, 5)))
        new = b"\n".join(random_.choice(LINES).encode() for _ in range(random_.choice((0, 1, 1, 1, 2, 50))))
        source = source.replace(first, 0, last, len(source.lines[last]), new)
        current = build(source, options, current)
        fresh = build(source, options)
        assert snapshot(current) == snapshot(fresh)
        assert current.section_bytes(".data") == fresh.section_bytes(".data")


def test_a_label_may_have_an_empty_name() -> None:
    assert rules('"": s_nop 0\ns_branch 1f\n1:') == []
    assert rules('"": s_nop 0\n"":') == [("duplicate-label", 1)]
