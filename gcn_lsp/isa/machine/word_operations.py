"""The 32-bit integer operations that addresses of LDS are computed with, each as a formula over its sources.

A formula is in postfix notation: `a`, `b`, `c` are the sources in the order in which they are written, `d` the old
value of the result, numbers stand for themselves. The operators are those of `OPERATORS`. Facts: the operations of the
ISA documents. Bits that an operation loses are lost here too: all of it is modulo 2^32.
"""

from collections.abc import Mapping

ADD, SUBTRACT, MULTIPLY, AND, OR, XOR, LEFT, RIGHT = "+", "-", "*", "&", "|", "^", "<<", ">>"
OPERATORS = frozenset((ADD, SUBTRACT, MULTIPLY, AND, OR, XOR, LEFT, RIGHT))
FIRST_LANE, LANES_BELOW = "first lane", "lanes below"
"""Formulas that are not of one lane alone: the value in the first lane, and the number of a lane in its wave."""


def _signed(source: str) -> str:
    """The low 24 bits of a source as a signed number."""
    return f"{source} 0xffffff & 0x800000 ^ 0x800000 -"


_ROWS: tuple[tuple[str, str], ...] = (
    ("a", "s_mov_b32 s_movk_i32 v_mov_b32 v_dual_mov_b32"),
    ("a b +", "s_add_u32 s_add_i32 s_add_co_u32 s_add_co_i32 v_add_u32 v_add_i32 v_add_co_u32 v_add_nc_u32"),
    ("a b +", "v_add_nc_i32 v_dual_add_nc_u32"),
    ("d a +", "s_addk_i32 s_addk_co_i32"),
    ("a b -", "s_sub_u32 s_sub_i32 s_sub_co_u32 s_sub_co_i32 v_sub_u32 v_sub_i32 v_sub_co_u32 v_sub_nc_u32"),
    ("b a -", "v_subrev_u32 v_subrev_co_u32 v_subrev_nc_u32"),
    ("a b *", "s_mul_i32 v_mul_lo_u32 v_mul_lo_i32"),
    ("d a *", "s_mulk_i32"),
    ("a 0xffffff & b 0xffffff & *", "v_mul_u32_u24"),
    ("a 0xffffff & b 0xffffff & * c +", "v_mad_u32_u24"),
    (f"{_signed('a')} {_signed('b')} *", "v_mul_i32_i24"),
    (f"{_signed('a')} {_signed('b')} * c +", "v_mad_i32_i24"),
    ("a b &", "s_and_b32 v_and_b32 v_dual_and_b32"),
    ("a b |", "s_or_b32 v_or_b32"),
    ("a b ^", "s_xor_b32 v_xor_b32"),
    ("a b 31 & <<", "s_lshl_b32"),
    ("b a 31 & <<", "v_lshlrev_b32 v_dual_lshlrev_b32"),
    ("a b 31 & >>", "s_lshr_b32"),
    ("b a 31 & >>", "v_lshrrev_b32 v_dual_lshrrev_b32"),
    ("a 1 << b +", "s_lshl1_add_u32"),
    ("a 2 << b +", "s_lshl2_add_u32"),
    ("a 3 << b +", "s_lshl3_add_u32"),
    ("a 4 << b +", "s_lshl4_add_u32"),
    ("a b 31 & << c +", "v_lshl_add_u32"),
    ("a b + c 31 & <<", "v_add_lshl_u32"),
    ("a b + c +", "v_add3_u32"),
    ("a b | c |", "v_or3_b32"),
    ("a b ^ c ^", "v_xor3_b32"),
    ("a b 31 & << c |", "v_lshl_or_b32"),
    ("a b & c |", "v_and_or_b32"),
    ("a b ^ c +", "v_xad_u32"),
    ("a b 31 & >> 1 c 31 & << 1 - &", "v_bfe_u32"),
    ("a b 31 & >> 1 b 16 >> 31 & << 1 - &", "s_bfe_u32"),
    ("a b 31 & >> 1 c 31 & << 1 - & 1 c 1 - 31 & << ^ 1 c 1 - 31 & << -", "v_bfe_i32"),
    (FIRST_LANE, "v_readfirstlane_b32"),
    (LANES_BELOW, "v_mbcnt_lo_u32_b32 v_mbcnt_hi_u32_b32"),
)
FORMULAS: Mapping[str, tuple[str, ...]] = {
    mnemonic: (formula,) if formula in (FIRST_LANE, LANES_BELOW) else tuple(formula.split())
    for formula, mnemonics in _ROWS
    for mnemonic in mnemonics.split()
}
"""The formula of each mnemonic."""

COMPARISONS: Mapping[str, str] = {
    f"s_cmp_{name}_{kind}32": f"{operator}{kind}"
    for name, operator in (("eq", "="), ("lg", "!"), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    for kind in "iu"
}
"""The comparisons of two scalar words that write SCC, each with its relation and the kind of its numbers."""

LANE_COMPARISONS: Mapping[str, str] = {
    f"v_cmp_{name}_{kind}32": f"{operator}{kind}"
    for name, operator in (("eq", "="), ("ne", "!"), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    for kind in "iu"
}
"""The comparisons of two words in each lane that write a mask of lanes, in the same way."""

PLAIN = frozenset(("Default", "VOP3", "VOP3_CLAMP"))
"""The encodings in which a formula holds as it is: no part of a register is selected, no lane is exchanged."""
