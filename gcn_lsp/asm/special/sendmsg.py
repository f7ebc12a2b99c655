"""`sendmsg(message, operation, stream)` and its numeric form: the operand of `s_sendmsg`."""

from gcn_lsp import isa
from gcn_lsp.asm.model import Problem
from gcn_lsp.asm.values import Reading, Scope, name_of
from gcn_lsp.syntax import nodes

# name, number, first and last generation
_MESSAGES: tuple[tuple[str, int, int, int], ...] = (
    ("MSG_INTERRUPT", 1, 6, 99),
    ("MSG_GS", 2, 6, 10),
    ("MSG_GS_DONE", 3, 6, 10),
    ("MSG_SAVEWAVE", 4, 8, 10),
    ("MSG_STALL_WAVE_GEN", 5, 9, 11),
    ("MSG_HALT_WAVES", 6, 9, 11),
    ("MSG_ORDERED_PS_DONE", 7, 9, 10),
    ("MSG_EARLY_PRIM_DEALLOC", 8, 9, 9),
    ("MSG_GS_ALLOC_REQ", 9, 9, 99),
    ("MSG_GET_DOORBELL", 10, 9, 10),
    ("MSG_GET_DDID", 11, 10, 10),
    ("MSG_SYSMSG", 15, 6, 10),
    ("MSG_HS_TESSFACTOR", 2, 11, 99),
    ("MSG_DEALLOC_VGPRS", 3, 11, 99),
    ("MSG_RTN_GET_DOORBELL", 128, 11, 99),
    ("MSG_RTN_GET_DDID", 129, 11, 99),
    ("MSG_RTN_GET_TMA", 130, 11, 99),
    ("MSG_RTN_GET_REALTIME", 131, 11, 99),
    ("MSG_RTN_SAVE_WAVE", 132, 11, 99),
    ("MSG_RTN_GET_TBA", 133, 11, 99),
    ("MSG_RTN_GET_TBA_TO_PC", 134, 11, 99),
    ("MSG_RTN_GET_SE_AID_ID", 135, 12, 99),
)
_GS_OPERATIONS = {"GS_OP_NOP": 0, "GS_OP_CUT": 1, "GS_OP_EMIT": 2, "GS_OP_EMIT_CUT": 3}
_SYSTEM_OPERATIONS = {
    "SYSMSG_OP_ECC_ERR_INTERRUPT": 1,
    "SYSMSG_OP_REG_RD": 2,
    "SYSMSG_OP_HOST_TRAP_ACK": 3,
    "SYSMSG_OP_TTRACE_PC": 4,
}
_GS, _GS_DONE, _SYSTEM = 2, 3, 15
WORDS = frozenset((*(name for name, *_ in _MESSAGES), *_GS_OPERATIONS, *_SYSTEM_OPERATIONS))


def names(target: isa.Target) -> dict[str, int]:
    """The messages that the target knows by name."""
    age = target.generation_number
    return {name: number for name, number, first, last in _MESSAGES if first <= age <= last}


def _operations(message: int, target: isa.Target) -> dict[str, int]:
    if target.generation_number >= 11:
        return {}
    return {_GS: _GS_OPERATIONS, _GS_DONE: _GS_OPERATIONS, _SYSTEM: _SYSTEM_OPERATIONS}.get(message, {})


def _message(node: nodes.Node, scope: Scope) -> Reading:
    name = name_of(node)
    known = names(scope.target)
    if name in known:
        return known[name]
    if name.startswith("MSG_") and name not in scope.symbols:
        elsewhere = any(name == other for other, *_ in _MESSAGES)
        rule = "unsupported-on-target" if elsewhere else "wrong-operand-kind"
        why = f"{scope.target.name} has no message `{name}`" if elsewhere else f"`{name}` is no message"
        return Problem(rule, node.start, node.end, why)
    return scope.ranged(node, 0, 255 if scope.target.generation_number >= 11 else 15, "the number of a message")


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits: message, operation, stream. With a message by name only what exists is taken."""
    if not isinstance(node, nodes.Call) or node.name != "sendmsg":
        value = scope.number(node, "a sendmsg(...) or a number")
        if isinstance(value, int) and not 0 <= value <= 0xFFFF:
            return Problem("immediate-out-of-range", node.start, node.end, f"{value} does not fit in 16 bits")
        return value
    arguments = node.arguments
    if not 1 <= len(arguments) <= 3:
        return Problem(
            "wrong-operand-count", node.start, node.end, "sendmsg takes a message, an operation and a stream"
        )
    message = _message(arguments[0], scope)
    if not isinstance(message, int):
        return message
    strict = name_of(arguments[0]) in names(scope.target)
    operations = _operations(message, scope.target)
    if strict and bool(operations) != (len(arguments) > 1):
        place = arguments[1] if len(arguments) > 1 else arguments[0]
        why = "takes no operation" if len(arguments) > 1 else "needs an operation"
        return Problem("wrong-operand-count", place.start, place.end, f"{name_of(arguments[0])} {why}")
    operation = _operation(arguments, message, strict, scope) if len(arguments) > 1 else 0
    if not isinstance(operation, int):
        return operation
    stream = _stream(arguments[2], message, operation, strict, scope) if len(arguments) > 2 else 0
    if not isinstance(stream, int):
        return stream
    return message | operation << 4 | stream << 8


def _operation(arguments: tuple[nodes.Node, ...], message: int, strict: bool, scope: Scope) -> Reading:
    node = arguments[1]
    operations = _operations(message, scope.target)
    operation: Reading = operations.get(name_of(node))
    if operation is None:
        operation = scope.number(node, "an operation")
    valid = set(operations.values()) - ({0} if message == _GS else set())
    if not isinstance(operation, int) or operation in (valid if strict else range(8)):
        return operation
    why = f"operation {operation} does not belong to message {message}"
    return Problem("immediate-out-of-range", node.start, node.end, why)


def _stream(node: nodes.Node, message: int, operation: int, strict: bool, scope: Scope) -> Reading:
    if strict and (message == _SYSTEM or operation == 0):
        return Problem("wrong-operand-count", node.start, node.end, "this message operation takes no stream")
    return scope.ranged(node, 0, 3, "the stream")


def render(target: isa.Target, immediate: int) -> str:
    """The immediate as LLVM prints it."""
    message, operation, stream = immediate & 15, immediate >> 4 & 7, immediate >> 8 & 3
    name = next((name for name, number in names(target).items() if number == message), "")
    if target.generation_number >= 11:
        name = next((name for name, number in names(target).items() if number == immediate & 255), "")
        return f"sendmsg({name})" if name else str(immediate)
    operations = _operations(message, target)
    named = next((word for word, number in operations.items() if number == operation), "")
    if not name or (operations and not named):
        return f"sendmsg({message}, {operation}, {stream})" if not name else str(immediate)
    if not operations:
        return f"sendmsg({name})"
    return (
        f"sendmsg({name}, {named}, {stream})"
        if stream or (message in (_GS, _GS_DONE) and operation)
        else f"sendmsg({name}, {named})"
    )
