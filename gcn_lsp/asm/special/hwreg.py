"""`hwreg(name, offset, size)` and its numeric form: the operand of `s_getreg_b32` and `s_setreg_b32`."""

from collections.abc import Callable

from gcn_lsp import isa
from gcn_lsp.asm.model import Problem
from gcn_lsp.asm.values import Reading, Scope, name_of
from gcn_lsp.syntax import nodes

Condition = Callable[[isa.Target], bool]


def _between(first: int, last: int) -> Condition:
    return lambda target: first <= target.generation_number <= last


def _gfx942(target: isa.Target) -> bool:
    return target.has("FeatureGFX940Insts")


def _has_xnack_mask(target: isa.Target) -> bool:
    return target.generation_number == 10 and not target.has("FeatureGFX10_3Insts")


_ALWAYS = _between(6, 99)
_OLD = _between(6, 11)

_REGISTERS: tuple[tuple[str, int, Condition], ...] = (
    ("HW_REG_WAVE_MODE", 1, _between(12, 99)),
    ("HW_REG_WAVE_STATUS", 2, _between(12, 99)),
    ("HW_REG_MODE", 1, _ALWAYS),
    ("HW_REG_STATUS", 2, _ALWAYS),
    ("HW_REG_TRAPSTS", 3, _OLD),
    ("HW_REG_HW_ID", 4, _between(6, 9)),
    ("HW_REG_GPR_ALLOC", 5, _ALWAYS),
    ("HW_REG_LDS_ALLOC", 6, _ALWAYS),
    ("HW_REG_IB_STS", 7, _ALWAYS),
    ("HW_REG_SH_MEM_BASES", 15, _between(9, 11)),
    ("HW_REG_TBA_LO", 16, _between(9, 10)),
    ("HW_REG_TBA_HI", 17, _between(9, 10)),
    ("HW_REG_TMA_LO", 18, _between(9, 10)),
    ("HW_REG_TMA_HI", 19, _between(9, 10)),
    ("HW_REG_FLAT_SCR_LO", 20, _between(10, 11)),
    ("HW_REG_FLAT_SCR_HI", 21, _between(10, 11)),
    ("HW_REG_XNACK_MASK", 22, _has_xnack_mask),
    ("HW_REG_HW_ID1", 23, _between(10, 99)),
    ("HW_REG_HW_ID2", 24, _between(10, 99)),
    ("HW_REG_POPS_PACKER", 25, _between(10, 10)),
    ("HW_REG_SHADER_CYCLES", 29, lambda target: target.has("FeatureShaderCyclesRegister")),
    ("HW_REG_XCC_ID", 20, _gfx942),
    ("HW_REG_SQ_PERF_SNAPSHOT_DATA", 21, _gfx942),
    ("HW_REG_SQ_PERF_SNAPSHOT_DATA1", 22, _gfx942),
    ("HW_REG_SQ_PERF_SNAPSHOT_PC_LO", 23, _gfx942),
    ("HW_REG_SQ_PERF_SNAPSHOT_PC_HI", 24, _gfx942),
)
_ALL_BITS = 32
WORDS = frozenset(name for name, _, _ in _REGISTERS)


def names(target: isa.Target) -> dict[str, int]:
    """The hardware registers that `hwreg` knows by name on the target."""
    return {name: number for name, number, exists in _REGISTERS if exists(target)}


def _register(node: nodes.Node, scope: Scope) -> Reading:
    name = name_of(node)
    known = names(scope.target)
    if name in known:
        return known[name]
    if name.startswith("HW_REG_") and name not in scope.symbols:
        elsewhere = any(name == other for other, _, _ in _REGISTERS)
        rule = "unsupported-on-target" if elsewhere else "wrong-operand-kind"
        why = f"{scope.target.name} has no `{name}`" if elsewhere else f"`{name}` is no hardware register"
        return Problem(rule, node.start, node.end, why)
    return scope.ranged(node, 0, 63, "the number of a hardware register")


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits: register number, offset of the first bit, size less one."""
    if not isinstance(node, nodes.Call) or node.name != "hwreg":
        value = scope.number(node, "a hwreg(...) or a number")
        if isinstance(value, int) and not 0 <= value <= 0xFFFF:
            return Problem("immediate-out-of-range", node.start, node.end, f"{value} does not fit in 16 bits")
        return value
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
