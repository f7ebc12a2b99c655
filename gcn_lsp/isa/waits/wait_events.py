"""Which instructions raise which wait counter, in what order they complete, and what a wait protects.

Facts: `waitcnt-all-targets` of this project's fact sheets, sections 1 to 5, measured with LLVM 22's wait insertion;
each row has an id for findings. Counters have the names of their wait instructions.
"""

from collections.abc import Mapping

import msgspec

from gcn_lsp.isa import conditions, versions
from gcn_lsp.isa.schema import Form

# Kinds and counters with special rules in the engine.
LDS = "lds"
SCALAR = "scalar"  # loads through the scalar cache
LDS_DMA = "lds_dma"  # loads that put their data into LDS
LDS_FILLS = frozenset((LDS_DMA, "async_to_lds", "tensor_to_lds"))  # with those of the other engines
# Of these, the kinds that write to LDS in the order in which they were issued. Vector memory returns in order on gfx9
# and gfx10, and so do tensors of a wave; asynchronous loads are counted as done in order, but reach LDS in any order
# (CDNA5 document, on the order of asynchronous loads and stores).
LDS_FILLS_IN_ORDER = frozenset((LDS_DMA, "tensor_to_lds"))
LDS_COPIES = frozenset(("async_from_lds", "tensor_from_lds"))  # copies from LDS to memory beside the wave
TRANSLATION = "xcnt"
"""The counter of addresses that are not translated yet. A wait for it matters only where a page fault replays an access
with its registers as they are then (XNACK): S_WAIT_XCNT is a NOP without replay (AMD's CDNA 5 document), and of the 38
objects for gfx1250 in AMD's aiter two have one."""

WAIT_PREFIX = 0b1011
"""The highest four bits of the encodings SOPP and SOPK, which all waits have: ISA documents, "Instruction formats"."""

# Rows of instructions that access LDS; those that only exchange values between lanes do not access it.
LDS_ROW = "W-lds"
INVALIDATE_ROW = "W-invalidate"
LDS_DMA_ROW = "W-lds-dma"
LDS_WRITERS = frozenset((LDS_ROW, LDS_DMA_ROW, "W-flat-store", "W-asynchronous"))
LDS_ACCESSES = frozenset((LDS_ROW, "W-flat-load", "W-flat-store"))
LANE_EXCHANGES = frozenset(("ds_permute_b32", "ds_bpermute_b32", "ds_bpermute_fi_b32", "ds_swizzle_b32", "ds_nop"))

POSSIBLE = "possible"  # the counter may be raised, so it is not known to be zero; nothing else follows from it

# What an event protects: registers that it will write, registers that it still reads, of those only the data.
WRITES, READS, DATA, NOTHING = "writes", "reads", "data", ""
DATA_SLOT = "vdata"

# Instructions that complete events of a kind without a count: LLVM omits the wait for the flag of a barrier if the wave
# has waited at that barrier. Both name it in their first operand.
SETTLES: Mapping[str, str] = {"s_barrier_wait": "barrier_flag"}


# Instructions at which the hardware itself waits until a counter is zero: that of translations, at jumps, traps,
# barriers, messages and accesses to hardware registers (LLVM 23's SIInstrInfo::isXcntDrain). A branch that is not taken
# is not one of these, but LLVM 23 treats it as one, and so does code compiled by it.
DRAIN_MNEMONICS = frozenset(
    [
        "s_barrier_signal", "s_barrier_signal_isfirst", "s_barrier_wait", "s_endpgm", "s_endpgm_saved", "s_getreg_b32",
        "s_sendmsg", "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64", "s_sendmsghalt", "s_setreg_b32", "s_setreg_imm32_b32",
        "s_trap",
    ]
)  # fmt: skip
DRAIN_FLAGS = frozenset(("isBranch", "isCall", "isReturn", "isIndirectBranch"))


class Raise(msgspec.Struct, frozen=True):
    """An event that raises a counter.

    role: the role of the counter.
    kind: the class of events that complete in order, see `ORDERED`.
    protects: the registers that it holds until it is done.
    """

    role: str
    kind: str
    protects: str = WRITES


class EventRow(msgspec.Struct, frozen=True):
    """A class of instructions and the events that they raise; the first matching row counts.

    families: of the encoding, any if empty. has: flags of the form (`Form.flags`, and those of its image). mnemonics:
    names of the pseudo instruction or the mnemonic in lower case, any if empty. modifier: a keyword that is written.
    writes: whether it writes a register, None for either. targets: a condition on features. targets_of_export: numbers
    of the export targets that it applies to.
    """

    id: str
    raises: tuple[Raise, ...]
    families: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    mnemonics: tuple[str, ...] = ()
    modifier: str = ""
    writes: bool | None = None
    targets: str = ""
    exports: tuple[int, ...] = ()


