"""Modifiers: what follows the operands (`glc`, `offset:16`, `op_sel:[0,1]`): shape, range and targets of each."""

from collections.abc import Mapping

import msgspec

from gcn_lsp.isa import conditions as on


class Modifier(msgspec.Struct, frozen=True):
    """How a modifier is written and what it takes.

    shape: `flag` (a bare word; `no` before it says that it is off), `integer` (`name:value`, from low to high), `array`
    (`name:[a,b]` with values from low to high), `enumeration` (`name:WORD`), `special` (read by code of its own).
    values: the words of an enumeration, with their numbers. bit: the cache-policy bit of a flag that is part of `cpol`.
    condition: the targets that know it; that an instruction takes it is for its form to say.
    """

    name: str
    shape: str
    low: int = 0
    high: int = 1
    values: Mapping[str, int] | None = None
    bit: int = 0
    condition: str = on.ALL


# Cache policy bits as the encoder has them. gfx940 names the bits of vector memory instructions sc0, sc1 and nt; its
# scalar ones keep glc. From gfx12 on the policy is a temporal hint (bits 0 to 2) and a scope (bits 3 and 4).
CPOL_GLC, CPOL_SLC, CPOL_DLC, CPOL_SCC, CPOL_NV, CPOL_SCALE_OFFSET = 1, 2, 4, 16, 32, 2048
CPOL_TH_MASK, CPOL_SCOPE_MASK = 0x7, 0x18

SCOPES: Mapping[str, int] = {"SCOPE_CU": 0, "SCOPE_SE": 8, "SCOPE_DEV": 16, "SCOPE_SYS": 24}
_TH_LOAD: Mapping[str, int] = {
    "TH_LOAD_RT": 0,
    "TH_LOAD_NT": 1,
    "TH_LOAD_HT": 2,
    "TH_LOAD_LU": 3,
    "TH_LOAD_BYPASS": 3,
    "TH_LOAD_NT_RT": 4,
    "TH_LOAD_RT_NT": 5,
    "TH_LOAD_NT_HT": 6,
}
_TH_STORE: Mapping[str, int] = {
    "TH_STORE_RT": 0,
    "TH_STORE_NT": 1,
    "TH_STORE_HT": 2,
    "TH_STORE_WB": 3,
    "TH_STORE_BYPASS": 3,
    "TH_STORE_NT_RT": 4,
    "TH_STORE_RT_NT": 5,
    "TH_STORE_NT_HT": 6,
    "TH_STORE_NT_WB": 7,
}
_TH_ATOMIC: Mapping[str, int] = {
    "TH_ATOMIC_RT": 0,
    "TH_ATOMIC_RT_RETURN": 1,
    "TH_ATOMIC_RETURN": 1,
    "TH_ATOMIC_NT": 2,
    "TH_ATOMIC_NT_RETURN": 3,
    "TH_ATOMIC_CASCADE_RT": 4,
    "TH_ATOMIC_CASCADE_NT": 6,
}
TEMPORAL_HINTS: Mapping[str, int] = {"TH_DEFAULT": 0, **_TH_LOAD, **_TH_STORE, **_TH_ATOMIC}

DIMENSIONS: Mapping[str, int] = {
    "1D": 0,
    "2D": 1,
    "3D": 2,
    "CUBE": 3,
    "1D_ARRAY": 4,
    "2D_ARRAY": 5,
    "2D_MSAA": 6,
    "2D_MSAA_ARRAY": 7,
}
DIMENSION_PREFIX = "SQ_RSRC_IMG_"
# Address components of a dimension, and of its derivatives.
DIMENSION_COORDINATES: Mapping[str, int] = {
    "1D": 1,
    "2D": 2,
    "3D": 3,
    "CUBE": 3,
    "1D_ARRAY": 2,
    "2D_ARRAY": 3,
    "2D_MSAA": 3,
    "2D_MSAA_ARRAY": 4,
}
DIMENSION_GRADIENTS: Mapping[str, int] = {
    "1D": 2,
    "2D": 4,
    "3D": 6,
    "CUBE": 4,
    "1D_ARRAY": 2,
    "2D_ARRAY": 4,
    "2D_MSAA": 4,
    "2D_MSAA_ARRAY": 4,
}

