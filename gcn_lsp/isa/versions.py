"""The versions of LLVM whose assembler is followed, and what differs between them.

A version is a switch of the target like those of -mattr: `+llvm22`. Each difference that no generated table holds is a
row here, with the version from which it holds; it is a feature of every target of that version and later ones, so that
a condition (`gcn_lsp.isa.conditions`) may name it.
"""

from collections.abc import Mapping

from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple

VERSIONS = (22, 23)
USUAL = 23
"""The version that counts where nothing names another."""

_SWITCH = regex(r"\+?llvm(\d+)$")


class Difference(NamedTuple):
    """A difference between versions.

    feature: its name, for conditions. since: the first version in which it holds. about: what it is, with the change
    in LLVM that brought it.
    """

    feature: str
    since: int
    about: str


SP3, SP3_WORDS = "+sp3", "Sp3Words"
"""The switch of files in SP3, and its feature: `gcn_lsp.isa.operands.sp3_words`."""

NEGATED_MARKS = "NegatedMarks"
LISTS_END_IN_VCC = "ListsEndInVcc"
STRICT_LITERALS = "StrictLiterals"
RESULT_WITH_RETURN = "ResultWithReturn"
SHARED_SOURCES = "SharedSources"
SCALE_FORMATS = "ScaleFormats"
RETURNED_SAVE_WAVE = "ReturnedSaveWave"
SIGNED_DOTS = "SignedDots"
LIMITED_USER_SGPRS = "LimitedUserSgprs"
SHORT_DOT = "ShortDot"
MATRIX_BESIDE_ALL = "MatrixBesideAll"
PAIRS_AS_HALVES = "PairsAsHalves"
FUNCTION_INFORMATION = "FunctionInformation"
NEWER_FUNCTIONS = "NewerFunctions"
TARGET_ID_PARTS = "TargetIdParts"

ROWS: tuple[Difference, ...] = (
    Difference(NEGATED_MARKS, 23, "`nodone`, `norow_en`, `nolds`, `nocompr` and `novm` are read, and change nothing"),
    Difference(LISTS_END_IN_VCC, 23, "a list of SGPRs may end in vcc: `[s104,s105,vcc_lo]`"),
    Difference(
        STRICT_LITERALS,
        23,
        "`lit()` is 32 bits and always counts as a literal; `lit64()` needs an encoding that holds 64 bits, as src0",
    ),
    Difference(RESULT_WITH_RETURN, 23, "th:TH_ATOMIC_RETURN is an error for an atomic without destination"),
    Difference(SHARED_SOURCES, 23, "both halves of a pair may read one VGPR on all of gfx12, before on gfx1250 only"),
    Difference(RETURNED_SAVE_WAVE, 23, "MSG_RTN_SAVE_WAVE_HAS_TDM (152) takes the place of MSG_SAVEWAVE_HAS_TDM (10)"),
    Difference(
        SIGNED_DOTS, 23, "v_dot4_i32_i8 and v_dot8_i32_i4 set neg_lo[0:1] from gfx11; before, they are unsigned"
    ),
    Difference(
        LIMITED_USER_SGPRS,
        23,
        "there are at most 16 user SGPRs, or 32 from gfx1250; before, the field is the limit",
    ),
    Difference(SHORT_DOT, 23, "v_dual_dot2acc_f32_bf16 as the first half is in the shorter encoding where it fits"),
    Difference(
        MATRIX_BESIDE_ALL,
        23,
        "on gfx125x the result of a matrix also keeps transcendental instructions and both halves of a pair waiting",
    ),
    Difference(PAIRS_AS_HALVES, 23, "a float literal of a pair of bf16 has to be in the range of a half"),
    Difference(FUNCTION_INFORMATION, 23, "there are blocks of `.amdgpu_info`"),
    Difference(
        NEWER_FUNCTIONS,
        23,
        "`min` and `instprefsize` are functions of expressions; `occupancy` takes 9 arguments, not 7",
    ),
    Difference(
        TARGET_ID_PARTS,
        23,
        "the parts of a target ID are compared; before, its text, with `amdgcn` and without `unknown`",
    ),
    Difference(SCALE_FORMATS, 23, "the formats of a matrix and of its scale are compared"),
)

# What LLVM 23 calls a feature of LLVM 22. Hand-written tables use the newer name.
RENAMED: Mapping[str, str] = {
    "Feature1_5xVGPRs": "Feature1536VGPRs",
    "FeatureHasRestrictedSOffset": "FeatureRestrictedSOffset",
    "FeatureLdsMisalignedBug": "FeatureLDSMisalignedBug",
    "FeatureMemToLDSLoad": "FeatureVMemToLDSLoad",
    "FeatureVOP3P": "FeatureVOP3PInsts",
    "FeatureVOPD": "FeatureVOPDInsts",
}

TG_SPLIT = "FormerTgSplit"
FORMER_SWITCHES: Mapping[str, str] = {"tgsplit": TG_SPLIT}
"""Switches that LLVM 23 ignores with a warning, each with a feature for what it still says of the kernel."""


def with_switch(mattr: str, llvm: int | None) -> str:
    """The features with the switch that chooses a version, if they need one for it."""
    return mattr if llvm in (None, chosen(mattr)) else ",".join(filter(None, (mattr, f"+llvm{llvm}")))


def nearest(llvm: int) -> int:
    """The version used in place of another one: the last that is not later, or the first."""
    return max((version for version in VERSIONS if version <= llvm), default=VERSIONS[0])


def chosen(mattr: str) -> int:
    """The version that the switches of a target choose, the last of several."""
    found = [version for part in mattr.split(",") if (version := _version(part))]
    return found[-1] if found else USUAL


def is_switch(part: str) -> bool:
    """Whether a part of `mattr` chooses a version, or SP3's words."""
    return _version(part) != 0 or part.strip().lower() == SP3


def with_sp3(mattr: str) -> str:
    """The features with the switch that fills unused bits as SP3 does."""
    return ",".join(filter(None, (mattr, SP3)))


def _version(part: str) -> int:
    match = _SWITCH.match(part.strip().lower())
    return int(match[1]) if match and int(match[1]) in VERSIONS else 0


def features(llvm: int) -> frozenset[str]:
    """The differences that hold in a version, as features."""
    return frozenset(row.feature for row in ROWS if row.since <= llvm)
