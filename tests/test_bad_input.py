"""Bad input is normal input: a finding or nothing, never an exception, never a hang."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.ide.test_robustness import LINES

# Of processor time. No test of speed: far above what any of these takes, and far below what one would call a hang.
LIMIT_SECONDS = 30.0


def check(data: bytes, target: "str | None" = "gfx90a") -> list[Finding]:
    source = SourceText.from_bytes("k.s", data)
    options = Options(target=target, include=lambda includer, name: source if name == "k.s" else None)
    started = time.process_time()
    program = build(source, options)
    found = list(rules.check(program))
    for item in program.items():
        assert item.where.start <= item.where.end
    program.section_bytes(".text")
    assert time.process_time() - started < LIMIT_SECONDS
    for finding in found:
        assert 0 <= finding.where.line < len(source.lines)
        assert 0 <= finding.where.start <= finding.where.end <= len(source.lines[finding.where.line]), finding
    return found


def binary(size: int) -> bytes:
    return random.Random(1).randbytes(size)


CASES = {
    "empty": b"",
    "one byte": b"\0",
    "only line ends": b"\r\n\n\r\r\n",
    "binary": binary(100_000),
    "a long word": b"a" * 2_000_000,
    "many operands": b"v_add_f32 " + b"v0, " * 500_000,
    "a long expression": b"s_mov_b32 s0, " + b"1+" * 500_000 + b"1",
    "many parentheses": b"s_mov_b32 s0, " + b"(" * 1_000_000,
    "many signs": b"s_mov_b32 s0, " + b"-" * 1_000_000 + b"1",
    "many brackets": b"v_mov_b32 " + b"v[" * 1_000_000,
    "many labels": b"a:" * 300_000,
    "many commas": b"s_nop " + b"," * 1_000_000,
    "a long number": b"s_mov_b32 s0, " + b"9" * 1_000_000,
    "a long hexadecimal number": b"s_mov_b32 s0, 0x" + b"f" * 1_000_000,
    "a huge float": b"v_mov_b32 v0, 1e999999999\n.float 1e999999\n.double 0x1p99999",
    "a string without end": b'.ascii "' + b"x" * 1_000_000,
    "a comment without end": b"s_nop 0 /* " + b"* " * 500_000,
    "blocks without end": b".macro m\n.if 1\n.rept 3\n.irp a, b",
    "ends without blocks": b".endm\n.endif\n.endr\n.else\n.elseif 1\n.exitm\n.popsection\n.end_amdhsa_kernel",
    "a huge repetition": b".rept 1000000000\ns_nop 0\n.endr",
    "a huge empty repetition": b".rept 0x7fffffffffffffff\n.endr",
    "a negative repetition": b".rept -1\ns_nop 0\n.endr",
    "nested repetitions": b".rept 100000\n" * 20 + b"s_nop 0\n" + b".endr\n" * 20,
    "a file that includes itself": b'.include "k.s"\n' * 10,
    "a recursive macro": b".macro m\nm\nm\n.endm\nm",
    "two recursive macros": b".macro a\nb\nb\n.endm\n.macro b\na\na\n.endm\na",
    "words that double": b".altmacro\n.macro m n, t\n.if n\nm %(n-1), <t&t>\n.endif\n.endm\nm 19, xxxxxxxx",
    "strings that double": b'.macro m n, t\n.if \\n\nm "(\\n-1)", "\\t\\t"\n.else\n.ascii "\\t"\n.endif\n.endm\nm 19, '
    + b"x" * 1000,
    "defaults that double": b'.macro k n, a="'
    + b"x" * 500_000
    + b'"\n.if \\n\nk "(\\n-1)", "\\a\\a"\nk "(\\n-1)", "\\a\\a"\n.endif\n.endm\nk 18\n',
    "a long argument in many lines": b".irp x, " + b"a" * 1_000_000 + b"\n" + b'.ascii "\\x"\n' * 80_000 + b".endr",
    "many arguments in many lines": b".irp x" + b",a" * 200_000 + b"\n" + b".byte 0\n" * 60_000 + b".endr",
    "a long line in a repetition": b'.rept 1000000000\n.ascii "' + b"x" * 200_000 + b'"\n.endr',
    "a macro that doubles": b".macro m x\nm \\x\\x\n.endm\nm aaaaaaaa",
    "a macro that defines itself": b".macro m\n.macro m\n.endm\nm\n.endm\nm\nm",
    "symbols in a circle": b".set a, b\n.set b, c\n.set c, a\ns_mov_b32 s0, a\nv_mov_b32 v[b], 0",
    "a symbol of itself": b".set a, a+1\nv_mov_b32 v[a], 0",
    "a huge space": b".space 0x7fffffffffffffff\n.fill 1<<40, 8, 1\n.org 1<<60\n.p2align 31",
    "a huge alignment": b"s_nop 0\n.p2align 31\ns_nop 0\n",
    "a huge shift": b".set a, 1 << 0x7fffffffffffffff\n.if a\n.endif",
    "a register far away": b"v_mov_b32 v99999999999999999999, v[1<<62:-5]",
    "invalid UTF-8": b"s_mov_b32 s0, \xff\xfe ; \x80\n\xc3\x28: s_nop 0\n.set \xff, 1",
    "mixed line ends": b"s_nop 0\r\ns_nop 1\rs_nop 2\n\rs_nop 99999999\r\n",
    "a byte order mark": b"\xef\xbb\xbfs_nop 0",
    "wide characters": "s_mov_b32 s0, \u00e9\U0001f600 ; \u4e2d".encode(),
    "a directive without arguments": b"\n".join(
        b".set .macro .endm .rept .irp .irpc .endr .if .include .fill .org .byte .p2align .section".split()
    ),
    "metadata without end": b".amdgpu_metadata\n---\n" + b"- [\n" * 1000,
    "a descriptor without end": b".amdhsa_kernel k\n.amdhsa_next_free_vgpr 1/0\n.amdhsa_nothing",
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    check(CASES[name])


@pytest.mark.parametrize("name", ["empty", "binary", "invalid UTF-8", "many operands", "a recursive macro"])
def test_cases_without_a_target(name: str) -> None:
    check(CASES[name], None)


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    check(data)


WORDS = [
    ".macro m a", ".endm", "m", "m 1", "\\a", ".if", ".else", ".endif", ".rept 3", ".endr", ".irp x, 1, 2", "v_add_f32",
    "v[0:1]", "s[", "]", "0x", "1.5", "|v0|", "-", ",", "offset:", "op_sel:[0,1]", "label:", "label", "1:", "1b", "=",
    ".set x,", "x", "\n", "\n", "\n", "\n", ";", "/*", "*/", '"', "s_waitcnt", "vmcnt(0)", "&", "(", ")", "hwreg(",
    "exec",
    "s_mov_b32 s0,", "ds_read_b32", "buffer_load_dword", "v_mfma_f32_32x32x1f32", "sdwa", "dst_sel:", "row_shl:1",
    "s_branch", ".amdhsa_kernel k", ".amdhsa_ieee_mode", ".byte", ".p2align", ".include", '"k.s"', "::", "@", "%", "\t",
]  # fmt: skip


MORE_LINES = [
    ".if x", ".elseif x", ".ifc a, b", ".ascii \"abc\"", ".rept 3", ".irp x, 1, 2", ".error \"abc\"", "M 1, b=2",
    ".macro N a:req, b=1", ".section .text, \"ax\", @progbits", ".globl x, y", ".byte 1, 2", ".amdhsa_next_free_vgpr 8",
    "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0", "s_sendmsg sendmsg(MSG_INTERRUPT)", "; gcn-lsp: disable=abc",
]  # fmt: skip


@settings(max_examples=200)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_mix_of_words(words: list[str]) -> None:
    check(" ".join(words).encode())


@pytest.mark.parametrize("line", sorted({*LINES, *MORE_LINES}))
def test_nothing_is_cut_inside_a_character(line: str) -> None:
    """Neither the places of findings nor the text that their messages quote."""
    for column in range(len(line) + 1):
        text = f"{line[:column]}é{line[column:]}".encode()
        for finding in check(b".macro M a, b=3\n.endm\nx:\n" + text):
            said = (finding.message, *(each.message for each in finding.related), *(fix.title for fix in finding.fixes))
            assert "\ufffd" not in "".join(said)
            "".join(said).encode()
            edits = (edit for fix in finding.fixes for edit in fix.edits)
            places = (finding.where, *(each.where for each in finding.related), *(edit.where for edit in edits))
            for start, end in ((place.start, place.end) for place in places if place.line == 3):
                text[:start].decode()
                text[:end].decode()
