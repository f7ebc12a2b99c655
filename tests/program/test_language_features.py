r"""Every feature of the macro and directive language by itself, small and readable, against the reference assembler.

Random programs (`test_language_oracle`) mix them; these say which there are. Both accept each and have the same bytes,
or both refuse it.
"""

import pytest

from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.program.test_language_oracle import difference, mistakes
from tests.support import llvm, llvm_object

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)

ACCEPTED = {
    "positional arguments": ".macro m a, b\n.byte \\a, \\b\n.endm\nm 1, 2\nm 3 4",
    "keyword arguments": ".macro m a, b\n.byte \\a, \\b\n.endm\nm b=1, a=2\nm 5, b=6",
    "defaults": ".macro m a=1, b=(2+3)\n.byte \\a, \\b\n.endm\nm\nm ,7\nm 4",
    "required": ".macro m a:req\n.byte \\a\n.endm\nm 1",
    "vararg": '.macro m a, r:vararg\n.byte \\a\n.ifnb \\r\nm \\r\n.endif\n.ascii "<\\r>"\n.endm\nm 1, 2, 3',
    "a string loses its quotes": '.macro m a\n.byte \\a\n.endm\nm "1, 2"',
    "counter of calls": ".macro m\nl\\@: .byte \\@\n.endm\nm\nm\nm",
    "separator": ".macro m a\nx\\a\\()y = \\a\n.endm\nm 1\nm 2\n.byte x1y, x2y",
    "count of expansions": ".macro m\n.byte \\+\n.endm\n.macro n\nm\n.byte \\+\n.endm\nn\nn\nm",
    "nested definition": ".macro outer n\n.macro inner\\n\n.byte \\n\n.endm\n.endm\nouter 5\ninner5",
    "a macro in a macro": ".macro a x\n.byte \\x\n.endm\n.macro b y\na \\y+1\na \\y*2\n.endm\nb 3",
    "recursion": ".macro m n\n.if \\n\n.byte \\n\nm (\\n-1)\n.endif\n.endm\nm 18",
    "names with a dot": ".macro .m a\n.byte \\a\n.endm\n.m 4",
    "alternate: %": ".altmacro\n.macro m a\n.byte a\n.endm\nm %(3*4)\nx=5\nm %x+1\n.noaltmacro",
    "alternate: <>": '.altmacro\n.macro m a\n.ascii "\\a"\n.endm\nm <a, b!>c>\n.noaltmacro',
    "alternate: names without a backslash": ".altmacro\n.macro m a, b\n.byte a, b, a&b\n.endm\nm 1, 2\n",
    "purgem": ".macro m\n.byte 1\n.endm\nm\n.purgem m\n.macro m\n.byte 2\n.endm\nm",
    "exitm": ".macro m a\n.if \\a\n.byte 1\n.exitm\n.endif\n.byte 2\n.endm\nm 0\nm 1\nm 0",
    "exitm leaves only the innermost": ".macro i\n.exitm\n.byte 1\n.endm\n.macro o\ni\n.byte 2\n.endm\no",
    "rept": ".rept 3\n.byte 1\n.endr\n.rept 0\n.byte 9\n.endr\n.rep 2\n.byte \\+\n.endr",
    "irp": '.irp r, 1, 2, (3 + 4)\n.byte \\r\n.endr\n.irp s, "5, 6"\n.byte \\s\n.endr',
    "irpc": '.irpc c, 1234\n.byte \\c\n.endr\n.irpc c, ab\n.ascii "\\c"\n.endr',
    "nested repetitions": ".irp a, 1, 2\n.irpc b, 34\n.rept 2\n.byte \\a*16+\\b\n.endr\n.endr\n.endr",
    "a repetition in a macro": ".macro m n\n.rept \\n\n.byte \\n\n.endr\n.endm\nm 2\nm 3",
    "if and its comparisons": "".join(
        f".{word} {value}\n.byte 1\n.else\n.byte 0\n.endif\n"
        for word in ("if", "ifne", "ifeq", "ifge", "ifgt", "ifle", "iflt")
        for value in (-1, 0, 1)
    ),
    "ifdef": "x=1\n.ifdef x\n.byte 1\n.endif\n.ifdef y\n.byte 2\n.endif\n.ifndef y\n.byte 3\n.endif\n"
    ".ifnotdef x\n.byte 4\n.endif\nl:\n.ifdef l\n.byte 5\n.endif",
    "ifb": ".macro m a\n.ifb \\a\n.byte 1\n.else\n.byte 2\n.endif\n.ifnb \\a\n.byte 3\n.endif\n.endm\nm\nm x",
    "ifc": '.ifc a b, a b\n.byte 1\n.endif\n.ifnc a, b\n.byte 2\n.endif\n.ifeqs "a", "a"\n.byte 3\n.endif\n'
    '.ifnes "a", "b"\n.byte 4\n.endif',
    "elseif": "".join(
        f".if {n}==1\n.byte 1\n.elseif {n}==2\n.byte 2\n.elseif 1\n.byte 3\n.else\n.byte 4\n.endif\n" for n in (1, 2, 3)
    ),
    "nested conditionals": ".if 1\n.if 0\n.byte 1\n.else\n.byte 2\n.endif\n.else\n.if 1\n.byte 3\n.endif\n.endif",
    "messages": '.print "a"\n.warning "b"\n.warning\n.if 0\n.error "c"\n.err\n.endif\n.byte 1',
    "end": ".byte 1\n.end\n.byte 2\nnonsense here",
    "assignments": ".set a, 1\n.equ b, a+1\nc = b+1\n.equiv d, c+1\n.byte a, b, c, d\na = 10\n.set b, 11\n.byte a, b",
    "forward references": ".long later - here\nhere:\n.long late\nlate = 7\nlater:",
    "local labels": "1: .byte 1f-1b\n1: .byte 1f-1b\n2: .byte 1b-2b\n1:\n10: .byte 10b-1b",
    "the current place": "a = .\n.byte 1, 2\n.byte . - a\n. = . + 2\n.byte . - a",
    "differences of symbols": "a: .space 5\nb:\n.byte b-a, (b-a)*2\n.if b-a == 5\n.byte 1\n.endif\n"
    ".rept b-a\n.byte 2\n.endr",
    "the target's version": ".byte .amdgcn.gfx_generation_number, .amdgcn.gfx_generation_minor,"
    " .amdgcn.gfx_generation_stepping",
    "registers named so far": ".text\nv_mov_b32 v9, s3\n.data\n.byte .amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr\n"
    ".set .amdgcn.next_free_vgpr, 0\n.byte .amdgcn.next_free_vgpr",
    "operators": ".quad 7+2, 7-2, 7*2, 7/2, 7%2, 1<<5, 64>>2, 6&3, 6|3, 6^3, -5/2, -5%3, -16>>1, ~5, -5, !5, !0, +3\n"
    ".quad 1&&0, 1||0, 2==2, 2!=2, 2<>3, 2<3, 3<=3, 3>2, 2>=3, 5!3, (1+2)*3, 1+2*3, 2*3+1, 1|2^3&4, 10-3-2",
    "numbers": ".quad 10, 0x1F, 0X1f, 017, 0b101, 0B11, 0xffffffffffffffff, -0x80",
    "functions": ".long max(1, 9, 3), or(1, 2, 4), alignto(13, 8), extrasgprs(1, 1, 0), totalnumvgprs(5, 9),"
    " occupancy(10, 4, 256, 10, 800, 16, 16, 96, 40), min(3, 2), instprefsize(640), max(1, or(4, 8))",
    "alignment and space": ".byte 1\n.p2align 2\n.byte 2\n.balign 8, 0xff\n.align 4\n.fill 3, 2, 0x1234\n.space 2, 7\n"
    ".zero 2\n.skip 3\n.org . + 4, 9\n.balign 2\n.p2alignw 3, 0x1234\n.long 1\n.balignl 8, 0x12345678",
    "integers": ".byte 1\n.2byte 2\n.short 3\n.value 4\n.4byte 5\n.long 6\n.int 7\n.8byte 8\n.quad 9\n.octa 10\n"
    ".dc 11\n.dc.b 12\n.dc.w 13\n.dc.l 14\n.dc.a 15\n.uleb128 300\n.sleb128 -300",
    "floats": ".float 1.5, -2, inf\n.single 1e10\n.double 0.1\n.dc.s 3.0\n.dc.d 0x1p3",
    "strings": '.ascii "a\\n\\x41\\101"\n.asciz "b", "c"\n.string "d"',
    "sections": '.section .rodata.x,"a",@progbits\n.byte 1\n.pushsection .data\n.byte 2\n.popsection\n.byte 3\n'
    '.previous\n.byte 4\n.text\n.bss\n.space 4\n.section ".odd name","aw"\n.byte 5',
    "parts of a section": ".byte 1\n.subsection 2\n.byte 2\na:\n.subsection\n.byte 3\nb: .text 1\nl: s_branch l\n"
    ".text\nk: s_branch l\n"
    ".data 1\n.byte 4\n.long b-a\n.previous\n.pushsection .data, 3\n.balign 4\n.byte 5\n.popsection",
    "places in parts of a section": ".byte 1\n.subsection 1\n.byte 2\n.org . + 3, 7\n.byte 3\n.org 16, 9\n.byte 4",
    "symbols": "f: .type f,@function\n.size f, 4\n.globl f\n.weak w\n.hidden h\n.protected p\n.local l\n.comm c, 8, 4\n"
    ".lcomm z, 16\n.internal i\n.symver f, f@v1\n.weakref u, v",
    "debugging": '.ident "me"\n.file "a.s"\n.file 1 "a.c"\n.text\n.loc 1 2 3\ns_nop 0\n.cfi_sections .debug_frame\nf:\n'
    ".cfi_startproc\n.cfi_def_cfa_offset 8\n.cfi_offset 16, -8\n.cfi_undefined 17\n.cfi_remember_state\n"
    ".cfi_restore_state\n.cfi_escape 1, 2\ns_nop 0\n.cfi_endproc",
    "the target": '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n.byte 1',
    "version of the code object": ".amdhsa_code_object_version 5\n.byte 1",
    "LDS": ".amdgpu_lds x, 1024, 16\n.globl y\n.amdgpu_lds y, 4\n.text\ns_mov_b32 s0, x@abs32@lo",
    "block comments": "/* a */ .byte 1 /* b */\n/* b\n.byte 2\n*/ .byte 3 // c\n.byte 4 ; d",
}