# omod: what is written, to the field's number.
OUTPUT_MODIFIERS: Mapping[tuple[str, int], int] = {("mul", 1): 0, ("mul", 2): 1, ("mul", 4): 2, ("div", 2): 3}
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
    Modifier("offset", "integer", -(1 << 23), (1 << 23) - 1),  # `offset_range` gives an instruction's own
    Modifier("offset0", "integer", 0, 255),
    Modifier("offset1", "integer", 0, 255),
    Modifier("gds", "flag", condition="!FeatureGFX12Insts"),
    Modifier("glc", "flag", bit=CPOL_GLC, condition=on.BEFORE_GFX12),
    Modifier("slc", "flag", bit=CPOL_SLC, condition="!FeatureGFX12Insts !FeatureGFX940Insts"),
    Modifier("dlc", "flag", bit=CPOL_DLC, condition=on.GFX10_TO_11),
    Modifier("scc", "flag", bit=CPOL_SCC, condition=on.GFX90A),
    Modifier("sc0", "flag", bit=CPOL_GLC, condition=on.GFX940),
    Modifier("sc1", "flag", bit=CPOL_SCC, condition=on.GFX940),
    Modifier("nt", "flag", bit=CPOL_SLC, condition=on.GFX940),
    Modifier("th", "enumeration", values=TEMPORAL_HINTS, condition=on.GFX12_ON),
    Modifier("scope", "enumeration", values=SCOPES, condition=on.GFX12_ON),
    Modifier("nv", "flag", bit=CPOL_NV, condition=on.GFX1250),
    Modifier("scale_offset", "flag", bit=CPOL_SCALE_OFFSET, condition=on.GFX1250),
    Modifier("tfe", "flag"),
    Modifier("lds", "flag"),
    Modifier("offen", "flag"),
    Modifier("idxen", "flag"),
    Modifier("addr64", "flag", condition="!FeatureGFX8Insts"),
    Modifier("dfmt", "integer", 0, 15, condition=on.BEFORE_GFX10),
    Modifier("nfmt", "integer", 0, 7, condition=on.BEFORE_GFX10),
    Modifier("format", "special", 0, 127),
    Modifier("dmask", "integer", 0, 15),
    Modifier("unorm", "flag"),
    Modifier("r128", "flag", condition="FeatureMIMG_R128 !FeatureGFX1250Insts"),
    Modifier("a16", "flag", condition="FeatureA16"),
    Modifier("lwe", "flag"),
    Modifier("da", "flag", condition=on.BEFORE_GFX10),
    Modifier("d16", "flag", condition=on.GFX8_ON),
    Modifier("dim", "enumeration", values=DIMENSIONS, condition=on.GFX10_ON),
    Modifier("clamp", "flag"),
    Modifier("mul", "integer", 1, 4),
    Modifier("div", "integer", 2, 2),
    Modifier("op_sel", "array", 0, 1, condition=on.GFX9_ON),
    Modifier("op_sel_hi", "array", 0, 1, condition=on.GFX9_ON),
    Modifier("neg_lo", "array", 0, 1, condition=on.GFX9_ON),
    Modifier("neg_hi", "array", 0, 1, condition=on.GFX9_ON),
    Modifier("neg", "array", 0, 1, condition=on.GFX940),
    Modifier("quad_perm", "array", 0, 3, condition=on.GFX8_ON),
    Modifier("dpp8", "array", 0, 7, condition=on.GFX10_ON),
    Modifier("row_mask", "integer", 0, 15, condition=on.GFX8_ON),
    Modifier("bank_mask", "integer", 0, 15, condition=on.GFX8_ON),
    Modifier("bound_ctrl", "integer", 0, 1, condition=on.GFX8_ON),
    Modifier("fi", "integer", 0, 1, condition=on.GFX10_ON),
    Modifier("dst_sel", "enumeration", condition="FeatureSDWA"),
    Modifier("dst_unused", "enumeration", condition="FeatureSDWA"),
    Modifier("src0_sel", "enumeration", condition="FeatureSDWA"),
    Modifier("src1_sel", "enumeration", condition="FeatureSDWA"),
    Modifier("cbsz", "integer", 0, 7, condition="FeatureMAIInsts"),
    Modifier("abid", "integer", 0, 15, condition="FeatureMAIInsts"),
    Modifier("blgp", "integer", 0, 7, condition="FeatureMAIInsts"),
    Modifier("high", "flag", condition="FeatureGFX8Insts !FeatureGFX90AInsts"),
    Modifier("compr", "flag", condition=on.BEFORE_GFX11),
    Modifier("vm", "flag", condition=on.BEFORE_GFX11),
    Modifier("done", "flag"),
    Modifier("row_en", "flag", condition=on.GFX11_ON),
    Modifier("wait_exp", "integer", 0, 7, condition=on.GFX11_ON),
    Modifier("wait_vdst", "integer", 0, 15, condition=on.GFX11),
    Modifier("wait_va_vdst", "integer", 0, 15, condition=on.GFX12_ON),
    Modifier("wait_vm_vsrc", "integer", 0, 1, condition=on.GFX12_ON),
    Modifier("byte_sel", "integer", 0, 3, condition=on.GFX12_ON),
    Modifier("bitop3", "integer", 0, 255, condition="FeatureBitOp3Insts"),
    Modifier("scale_sel", "integer", 0, 15, condition=on.GFX1250),
    Modifier("index_key", "integer", 0, 3, condition=on.GFX12_ON),
    Modifier("matrix_a_fmt", "enumeration", values=MATRIX_FORMATS, condition=on.GFX1250),
    Modifier("matrix_b_fmt", "enumeration", values=MATRIX_FORMATS, condition=on.GFX1250),
    Modifier("matrix_a_scale", "enumeration", values=MATRIX_SCALES, condition=on.GFX1250),
    Modifier("matrix_b_scale", "enumeration", values=MATRIX_SCALES, condition=on.GFX1250),
    Modifier("matrix_a_scale_fmt", "enumeration", values=MATRIX_SCALE_FORMATS, condition=on.GFX1250),
    Modifier("matrix_b_scale_fmt", "enumeration", values=MATRIX_SCALE_FORMATS, condition=on.GFX1250),
    Modifier("matrix_a_reuse", "flag", condition=on.GFX1250),
    Modifier("matrix_b_reuse", "flag", condition=on.GFX1250),
)


