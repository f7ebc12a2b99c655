"""How much of a register an instruction's result replaces, and which instructions use registers implicitly.

LLVM's tables say which operand is written, and often, with `Constraints`, that part of the old value remains; the rest
is here. Sources: the ISA documents of GCN3 to RDNA4 (S_CMOV, S_BITSET, MOVREL, GPR indexing, 16-bit results, SDWA). If
targets differ, as for the upper half after a 16-bit operation, the table has what holds for the weakest of them.
"""

import re

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Form
from gcn_lsp.patterns import regex

# The result is written only under a condition, or only some of its bits are; the rest is unchanged.
KEEPS_PART = frozenset(
    (
        "s_cmov_b32", "s_cmov_b64", "s_cmovk_i32",
        "s_bitset0_b32", "s_bitset0_b64", "s_bitset1_b32", "s_bitset1_b64",
    )
)  # fmt: skip

# Operands tied to the result that provide only its unreplaced part. Atomics use `vdata_in` for their data.
_KEPT = frozenset(("old", "vdst_in"))
_KEPT_BY_LOADS = frozenset(("vdata_in",))

# M0 selects the destination, so any register of the file may be written, or none that is named.
INDIRECT_WRITES = frozenset(
    (
        "s_movreld_b32", "s_movreld_b64", "s_movrelsd_2_b32",
        "v_movreld_b32", "v_movrelsd_b32", "v_movrelsd_2_b32", "v_swaprel_b32",
    )
)  # fmt: skip

# M0 selects the source too: the register that is named is only the one from which it counts.
INDIRECT_SOURCES = frozenset(
    (
        "s_movrels_b32", "s_movrels_b64", "s_movrelsd_2_b32",
        "v_movrels_b32", "v_movrelsd_b32", "v_movrelsd_2_b32", "v_swaprel_b32",
    )
)  # fmt: skip

# Reads registers of a file implicitly: `v` VGPRs, `s` SGPRs, `*` everything. Instructions that switch to another
# numbering of VGPRs are included, since those after them read through it.
INDIRECT_READS = {
    **dict.fromkeys(("s_movrels_b32", "s_movrels_b64", "s_movrelsd_2_b32", "s_movreld_b32", "s_movreld_b64"), "s"),
    **dict.fromkeys(
        (
            "v_movrels_b32", "v_movrelsd_b32", "v_movrelsd_2_b32", "v_movreld_b32", "v_swaprel_b32",
            "s_set_gpr_idx_on", "s_set_gpr_idx_off", "s_set_gpr_idx_idx", "s_set_gpr_idx_mode", "s_set_vgpr_msb",
        ),
        "v",
    ),
    # Others read the registers: a trap handler, a debugger; with VSKIP results are not written at all.
    **dict.fromkeys(("s_trap", "s_sethalt", "s_setvskip"), "*"),
}  # fmt: skip


def counted_from(file: str) -> frozenset[str]:
    """The instructions by which another register of a file may be read or written than the one that is named."""
    return frozenset(name for name, files in INDIRECT_READS.items() if files == file)


# If both sources are one register, the result does not depend on its value: the usual ways to clear a register.
SELF_CLEARING = frozenset(
    (
        "s_xor_b32", "s_xor_b64", "s_andn2_b32", "s_andn2_b64", "s_and_not1_b32", "s_and_not1_b64", "s_sub_u32",
        "s_sub_i32", "s_sub_co_u32", "s_sub_co_i32", "s_sub_nc_u64", "s_orn2_b32", "s_orn2_b64", "s_xnor_b32",
        "s_xnor_b64", "v_xor_b32", "v_sub_u32", "v_sub_co_u32", "v_sub_nc_u32", "v_subrev_u32", "v_sub_i32",
        "v_xnor_b32", "v_pk_sub_u16", "v_pk_sub_i16",
    )
)  # fmt: skip

# All of an operand's old value matters to the result. Masks, shifts, choices and moves may drop a part that has none.
_ACCUMULATES = regex(
    r"[vs]_(?:dual_|pk_)?(?:add|addk|addc|add3|sub|subrev|subb|mul|mulk|mad|mac|fma|dot|sad|mfma|smfmac|wmma|swmmac|min|max"
    r"|lshl\d?_add|xad|madak|madmk|med3|mqsad|qsad|msad)\w*"
)

