"""The operations of the most frequent integer instructions compute what the instruction does.

The references are written without a look at the entries, in other terms where there are any.
"""

import random
from collections.abc import Callable
from ctypes import c_int8, c_int16, c_int32, c_int64

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from tests.isa.documentation.values import Value, integer, raw
from tests.machine.operations import run

LANE = 37
M16, M32, M64 = 0xFFFF, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF

Results = dict[str, int]


def bits(number: int, size: int) -> Value:
    return Value("b", number, size)


def i8(x: int) -> int:
    return c_int8(x).value


def i16(x: int) -> int:
    return c_int16(x).value


def i32(x: int) -> int:
    return c_int32(x).value


def i64(x: int) -> int:
    return c_int64(x).value


def i24(x: int) -> int:
    return i32(x << 8) >> 8


def nonzero(x: int, mask: int) -> Results:
    """A result whose comparison with 0 is in SCC."""
    return {"D": x & mask, "SCC": int(x & mask != 0)}


def of_mask(bit: object) -> Results:
    """A lane's bit of a mask that is otherwise 0."""
    return {"D": bool(bit) << LANE}


def carry(name: str, exact: int, size: int = 32) -> Results:
    """The low bits of an exact sum or difference of unsigned numbers, and whether it left their range."""
    place = LANE if name == "SDST" else 0
    return {"D": exact % 2**size, name: (not 0 <= exact < 2**size) << place}


def overflow(exact: int) -> Results:
    """The low bits of an exact sum of signed numbers, and whether it left their range."""
    return {"D": exact & M32, "SCC": int(not -(2**31) <= exact < 2**31)}


def field(x: int, offset: int, width: int, size: int, signed: bool = False) -> int:
    """A bit field as a string of digits, which ends where the number does."""
    number = (x if x < 1 << (size - 1) else x - (1 << size)) if signed else x
    digits = f"{number >> offset & (1 << 200) - 1:0200b}"[200 - width :] if width else "0"
    return int(digits, 2) - (1 << width if signed and width and digits[0] == "1" else 0)


def first_from_top(x: int, size: int) -> int:
    return size - x.bit_length() if x else M32


def groups(x: int, size: int) -> list[bool]:
    """Whether some bit of each group of four is set, from the lowest."""
    return [x >> place & 15 != 0 for place in range(0, size, 4)]


def byte(x: int, number: int) -> int:
    return x.to_bytes(8, "little")[number]


def permuted(a: int, b: int, selectors: int) -> Results:
    """v_perm_b32 by a table of all 256 selectors."""
    eight = b.to_bytes(4, "little") + a.to_bytes(4, "little")
    signs = [0xFF if eight[place] > 127 else 0 for place in (1, 3, 5, 7)]
    table = [*eight, *signs, 0, *[0xFF] * 243]
    return {"D": int.from_bytes(bytes(table[chosen] for chosen in selectors.to_bytes(4, "little")), "little")}


def differences(a: int, b: int, masked: bool = False) -> int:
    return sum(abs(byte(a, n) - byte(b, n)) for n in range(4) if byte(b, n) or not masked)


def quad(a: int, b: int, c: int, size: int, masked: bool = False) -> Results:
    sums = [differences(a >> 8 * n & M32, b, masked) + (c >> size * n & (1 << size) - 1) for n in range(4)]
    return {"D": sum((total & (1 << size) - 1) << size * n for n, total in enumerate(sums))}


def saved(mask: Callable[[int, int], int]) -> Callable[[int, int], Results]:
    """A saveexec: the old EXEC and the new one, from the source and EXEC."""
    return lambda a, e: {"D": e, "EXEC": mask(a, e) & M64, "SCC": int(mask(a, e) & M64 != 0)}


def written(mask: Callable[[int, int], int]) -> Callable[[int, int], Results]:
    return lambda a, e: {"D": mask(a, e), "EXEC": mask(a, e), "SCC": int(mask(a, e) != 0)}


def below(mask: int, first: int) -> int:
    """How many lanes of a mask of 32, which starts at lane `first`, are before this one."""
    return sum(mask >> bit & 1 for bit in range(32) if first + bit < LANE)


