"""Modifiers after the operands (`glc`, `offset:16`, `op_sel:[0,1]`): shape, range and targets of each."""

from collections.abc import Iterable, Mapping

import msgspec

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.modifiers import cache_policy, dimensions, dpp, sdwa


class Modifier(msgspec.Struct, frozen=True):
    """The syntax and values of a modifier.

    shape: `flag` (a bare word; with `no` before it, it is off), `integer` (`name:value`, from low to high), `array`
    (`name:[a,b]` with values from low to high), `enumeration` (`name:WORD`), `special` (other modules have the range).
    is_cut: of a larger number the assembler drops the upper bits without an error. values: the words of an enumeration,
    with their numbers. condition: the targets that know it; whether an instruction accepts it is a fact of its form.
    """

    name: str
    shape: str
    low: int = 0
    high: int = 1
    is_cut: bool = False
    values: Mapping[str, int] | None = None
    condition: str = ""


ALIASES: Mapping[str, str] = {"inst_offset": "offset"}
"""Other names that the assembler accepts."""

OUTPUT_MODIFIERS: Mapping[str, Mapping[int, int]] = {"mul": {1: 0, 2: 1, 4: 2}, "div": {1: 0, 2: 3}}
"""The field `omod` for each number that may be written."""

INDEX_KEYS: Mapping[str, int] = {"IndexKey8bit": 3, "IndexKey16bit": 1, "IndexKey32bit": 1}
"""The highest `index_key` by LLVM's class of the operand, which names the size of one index."""

MATRIX_FORMATS: Mapping[str, int] = {
    "MATRIX_FMT_FP8": 0,
    "MATRIX_FMT_BF8": 1,
    "MATRIX_FMT_FP6": 2,
    "MATRIX_FMT_BF6": 3,
    "MATRIX_FMT_FP4": 4,
}
MATRIX_SCALES: Mapping[str, int] = {"MATRIX_SCALE_ROW0": 0, "MATRIX_SCALE_ROW1": 1}
MATRIX_SCALE_FORMATS: Mapping[str, int] = {
    "MATRIX_SCALE_FMT_E8": 0,
    "MATRIX_SCALE_FMT_E5M3": 1,
    "MATRIX_SCALE_FMT_E4M3": 2,
}

