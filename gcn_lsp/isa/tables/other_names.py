"""The names on one target of other targets' mnemonics, and replacements for removed instructions.

Names that LLVM's tables connect are in `meanings.tsv`; replacements, and names that only AMD's manuals use, are
written by hand.
"""

import re

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.tables import reader
from gcn_lsp.isa.target import Target
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple


class Counterpart(NamedTuple):
    """An instruction that a mnemonic means on `targets`, and its names on the target in question.

    names: those in LLVM's tables first; none if it does not exist here.
    """

    names: tuple[str, ...]
    targets: frozenset[str]


def counterparts(mnemonic: str, target: Target) -> tuple[Counterpart, ...]:
    """The meanings of `mnemonic` on other targets that it does not have on this one."""
    found = []
    for instruction, having in reader.newest().meanings(mnemonic):
        if target.name not in having:
            names = [name for name, using in reader.newest().spellings(instruction) if target.name in using]
            names.sort(key=lambda name: (not target.has_forms(name), name))
            found.append(Counterpart(tuple(names), having))
    return tuple(found)


def elsewhere(mnemonic: str, target: Target) -> dict[str, tuple[str, ...]]:
    """Other names of the instruction `mnemonic` of `target`, with the targets on which each is usual.

    For names that `target` has too, only targets without another name count.
    """
    found: dict[str, tuple[str, ...]] = {}
    for instruction, having in reader.newest().meanings(mnemonic):
        if target.name in having:
            for name, using in reader.newest().spellings(instruction):
                only = tuple(sorted(using - having if target.name in using else using))
                if name != mnemonic and only:
                    found[name] = only
    return found


def replacement(mnemonic: str, target: Target) -> str:
    """The replacement for an instruction that the target does not have; empty if none is known."""
    for names, condition, text in REPLACEMENTS:
        if mnemonic in names.split() and holds(condition, target.features):
            return text
    return ""


def respelled(mnemonic: str) -> str:
    """The name of an instruction with the same operands that rounds otherwise; empty if none is known."""
    return next((new + mnemonic[len(old) :] for old, new in _RESPELLED if mnemonic.startswith(old)), "")


class ManualName(NamedTuple):
    """Names of the assembler for a name that no assembler takes, and why. same: the first means exactly that."""

    names: tuple[str, ...]
    why: str
    same: bool


def in_manual(name: str, target: Target) -> ManualName | None:
    """What the assembler calls `name`, a name of AMD's manuals or of the other kind of comparison; None if unknown."""
    for pattern, replacements, why in _MANUAL_NAMES:
        match = pattern.fullmatch(name)
        if match is not None:
            names = tuple(known for each in replacements if target.has_forms(known := match.expand(each)))
            if names:
                return ManualName(names, why, len(replacements) == 1)
    return None


_INTEGERS = r"([iu]\d+)"
_FLOATS = r"(b?f\d+)"
_UNORDERED = "`lg` is false and `neq` true if an operand is NaN"
# A name, those of the assembler, and the reason. Of several, none means exactly what the name may mean.
_MANUAL_NAMES: tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...] = (
    (
        regex(rf"s_cmp(k?)_ne_{_INTEGERS}"),
        (r"s_cmp\1_lg_\2",),
        "AMD's manuals also call it `ne`; the assembler's word for \"not equal\" in scalar comparisons is `lg`",
    ),
    (
        regex(rf"v_cmp(x?)_lg_{_INTEGERS}"),
        (r"v_cmp\1_ne_\2",),
        '"not equal" is `ne` in vector comparisons of integers',
    ),
    (regex(rf"([sv])_cmp(x?)_(?:ne|neg)_{_FLOATS}"), (r"\1_cmp\2_neq_\3", r"\1_cmp\2_lg_\3"), _UNORDERED),
    (
        regex(rf"v_cmp(s?x?)_(?:t|true)_{_FLOATS}"),
        (r"v_cmp\1_tru_\2",),
        "AMD's manuals call it `t`; the assembler's word is `tru`",
    ),
    (regex(r"s_subvector_loop_start"), ("s_subvector_loop_begin",), "some manuals call it `start`"),
    (regex(r"s_wait_depctr"), ("s_waitcnt_depctr",), "some manuals shorten its name"),
    (regex(r"s_(get|set|swap)_pc(_b64)?"), (r"s_\1pc_b64",), "some manuals write `_pc`"),
    (regex(r"v_mqsad_pk_u32_u8"), ("v_mqsad_u32_u8",), "some manuals call it so"),
)


# The beginnings of the names of instructions that differ in rounding, of which a target may have one.
_RESPELLED = (
    ("v_mac_", "v_fmac_"),
    ("v_fmac_", "v_mac_"),
    ("v_mad_mix", "v_fma_mix"),
    ("v_fma_mix", "v_mad_mix"),
    ("v_mad_", "v_fma_"),
    ("v_madak_", "v_fmaak_"),
    ("v_madmk_", "v_fmamk_"),
)

