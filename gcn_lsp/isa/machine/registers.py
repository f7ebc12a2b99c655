"""Registers with their own names: numbers, spellings, and targets; sizes of the numbered files."""

from collections.abc import Mapping

from gcn_lsp.isa.schema import Register

# Name, number, dwords, further spellings, condition. Conditions are words of `_CONDITIONS`; a register may have a row
# for each generation with a different number.
_ROWS: tuple[tuple[str, int, int, str, str], ...] = (
    ("vcc", 106, 2, "", "always"),
    ("vcc_lo", 106, 1, "", "always"),
    ("vcc_hi", 107, 1, "", "always"),
    ("exec", 126, 2, "", "always"),
    ("exec_lo", 126, 1, "", "always"),
    ("exec_hi", 127, 1, "", "always"),
    ("m0", 124, 1, "", "before gfx11"),
    ("m0", 125, 1, "", "gfx11 on"),
    ("null", 125, 1, "", "gfx10 only"),
    ("null", 124, 1, "", "gfx11 on"),
    ("flat_scratch", 104, 2, "", "gfx7 only"),
    ("flat_scratch_lo", 104, 1, "", "gfx7 only"),
    ("flat_scratch_hi", 105, 1, "", "gfx7 only"),
    ("flat_scratch", 102, 2, "", "gfx8 and gfx9"),
    ("flat_scratch_lo", 102, 1, "", "gfx8 and gfx9"),
    ("flat_scratch_hi", 103, 1, "", "gfx8 and gfx9"),
    ("xnack_mask", 104, 2, "", "xnack"),
    ("xnack_mask_lo", 104, 1, "", "xnack"),
    ("xnack_mask_hi", 105, 1, "", "xnack"),
    ("tba", 108, 2, "", "before gfx9"),
    ("tba_lo", 108, 1, "", "before gfx9"),
    ("tba_hi", 109, 1, "", "before gfx9"),
    ("tma", 110, 2, "", "before gfx9"),
    ("tma_lo", 110, 1, "", "before gfx9"),
    ("tma_hi", 111, 1, "", "before gfx9"),
    ("src_flat_scratch_base_lo", 230, 1, "", "global scratch"),
    ("src_flat_scratch_base_hi", 231, 1, "", "global scratch"),
    ("src_shared_base", 235, 1, "shared_base", "gfx9 on"),
    ("src_shared_limit", 236, 1, "shared_limit", "gfx9 on"),
    ("src_private_base", 237, 1, "private_base", "gfx9 on"),
    ("src_private_limit", 238, 1, "private_limit", "gfx9 on"),
    ("src_pops_exiting_wave_id", 239, 1, "pops_exiting_wave_id", "gfx9 and gfx10"),
    ("src_vccz", 251, 1, "vccz", "before gfx11"),
    ("src_execz", 252, 1, "execz", "before gfx11"),
    ("src_scc", 253, 1, "scc", "always"),
    ("src_lds_direct", 254, 1, "lds_direct", "lds direct"),
)


def _conditions(number: int, features: frozenset[str]) -> Mapping[str, bool]:
    return {
        "always": True,
        "gfx7 only": number == 7,
        "gfx8 and gfx9": number in (8, 9),
        "gfx9 and gfx10": number in (9, 10),
        "gfx10 only": number == 10,
        "before gfx9": number < 9,
        "gfx9 on": number >= 9,
        "before gfx11": number < 11,
        "gfx11 on": number >= 11,
        "lds direct": number < 11 and "FeatureGFX90AInsts" not in features,
        "xnack": number in (8, 9) and "FeatureSupportsXNACK" in features,
        "global scratch": "FeatureGloballyAddressableScratch" in features,
    }


def special_registers(number: int, features: frozenset[str]) -> Mapping[str, Register]:
    """Every spelling that a target accepts, with its register. `number` is the generation's (9 for gfx9)."""
    conditions = _conditions(number, features)
    found = {}
    for name, code, dwords, more, condition in _ROWS:
        if conditions[condition]:
            spellings = (name, *more.split())
            register = Register(name, _file(name), code, dwords, spellings)
            found.update(dict.fromkeys(spellings, register))
    return found


def known_spellings() -> frozenset[str]:
    """The names of special registers on any target."""
    return frozenset(name for row in _ROWS for name in (row[0], *row[3].split()))


def _file(name: str) -> str:
    return name.removesuffix("_lo").removesuffix("_hi")


def file_sizes(number: int, features: frozenset[str]) -> Mapping[str, int]:
    """How many registers each numbered file has: `v`, `s`, `a`, `ttmp`."""
    return {
        "v": 256,  # gfx1250 has 1024, of which an instruction names 256; s_set_vgpr_msb selects which
        "s": 106 if number >= 10 else 104 if number < 8 else 102,
        "a": 256 if "FeatureMAIInsts" in features else 0,
        "ttmp": 16 if number >= 9 else 12,
    }


def ttmp_base(number: int) -> int:
    """Hardware number of ttmp0."""
    return 108 if number >= 9 else 112
