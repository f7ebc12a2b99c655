"""Makes a kernel of any length that has what real ones have, so that timings mean something without the corpus.

Registers by symbol (`v[vA+3]`), macros, conditions, an unrolled loop of MFMAs with loads and waits between them,
comments; about every fourth line is one that stands nowhere else, as in the kernels of BLAS libraries.
"""

from collections.abc import Iterator

HEAD = """\
// A matrix product, unrolled: made by tests/benchmarks/kernel.py.
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
.p2align 8
.type product,@function
.set vA, 0
.set vB, 16
.set vOffset, 32
.set vData, 40
.set sKernarg, 0
.set sA, 4
.set sB, 8
.set sCount, 12
.set sStride, 16
.set unroll, 4

.macro LOAD_PAIR dst, offset, base=sA
  buffer_load_dwordx4 v[\\dst:\\dst+3], v[vOffset+0], s[\\base:\\base+3], 0 offen offset:\\offset
  .if \\offset > 2047
  s_nop 0
  .endif
.endm

product:
  s_load_dwordx4 s[sA:sA+3], s[sKernarg:sKernarg+1], 0x0
  s_load_dwordx4 s[sB:sB+3], s[sKernarg:sKernarg+1], 0x10
  s_load_dwordx2 s[sCount:sCount+1], s[sKernarg:sKernarg+1], 0x20
  s_mov_b64 s[sStride:sStride+1], 0
  v_lshlrev_b32 v[vOffset+0], 4, v0
  .set number, 0
  .rept 128
  v_accvgpr_write_b32 a[number], 0
  .if number < 32
  v_mov_b32 v[number], 0
  .endif
  .set number, number+1
  .endr
  s_waitcnt lgkmcnt(0)
"""

TAIL = """\
  s_endpgm
product_end:
.size product, product_end-product

.rodata
.p2align 6
.amdhsa_kernel product
  .amdhsa_next_free_vgpr 256
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 128
  .amdhsa_group_segment_fixed_size 65536
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
"""


def kernel(lines: int) -> str:
    """A kernel of about that many lines without any finding."""
    body: list[str] = []
    number = 0
    while len(body) < lines - HEAD.count("\n") - TAIL.count("\n"):
        body += _round(number)
        number += 1
    return HEAD + "\n".join(body) + "\n" + TAIL


def _round(number: int) -> Iterator[str]:
    """One round of the loop: some 40 lines."""
    offset = number % 64 * 16
    yield f"/* round {number}: the next tile */"
    yield f"label_round_{number}:"
    yield f"  s_add_u32 s[sStride+0], s[sStride+0], {number * 64:#x} // advance by {number * 64} bytes"
    yield "  s_addc_u32 s[sStride+1], s[sStride+1], 0"
    yield "  s_sub_u32 s[sCount+0], s[sCount+0], 1"
    yield f"  s_cmp_lg_u32 s[sCount+0], {number % 60}"
    yield f"  s_cbranch_scc1 label_round_{number}"
    for part in range(4):
        at = (offset + part * 1024) % 4096
        yield f"  LOAD_PAIR vData+{part * 4}, {at}"
        yield f"  v_add_u32 v[vOffset+1], v[vOffset+0], {part}"
        yield f"  ds_read_b64 v[vA+{part * 2}:vA+{part * 2}+1], v[vOffset+1] offset:{at // 8 * 8} // A, part {part}"
        yield f"  ds_read_b64 v[vB+{part * 2}:vB+{part * 2}+1], v[vOffset+1] offset:{(at + 4096) // 8 * 8}"
        yield "  s_waitcnt lgkmcnt(0)"
        for step in range(3):
            acc = (part * 3 + step + number) % 15 * 8
            operands = f"v[vA+{part * 2}:vA+{part * 2 + 1}], v[vB+{step * 2}:vB+{step * 2 + 1}]"
            yield f"  v_mfma_f64_16x16x4f64 a[{acc}:{acc + 7}], {operands}, a[{acc}:{acc + 7}]"
    yield "  .if unroll > 2"
    yield "  s_waitcnt vmcnt(0)"
    yield "  s_nop 0"  # the f64 multiply-add shares a unit with the MFMA
    pair = number % 8 * 2
    yield f"  v_fma_f64 v[vData+0:vData+1], v[vData+2:vData+3], v[vA+{pair}:vA+{pair}+1], v[vB+0:vB+1]"
    yield "  .endif"
    yield "  s_barrier"
    yield ""