_WAIT_EACH = (
    "every counter has an instruction: vmcnt is `s_wait_loadcnt`{}, lgkmcnt is `s_wait_dscnt` and `s_wait_kmcnt`{}"
)
_EXPCNT = ", expcnt is `s_wait_expcnt`"
_FUSED = "it rounds once instead of twice"

# Mnemonics, the targets that lack them, their replacement there; the first match counts.
REPLACEMENTS: tuple[tuple[str, str, str], ...] = (
    ("s_waitcnt", "gfx13+", _WAIT_EACH.format(" (with `s_wait_samplecnt` for images)", _EXPCNT)),
    ("s_waitcnt", "gfx12+", _WAIT_EACH.format("", "")),
    ("s_waitcnt_vscnt", "gfx12+", "stores are waited for with `s_wait_storecnt`"),
    ("s_waitcnt_vscnt", "gfx6-9", "stores count in vmcnt: `s_waitcnt vmcnt(N)`"),
    ("s_waitcnt_vmcnt", "gfx12+", "loads are waited for with `s_wait_loadcnt`"),
    ("s_waitcnt_expcnt", "gfx12+", "exports are waited for with `s_wait_expcnt`"),
    ("s_waitcnt_lgkmcnt", "gfx12+", "LDS is waited for with `s_wait_dscnt`, scalar loads with `s_wait_kmcnt`"),
    ("s_wait_loadcnt s_wait_samplecnt s_wait_bvhcnt", "gfx6-11", "loads wait with `s_waitcnt vmcnt(N)`"),
    ("s_wait_storecnt", "gfx10-11", "stores are waited for with `s_waitcnt_vscnt null, N`"),
    ("s_wait_storecnt", "gfx6-9", "stores are waited for with `s_waitcnt vmcnt(N)`"),
    ("s_wait_dscnt s_wait_kmcnt", "gfx6-11", "LDS and scalar loads are waited for with `s_waitcnt lgkmcnt(N)`"),
    ("s_wait_expcnt", "gfx6-11", "exports are waited for with `s_waitcnt expcnt(N)`"),
    ("s_barrier", "gfx12+", "it is `s_barrier_signal -1` and `s_barrier_wait -1`"),
    ("s_barrier_signal s_barrier_wait", "gfx6-11", "both halves are one `s_barrier`"),
    ("v_mac_f32 v_mac_f16", "", f"use `v_fmac`: {_FUSED}"),
    ("v_mad_f32 v_mad_f16", "", f"use `v_fma`: {_FUSED}"),
    ("v_madak_f32 v_madak_f16", "", f"use `v_fmaak`: {_FUSED}"),
    ("v_madmk_f32 v_madmk_f16", "", f"use `v_fmamk`: {_FUSED}"),
    ("v_mad_mix_f32 v_mad_mixlo_f16 v_mad_mixhi_f16", "", f"use `v_fma_mix`: {_FUSED}"),
    ("v_fma_mix_f32 v_fma_mixlo_f16 v_fma_mixhi_f16", "", "use `v_mad_mix`, which rounds twice"),
    ("v_fmac_f32 v_fmac_f16", "", "use `v_mac`, which rounds twice, or `v_fma`"),
    ("s_memtime", "gfx12+", "read the clock with `s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES_LO)`"),
    ("s_memtime", "gfx11+", "read the clock with `s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES)`"),
    ("s_memrealtime", "gfx11+", "read the time with `s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)`"),
    ("buffer_wbinvl1 buffer_wbinvl1_vol", "gfx94|gfx95", "caches are invalidated by `buffer_inv`"),
    ("buffer_wbinvl1 buffer_wbinvl1_vol buffer_gl0_inv buffer_gl1_inv buffer_inv", "gfx12+", "use `global_inv`"),
    ("buffer_wbinvl1 buffer_wbinvl1_vol buffer_inv", "gfx10+", "use `buffer_gl0_inv` and `buffer_gl1_inv`"),
    ("buffer_gl0_inv buffer_gl1_inv global_inv", "gfx94|gfx95", "caches are invalidated by `buffer_inv`"),
    ("buffer_gl0_inv buffer_gl1_inv global_inv buffer_inv", "gfx6-9", "use `buffer_wbinvl1`"),
    (
        "v_interp_p1_f32 v_interp_p2_f32 v_interp_mov_f32",
        "gfx11+",
        "load with `lds_param_load`, then interpolate with `v_interp_p10_f32` and `v_interp_p2_f32`",
    ),
    ("s_setvskip", "", "branch around the vector instructions instead"),
    ("s_and_saveexec_b32 s_or_saveexec_b32 s_xor_saveexec_b32", "gfx6-9", "masks are pairs: `..._b64`"),
)
