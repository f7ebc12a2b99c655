"""Messages of s_sendmsg: `sendmsg(message, operation, stream)` and their numbers by target."""

from collections.abc import Mapping

import msgspec

from gcn_lsp.isa import conditions, versions
from gcn_lsp.records import NamedTuple

ID_MAX, OPERATION_MAX, STREAM_MAX = 15, 7, 3
ID_MAX_GFX11 = 255
"""From gfx11 the message has 8 bits and nothing follows."""
_OPERATION_SHIFT, _STREAM_SHIFT = 4, 8


class Fields(NamedTuple):
    """The operand of s_sendmsg before gfx11."""

    message: int
    operation: int = 0
    stream: int = 0

    def pack(self) -> int:
        """The 16 bits of the immediate."""
        return self.message | self.operation << _OPERATION_SHIFT | self.stream << _STREAM_SHIFT

    @staticmethod
    def unpack(immediate: int) -> "Fields":
        """The fields of an immediate."""
        operation, stream = immediate >> _OPERATION_SHIFT & OPERATION_MAX, immediate >> _STREAM_SHIFT & STREAM_MAX
        return Fields(immediate & ID_MAX, operation, stream)


class Message(msgspec.Struct, frozen=True):
    """A message. operations: name to number, empty if it has none."""

    name: str
    number: int
    operations: Mapping[str, int]


_GS = {"GS_OP_CUT": 1, "GS_OP_EMIT": 2, "GS_OP_EMIT_CUT": 3}
_SYSTEM = {"SYSMSG_OP_ECC_ERR_INTERRUPT": 1, "SYSMSG_OP_REG_RD": 2, "SYSMSG_OP_TTRACE_PC": 4}
_NONE: Mapping[str, int] = {}
GS_OPERATIONS: Mapping[str, int] = {"GS_OP_NOP": 0} | _GS
SYSTEM_OPERATIONS: Mapping[str, int] = _SYSTEM

_ROWS: tuple[tuple[str, int, Mapping[str, int], str], ...] = (
    ("MSG_INTERRUPT", 1, _NONE, ""),
    ("MSG_GS", 2, _GS, "gfx6-10"),
    ("MSG_GS_DONE", 3, {"GS_OP_NOP": 0} | _GS, "gfx6-10"),
    ("MSG_SAVEWAVE", 4, _NONE, "gfx8-10"),
    ("MSG_STALL_WAVE_GEN", 5, _NONE, "gfx9-11"),
    ("MSG_HALT_WAVES", 6, _NONE, "gfx9-11"),
    ("MSG_ORDERED_PS_DONE", 7, _NONE, "gfx9-10"),
    ("MSG_EARLY_PRIM_DEALLOC", 8, _NONE, "gfx9-10"),
    ("MSG_GS_ALLOC_REQ", 9, _NONE, "gfx9+"),
    ("MSG_GET_DOORBELL", 10, _NONE, "gfx9-10"),
    ("MSG_GET_DDID", 11, _NONE, "gfx10"),
    ("MSG_HS_TESSFACTOR", 2, _NONE, "gfx11+"),
    ("MSG_DEALLOC_VGPRS", 3, _NONE, "gfx11+"),
    ("MSG_SAVEWAVE_HAS_TDM", 10, _NONE, f"gfx125|gfx13+ !{versions.RETURNED_SAVE_WAVE}"),
    ("MSG_SYSMSG", 15, _SYSTEM | {"SYSMSG_OP_HOST_TRAP_ACK": 3}, "gfx6-8"),
    ("MSG_SYSMSG", 15, _SYSTEM, "gfx9+"),
    ("MSG_RTN_GET_DOORBELL", 128, _NONE, "gfx11+"),
    ("MSG_RTN_GET_DDID", 129, _NONE, "gfx11+"),
    ("MSG_RTN_GET_TMA", 130, _NONE, "gfx11+"),
    ("MSG_RTN_GET_REALTIME", 131, _NONE, "gfx11+"),
    ("MSG_RTN_SAVE_WAVE", 132, _NONE, "gfx11+"),
    ("MSG_RTN_GET_TBA", 133, _NONE, "gfx11+"),
    ("MSG_RTN_GET_TBA_TO_PC", 134, _NONE, "gfx11+"),
    ("MSG_RTN_GET_SE_AID_ID", 135, _NONE, "gfx12+"),
    ("MSG_RTN_GET_CLUSTER_BARRIER_STATE", 136, _NONE, "gfx125|gfx13+"),
    ("MSG_RTN_SAVE_WAVE_HAS_TDM", 152, _NONE, f"gfx125|gfx13+ {versions.RETURNED_SAVE_WAVE}"),
)


def messages(features: frozenset[str]) -> Mapping[str, Message]:
    """The messages of a target by name."""
    return {
        name: Message(name, number, operations)
        for name, number, operations, condition in _ROWS
        if conditions.holds(condition, features)
    }


def all_names() -> frozenset[str]:
    """The names of any target's messages."""
    return frozenset(name for name, _, _, _ in _ROWS)


def all_operations() -> frozenset[str]:
    """The names of the operations of any message."""
    return frozenset(name for _, _, operations, _ in _ROWS for name in operations)
