"""The instructions of a barrier: which say that a wave has arrived, and which wait for the others.

Facts: LLVM's "AMDGPU Execution Synchronization", and the chapters on barriers of the RDNA4 and CDNA5 ISA documents. One
instruction does both up to gfx11.
"""

from gcn_lsp.isa.conditions import holds

_WHOLE = "s_barrier"
SIGNAL, SIGNAL_IF_FIRST = "s_barrier_signal", "s_barrier_signal_isfirst"
_SIGNALS = frozenset((SIGNAL, SIGNAL_IF_FIRST))
_WAIT = "s_barrier_wait"

ARRIVALS = "|".join((_WHOLE, SIGNAL, SIGNAL_IF_FIRST))
"""A pattern for the mnemonics by which a wave arrives."""


def arrives(mnemonic: str) -> bool:
    """Whether the wave arrives at a barrier."""
    return mnemonic == _WHOLE or mnemonic in _SIGNALS


def concerns(mnemonic: str) -> bool:
    """Whether an instruction is one of a barrier."""
    return mnemonic == _WHOLE or mnemonic in NUMBERED


def completes(mnemonic: str) -> bool:
    """Whether all waves have arrived after the instruction."""
    return mnemonic in (_WHOLE, _WAIT)


def copies_from_lds(mnemonic: str) -> bool:
    """Whether an instruction copies from LDS to memory beside the wave."""
    return mnemonic.endswith("_from_lds") or "_from_lds_" in mnemonic


def is_split(mnemonic: str) -> bool:
    """Whether an arrival leaves the wait to another instruction."""
    return mnemonic in _SIGNALS


def whole(features: frozenset[str]) -> tuple[str, ...]:
    """The instructions of a barrier of the work-group."""
    return (f"{SIGNAL} {WORK_GROUP}", f"{_WAIT} {WORK_GROUP}") if holds("gfx12+", features) else (_WHOLE,)


INIT, JOIN, LEAVE, SIGNALS, WAIT = "s_barrier_init", "s_barrier_join", "s_barrier_leave", _SIGNALS, _WAIT
NUMBERED = frozenset((INIT, JOIN, LEAVE, WAIT, *SIGNALS))
"""The operations on a barrier by number, which exist from gfx12, those on named barriers on gfx125x."""

WORK_GROUP, CLUSTER = -1, -3
"""The numbers of the barriers of a work-group and of a cluster of work-groups."""

TRAP_HANDLER = (-2, -4)
"""The numbers of the same barriers for trap handlers, which a kernel cannot use."""

NAMED = range(1, 17)
"""The numbers of named barriers."""

NOTHING = 0
"""The number of one that does nothing."""


def numbers(features: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The barriers that operands of a target name, and what each is; none where there is one barrier without a name."""
    if not holds("gfx12+", features):
        return ()
    named = ((f"{NAMED[0]} to {NAMED[-1]}", "named, for any waves of the work-group"), ("0", "does nothing"))
    rows = (
        *(named if holds("gfx125|gfx13+", features) else ()),
        (str(WORK_GROUP), "of the work-group"),
        (str(TRAP_HANDLER[0]), "of the work-group, for the trap handler"),
        (str(CLUSTER), "of the cluster of work-groups"),
        (str(TRAP_HANDLER[1]), "of the cluster, for the trap handler"),
    )
    return rows if holds("gfx125|gfx13+", features) else tuple(row for row in rows if "cluster" not in row[1])


def number(value: object) -> "int | None":
    """The barrier that an operand names; None if it is in M0 or not known."""
    return (value + 0x8000 & 0xFFFF) - 0x8000 if type(value) is int else None


def number_in_m0(value: int) -> "int | None":
    """The named barrier in M0, its bits 4:0; None for another barrier, whose number the bits do not tell apart."""
    named = value & 0x1F
    return named if named in (0, *NAMED) else None


def arrivals_in_m0(value: int) -> int:
    """How many arrivals a barrier is set up for: the bits 22:16 of M0."""
    return value >> 16 & 0x7F
