"""Target IDs by parts, `amdgpu12.50-amd-amdhsa-unknown-gfx1250:xnack+`, and the sub-architectures of LLVM 23's triples.

Facts: LLVM 23's AMDGPUUsage, "AMDGPU Subarchitectures". A minor sub-architecture is one processor, `9.0a` is gfx90a; a
major one, `9.4`, covers a family, and stands for its generic processor or, without one, for its oldest.
"""

import re

import msgspec

from gcn_lsp.patterns import regex

_ID = regex(
    r"(?P<architecture>amdgcn|amdgpu(?P<subarch>[0-9][0-9a-z.]*)?)-(?P<vendor>[^-]*)-(?P<system>[^-]*)-"
    r"(?P<environment>[^-]*)-(?P<processor>[^:]*)(?P<features>(:[^:]*)*)"
)
_FORMER = regex(r"(gfx[0-9a-f]+)((?:\+(?:xnack|sram-ecc))+)", re.IGNORECASE)
_TRIPLE = regex(r"amdgpu([0-9][0-9a-z.]*)(?:-[^-]*){0,3}-?")
_PROCESSOR = regex(r"gfx([0-9]+)([0-9a-f]{2})")
_GENERIC = regex(r"gfx([0-9]+)(?:-([0-9]+))?-generic")

# The first digit of the minor version selects these families; other processors are in the family of their generation.
_FAMILIES = {"9.4": "9.4", "9.5": "9.4", "10.1": "10.1", "10.3": "10.3", "11.7": "11.7", "12.5": "12.5"}
_ALONE = frozenset(("8.10", "9.08", "9.0a"))
"""Processors that are a family of their own."""
_OLDEST = {"6": "gfx600", "7": "gfx700", "8": "gfx801"}
"""What stands for a family without a generic processor."""

SYSTEMS = ("amdhsa", "amdpal", "mesa3d")
"""The systems of AMD's triples; a version may follow. The triple of the build decides which one is right."""
VENDORS = ("amd", "mesa", "unknown", "")
_ENVIRONMENTS_OF_OTHERS = (
    *("android", "code16", "coff", "coreclr", "cygnus", "eabi", "gnu", "itanium", "macabi", "macho", "mlibc"),
    *("msvc", "musl", "ohos", "simulator"),
)
"""How the environments begin that LLVM knows for other machines. Any other word counts as an empty one."""


class TargetId(msgspec.Struct, frozen=True):
    """The parts of a target ID as written. subarch: of the architecture, `12.50`, or ''."""

    architecture: str
    subarch: str
    vendor: str
    system: str
    environment: str
    processor: str
    features: str


def parse(text: str) -> TargetId | None:
    """The parts of a target ID; None if it does not have them all."""
    match = _ID.fullmatch(text)
    if match is None:
        return None
    return TargetId(
        match["architecture"],
        match["subarch"] or "",
        match["vendor"],
        match["system"],
        match["environment"],
        match["processor"],
        match["features"],
    )


def foreign_part(found: TargetId) -> str:
    """What is wrong with a part that no triple for AMD's GPUs has; '' if nothing is."""
    if found.vendor not in VENDORS:
        return f"`{found.vendor}` is not a vendor of these targets; `amd` is"
    if found.system not in ("", "unknown") and not found.system.startswith(SYSTEMS):
        return f"`{found.system}` is not a system of these targets; `amdhsa`, `amdpal` and `mesa3d` are"
    if found.environment.startswith(_ENVIRONMENTS_OF_OTHERS):
        return f"`{found.environment}` is not an environment of these targets; it is empty or `llvm`"
    return ""


def current_spelling(processor: str) -> str:
    """`gfx908:sramecc+` for `gfx908+sram-ecc`, as code object version 3 has it; '' for a processor without features."""
    match = _FORMER.fullmatch(processor)
    if match is None:
        return ""
    features = sorted(feature.replace("-", "") for feature in match[2].lower().split("+")[1:])
    return match[1] + "".join(f":{feature}+" for feature in features)


def subarch_of(processor: str) -> str:
    """The sub-architecture of a processor: `12.50` of gfx1250, `9.4` of gfx9-4-generic; '' for another name."""
    generic = _GENERIC.fullmatch(processor)
    if generic is not None:
        return ".".join(filter(None, generic.groups()))
    match = _PROCESSOR.fullmatch(processor)
    return f"{match[1]}.{match[2]}" if match is not None else ""


def family_of(subarch: str) -> str:
    """The major sub-architecture that a minor one belongs to; a major one is its own."""
    major, _, minor = subarch.partition(".")
    if len(minor) < 2 or subarch in _ALONE:
        return subarch
    return _FAMILIES.get(f"{major}.{minor[0]}", major)


def covers(subarch: str, processor: str) -> bool:
    """Whether code for a processor may have a triple with this sub-architecture."""
    own = subarch_of(processor)
    return subarch in (own, family_of(own))


def processor_of(subarch: str) -> str:
    """The processor that a sub-architecture stands for, whether it exists or not."""
    major, _, minor = subarch.partition(".")
    if len(minor) == 2:
        return f"gfx{major}{minor}"
    return _OLDEST.get(subarch) or f"gfx{subarch.replace('.', '-')}-generic"


def named_by_triple(text: str) -> str:
    """The processor that the sub-architecture of a triple names, `amdgpu12.50-amd-amdhsa`; '' if it has none."""
    match = _TRIPLE.fullmatch(text)
    return processor_of(match[1]) if match is not None else ""
