"""`hwreg(name, offset, size)` and its numeric form: the operand of `s_getreg_b32` and `s_setreg_b32`."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.asm.model import Problem
from gcn_lsp.asm.values import Reading, Scope, name_of
from gcn_lsp.isa import hwreg as registers
from gcn_lsp.syntax import nodes

_ALL_BITS = registers.SIZE_MAX
WORDS = registers.all_names()


def names(target: isa.Target) -> Mapping[str, int]:
    """The hardware registers that `hwreg` knows by name on the target."""
    return registers.names(target.features)


def _register(node: nodes.Node, scope: Scope) -> Reading:
    name = name_of(node)
    known = names(scope.target)
    if name in known:
        return known[name]
    if name.startswith("HW_REG_") and name not in scope.symbols:
        elsewhere = name in WORDS
        rule = "unsupported-on-target" if elsewhere else "wrong-operand-kind"
        why = f"{scope.target.name} has no `{name}`" if elsewhere else f"`{name}` is no hardware register"
        return Problem(rule, node.start, node.end, why)
    return scope.ranged(node, 0, 63, "the number of a hardware register")


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits: register number, offset of the first bit, size less one."""
    if not isinstance(node, nodes.Call) or node.name != "hwreg":
        return scope.sixteen_bits(node, "a hwreg(...) or a number")
    arguments = node.arguments
    if len(arguments) not in (1, 3):
        return Problem(
            "wrong-operand-count", node.start, node.end, "hwreg takes a register, or a register, an offset and a size"
        )
    register = _register(arguments[0], scope)
    if not isinstance(register, int):
        return register
    if len(arguments) == 1:
        return register | (_ALL_BITS - 1) << 11
    offset = scope.ranged(arguments[1], 0, 31, "the bit offset")
    if not isinstance(offset, int):
        return offset
    size = scope.ranged(arguments[2], 1, _ALL_BITS, "the number of bits")
    if not isinstance(size, int):
        return size
    return register | offset << 6 | (size - 1) << 11


def render(target: isa.Target, immediate: int) -> str:
    """The immediate as LLVM prints it."""
    register, offset, size = immediate & 63, immediate >> 6 & 31, (immediate >> 11) + 1
    name = next((name for name, number in names(target).items() if number == register), str(register))
    return f"hwreg({name})" if (offset, size) == (0, _ALL_BITS) else f"hwreg({name}, {offset}, {size})"
