"""The notation of the operations: what every word and sign in an operation means.

An operation of a scalar instruction happens once for the wave. An operation of a vector instruction is that of one
lane, whose number is `lane` out of `lanes` (32 or 64), and happens in every lane whose EXEC bit is 1. A source that is
an SGPR or a constant is the same in every lane. Statements happen from top to bottom, one a line or separated by `;`.
Sources keep their value from before the instruction, even where the destination is the same register. `if`, `else if`,
`else` and `for i < n` (i from 0 to n - 1) rule the rest of their line, or the indented lines below if nothing follows
the colon. An entry is about one target: where targets differ, so do their operations.

Operands

- `D` is the destination, `S0` to `S3` are the sources in the order in which a statement writes them. `SDST` is the
  scalar destination of a vector instruction that has a vector one too, VCC in the short encodings; likewise a mask
  `S2` is VCC where the short encoding leaves it out.
- In memory instructions `ADDR` is the address in VGPRs, `DATA` is what is stored or combined (`DATA0` and `DATA1` if
  there are two), `D` takes a result. `SADDR`, `SBASE`, `SRSRC`, `SSAMP`, `SOFFSET` are scalar operands, 0 where they
  are absent or `off`; `OFFSET`, `OFFSET0`, `OFFSET1` are immediate offsets, 0 if not written.
- `SIMM16` is the immediate in the instruction, `LITERAL` the constant after it, `TARGET` the address of a label. Other
  operands and modifiers in capitals are their values, for a flag 1 or 0. `RETURN` is 1 where an atomic is to give back
  the previous value: glc, on gfx942 and its successors sc0, on gfx12 th:TH_ATOMIC_RETURN.
- In an instruction of a dual-issue pair the operands are those of that half.
- `A[b][i][k]`, `B[b][k][j]`, `C[b][i][j]`, `D[b][i][j]` are elements of the matrices of a matrix instruction, b being
  the number of the matrix; its notes say in which lanes and registers they are.

Values

- `x.u32` says how the bits of `x` are read: `u` unsigned, `i` two's complement, `f` IEEE 754, `bf` bfloat16, `b` just
  bits, and the size; `fp8`, `bf8`, `fp6`, `bf6`, `fp4` are small floats. An assigned value is cut to the size of
  the left side, so integers wrap.
- `x[7:0]` are bits 7 to 0 of `x`, `x[3]` is bit 3. After a type an element is meant: `x.f16[1]` is the second half of
  `x`, `x.b32[2]` its third register; element 0 is in the lowest bits and the lowest register.
- `u32(x)`, `f16(x)` and so on convert the number `x`: integers to wider ones by extension, to floats by rounding as
  MODE says; floats to integers toward zero, limited to the range, NaN giving 0.
- Integers of a type wrap at its size, at the wider one of two; a number without a type, such as `1 << n` or the bits
  `x[7:0]`, does not wrap.
- `+ - * / %`, `& | ^ ~`, `<< >>` (`>>` copies the sign of an `i` value), `== != < <= > >=` (with NaN all false, but
  `!=` true), `&& || !`, `c ? a : b`, `2 ** n`. Floats are rounded by MODE.FP_ROUND and denormals treated by
  MODE.FP_DENORM.

State

- `SCC`, `VCC`, `EXEC`, `M0`; `PC` is the address of this instruction, `NEXT` that of the one after it; `MODE.x`,
  `STATUS.x`, `STATE_PRIV.x`, `TRAPSTS.x` are fields; `HWREG[id]`, `SGPR[n]`, `VGPR[lane][n]`, `TTMP[n]` are registers
  by number.
- `VCC[lane]`, `EXEC[lane]`, `SDST[lane]`, `D[lane]` are the lane's bit of a mask. An instruction that writes a lane's
  bit writes 0 for the lanes that are off.
- `MEM.u32[a]` is the value at byte address `a` of memory, `LDS.u32[a]` and `GDS.u32[a]` that in the data shares.
  `MEM[a][c]` is component `c` of the element in the format of an access that begins at `a`.
- A name in small letters is a value of an earlier statement, or a function.
"""