# The counter of each role: name by targets, the first match counts.
_ROLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "load": (("vmcnt", "gfx6-11"), ("loadcnt", "gfx12+")),
    "sample": (("vmcnt", "gfx6-11"), ("samplecnt", "gfx12+ !gfx125")),
    "bvh": (("vmcnt", "gfx6-11"), ("bvhcnt", "gfx120")),
    "store": (("vmcnt", "gfx6-9"), ("vscnt", "gfx10-11"), ("storecnt", "gfx12+")),
    "lds": (("lgkmcnt", "gfx6-11"), ("dscnt", "gfx12+")),
    "scalar": (("lgkmcnt", "gfx6-11"), ("kmcnt", "gfx12+")),
    "export": (("expcnt", "!gfx125"),),
    "translation": (("xcnt", "FeatureWaitXcnt"),),
    "async": (("asynccnt", "gfx125"),),
    "tensor": (("tensorcnt", "gfx125"),),
}

_VECTOR_MEMORY = ("MUBUF", "MTBUF", "MIMG", "VIMAGE", "VSAMPLE", "GLOBAL", "SCRATCH", "FLAT")
_GDS = "gds"
# In thread-group split mode FLAT never accesses LDS. Before gfx9 it is the only access to global memory by an address
# in VGPRs, so nearly all of it goes there: LLVM, which knows the address space, waits for it as for any other load, in
# order.
_FLAT_APART = f"gfx9 !FeatureTgSplit !{versions.TG_SPLIT}"
_RESULT = Raise("load", "load")
_TRANSLATION = Raise("translation", "vector", READS)

# Messages and barriers by name: the tables of forms have no flag for them.
_MESSAGES = ("s_sendmsg", "s_sendmsghalt", "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64")
_BARRIER_FLAGS = ("s_barrier_signal_isfirst", "s_barrier_leave")
_BARRIER_STATES = ("s_get_barrier_state",)
_WIDTHS = ("b8", "b32", "b64", "b128")
_TO_LDS = tuple(f"{path}_load_async_to_lds_{width}" for path in ("global", "cluster") for width in _WIDTHS)
_FROM_LDS = tuple(f"global_store_async_from_lds_{width}" for width in _WIDTHS)
_POSITION_EXPORTS = (12, 13, 14, 15, 16)
_PARAMETER_EXPORTS = tuple(range(32, 64))

