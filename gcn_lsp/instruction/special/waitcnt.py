"""`s_waitcnt`: wait counts by name (`vmcnt(0) & lgkmcnt(1)`) or as a number."""

from collections.abc import Sequence

from gcn_lsp import isa
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.values import Reading, Scope, one_of, respelt
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.isa.waits import waitcnt as counters
from gcn_lsp.syntax import nodes

Pieces = tuple[tuple[int, int], ...]  # (first bit, width) of each part of a count, low part first


def layout(target: isa.Target) -> dict[str, Pieces]:
    """The bits of each count in the immediate of `s_waitcnt`."""
    return {name: field.parts for name, field in counters.fields(target.features).items()}


def everything(target: isa.Target) -> int:
    """The immediate that never waits: every count at its maximum."""
    return sum(((1 << width) - 1) << bit for pieces in layout(target).values() for bit, width in pieces)


def decode(target: isa.Target, immediate: int) -> dict[str, int]:
    """The counts in an immediate, by name."""
    counts = {}
    for name, pieces in layout(target).items():
        value = shift = 0
        for bit, width in pieces:
            value |= (immediate >> bit & ((1 << width) - 1)) << shift
            shift += width
        counts[name] = value
    return counts


def render(target: isa.Target, immediate: int) -> str:
    """The immediate as LLVM prints it: the counts below their maximum, separated by blanks."""
    counts = decode(target, immediate)
    full = decode(target, everything(target))
    named = [f"{name}({value})" for name, value in counts.items() if value != full[name]]
    return " ".join(named or [f"{name}({value})" for name, value in counts.items()])


def read(parts: Sequence[nodes.Node], scope: Scope) -> Reading:
    """The immediate for all operands of an `s_waitcnt`."""
    calls: list[nodes.Node] = []
    for part in parts:
        split(part, calls)
    if not isinstance(calls[0], nodes.Call) or calls[0].name in ("max", "or"):
        if len(parts) > 1:
            extra = parts[1]
            return Problem(
                "wrong-operand-count", extra.start, extra.end, f"{wait_text.WAITCNT} takes one number or named counts"
            )
        return scope.number(parts[0], "a wait count")
    immediate = everything(scope.target)
    known = layout(scope.target)
    for call in calls:
        if not isinstance(call, nodes.Call):
            return Problem("syntax-error", call.start, call.end, f"a count is expected here: {_names(known)}")
        saturates = call.name.endswith("_sat")
        pieces = known.get(call.name.removesuffix("_sat"))
        if pieces is None:
            return Problem(
                "wrong-operand-kind",
                call.start,
                call.start + len(call.name),
                f"`{call.name}` is not a counter of {wait_text.WAITCNT}; it has {_names(known)}",
                respelt(call, known),
            )
        if len(call.arguments) != 1:
            return Problem("syntax-error", call.start, call.end, f"`{call.name}` takes one number")
        value = scope.number(call.arguments[0], "a wait count")
        if not isinstance(value, int):
            return value
        largest = (1 << sum(width for _, width in pieces)) - 1
        if not 0 <= value <= largest:
            if not saturates:
                argument = call.arguments[0]
                start, end = argument.start, argument.end
                message = f"{call.name} is {value}; the range on {scope.target.name} is 0 to {largest}"
                largest_fix = LineFix(f"Change to {largest}", start, end, str(largest), is_certain=False)
                return Problem("immediate-out-of-range", start, end, message, (largest_fix,) if value > 0 else ())
            value = largest
        for bit, width in pieces:
            mask = (1 << width) - 1
            immediate = immediate & ~(mask << bit) | (value & mask) << bit
            value >>= width
    return immediate


def split(node: nodes.Node, found: list[nodes.Node]) -> None:
    """Appends the parts that `&` joins to `found`, in order."""
    if isinstance(node, nodes.Binary) and node.op == "&" and _begins_with_count(node):
        split(node.left, found)
        split(node.right, found)
    else:
        found.append(node)


def _begins_with_count(node: nodes.Node) -> bool:
    while isinstance(node, nodes.Binary):
        node = node.left
    return isinstance(node, nodes.Call)


def _names(known: dict[str, Pieces]) -> str:
    return one_of([f"`{name}`" for name in known])
