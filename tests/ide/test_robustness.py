"""Every feature answers at any place of any text."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gcn_lsp import rules
from gcn_lsp.program import program
from gcn_lsp.text import SourceText
from tests.support.ide import ask_everything

# A line each, the empty one too.
TEXT = """\

x:
1: s_branch 1b
.macro M a, b=3
.endm
M 1, b=2
M \\
.rept 2
.endr
.if x
.else
.endif
v_mov_b32 v0, v1
v_mov_b32 v[x+1], -|v[2:3]|
s_waitcnt vmcnt(0)
s_waitcnt vmcnt(1) lgkmcnt(0)
buffer_load_dword v0, off, s[4:7], 0 offset:
s_mov_b32 s7, 0x20000
s_mov_b64 s[4:5], 1.0
v_add_f32 v0,
v_mov_b32_dpp v0, v1 row_shr:1
ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,
/* open
close */ s_nop 0
.set x, x+1
x =
.include
.include "y.inc"
.amdhsa_kernel x
.end_amdhsa_kernel
.type x,@function
.amdgpu_metadata
amdhsa.kernels: [{.name: x}]
.end_amdgpu_metadata
"x":
\\a\\b: \\a
v[
::
=
:
s_mov_b32 s0, x@rel32@lo+4
image_sample v[0:3], v0, s[0:7], s[8:11] dmask:0xf
é 𝄞 // é
\\
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2,
s_mov_b32 s999, vcc_hi
s_delay_alu instid0(
gcn-lsp: disable=
.altmacro
.purgem M
.irp x, 1, 2
exp mrt0 v0, v1, v2, v3 done
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0

"""
LINES = TEXT.splitlines()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=12),
    st.integers(-1, 13),
    st.integers(0, 60),
    st.sampled_from(("gfx90a", "gfx1100", "gfx1201", None)),
)
@example(["\\"], 0, 1, "gfx90a")
def test_features(lines: list[str], line: int, column: int, target: str | None) -> None:
    source = SourceText.from_bytes("k.s", "\n".join(lines).encode())
    other = SourceText.from_bytes("y.inc", b".set y, 1\nx = 2\n.macro N\n.endm")
    options = program.Options(target, include=lambda _, name: other if name == "y.inc" else None)
    built = program.build(source, options)
    findings = list(rules.check(built))
    ask_everything(built, line, column, findings, (other,))