# Mnemonic; the sizes of D and of the sources, with E for EXEC and C for SCC; the results from the sources. Unless it
# says otherwise D, S0, S1 and S2 have 32 bits.
CASES: dict[str, tuple[str, Callable[..., Results]]] = {
    "s_add_u32": ("32 32 32", lambda a, b: carry("SCC", a + b)),
    "s_addc_u32": ("32 32 32 C", lambda a, b, c: carry("SCC", a + b + c)),
    "s_sub_u32": ("32 32 32", lambda a, b: carry("SCC", a - b)),
    "s_subb_u32": ("32 32 32 C", lambda a, b, c: carry("SCC", a - b - c)),
    "s_add_i32": ("32 32 32", lambda a, b: overflow(i32(a) + i32(b))),
    "s_sub_i32": ("32 32 32", lambda a, b: overflow(i32(a) - i32(b))),
    "s_absdiff_i32": ("32 32 32", lambda a, b: nonzero(abs(i32(i32(a) - i32(b))), M32)),
    "s_min_i32": ("32 32 32", lambda a, b: {"D": min(i32(a), i32(b)) & M32, "SCC": int(i32(a) < i32(b))}),
    "s_max_u32": ("32 32 32", lambda a, b: {"D": max(a, b), "SCC": int(a >= b)}),
    "s_mul_i32": ("32 32 32", lambda a, b: {"D": a * b & M32}),
    "s_mul_hi_u32": ("32 32 32", lambda a, b: {"D": a * b >> 32}),
    "s_mul_hi_i32": ("32 32 32", lambda a, b: {"D": i32(a) * i32(b) >> 32 & M32}),
    "s_and_b64": ("64 64 64", lambda a, b: nonzero(a & b, M64)),
    "s_andn2_b64": ("64 64 64", lambda a, b: nonzero(a - (a & b), M64)),
    "s_orn2_b32": ("32 32 32", lambda a, b: nonzero(a | (M32 - b), M32)),
    "s_nand_b64": ("64 64 64", lambda a, b: nonzero(M64 - (a & b), M64)),
    "s_xnor_b32": ("32 32 32", lambda a, b: nonzero(M32 - (a ^ b), M32)),
    "s_not_b64": ("64 64", lambda a: nonzero(M64 - a, M64)),
    "s_lshl_b32": ("32 32 32", lambda a, b: nonzero(a * 2 ** (b % 32), M32)),
    "s_lshr_b64": ("64 64 32", lambda a, b: nonzero(a // 2 ** (b % 64), M64)),
    "s_ashr_i32": ("32 32 32", lambda a, b: nonzero(i32(a) // 2 ** (b % 32), M32)),
    "s_ashr_i64": ("64 64 32", lambda a, b: nonzero(i64(a) // 2 ** (b % 64), M64)),
    "s_lshl3_add_u32": ("32 32 32", lambda a, b: {"D": 8 * a + b & M32, "SCC": int(8 * a + b > M32)}),
    "s_bfm_b32": ("32 32 32", lambda a, b: {"D": int("1" * (a % 32) + "0" * (b % 32) or "0", 2) & M32}),
    "s_bfm_b64": ("64 32 32", lambda a, b: {"D": int("1" * (a % 64) + "0" * (b % 64) or "0", 2) & M64}),
    "s_bfe_u32": ("32 32 32", lambda a, b: nonzero(field(a, b % 32, b >> 16 & 127, 32), M32)),
    "s_bfe_i32": ("32 32 32", lambda a, b: nonzero(field(a, b % 32, b >> 16 & 127, 32, signed=True), M32)),
    "s_bfe_u64": ("64 64 32", lambda a, b: nonzero(field(a, b % 64, b >> 16 & 127, 64), M64)),
    "s_bfe_i64": ("64 64 32", lambda a, b: nonzero(field(a, b % 64, b >> 16 & 127, 64, signed=True), M64)),
    "s_pack_lh_b32_b16": ("32 32 32", lambda a, b: {"D": (b >> 16 << 16) + a % 2**16}),
    "s_pack_hl_b32_b16": ("32 32 32", lambda a, b: {"D": (b % 2**16 << 16) + (a >> 16)}),
    "s_cselect_b64": ("64 64 64 C", lambda a, b, c: {"D": (b, a)[c], "SCC": c}),
    "s_wqm_b64": ("64 64", lambda a: nonzero(sum(15 << 4 * n for n, on in enumerate(groups(a, 64)) if on), M64)),
    "s_quadmask_b32": ("32 32", lambda a: nonzero(sum(1 << n for n, on in enumerate(groups(a, 32)) if on), M32)),
    "s_bitreplicate_b64_b32": ("64 32", lambda a: {"D": int(f"{a:b}", 4) * 3}),
    "s_brev_b32": ("32 32", lambda a: {"D": sum((a >> n & 1) << 31 - n for n in range(32))}),
    "s_bcnt0_i32_b64": ("32 64", lambda a: nonzero(64 - a.bit_count(), M32)),
    "s_bcnt1_i32_b32": ("32 32", lambda a: nonzero(a.bit_count(), M32)),
    "s_ff0_i32_b64": ("32 64", lambda a: {"D": ((a ^ M64) & -(a ^ M64)).bit_length() - 1 & M32}),
    "s_ff1_i32_b32": ("32 32", lambda a: {"D": (a & -a).bit_length() - 1 & M32}),
    "s_flbit_i32_b64": ("32 64", lambda a: {"D": first_from_top(a, 64)}),
    "s_flbit_i32": ("32 32", lambda a: {"D": first_from_top(min(a, M32 - a), 32)}),
    "s_sext_i32_i16": ("32 32", lambda a: {"D": i16(a) & M32}),
    "s_abs_i32": ("32 32", lambda a: nonzero(min(a, 2**32 - a), M32)),
    "s_bitset0_b32": ("32 32", lambda a, d: {"D": d & ~(1 << a % 32)}),
    "s_bitset1_b64": ("64 32", lambda a, d: {"D": d | 1 << a % 64}),
    "s_bitcmp1_b64": ("- 64 32", lambda a, b: {"SCC": a >> b % 64 & 1}),
    "s_cmp_lt_i32": ("- 32 32", lambda a, b: {"SCC": int(i32(a) < i32(b))}),
    "s_cmp_ge_u32": ("- 32 32", lambda a, b: {"SCC": int(not a < b)}),
    "s_and_saveexec_b64": ("64 64 E", saved(lambda a, e: a & e)),
    "s_andn2_saveexec_b64": ("64 64 E", saved(lambda a, e: a & (M64 - e))),
    "s_andn1_saveexec_b64": ("64 64 E", saved(lambda a, e: e & (M64 - a))),
    "s_orn2_saveexec_b64": ("64 64 E", saved(lambda a, e: a | (M64 - e))),
    "s_nor_saveexec_b64": ("64 64 E", saved(lambda a, e: M64 - (a | e))),
    "s_andn1_wrexec_b64": ("64 64 E", written(lambda a, e: e & (M64 - a))),
    "s_andn2_wrexec_b64": ("64 64 E", written(lambda a, e: a & (M64 - e))),
    "v_add_co_u32": ("32 32 32", lambda a, b: carry("SDST", a + b)),
    "v_sub_co_u32": ("32 32 32", lambda a, b: carry("SDST", a - b)),
    "v_subrev_co_u32": ("32 32 32", lambda a, b: carry("SDST", b - a)),
    "v_addc_co_u32": ("32 32 32 64", lambda a, b, c: carry("SDST", a + b + (c >> LANE & 1))),
    "v_subb_co_u32": ("32 32 32 64", lambda a, b, c: carry("SDST", a - b - (c >> LANE & 1))),
    "v_subbrev_co_u32": ("32 32 32 64", lambda a, b, c: carry("SDST", b - a - (c >> LANE & 1))),
    "v_subrev_nc_u32": ("32 32 32", lambda a, b: {"D": (b - a) & M32}),
    "v_cndmask_b32": ("32 32 32 64", lambda a, b, c: {"D": b if c >> LANE & 1 else a}),
    "v_mul_i32_i24": ("32 32 32", lambda a, b: {"D": i24(a) * i24(b) & M32}),
    "v_mul_hi_i32_i24": ("32 32 32", lambda a, b: {"D": i24(a) * i24(b) >> 32 & M32}),
    "v_mul_hi_u32_u24": ("32 32 32", lambda a, b: {"D": a % 2**24 * (b % 2**24) >> 32}),
    "v_mad_u32_u24": ("32 32 32 32", lambda a, b, c: {"D": a % 2**24 * (b % 2**24) + c & M32}),
    "v_mad_i32_i16": ("32 32 32 32", lambda a, b, c: {"D": i16(a) * i16(b) + c & M32}),
    "v_mad_u64_u32": (
        "64 32 32 64",
        lambda a, b, c: {"D": a * b + c & M64, "SDST": (a * b + c > M64) << LANE},
    ),
    "v_mad_i64_i32": (
        "64 32 32 64",
        lambda a, b, c: {"D": i32(a) * i32(b) + c & M64, "SDST": (i32(a) * i32(b) + i64(c) < 0) << LANE},
    ),
    "v_mul_lo_u32": ("32 32 32", lambda a, b: {"D": a * b & M32}),
    "v_mul_hi_i32": ("32 32 32", lambda a, b: {"D": i32(a) * i32(b) >> 32 & M32}),
    "v_lshlrev_b32": ("32 32 32", lambda a, b: {"D": b * 2 ** (a % 32) & M32}),
    "v_lshrrev_b64": ("64 32 64", lambda a, b: {"D": b // 2 ** (a % 64)}),
    "v_ashrrev_i32": ("32 32 32", lambda a, b: {"D": i32(b) // 2 ** (a % 32) & M32}),
    "v_ashrrev_i64": ("64 32 64", lambda a, b: {"D": i64(b) // 2 ** (a % 64) & M64}),
    "v_lshlrev_b16": ("32 32 32", lambda a, b: {"D": b * 2 ** (a % 16) & M16}),
    "v_ashrrev_i16": ("32 32 32", lambda a, b: {"D": i16(b) // 2 ** (a % 16) & M16}),
    "v_lshl_add_u32": ("32 32 32 32", lambda a, b, c: {"D": a * 2 ** (b % 32) + c & M32}),
    "v_add_lshl_u32": ("32 32 32 32", lambda a, b, c: {"D": (a + b) * 2 ** (c % 32) & M32}),
    "v_lshl_or_b32": ("32 32 32 32", lambda a, b, c: {"D": a * 2 ** (b % 32) & M32 | c}),
    "v_lshl_add_u64": ("64 64 32 64", lambda a, b, c: {"D": a * 2 ** (b % 8) + c & M64}),
    "v_xad_u32": ("32 32 32 32", lambda a, b, c: {"D": (a ^ b) + c & M32}),
    "v_and_or_b32": ("32 32 32 32", lambda a, b, c: {"D": a & b | c}),
    "v_bitop3_b32": ("32 32 32 32 T", lambda a, b, c: {"D": a & b | b & c | a & c}),
    "v_bfe_u32": ("32 32 32 32", lambda a, b, c: {"D": field(a, b % 32, c % 32, 32)}),
    "v_bfe_i32": ("32 32 32 32", lambda a, b, c: {"D": field(a, b % 32, c % 32, 32, signed=True) & M32}),
    "v_bfi_b32": ("32 32 32 32", lambda a, b, c: {"D": c ^ (a & (b ^ c))}),
    "v_alignbit_b32": ("32 32 32 32", lambda a, b, c: {"D": (a * 2**32 + b) // 2 ** (c % 32) & M32}),
    "v_alignbyte_b32": ("32 32 32 32", lambda a, b, c: {"D": (a * 2**32 + b) // 256 ** (c % 4) & M32}),
    "v_perm_b32": ("32 32 32 32", permuted),
    "v_lerp_u8": (
        "32 32 32 32",
        lambda a, b, c: {"D": sum((byte(a, n) + byte(b, n) + byte(c, n) % 2) // 2 << 8 * n for n in range(4))},
    ),
    "v_bcnt_u32_b32": ("32 32 32", lambda a, b: {"D": a.bit_count() + b & M32}),
    "v_mbcnt_lo_u32_b32": ("32 32 32", lambda a, b: {"D": below(a, 0) + b & M32}),
    "v_mbcnt_hi_u32_b32": ("32 32 32", lambda a, b: {"D": below(a, 32) + b & M32}),
    "v_ffbh_u32": ("32 32", lambda a: {"D": first_from_top(a, 32)}),
    "v_ffbh_i32": ("32 32", lambda a: {"D": first_from_top(min(a, M32 - a), 32)}),
    "v_ffbl_b32": ("32 32", lambda a: {"D": (a & -a).bit_length() - 1 & M32}),
    "v_min_i32": ("32 32 32", lambda a, b: {"D": min(i32(a), i32(b)) & M32}),
    "v_max3_u32": ("32 32 32 32", lambda a, b, c: {"D": max(a, b, c)}),
    "v_med3_i32": ("32 32 32 32", lambda a, b, c: {"D": sorted(map(i32, (a, b, c)))[1] & M32}),
    "v_maxmin_u32": ("32 32 32 32", lambda a, b, c: {"D": min(max(a, b), c)}),
    "v_sad_u8": ("32 32 32 32", lambda a, b, c: {"D": differences(a, b) + c & M32}),
    "v_sad_hi_u8": ("32 32 32 32", lambda a, b, c: {"D": differences(a, b) * 2**16 + c & M32}),
    "v_msad_u8": ("32 32 32 32", lambda a, b, c: {"D": differences(a, b, masked=True) + c & M32}),
    "v_sad_u16": (
        "32 32 32 32",
        lambda a, b, c: {"D": abs(a % 2**16 - b % 2**16) + abs((a >> 16) - (b >> 16)) + c & M32},
    ),
    "v_sad_u32": ("32 32 32 32", lambda a, b, c: {"D": abs(a - b) + c & M32}),
    "v_qsad_pk_u16_u8": ("64 64 32 64", lambda a, b, c: quad(a, b, c, 16)),
    "v_mqsad_pk_u16_u8": ("64 64 32 64", lambda a, b, c: quad(a, b, c, 16, masked=True)),
    "v_mqsad_u32_u8": ("128 64 32 128", lambda a, b, c: quad(a, b, c, 32, masked=True)),
    "v_sat_pk_u8_i16": (
        "16 32",
        lambda a: {"D": sum(max(0, min(255, i16(a >> 16 * n))) << 8 * n for n in (0, 1))},
    ),
    "v_cvt_pk_i16_i32": (
        "32 32 32",
        lambda a, b: {"D": sum((max(-(2**15), min(2**15 - 1, i32(x))) & M16) << n for x, n in ((a, 0), (b, 16)))},
    ),
    "v_cmp_lt_i32": ("64 32 32", lambda a, b: of_mask(i32(a) < i32(b))),
    "v_cmp_ge_u64": ("64 64 64", lambda a, b: of_mask(a >= b)),
    "v_cmp_ne_i16": ("64 32 32", lambda a, b: of_mask(a % 2**16 != b % 2**16)),
    "v_pk_add_u16": (
        "32 32 32",
        lambda a, b: {"D": (a % 2**16 + b & M16) + ((a >> 16) + (b >> 16) << 16 & M32)},
    ),
    "v_pk_ashrrev_i16": (
        "32 32 32",
        lambda a, b: {"D": sum((i16(b >> n) >> (a >> n) % 16 & M16) << n for n in (0, 16))},
    ),
    "v_dot4_i32_i8": (
        "32 32 32 32",
        lambda a, b, c: {"D": sum(i8(byte(a, n)) * i8(byte(b, n)) for n in range(4)) + c & M32},
    ),
}

EDGES = (0, 1, 31, 32, 63, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, M32, 0x8000_0000_0000_0000, M64)


def numbers(count: int, seed: str) -> list[list[int]]:
    """Operands for an instruction: pairs of edges among random numbers."""
    source = random.Random(seed)
    return [
        [source.choice(EDGES) if source.random() < 0.4 else source.getrandbits(128) for _ in range(count)]
        for _ in range(200)
    ]


@pytest.mark.parametrize("mnemonic", CASES)
def test_operation_does_what_the_instruction_does(mnemonic: str) -> None:
    entry = documentation.entry(mnemonic)
    assert entry is not None
    layout, reference = CASES[mnemonic]
    result, *sizes = layout.split()
    for drawn in numbers(4, mnemonic):
        state = {"SCC": bits(0, 1), "EXEC": bits(0, 64), "SDST": bits(0, 64), "lane": integer(LANE)}
        state["D"] = bits(0, 0) if result == "-" else bits(drawn[3] % 2 ** int(result), int(result))
        if mnemonic.startswith("v_cmp"):
            state["D"] = bits(0, 64)
        arguments = []
        for place, (size, number) in enumerate(zip(sizes, drawn, strict=False)):
            name = {"C": "SCC", "E": "EXEC", "T": "BITOP3"}.get(size, f"S{place}")
            width = {"C": 1, "E": 64, "T": 8}.get(size) or int(size)
            state[name] = bits(0xE8 if size == "T" else number % 2**width, width)
            arguments.append(state[name].number)
        if "bitset" in mnemonic:
            arguments.append(state["D"].number)
        found = run(entry.operation, state, is_scalar=mnemonic.startswith("s_"))
        expected = reference(*arguments[:3])
        assert {name: raw(found[name]) for name in expected} == expected, (mnemonic, entry.operation, state)


# On targets where an instruction differs: the state before, and what has to be in it after.
STEP = 0x3F80_0001  # the float of 32 bits after 1.0
HALVES, BRAINS = 0x3C00_3C00, 0x3F80_3F80  # 1.0 twice
ON_TARGETS = [
    ("v_lshl_add_u64", "gfx950", {"S0": 3, "S1": 6, "S2": 1}, {"D": 3 * 64 + 1}),
    ("v_lshl_add_u64", "gfx1250", {"S0": 3, "S1": 4, "S2": 1}, {"D": 3 * 16 + 1}),
    ("v_lshl_add_u64", "gfx1250", {"S0": 3, "S1": 6, "S2": 1}, {"D": 3 + 1}),
    ("v_permlane_idx_gen_b32", "gfx1250", {"S0": 0x43, "S1": 128}, {"D": 3 * 4}),
    ("v_permlane_idx_gen_b32", "gfx1250", {"S0": 3, "S1": 8}, {"D": (32 + 3) * 4}),
    ("s_rfe_restore_b64", "gfx803", {"S0": 0x4000, "S1": 1}, {"PC": 0x4000, "STATUS.INST_ATC": 1}),
    ("s_rfe_restore_b64", "gfx900", {"S0": 0x4000, "S1": 1}, {"PC": 0x4000, "STATUS.INST_ATC": 0}),
    # 65520 is half way between 65504, the largest half, and 65536: rounded to even it is infinite.
    ("v_interp_p2_f16_f32", "gfx1150", {"S0": 0, "S1": 0, "S2": 0x477F_F000}, {"D": 0x7C00}),
    ("v_interp_p2_rtz_f16_f32", "gfx1150", {"S0": 0, "S1": 0, "S2": 0x477F_F000}, {"D": 0x7BFF}),
    # 2048 + 1 is a tie of halves, which goes to 2048: what is added first decides between 2048 and 2050.
    ("v_dot2_f16_f16", "gfx1100", {"S0": HALVES, "S1": HALVES, "S2": 0x6800}, {"D": 0x6801}),
    ("v_dot2_f16_f16", "gfx1150", {"S0": HALVES, "S1": HALVES, "S2": 0x6800}, {"D": 0x6800}),
    ("v_dot2_f16_f16", "gfx1200", {"S0": HALVES, "S1": HALVES, "S2": 0x6800}, {"D": 0x6800}),
    # The same with 256 + 1 in bfloat16.
    ("v_dot2_bf16_bf16", "gfx1100", {"S0": BRAINS, "S1": BRAINS, "S2": 0x4380}, {"D": 0x4381}),
    ("v_dot2_bf16_bf16", "gfx1150", {"S0": BRAINS, "S1": BRAINS, "S2": 0x4380}, {"D": 0x4380}),
    # The same with 2 ** 24 + 1 in 32 bits.
    ("v_dot2_f32_f16", "gfx90a", {"S0": HALVES, "S1": HALVES, "S2": 0x4B80_0000}, {"D": 0x4B80_0001}),
    ("v_dot2_f32_f16", "gfx942", {"S0": HALVES, "S1": HALVES, "S2": 0x4B80_0000}, {"D": 0x4B80_0000}),
    ("v_dot2_f32_f16", "gfx1100", {"S0": HALVES, "S1": HALVES, "S2": 0x4B80_0000}, {"D": 0x4B80_0001}),
    ("v_dot2_f32_f16", "gfx1200", {"S0": HALVES, "S1": HALVES, "S2": 0x4B80_0000}, {"D": 0x4B80_0000}),
    ("v_dot2_f32_bf16", "gfx950", {"S0": BRAINS, "S1": BRAINS, "S2": 0x4B80_0000}, {"D": 0x4B80_0001}),
    ("v_dot2_f32_bf16", "gfx1200", {"S0": BRAINS, "S1": BRAINS, "S2": 0x4B80_0000}, {"D": 0x4B80_0000}),
    # Each half of the third source decides for the value of its place: 1.0 and a bit, with all bits or none added.
    ("v_cvt_sr_pk_bf16_f32", "gfx1250", {"S0": STEP, "S1": STEP, "S2": 0xFFFF}, {"D": 0x3F80_3F81}),
    ("v_cvt_sr_pk_bf16_f32", "gfx1250", {"S0": STEP, "S1": STEP, "S2": 0xFFFF << 16}, {"D": 0x3F81_3F80}),
]  # fmt: skip


@pytest.mark.parametrize(("mnemonic", "target", "sources", "expected"), ON_TARGETS)
def test_operation_of_a_target(mnemonic: str, target: str, sources: Results, expected: Results) -> None:
    entry = documentation.entry(mnemonic, isa.load_target(target))
    assert entry is not None
    state = {name: bits(source, 64) for name, source in sources.items()}
    state |= {"D": bits(0, 64 if "u64" in mnemonic else 32), "lane": integer(LANE), "number of S0": integer(10)}
    state |= {"PC": bits(0, 64), "STATUS.INST_ATC": integer(0, 1)}
    found = run(entry.operation, state, is_scalar=mnemonic.startswith("s_"))
    assert {name: raw(found[name]) for name in expected} == expected, entry.operation


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ("D.u32 = S0.u32 + S1.u32", 0x7FFF_FFFE),
        ("D.u64 = u64(S0.u32) + u64(S1.u32)", 0x1_7FFF_FFFE),
        ("D.i32 = S0.i32 >> 4", 0xFFFF_FFFF),
        ("D.i64 = i64(S0.i32) * i64(S1.i32)", 0xFFFF_FFFF_8000_0001),
        ("D.u32 = S0.i32 < S1.i32 ? 3 : 4", 3),
        ("D.u32 = (1 << 40) >> 38", 4),
        ("D.b32 = concat(S1[7:4], S0[3:0])", 0xFF),
        ("D[7:4] = S1[3:0]", 0xF0),
        ("for i < 2: D.u8[i] = i + 5", 0x0605),
        ("if S0[0]: D.u32 = 1\nelse if S1[0]: D.u32 = 2\nelse: D.u32 = 3", 1),
        ("if !S0[0]:\n  D.u32 = 1\nelse:\n  x = 7\n  D.u32 = x", 7),
        ("D.u8[1] = saturate(S1.i32); D.u8[0] = saturate(-1)", 0xFF00),
        ("D.u32 = 2 ** 4 - 3 * 5", 1),
    ],
)
def test_evaluator_reads_the_notation(operation: str, result: int) -> None:
    state = {"S0": bits(0xFFFF_FFFF, 32), "S1": bits(0x7FFF_FFFF, 32), "D": bits(0, 64)}
    assert raw(run(operation, state)["D"]) == result


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("D.i32 = S1.i32 >> S0[4:0]", "D.u32 = S1.u32 >> S0[4:0]"),
        ("D.i32 = S1.i32 >> S0[4:0]", "D.i32 = S0.i32 >> S1[4:0]"),
        ("D.i32 = S1.i32 >> S0[4:0]", "D.i32 = S1.i32 >> S0[5:0]"),
    ],
)
def test_evaluator_tells_operations_apart(right: str, wrong: str) -> None:
    states = [{"S0": bits(a % 2**32, 32), "S1": bits(b % 2**32, 32), "D": bits(0, 32)} for a, b in numbers(2, right)]
    assert any(run(right, state)["D"] != run(wrong, state)["D"] for state in states)