_ROWS: tuple[Modifier, ...] = (
    Modifier("offset", "special"),  # see `offsets`
    Modifier("offset0", "integer", 0, 255),
    Modifier("offset1", "integer", 0, 255),
    Modifier("gds", "flag", condition="gfx6-11"),
    Modifier("th", "enumeration", values=cache_policy.HINTS, condition="gfx12+"),
    Modifier("scope", "enumeration", values=cache_policy.SCOPES, condition="gfx12+"),
    Modifier("tfe", "flag"),
    Modifier("lds", "flag"),
    Modifier("offen", "flag"),
    Modifier("idxen", "flag"),
    Modifier("addr64", "flag", condition="gfx6-7"),
    Modifier("dfmt", "integer", 0, 15, condition="gfx6-9"),
    Modifier("nfmt", "integer", 0, 7, condition="gfx6-9"),
    Modifier("format", "special", 0, 127),
    Modifier("dmask", "integer", 0, 15, is_cut=True),
    Modifier("unorm", "flag"),
    Modifier("r128", "flag", condition="FeatureMIMG_R128 !gfx125 !gfx13+"),
    Modifier("a16", "flag", condition="FeatureA16"),
    Modifier("lwe", "flag"),
    Modifier("da", "flag", condition="gfx6-9"),
    Modifier("d16", "flag", condition="gfx8+"),
    Modifier("dim", "enumeration", values=dimensions.CODES, condition="gfx10+"),
    Modifier("clamp", "flag"),
    Modifier("mul", "integer", min(OUTPUT_MODIFIERS["mul"]), max(OUTPUT_MODIFIERS["mul"])),
    Modifier("div", "integer", min(OUTPUT_MODIFIERS["div"]), max(OUTPUT_MODIFIERS["div"])),
    Modifier("op_sel", "array", 0, 1, condition="gfx9+"),
    Modifier("op_sel_hi", "array", 0, 1, condition="gfx9+"),
    Modifier("neg_lo", "array", 0, 1, condition="gfx9+"),
    Modifier("neg_hi", "array", 0, 1, condition="gfx9+"),
    Modifier("neg", "array", 0, 1, condition="gfx94|gfx95"),
    Modifier(dpp.QUAD_PERM, "array", 0, 3, condition="gfx8+"),
    Modifier(dpp.DPP8, "array", 0, 7, condition="gfx10+"),
    Modifier("row_mask", "integer", 0, 15, is_cut=True, condition="gfx8+"),
    Modifier("bank_mask", "integer", 0, 15, is_cut=True, condition="gfx8+"),
    Modifier("bound_ctrl", "integer", 0, 1, condition="gfx8+"),
    Modifier("fi", "integer", 0, 1, is_cut=True, condition="gfx10+"),
    *(Modifier(name, "enumeration", values=words, condition="FeatureSDWA") for name, words in sdwa.MODIFIERS.items()),
    Modifier("cbsz", "integer", 0, 7, condition="FeatureMAIInsts"),
    Modifier("abid", "integer", 0, 15, condition="FeatureMAIInsts"),
    Modifier("blgp", "integer", 0, 7, condition="FeatureMAIInsts"),
    Modifier("high", "flag", condition="gfx8+ !gfx90a !gfx94 !gfx95"),
    Modifier("compr", "flag", condition="gfx6-10"),
    Modifier("vm", "flag", condition="gfx6-10"),
    Modifier("done", "flag"),
    Modifier("row_en", "flag", condition="gfx11+"),
    Modifier("wait_exp", "integer", 0, 7, condition="gfx11+"),
    Modifier("wait_vdst", "integer", 0, 15, condition="gfx11"),
    Modifier("wait_va_vdst", "integer", 0, 15, condition="gfx12+"),
    Modifier("wait_vm_vsrc", "integer", 0, 1, condition="gfx12+"),
    Modifier("byte_sel", "integer", 0, 3, condition="gfx12+"),
    Modifier("bitop3", "integer", 0, 255, is_cut=True, condition="FeatureBitOp3Insts"),
    Modifier("scale_sel", "integer", 0, 15, condition="gfx125|gfx13+"),
    Modifier("index_key", "integer", 0, 3, condition="gfx12+"),
    Modifier("matrix_a_fmt", "enumeration", values=MATRIX_FORMATS, condition="gfx125|gfx13+"),
    Modifier("matrix_b_fmt", "enumeration", values=MATRIX_FORMATS, condition="gfx125|gfx13+"),
    Modifier("matrix_a_scale", "enumeration", values=MATRIX_SCALES, condition="gfx125|gfx13+"),
    Modifier("matrix_b_scale", "enumeration", values=MATRIX_SCALES, condition="gfx125|gfx13+"),
    Modifier("matrix_a_scale_fmt", "enumeration", values=MATRIX_SCALE_FORMATS, condition="gfx125|gfx13+"),
    Modifier("matrix_b_scale_fmt", "enumeration", values=MATRIX_SCALE_FORMATS, condition="gfx125|gfx13+"),
    Modifier("matrix_a_reuse", "flag", condition="gfx125|gfx13+"),
    Modifier("matrix_b_reuse", "flag", condition="gfx125|gfx13+"),
)


ROWS: Mapping[str, Modifier] = {row.name: row for row in _ROWS}
"""Every modifier except the flags of cache policies and the DPP controls with one number or none."""


def modifiers(features: frozenset[str]) -> Mapping[str, Modifier]:
    """The modifiers that some instruction of the target accepts, without DPP controls (see `dpp`)."""
    policies = {*cache_policy.flags(features, False), *cache_policy.flags(features, True)}
    return {row.name: row for row in _ROWS if holds(row.condition, features)} | {
        name: Modifier(name, "flag") for name in policies
    }


def flags() -> Iterable[str]:
    """The bare words among them, of any target."""
    return (row.name for row in _ROWS if row.shape == "flag")


def all_names() -> frozenset[str]:
    """Every keyword of some instruction of some target, including aliases and DPP controls."""
    return frozenset((*ROWS, *ALIASES, *(row.name for row in cache_policy.ROWS), *dpp.all_names()))


def all_values() -> frozenset[str]:
    """Every word that is a value of a modifier."""
    words = {word for row in _ROWS for word in row.values or ()}
    return frozenset(words | {dimensions.PREFIX + name for name in dimensions.CODES})