def modifiers(features: frozenset[str]) -> Mapping[str, Modifier]:
    """The modifiers that some instruction of the target takes, DPP controls apart (see `gcn_lsp.isa.dpp`)."""
    return {modifier.name: modifier for modifier in _ROWS if on.holds(modifier.condition, features)}


def all_names() -> frozenset[str]:
    """The names of any target."""
    return frozenset(modifier.name for modifier in _ROWS)


class OffsetRange(msgspec.Struct, frozen=True):
    """What an instruction's offset may be: from low to high, in bytes unless `unit` says otherwise.

    tolerated: the largest value that LLVM takes; what is above `high` loses its upper bits without a word.
    """

    low: int
    high: int
    unit: str = "bytes"
    tolerated: int = 0

    def holds(self, value: int) -> bool:
        """Whether the value can be encoded."""
        return self.low <= value <= self.high


def _signed(bits: int) -> OffsetRange:
    return OffsetRange(-(1 << bits - 1), (1 << bits - 1) - 1)


def _unsigned(bits: int) -> OffsetRange:
    return OffsetRange(0, (1 << bits) - 1)


# Family, targets, range; the first that holds counts. A scalar buffer load takes no negative offset, see below.
_OFFSETS: tuple[tuple[str, str, OffsetRange], ...] = (
    ("DS", on.ALL, _unsigned(16)),
    ("MUBUF", on.GFX12_ON, _unsigned(23)),
    ("MUBUF", on.ALL, OffsetRange(0, 0xFFF, tolerated=0xFFFF)),
    ("MTBUF", on.GFX12_ON, _unsigned(23)),
    ("MTBUF", on.ALL, OffsetRange(0, 0xFFF, tolerated=0xFFFF)),
    ("FLAT", on.GFX12_ON, _signed(24)),
    ("FLAT", on.GFX10, _unsigned(11)),
    ("FLAT", on.GFX9_ON, _unsigned(12)),
    ("FLAT", on.ALL, OffsetRange(0, 0)),
    ("GLOBAL", on.GFX12_ON, _signed(24)),
    ("GLOBAL", on.GFX10, _signed(12)),
    ("GLOBAL", on.ALL, _signed(13)),
    ("SCRATCH", on.GFX12_ON, _signed(24)),
    ("SCRATCH", on.GFX10, _signed(12)),
    ("SCRATCH", on.ALL, _signed(13)),
    ("SMRD", on.ALL, OffsetRange(0, 255, "dwords")),
    ("SMEM", on.GFX12_ON, _signed(24)),
    ("SMEM", on.GFX9_ON, _signed(21)),
    ("SMEM", on.ALL, _unsigned(20)),
)


def offset_range(family: str, features: frozenset[str], is_buffer: bool = False) -> OffsetRange | None:
    """The range of `offset:` (of the offset operand, for scalar loads) of a family; None when it has none.

    is_buffer: a scalar buffer instruction, whose offset is unsigned.
    """
    if family == "SMEM" and is_buffer and on.holds(on.GFX9_ON, features):
        return _unsigned(23 if on.holds(on.GFX12_ON, features) else 20)
    for name, condition, known in _OFFSETS:
        if name == family and on.holds(condition, features):
            return known
    return None
