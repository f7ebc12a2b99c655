"""`sendmsg(message, operation, stream)` and its numeric form: the operand of `s_sendmsg`."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa.operands import sendmsg as table
from gcn_lsp.syntax import nodes

_GS, _GS_DONE, _SYSTEM = 2, 3, 15
_NO_OPERATION = {"GS_OP_NOP": 0}
_GS_OPERATIONS, _SYSTEM_OPERATIONS = table.GS_OPERATIONS, table.SYSTEM_OPERATIONS


def names(target: isa.Target) -> dict[str, int]:
    """The messages of the target by name."""
    return {name: message.number for name, message in table.messages(target.features).items()}


def _operations(message: int, target: isa.Target) -> Mapping[str, int]:
    for known in table.messages(target.features).values():
        if known.number == message and known.operations:
            return _NO_OPERATION | dict(known.operations) if message == _GS else known.operations
    return {}


def _message(node: nodes.Node, scope: Scope) -> Reading:
    name = name_of(node)
    known = names(scope.target)
    if name in known:
        return known[name]
    if name.startswith("MSG_") and name not in scope.symbols:
        elsewhere = name in table.all_names() | table.all_operations()
        rule = "unsupported-on-target" if elsewhere else "wrong-operand-kind"
        why = f"{scope.target.name} has no message `{name}`" if elsewhere else f"`{name}` is not a message"
        return Problem(rule, node.start, node.end, why)
    return scope.ranged(
        node, 0, table.ID_MAX_GFX11 if scope.target.has_rtn_messages else table.ID_MAX, "the number of a message"
    )


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits: message, operation, stream. For a message given by name, only existing values are accepted."""
    if not isinstance(node, nodes.Call) or node.name != "sendmsg":
        bare = scope.bare_word(node, "sendmsg", names(scope.target))
        return bare or scope.sixteen_bits(node, "a sendmsg(...) or a number")
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
    return table.Fields(message, operation, stream).pack()


def _operation(arguments: tuple[nodes.Node, ...], message: int, strict: bool, scope: Scope) -> Reading:
    node = arguments[1]
    operations = _operations(message, scope.target)
    # LLVM also knows the operations of other messages by name, and then checks their number.
    named = _SYSTEM_OPERATIONS if message == _SYSTEM else _GS_OPERATIONS
    operation: Reading = operations.get(name_of(node), named.get(name_of(node)))
    if operation is None:
        operation = scope.number(node, "an operation")
    valid = set(operations.values()) - ({0} if message == _GS else set())
    if not isinstance(operation, int) or operation in (valid if strict else range(table.OPERATION_MAX + 1)):
        return operation
    why = f"operation {operation} does not belong to message {message}"
    return Problem("immediate-out-of-range", node.start, node.end, why)


def _stream(node: nodes.Node, message: int, operation: int, strict: bool, scope: Scope) -> Reading:
    if strict and (message == _SYSTEM or operation == 0):
        return Problem("wrong-operand-count", node.start, node.end, "this message operation takes no stream")
    return scope.ranged(node, 0, table.STREAM_MAX, "the stream")


def render(target: isa.Target, immediate: int) -> str:
    """The immediate as LLVM prints it."""
    known = table.messages(target.features)
    if target.has_rtn_messages:
        if immediate > table.ID_MAX_GFX11:
            return str(immediate)
        name = next((message.name for message in known.values() if message.number == immediate), "")
        return f"sendmsg({name})" if name else f"sendmsg({immediate}, 0, 0)"
    return _with_operation(target, immediate)


def _with_operation(target: isa.Target, immediate: int) -> str:
    """The immediate of a message with an operation and a stream, as LLVM prints it."""
    fields = table.Fields.unpack(immediate)
    if fields.pack() != immediate:
        return str(immediate)
    number, operation, stream = fields
    messages = table.messages(target.features).values()
    name = next((message.name for message in messages if message.number == number), "")
    operations = _operations(number, target)
    if name and not operations and not operation and not stream:
        return f"sendmsg({name})"
    named = next((word for word, code in operations.items() if code == operation), "")
    if number == _GS and not operation:
        named = ""
    takes_stream = number in (_GS, _GS_DONE) and operation
    if not name or not named or (stream and not takes_stream):
        return f"sendmsg({number}, {operation}, {stream})"
    return f"sendmsg({name}, {named}, {stream})" if takes_stream else f"sendmsg({name}, {named})"
