"""`hwreg(name, offset, size)` and its numeric form: the operand of `s_getreg_b32` and `s_setreg_b32`."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa.operands import hwreg as registers
from gcn_lsp.syntax import nodes

_ALL_BITS = registers.SIZE_MAX


def names(target: isa.Target) -> Mapping[str, int]:
    """The hardware registers of the target by name."""
    return registers.names(target.features)


def _register(node: nodes.Node, scope: Scope) -> Reading:
    name = name_of(node)
    known = names(scope.target)
    if name in known:
        return known[name]
    if name.startswith("HW_REG_") and name not in scope.symbols:
        elsewhere = name in registers.all_names()
        rule = "unsupported-on-target" if elsewhere else "wrong-operand-kind"
        why = f"{scope.target.name} has no `{name}`" if elsewhere else f"`{name}` is not a hardware register"
        return Problem(rule, node.start, node.end, why)
    return _number(node, scope)


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits: register number, offset of the first bit, size less one."""
    if isinstance(node, nodes.Structure):
        return _read_fields(node, scope)
    if not isinstance(node, nodes.Call) or node.name != "hwreg":
        bare = scope.bare_word(node, "hwreg", names(scope.target))
        return bare or scope.sixteen_bits(node, "a hwreg(...) or a number")
    arguments = node.arguments
    if len(arguments) not in (1, 3):
        return Problem(
            "wrong-operand-count", node.start, node.end, "hwreg takes a register, or a register, an offset and a size"
        )
    register = _register(arguments[0], scope)
    if not isinstance(register, int) or len(arguments) == 1:
        return _together(register, 0, _ALL_BITS)
    return _together(register, _offset(arguments[1], scope), _size(arguments[2], scope))


def _read_fields(node: nodes.Structure, scope: Scope) -> Reading:
    """Reads fields by name, in any order; the register is a number here."""
    values: dict[str, Reading] = {"id": 0, "offset": 0, "size": _ALL_BITS}
    written: set[str] = set()
    for field in node.fields:
        if field.name not in values:
            message = f"`{field.name}` is not a field; a hardware register has id, offset and size"
            return Problem("syntax-error", field.start, field.name_end, message)
        if field.name in written:
            return Problem("duplicate-modifier", field.start, field.name_end, f"`{field.name}` is given twice")
        written.add(field.name)
        values[field.name] = _FIELD_READERS[field.name](field.value, scope)
    return _together(values["id"], values["offset"], values["size"])


def _offset(node: nodes.Node, scope: Scope) -> Reading:
    return scope.ranged(node, 0, registers.OFFSET_MAX, "the bit offset")


def _size(node: nodes.Node, scope: Scope) -> Reading:
    return scope.ranged(node, 1, _ALL_BITS, "the number of bits")


def _id(node: nodes.Node, scope: Scope) -> Reading:
    number = names(scope.target).get(name_of(node))
    if number is None:
        return _number(node, scope)
    message = f"a field takes the number {number}, not `{name_of(node)}`; names are for `hwreg(...)`"
    fix = LineFix(f"Change to `{number}`", node.start, node.end, str(number))
    return Problem("wrong-operand-kind", node.start, node.end, message, (fix,))


def _number(node: nodes.Node, scope: Scope) -> Reading:
    return scope.ranged(node, 0, registers.REGISTER_MAX, "the number of a hardware register")


_FIELD_READERS = {"id": _id, "offset": _offset, "size": _size}


def _together(register: Reading, offset: Reading, size: Reading) -> Reading:
    if isinstance(register, int) and isinstance(offset, int) and isinstance(size, int):
        return registers.Fields(register, offset, size).pack()
    return next((part for part in (register, offset, size) if not isinstance(part, int)), None)


def render(target: isa.Target, immediate: int) -> str:
    """The immediate as LLVM prints it."""
    fields = registers.Fields.unpack(immediate)
    name = next((name for name, number in names(target).items() if number == fields.register), str(fields.register))
    if fields == registers.Fields(fields.register):
        return f"hwreg({name})"
    return f"hwreg({name}, {fields.offset}, {fields.size})"