def _names(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


TYPES = _names(
    "u1 u4 u8 u16 u24 u32 u64 i4 i8 i16 i24 i32 i64 f16 f32 f64 bf16 fp8 bf8 fp6 bf6 fp4 e8m0",
    "b4 b6 b8 b16 b32 b64 b96 b128 b192 b256 b512 b1024",
)

OPERANDS: dict[str, tuple[str, ...]] = {
    "D": ("vdst", "sdst", "vdata", "vdstX", "vdstY", "vcc", "vcc_lo"),
    "SDST": ("sdst", "vcc", "vcc_lo"),
    "S0": ("src0", "vsrc", "sdst", "src0X", "src0Y", "m0"),
    "S1": ("src1", "vsrc1X", "vsrc1Y"),
    "S2": ("src2", "vcc", "vcc_lo", "vsrc2X", "vsrc2Y"),
    "S3": ("src3",),
    "ADDR": ("vaddr", "addr", *(f"vaddr{number}" for number in range(13))),
    "DATA": ("vdata", "sdata", "data0", "sdst"),
    "DATA0": ("data0",),
    "DATA1": ("data1",),
    "SADDR": ("saddr",),
    "SBASE": ("sbase",),
    "SRSRC": ("srsrc", "rsrc"),
    "SSAMP": ("ssamp", "samp"),
    "SOFFSET": ("soffset",),
    "OFFSET": ("offset",),
    "OFFSET0": ("offset0",),
    "OFFSET1": ("offset1",),
    "SIMM16": ("simm16",),
    "LITERAL": ("imm", "immX"),
    "TARGET": ("simm16",),
    "RETURN": ("cpol",),
    "DMASK": ("dmask",),
    "ATTR": ("attr",),
    "OP_SEL": ("op_sel", "src0_modifiers"),
    "BYTE_SEL": ("byte_sel",),
    "SCALE_SEL": ("scale_sel",),
    "BITOP3": ("bitop3",),
    "TGT": ("tgt",),
    "TENSOR1": ("vaddr1",),
    "TENSOR2": ("vaddr2",),
    "TENSOR3": ("vaddr3",),
    "INDEX": ("idx", "src2"),
    "SCALE0": ("scale_src0",),
    "SCALE1": ("scale_src1",),
    "A": ("src0",),
    "B": ("src1",),
    "C": ("src2",),
}
"""The operands of the notation, and the operands of encodings that each may be."""

STATE = _names(
    "SCC VCC EXEC M0 PC NEXT MODE STATUS STATE_PRIV TRAPSTS HWREG SGPR VGPR TTMP TBA MEM LDS GDS",
    "vmcnt vscnt expcnt lgkmcnt loadcnt storecnt samplecnt bvhcnt dscnt kmcnt xcnt asynccnt tensorcnt",
)

FIELDS = _names(
    "MODE.FP_ROUND MODE.FP_DENORM MODE.FP_DENORM_32 MODE.FP_DENORM_16_64 MODE.IEEE MODE.DX10_CLAMP",
    "MODE.VGPR_MSB MODE.CSP MODE.GPR_IDX_EN MODE.VSKIP",
    "STATE_PRIV.HALT STATE_PRIV.USER_PRIO STATUS.COND_DBG_SYS STATUS.COND_DBG_USER STATUS.FATAL_HALT STATUS.HALT",
    "STATUS.INST_ATC STATUS.PRIV STATUS.TRAP_EN STATUS.USER_PRIO STATUS.WAVE_PRIO TRAPSTS.EXCP",
)

CONSTANTS: dict[str, str] = {
    "PI": "the number",
    "TWO_OVER_PI": "the fraction of 2 / PI as an integer of 1201 bits",
    "INF": "infinity",
    "MAX": "the largest finite value of the type",
    "NAN": "a quiet NaN",
    "OVERFLOW": "what MODE.FP_ROUND makes of a float that is too large: infinity or the largest finite value",
    "UNDERFLOW": "what MODE.FP_ROUND makes of a float that is too small: 0.0 or the smallest value",
    "CLOCK": "the counter of shader clocks",
    "REALTIME": "the counter of the reference clock",
}

FUNCTIONS: dict[str, str] = {
    "abs": "the value without its sign",
    "min": "the smaller of two values; for floats the number if one is NaN",
    "max": "the larger of two values; for floats the number if one is NaN",
    "med3": "the middle one of three values by size",
    "fma": "fma(a, b, c): a * b + c rounded once",
    "floor": "rounded down to an integer, still a float",
    "ceil": "rounded up to an integer, still a float",
    "trunc": "rounded toward zero to an integer, still a float",
    "rndne": "rounded to the nearest integer, halves to even, still a float",
    "round": "rounded to an integer as MODE.FP_ROUND says, still a float",
    "sqrt": "square root",
    "sin": "sine of an angle in radians",
    "cos": "cosine of an angle in radians",
    "tanh": "hyperbolic tangent",
    "log2": "logarithm to the base 2",
    "exponent": "the exponent field of a float, still biased",
    "frexp_exp": "the e of m * 2 ** e with m from 0.5 up to 1.0; 0 for 0, infinity and NaN",
    "frexp_mant": "the m of m * 2 ** e with m from 0.5 up to 1.0, with its sign; 0, infinity and NaN as they are",
    "sign": "the sign bit",
    "is_nan": "1 if the float is NaN",
    "is_denormal": "1 if the float is denormal, or would be if it were rounded",
    "class": "the number of the class that the float belongs to, see the notes of the entry",
    "sext": "extended with its sign to the size of the left side",
    "zext": "extended with zeros to the size of the left side",
    "sext_from": "sext_from(x, n): bits n-1:0 of x, extended with bit n-1; 0 if n is 0",
    "saturate": "limited to the range of the left side's type; the integers that lead to it do not wrap",
    "scaled": "scaled(x, n): x * n, and 0.0 in place of -0.0 and of a denormal result",
    "concat": "concat(high, low): the bits of both side by side",
    "popcount": "how many bits are 1",
    "reverse": "the bits in the opposite order",
    "find_first": "find_first(x, b): number of the lowest bit that is b, -1 if there is none",
    "leading": "leading(x, b): how many bits are b before the first, from the top, that is not",
    "rank": "rank(mask, c): how many bits below bit c are 1",
    "carry_out": "carry_out(a, b): the bit above the sum of a and b, which are first extended as their types say",
    "number": "the number of the register that an operand names, not its value",
    "power": "power(x): 2 to the power of the exponent of the float x, as a scale",
    "scale": "a scale: 2 to the power of an 8-bit exponent less 127, from the operand and place that follow",
    "selected": "the number that op_sel gives, its first number counting 1, the second 2",
    "chosen": "chosen(x, i, n): the n-th two-bit index of row i of a sparse matrix, from an operand",
    "snorm16": "a float, limited to -1.0 to 1.0, times 32767, rounded to an integer",
    "unorm16": "a float, limited to 0.0 to 1.0, times 65535, rounded to an integer",
    "round_to_nearest": "a float converted to the left side's type, halves rounded to even, whatever MODE says",
    "round_to_zero": "a float converted to the left side's type with rounding toward zero, whatever MODE says",
    "mixed": "the source as a 32-bit float, from 32 or 16 bits as op_sel_hi and op_sel say",
    "stochastic": "stochastic(x, r): x rounded to the left side's type, up or down by chance: r has the random bits",
    "signed_or_not": "the element, read as signed or unsigned as neg_lo says for its source",
    "loaded": "loaded(l, ...): the value that lane l loads from the address in its operands",
    "transposed": "the elements that all lanes have loaded, rows and columns exchanged; the entry's notes say more",
    "arrived": "arrived(b, n): the state of barrier b after n more arrivals",
    "stack_base": "the place in LDS of the lane's stack, unpacked from the address and offset",
    "stack_top": "the number of the entry on top of the lane's stack, unpacked from the address and offset",
    "next_turn": "the number of the wave whose turn is next",
    "tile": "the elements that a tensor's descriptor names, from memory or LDS",
    "valid": "valid(n, last): whether n is a node, and not the one visited last",
    "pop": "the entry at the top of the stack, which is removed",
    "sad": "sad(a, b): the sum of the differences, without signs, of the four unsigned bytes of a and b",
    "msad": "as sad, but bytes where b is 0 do not count",
    "screen_partition": "the shader engines that a rectangle touches, from a table in the hardware",
    "attribute": "attribute(a, k): term k of a vertex attribute in LDS: 0 the constant P0, 1 P10, 2 P20",
    "wait": "nothing more is issued until the condition holds, or for as many clocks or slots as the entry says",
    "barrier": "the wave stops until every wave of its work-group has reached a barrier or has ended",
    "answer": "the answer of the part of the chip that the entry names",
    "minimum": "the smaller of two floats; NaN if one is",
    "maximum": "the larger of two floats; NaN if one is",
    "signal": "something outside the wave is notified or commanded",
    "BUFFER": "the address in a buffer; the entry's notes say how it is made",
    "FLAT": "the flat address ADDR.u64 + OFFSET, in memory, LDS or scratch, whichever aperture it lies in",
    "GLOBAL": "the address in global memory; the entry's notes say how it is made",
    "SCRATCH": "the address in the lane's scratch memory; the entry's notes say how it is made",
    "SCALAR": "the address of a scalar memory access; the entry's notes say how it is made",
    "IMAGE": "IMAGE(resource, address): the texel at the address",
    "SAMPLE": "SAMPLE(resource, sampler, address): the texels at the address, filtered as the sampler says",
    "GATHER": "GATHER(resource, sampler, address, mask): a component of four texels",
    "size": "size(resource, level, c): width, height, depth or slices, number of levels, for c from 0 to 3",
    "sample": "sample(t, i): sample i of a texel of a multisampled image",
    "hit": "hit(resource, address): what the test of a ray finds",
    "level": "level(resource, sampler, address): the level of detail that sampling would use, before it is limited",
    "clamped_level": "as level, limited as resource and sampler say",
    "from_format": "from_format(x, c): component c, converted from the memory format to the register's",
    "to_format": "to_format(x, c): component c, converted from the register's format to the one in memory",
}
"""The functions that are not conversions to a type."""

WORDS = _names("if else for lane lanes")
"""Words with a fixed meaning."""