EVENTS: tuple[EventRow, ...] = (
    # Vector memory. FLAT may access LDS, so before gfx10 it comes back in no order with anything else.
    EventRow("W-asynchronous", (Raise("async", "async_to_lds", NOTHING),), mnemonics=_TO_LDS),
    EventRow("W-asynchronous", (Raise("async", "async_from_lds", NOTHING),), mnemonics=_FROM_LDS),
    EventRow("W-asynchronous", (Raise("async", "async", NOTHING),), has=("ASYNC_CNT",)),
    EventRow("W-tensor", (Raise("tensor", "tensor_to_lds", NOTHING),), mnemonics=("tensor_load_to_lds",)),
    EventRow("W-tensor", (Raise("tensor", "tensor_from_lds", NOTHING),), has=("TENSOR_CNT",)),
    # LLVM 22 counts these as accesses of LDS too when it lets younger ones pass (measured on gfx900, gfx942, gfx1010:
    # LDS read, global load to LDS, use of what was read waits for lgkmcnt(1)); for buffers it does not. LLVM 23 and
    # AMD's documents do not count them at all ("only VM_CNT is used"), so nobody need wait for that.
    EventRow(
        LDS_DMA_ROW, (Raise("load", "lds_dma", NOTHING), Raise("lds", "lds", NOTHING), _TRANSLATION),
        ("GLOBAL", "SCRATCH", "FLAT"), ("VM_CNT", "VALU"),
    ),
    EventRow(LDS_DMA_ROW, (Raise("load", "lds_dma", NOTHING), _TRANSLATION), _VECTOR_MEMORY, ("VM_CNT", "VALU")),
    EventRow(INVALIDATE_ROW, (Raise("load", "load", NOTHING),), mnemonics=("global_inv",), targets="gfx12+"),
    EventRow(
        "W-write-back", (Raise("store", "store", NOTHING),), mnemonics=("global_wb", "global_wbinv"),
        targets="gfx12+",
    ),
    EventRow(
        "W-flat-load", (Raise("load", "flat"), Raise("lds", "flat")), ("FLAT",), ("VM_CNT", "LGKM_CNT", "mayLoad"),
        writes=True, targets=_FLAT_APART,
    ),
    EventRow(
        "W-flat-store",
        (Raise("store", "flat", NOTHING), Raise("lds", "flat", NOTHING)), ("FLAT",), ("VM_CNT", "LGKM_CNT", "mayStore"),
        targets=_FLAT_APART,
    ),
    EventRow(
        "W-flat-load", (_RESULT, Raise("lds", "lds"), _TRANSLATION), ("FLAT",), ("VM_CNT", "LGKM_CNT", "mayLoad"),
        writes=True, targets="gfx10+",
    ),
    EventRow(
        "W-flat-store", (Raise("store", "scratch", NOTHING), Raise("lds", "lds", NOTHING), _TRANSLATION), ("FLAT",),
        ("VM_CNT", "LGKM_CNT", "mayStore"), targets="gfx10+",
    ),
    EventRow(
        "W-flat-load", (_RESULT, Raise("lds", POSSIBLE, NOTHING)), ("FLAT",), ("VM_CNT", "LGKM_CNT", "mayLoad"),
        writes=True, targets="gfx6-8",
    ),
    EventRow(
        "W-flat-store", (Raise("store", "store", NOTHING), Raise("lds", POSSIBLE, NOTHING)), ("FLAT",),
        ("VM_CNT", "LGKM_CNT", "mayStore"), targets="gfx6-8",
    ),
    EventRow("W-ray", (Raise("bvh", "bvh"),), _VECTOR_MEMORY, ("VM_CNT", "BVH")),
    # The hardware may turn these into plain loads, so they are not in order with other samples.
    EventRow(
        "W-sample", (Raise("sample", "point_sample"),), _VECTOR_MEMORY, ("VM_CNT", "PointSampleAccel"),
        targets="FeaturePointSampleAccel",
    ),
    EventRow("W-sample", (Raise("sample", "sample"),), _VECTOR_MEMORY, ("VM_CNT", "Sampler")),
    EventRow("W-sample", (Raise("sample", "sample"),), _VECTOR_MEMORY, ("VM_CNT", "MSAA"), writes=True),
    EventRow("W-sample", (Raise("sample", "sample"),), ("VSAMPLE",), ("VM_CNT", "mayLoad"), writes=True),
    EventRow("W-load", (_RESULT, _TRANSLATION), _VECTOR_MEMORY, ("VM_CNT", "mayLoad"), writes=True),
    # It reads only the resource, no memory, and returns like a load.
    EventRow("W-load", (_RESULT,), mnemonics=("image_get_resinfo",)),
    EventRow(
        "W-store-lock", (Raise("store", "store", NOTHING), Raise("export", "store_lock", DATA)), _VECTOR_MEMORY,
        ("VM_CNT", "mayStore"), targets="gfx6",
    ),
    EventRow("W-store", (Raise("store", "scratch", NOTHING), _TRANSLATION), ("SCRATCH",), ("VM_CNT", "mayStore")),
    EventRow("W-store", (Raise("store", "store", NOTHING), _TRANSLATION), _VECTOR_MEMORY, ("VM_CNT", "mayStore")),
    # LDS and GDS.
    EventRow("W-gds", (Raise("lds", "gds"), Raise("export", "gds", READS)), ("DS",), ("LGKM_CNT",), modifier=_GDS),
    EventRow("W-gds", (Raise("lds", "gds"), Raise("export", "gds", READS)), ("DS",), ("LGKM_CNT", "GWS")),
    EventRow(LDS_ROW, (Raise("lds", "lds"),), ("DS",), ("LGKM_CNT",)),
    EventRow("W-lds-direct", (Raise("export", "lds_direct"),), ("LDSDIR",)),
    # Scalar memory and messages.
    EventRow(
        "W-scalar", (Raise("scalar", "scalar"), Raise("translation", "scalar", READS)), ("SMEM", "SMRD"), ("LGKM_CNT",)
    ),
    EventRow("W-message", (Raise("scalar", "message"),), mnemonics=_MESSAGES),
    EventRow("W-barrier-flag", (Raise("scalar", "barrier_flag"),), mnemonics=_BARRIER_FLAGS),
    EventRow("W-barrier-state", (Raise("scalar", "scalar"),), mnemonics=_BARRIER_STATES),
    # Exports.
    EventRow("W-export", (Raise("export", "position", READS),), ("EXP",), exports=_POSITION_EXPORTS),
    EventRow("W-export", (Raise("export", "parameter", READS),), ("EXP",), exports=_PARAMETER_EXPORTS),
    EventRow("W-export", (Raise("export", "color", READS),), ("EXP",)),
)  # fmt: skip

