"""What a release and an acquire take on each target, by scope, for global memory.

Source: LLVM's "User Guide for AMDGPU Backend", the memory model of each generation; a test compares it with what clang
makes of fences.
"""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple

WRITE_BACKS = "buffer_wbl2|global_wb|global_wbinv"
"""A pattern for the mnemonics that write caches back."""

INVALIDATES = "buffer_inv|buffer_invl2|buffer_wbinvl1|buffer_wbinvl1_vol|buffer_gl[01]_inv|global_inv"
"""A pattern for the mnemonics that invalidate caches of vector memory."""

BEHIND = ("buffer_gl1_inv", "buffer_invl2")
"""Those for a cache behind the one next to the wave, which need another one as well."""

BEYOND_GROUP = 16
"""The bit of a store's cache policy by which waves of other work-groups see it: `sc1`, `SCOPE_DEV`, `SCOPE_SYS`."""

ANY_SCOPE = 0x1F
"""All bits of a policy that may name a scope."""

_SCOPE = {"gfx12+": 0x18, "gfx6-11": 0x15}  # without what says only how long data are used: `slc`, `nt`, `th`

# The bits of a store's policy that name the whole system, on targets whose stores name a scope.
_SYSTEM_BITS = (("gfx12+", 0x18), ("gfx94|gfx95", 0x11))

# The bits of a load's policy by which it reads what waves of other work-groups have stored, and how each is written.
_FRESH = (
    ("gfx12+", ((BEYOND_GROUP, "scope:SCOPE_DEV"),)),
    ("gfx94|gfx95", ((BEYOND_GROUP, "sc1"),)),
    ("gfx10", ((1, "glc"), (4, "dlc"))),
    ("", ((1, "glc"),)),
)

_RETURNING = (("gfx12+", "th:TH_ATOMIC_RETURN"), ("gfx94|gfx95", "sc0"), ("", "glc"))

WORK_GROUP, AGENT, SYSTEM = "work-group", "agent", "system"
"""Scopes: the waves of a work-group, of one device, of all devices and the host."""


class Sequence(NamedTuple):
    """What comes before the flag is written (release), and after it is read (acquire), in order."""

    release: tuple[str, ...]
    acquire: tuple[str, ...]


_LOADED = "s_waitcnt vmcnt(0)"
_STORED_GFX10 = "s_waitcnt_vscnt null, 0x0"
_LOADED_GFX12, _STORED_GFX12 = "s_wait_loadcnt 0x0", "s_wait_storecnt 0x0"
_WAITS_GFX12 = (_LOADED_GFX12, _STORED_GFX12)


def _acquire_gfx12(scope: str) -> tuple[str, ...]:
    return _LOADED_GFX12, f"global_inv scope:{scope}", _LOADED_GFX12


_NOTHING = Sequence((), ())
_ROWS: tuple[tuple[str, str, Sequence], ...] = (
    (WORK_GROUP, "gfx125|gfx13+", Sequence(_WAITS_GFX12, (_LOADED_GFX12,))),
    (WORK_GROUP, "gfx120", Sequence(_WAITS_GFX12, _acquire_gfx12("SCOPE_SE"))),
    (WORK_GROUP, "gfx10-11", Sequence((_LOADED, _STORED_GFX10), (_LOADED, "buffer_gl0_inv"))),
    (WORK_GROUP, "", _NOTHING),
    (SYSTEM, "gfx12+", Sequence(("global_wb scope:SCOPE_SYS", *_WAITS_GFX12), _acquire_gfx12("SCOPE_SYS"))),
    (SYSTEM, "gfx94|gfx95", Sequence(("buffer_wbl2 sc0 sc1", _LOADED), (_LOADED, "buffer_inv sc0 sc1"))),
    (
        SYSTEM,
        "gfx90a|gfx94|gfx95",
        Sequence(("buffer_wbl2", _LOADED), (_LOADED, "buffer_invl2", "buffer_wbinvl1_vol")),
    ),
    (AGENT, "gfx125|gfx13+", Sequence(("global_wb scope:SCOPE_DEV", *_WAITS_GFX12), _acquire_gfx12("SCOPE_DEV"))),
    (AGENT, "gfx120", Sequence(_WAITS_GFX12, _acquire_gfx12("SCOPE_DEV"))),
    (AGENT, "gfx10-11", Sequence((_LOADED, _STORED_GFX10), (_LOADED, "buffer_gl1_inv", "buffer_gl0_inv"))),
    (AGENT, "gfx94|gfx95", Sequence(("buffer_wbl2 sc1", _LOADED), (_LOADED, "buffer_inv sc1"))),
    (AGENT, "gfx7+", Sequence((_LOADED,), (_LOADED, "buffer_wbinvl1_vol"))),
    (AGENT, "", Sequence((_LOADED,), (_LOADED, "buffer_wbinvl1"))),
)


