"""Registers with their own names: numbers, spellings, and targets; sizes of the numbered files."""

from collections.abc import Mapping

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Register

# Name, number, dwords, further spellings, condition on the target; a register may have a row for each generation with
# a different number.
_ROWS: tuple[tuple[str, int, int, str, str], ...] = (
    ("vcc", 106, 2, "", ""),
    ("vcc_lo", 106, 1, "", ""),
    ("vcc_hi", 107, 1, "", ""),
    ("exec", 126, 2, "", ""),
    ("exec_lo", 126, 1, "", ""),
    ("exec_hi", 127, 1, "", ""),
    ("m0", 124, 1, "", "gfx6-10"),
    ("m0", 125, 1, "", "gfx11+"),
    ("null", 125, 1, "", "gfx10"),
    ("null", 124, 1, "", "gfx11+"),
    ("flat_scratch", 104, 2, "", "gfx7"),
    ("flat_scratch_lo", 104, 1, "", "gfx7"),
    ("flat_scratch_hi", 105, 1, "", "gfx7"),
    ("flat_scratch", 102, 2, "", "gfx8-9"),
    ("flat_scratch_lo", 102, 1, "", "gfx8-9"),
    ("flat_scratch_hi", 103, 1, "", "gfx8-9"),
    ("xnack_mask", 104, 2, "", "gfx8-9 FeatureSupportsXNACK"),
    ("xnack_mask_lo", 104, 1, "", "gfx8-9 FeatureSupportsXNACK"),
    ("xnack_mask_hi", 105, 1, "", "gfx8-9 FeatureSupportsXNACK"),
    ("tba", 108, 2, "", "gfx6-8"),
    ("tba_lo", 108, 1, "", "gfx6-8"),
    ("tba_hi", 109, 1, "", "gfx6-8"),
    ("tma", 110, 2, "", "gfx6-8"),
    ("tma_lo", 110, 1, "", "gfx6-8"),
    ("tma_hi", 111, 1, "", "gfx6-8"),
    ("src_flat_scratch_base_lo", 230, 1, "", "FeatureGloballyAddressableScratch"),
    ("src_flat_scratch_base_hi", 231, 1, "", "FeatureGloballyAddressableScratch"),
    ("src_shared_base", 235, 1, "shared_base", "gfx9+"),
    ("src_shared_limit", 236, 1, "shared_limit", "gfx9+"),
    ("src_private_base", 237, 1, "private_base", "gfx9+"),
    ("src_private_limit", 238, 1, "private_limit", "gfx9+"),
    ("src_pops_exiting_wave_id", 239, 1, "pops_exiting_wave_id", "gfx9-10"),
    ("src_vccz", 251, 1, "vccz", "gfx6-10"),
    ("src_execz", 252, 1, "execz", "gfx6-10"),
    ("src_scc", 253, 1, "scc", ""),
    ("src_lds_direct", 254, 1, "lds_direct", "gfx6-10 !gfx90a !gfx94 !gfx95"),
)

# How many SGPRs have numbers; the first row that holds counts.
_SGPRS = (("gfx10+", 106), ("gfx8-9", 102), ("", 104))


def special_registers(features: frozenset[str]) -> Mapping[str, Register]:
    """Every spelling that a target accepts, with its register."""
    found = {}
    for name, code, dwords, more, condition in _ROWS:
        if holds(condition, features):
            spellings = (name, *more.split())
            register = Register(name, _file(name), code, dwords, spellings)
            found.update(dict.fromkeys(spellings, register))
    return found


def known_spellings() -> frozenset[str]:
    """The names of special registers on any target."""
    return frozenset(name for row in _ROWS for name in (row[0], *row[3].split()))


def _file(name: str) -> str:
    return name.removesuffix("_lo").removesuffix("_hi")


def file_sizes(features: frozenset[str]) -> Mapping[str, int]:
    """How many registers each numbered file has: `v`, `s`, `a`, `ttmp`."""
    return {
        "v": 256,  # gfx1250 has 1024, of which an instruction names 256; s_set_vgpr_msb selects which
        "s": next(size for condition, size in _SGPRS if holds(condition, features)),
        "a": 256 if "FeatureMAIInsts" in features else 0,
        "ttmp": 16 if holds("gfx9+", features) else 12,
    }


def ttmp_base(features: frozenset[str]) -> int:
    """Hardware number of ttmp0."""
    return 108 if holds("gfx9+", features) else 112