# Kinds that come back in the order in which they were issued, by role of the counter; the first match counts. A counter
# with outstanding events of kinds from no single group is out of order: then only a wait for zero guarantees anything.
_ORDERED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("load", ("load", "sample", "bvh", "store", "scratch", "lds_dma"), "gfx6-9"),
    ("load", ("load", "sample", "point_sample", "bvh", "lds_dma"), "gfx10+"),
    ("store", ("store",), "gfx10+"),
    ("store", ("scratch",), "gfx10+"),
    ("sample", ("sample", "point_sample"), "gfx12+ !gfx125"),
    ("bvh", ("bvh",), "gfx120"),
    ("lds", ("lds",), ""),
    ("lds", ("gds",), ""),
    ("scalar", ("message",), ""),
    ("scalar", ("barrier_flag",), "gfx12+"),
    ("export", ("color",), ""),
    ("export", ("position",), ""),
    ("export", ("parameter",), ""),
    ("export", ("gds",), ""),
    ("export", ("store_lock",), ""),
    ("export", ("lds_direct",), ""),
    ("translation", ("vector",), "FeatureWaitXcnt"),
    # Not loads with stores: CDNA5 document, on the order of asynchronous loads and stores.
    ("async", ("async", "async_to_lds"), "gfx125"),
    ("async", ("async_from_lds",), "gfx125"),
    ("tensor", ("tensor_to_lds", "tensor_from_lds"), "gfx125"),
)

# Kinds for which EXEC must not change, either, until they have read their registers.
HOLD_EXEC = frozenset(("color", "position", "parameter", "gds", "vector"))

# Why a counter is out of order, by the kind that causes it.
OUT_OF_ORDER: Mapping[str, str] = {
    "scalar": "scalar memory returns in any order, so only a wait for zero is enough",
    "flat": "a flat access may go to LDS or to memory and so finishes in no order with others, so only a wait for "
    "zero is enough",
    "": "accesses of different kinds are outstanding, which return in no order, so only a wait for zero is enough",
}

# Kinds of loads that write a VGPR in order with others of their kind, so that one may follow another to the same
# register without a wait, and the targets. LLVM still waits between accesses to LDS; they come back in order, and
# kernels of AITER and Tensile do without.
_ORDERED_WRITERS: tuple[tuple[str, str], ...] = (
    ("load", "gfx6-11"),
    ("sample", "gfx6-11"),
    ("bvh", "gfx6-11"),
    ("lds", ""),
)
# A flat access to memory writes its registers before the younger ones of these do. One to LDS is also counted with LDS,
# in no order.
FLAT = "flat"
FLAT_ALONE = "load"  # the kind of FLAT where it never accesses LDS
BEHIND_FLAT = frozenset(("load", "sample", "bvh"))


class Wait(msgspec.Struct, frozen=True):
    """A wait instruction for separate counters: each counter with the bits of the immediate for its count."""

    mnemonic: str
    counters: tuple[tuple[str, int, int], ...]  # name, shift, width in bits
    targets: str