_INVALIDATES = regex(INVALIDATES)


def is_invalidation(mnemonic: str) -> bool:
    """Whether an instruction invalidates caches of vector memory."""
    return _INVALIDATES.fullmatch(mnemonic) is not None


_WRITES_BACK = regex(WRITE_BACKS)
_COUNTS = regex(r"(buffer|flat|global)_atomic_(add|sub|inc|dec)(_[ui]?(32|64)|_x2)?")


def writes_back(mnemonic: str) -> bool:
    """Whether an instruction writes caches of vector memory back."""
    return _WRITES_BACK.fullmatch(mnemonic) is not None


def counts(mnemonic: str) -> bool:
    """Whether an instruction is an atomic with which waves count: what they have done, who comes next."""
    return _COUNTS.fullmatch(mnemonic) is not None


def refreshes(mnemonic: str) -> bool:
    """Whether loads after an instruction find no older data in the cache next to the wave."""
    return is_invalidation(mnemonic) and mnemonic not in BEHIND


def is_within_group(mnemonic: str, policy: int) -> bool:
    """Whether a write-back is for no wave but those on the same CU: `global_wb scope:SCOPE_CU`.

    LLVM 23 begins each kernel of gfx1250 with it, before the first memory instruction.
    """
    return mnemonic.startswith("global_wb") and not policy & _SCOPE["gfx12+"]


def scope(policy: int, features: frozenset[str]) -> int:
    """The bits of a cache policy that name a scope or bypass caches; 0 for an access of the wave or its work-group."""
    return policy & next(bits for condition, bits in _SCOPE.items() if holds(condition, features))


def lacks(policy: int, features: frozenset[str]) -> tuple[str, ...]:
    """The modifiers that a load lacks to read what waves of other work-groups have stored."""
    words = next(words for condition, words in _FRESH if holds(condition, features))
    return tuple(word for bits, word in words if policy & bits != bits)


def hides(policy: int, features: frozenset[str], *, is_atomic: bool) -> str:
    """The modifier that a store or an atomic lacks to be seen by waves of other work-groups; empty for none."""
    if policy & BEYOND_GROUP:
        return ""
    if holds("gfx12+", features):
        return "scope:SCOPE_DEV"
    return "sc1" if holds("gfx94|gfx95", features) and not is_atomic else ""


def returning(features: frozenset[str]) -> str:
    """The modifier by which a vector atomic returns the value before it."""
    return next(word for condition, word in _RETURNING if holds(condition, features))


def is_beyond_group(mnemonic: str, policy: int, features: frozenset[str]) -> bool:
    """Whether an invalidation is of all caches between a wave and the stores of other work-groups."""
    if holds("gfx94|gfx95|gfx12+", features):
        return is_invalidation(mnemonic) and bool(policy & BEYOND_GROUP)
    return mnemonic == "buffer_gl1_inv" if holds("gfx10-11", features) else is_invalidation(mnemonic)


def write_back(policy: int, features: frozenset[str]) -> str:
    """The write-back that goes before a store with this cache policy; empty if the target or the scope needs none."""
    bits = next((bits for condition, bits in _SYSTEM_BITS if holds(condition, features)), 0)
    if not bits or not policy & BEYOND_GROUP:
        return ""
    first = sequence(features, SYSTEM if policy & bits == bits else AGENT).release[0]
    return first if writes_back(first.split()[0]) else ""


def sequence(features: frozenset[str], scope: str = AGENT) -> Sequence:
    """The sequences of a target with these features; where a scope has no row of its own, those of the smaller one."""
    rows = [(condition, found) for of, condition, found in _ROWS if of in (scope, AGENT if scope == SYSTEM else scope)]
    return next(found for condition, found in rows if holds(condition, features))