_LEFT_SHIFTS = regex(r"[vs]_(?:dual_)?lshl(?:rev)?_[bu]\w+")

# Saves a register whatever its value, as compilers do with halves of pairs that have none.
PUTS_AWAY = frozenset(("v_writelane_b32",))
# And the reverse, a whole tuple, whether it is needed or not.
GETS_BACK = frozenset(("v_readlane_b32", "v_accvgpr_read", "v_accvgpr_read_b32"))

# Moves of two registers. Compilers copy a large tuple by a run of them, including parts without a value.
MOVES_PAIRS = frozenset(("v_mov_b64", "v_pk_mov_b32", "s_mov_b64"))

# Flags of forms that write their result in all lanes, whatever EXEC is. Copies from and to AccVGPRs, which have one of
# them, obey EXEC: compilers keep values of lanes that are off in AccVGPRs, as in VGPRs.
_ALL_LANES = frozenset(("IsMAI", "IsWMMA", "IsSWMMAC"))
_ACCUMULATOR_COPIES = "v_accvgpr_"


def is_in_all_lanes(form: "Form") -> bool:
    """Whether a form of the vector unit works in all lanes, whatever EXEC is."""
    return not _ALL_LANES.isdisjoint(form.flags) and not form.mnemonic.startswith(_ACCUMULATOR_COPIES)


def accumulates(mnemonic: str) -> bool:
    """Whether the result of a computation depends on every bit of an operand that it may replace."""
    return _ACCUMULATES.fullmatch(mnemonic) is not None


def shifts_left(mnemonic: str) -> bool:
    """Whether the result is an operand shifted to the left: each bit comes from one as low, or lower."""
    return _LEFT_SHIFTS.fullmatch(mnemonic) is not None


_TYPE = regex(r"_(?:bf|fp|[fiub])(\d+)(?=_|$)")
_PACKED = ("v_pk_", "v_cvt_pk", "v_pack_")
_HALF = 16
_WORD = 32


def keeps(form: Form) -> tuple[bool, bool]:
    """Whether a form's result keeps some of its old value, and whether that is the only use of it."""
    names = _KEPT if form.may_store else _KEPT | _KEPT_BY_LOADS
    kept = [one in names or other in names for one, other in form.ties]
    return any(kept) or form.mnemonic in KEEPS_PART, bool(kept) and all(kept)


def is_narrow(mnemonic: str) -> bool:
    """Whether the result of a VALU instruction may fill only a part of its VGPR, by the type in its name."""
    found = _TYPE.search(mnemonic)
    if found is None:
        return False
    bits = int(found[1])
    return bits < _HALF or (bits < _WORD and not mnemonic.startswith(_PACKED))


# Memory that lanes access for themselves. Scratch is left out: compilers spill and reload where no lane is active.
_BY_LANE = ("MUBUF", "MTBUF", "FLAT", "GLOBAL", "DS", "MIMG", "VIMAGE", "VSAMPLE")


def needs_lanes(form: Form) -> bool:
    """Whether an access to memory does nothing without an active lane (it reads EXEC and is no cache control)."""
    is_access = form.may_load or form.may_store
    return is_access and form.family in _BY_LANE and "exec" in form.uses and "GWS" not in form.flags


# The meaning of M0: where data go in LDS, how large it is, which register is meant. Nothing sets it up for a kernel.
# For messages, exports and interpolation it matters only sometimes, or graphics hardware has set it up.
_M0_NEEDED: tuple[tuple[str, "re.Pattern[str]"], ...] = (
    ("gfx6-8", regex("ds_.*")),
    ("", regex("s_movrel.*|v_movrel.*|ds_(read|write|load|store)_addtid_b32|ds_append|ds_consume")),
)
_MEMORY = ("MUBUF", "MTBUF", "FLAT", "GLOBAL", "SCRATCH")


def needs_m0(form: Form, features: frozenset[str]) -> bool:
    """Whether the effect of an instruction depends on M0, which it does not name."""
    if "m0" not in form.uses:
        return False
    if form.family in _MEMORY:
        return "VALU" in form.flags  # LLVM's flag of loads to LDS
    return any(names.fullmatch(form.mnemonic) and holds(targets, features) for targets, names in _M0_NEEDED)