# `s_waitcnt`, whose layout has its own tables, is in `isa.waitcnt`.
WAITS: tuple[Wait, ...] = (
    Wait("s_waitcnt_vmcnt", (("vmcnt", 0, 6),), "gfx10-11"),
    Wait("s_waitcnt_expcnt", (("expcnt", 0, 3),), "gfx10-11"),
    Wait("s_waitcnt_lgkmcnt", (("lgkmcnt", 0, 6),), "gfx10-11"),
    Wait("s_waitcnt_vscnt", (("vscnt", 0, 6),), "gfx10-11"),
    Wait("s_wait_loadcnt", (("loadcnt", 0, 6),), "gfx12+"),
    Wait("s_wait_storecnt", (("storecnt", 0, 6),), "gfx12+"),
    Wait("s_wait_samplecnt", (("samplecnt", 0, 6),), "gfx12+ !gfx125"),
    Wait("s_wait_bvhcnt", (("bvhcnt", 0, 3),), "gfx120"),
    Wait("s_wait_expcnt", (("expcnt", 0, 3),), "gfx12+ !gfx125"),
    Wait("s_wait_dscnt", (("dscnt", 0, 6),), "gfx12+"),
    Wait("s_wait_kmcnt", (("kmcnt", 0, 5),), "gfx12+"),
    Wait("s_wait_xcnt", (("xcnt", 0, 6),), "FeatureWaitXcnt"),
    Wait("s_wait_asynccnt", (("asynccnt", 0, 16),), "gfx125"),
    Wait("s_wait_tensorcnt", (("tensorcnt", 0, 16),), "gfx125"),
    Wait("s_wait_loadcnt_dscnt", (("loadcnt", 8, 6), ("dscnt", 0, 6)), "gfx12+"),
    Wait("s_wait_storecnt_dscnt", (("storecnt", 8, 6), ("dscnt", 0, 6)), "gfx12+"),
)
WAIT_FOR_ALL = "s_wait_idle"

# What `s_waitcnt`, which gfx12 still has, waits for there.
LEGACY_COUNTERS: Mapping[str, tuple[str, ...]] = {
    "vmcnt": ("loadcnt", "samplecnt", "bvhcnt"),
    "expcnt": ("expcnt",),
    "lgkmcnt": ("dscnt", "kmcnt"),
}


def counter_names(features: frozenset[str]) -> Mapping[str, str]:
    """The counter of each role that the target counts."""
    return {
        role: name
        for role, choices in _ROLES.items()
        for name, condition in choices
        if conditions.holds(condition, features)
    }


def ordered_kinds(features: frozenset[str]) -> Mapping[str, tuple[frozenset[str], ...]]:
    """For each counter, by name, the groups of kinds that come back in order."""
    names = counter_names(features)
    found: dict[str, tuple[frozenset[str], ...]] = dict.fromkeys(names.values(), ())
    for role, kinds, condition in _ORDERED:
        if role in names and conditions.holds(condition, features):
            found[names[role]] = (*found[names[role]], frozenset(kinds))
    return found


def ordered_writers(features: frozenset[str]) -> frozenset[str]:
    """The kinds of loads that write their registers in order with others of the same kind."""
    return frozenset(kind for kind, condition in _ORDERED_WRITERS if conditions.holds(condition, features))


def is_uncounted(row: str, kind: str) -> bool:
    """Whether an event is that of a load to LDS which only LLVM 22 counts, so that nothing waits for it."""
    return row == LDS_DMA_ROW and kind == LDS


def waits_for_nothing(mnemonic: str, features: frozenset[str]) -> bool:
    """Whether a wait that the target lacks is for counters that only its siblings have, so that it does not matter.

    Code of LLVM 23 for gfx13 has `s_wait_bvhcnt` and `s_wait_xcnt`, which its assembler rejects there.
    """
    known = counter_names(features).values()
    siblings = ("gfx120", "gfx12+ !gfx125", "FeatureWaitXcnt")
    row = next((wait for wait in WAITS if wait.mnemonic == mnemonic and wait.targets in siblings), None)
    return (
        row is not None
        and conditions.holds("gfx12+", features)
        and all(name not in known for name, _, _ in row.counters)
    )


def drains(form: Form) -> bool:
    """Whether the hardware itself waits for all translations at instructions of a form."""
    return form.mnemonic in DRAIN_MNEMONICS or not DRAIN_FLAGS.isdisjoint(form.flags)


def rows(features: frozenset[str]) -> tuple[EventRow, ...]:
    """The rows that hold on a target."""
    return tuple(row for row in EVENTS if conditions.holds(row.targets, features))


def may_fit(row: EventRow, form: Form) -> bool:
    """Whether instructions of a form can be of a row's class."""
    if row.families and form.family not in row.families:
        return False
    flags = form.flags if form.image is None else form.flags | form.image.flags
    return flags.issuperset(row.has) and (not row.mnemonics or form.mnemonic in row.mnemonics)


def fits(row: EventRow, *, writes: bool, keywords: frozenset[str], export: "int | None") -> bool:
    """Whether an instruction of a form that may fit is of a row's class.

    writes: whether it writes a register. keywords: its modifiers that are on. export: number of its export target.
    """
    return (
        (not row.modifier or row.modifier in keywords)
        and (row.writes is None or row.writes == writes)
        and (not row.exports or export in row.exports)
    )