REFUSED = {
    "too many arguments": ".macro m a\n.endm\nm 1, 2",
    "no parameter": ".macro m a\n.endm\nm b=2",
    "a required one is missing": ".macro m a:req\n.endm\nm",
    "positional after keyword": ".macro m a, b\n.endm\nm a=1, 2",
    "too deep": ".macro m n\n.if \\n\nm (\\n-1)\n.endif\n.endm\nm 25",
    "defined twice": ".macro m\n.endm\n.macro m\n.endm",
    "no macro to forget": ".purgem m",
    "exitm outside": ".exitm",
    "error": '.error "stop"',
    "err": ".err",
    "abort": ".abort",
    "equiv twice": ".equiv a, 1\n.equiv a, 2",
    "a label twice": "a:\na:",
    "a symbol that is a label": "a:\na = 5",
    "no end of a macro": ".macro m",
    "no end of a repetition": ".rept 2\n.byte 1",
    "no end of a conditional": ".if 1",
    "else twice": ".if 0\n.else\n.else\n.endif",
    "a number too large": ".byte 256",
    "division by zero": ".long 1/0",
    "backwards": ".space 8\n.org 4",
    "part of a section": ".subsection -1",
    "circle": "a = b\nb = a",
    "unknown": ".nonsense",
    "no file": '.include "no such file"',
    "address where a number is needed": "a:\n.if a\n.endif",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    text = f".data\n{ACCEPTED[name]}\n".encode()
    reference = llvm_object.assemble(text, "gfx900")
    assert reference.sections is not None, reference
    assert mistakes(build(SourceText.from_bytes("k.s", text), Options(target="gfx900"))) == []
    assert difference(text) == ""


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text = f".data\n{REFUSED[name]}\n".encode()
    assert llvm_object.assemble(text, "gfx900").sections is None
    assert mistakes(build(SourceText.from_bytes("k.s", text), Options(target="gfx900")))
