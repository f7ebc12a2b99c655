"""What the two halves of a dual-issue instruction (VOPD) must keep to: their registers lie in different banks."""

from gcn_lsp.asm.bound import Bound
from gcn_lsp.asm.model import Problem

_BANKS = 4
_PAIRS = (("src0X", "src0Y"), ("vsrc1X", "vsrc1Y"))


def check(bound: Bound) -> Problem | None:
    """One result register is even and the other odd; sources at the same place come from different banks."""
    first, second = _vgpr(bound, "vdstX"), _vgpr(bound, "vdstY")
    if "VOPD3" in bound.form.flags:  # the longer encoding asks only for different results
        same = first is not None and first == second
        return bound.problem("operand-conflict", "both halves write the same register", "vdstY") if same else None
    if first is not None and second is not None and first % 2 == second % 2:
        return bound.problem(
            "operand-conflict", "one of the two results must be an even register, the other odd", "vdstY"
        )
    name = bound.form.name
    if bound.target.generation_number >= 12 and "V_DUAL_MOV_B32_e32_X_MOV_B32" in name:
        return None  # the second move reads through another cache
    for left, right in _PAIRS:
        one, other = _vgpr(bound, left), _vgpr(bound, right)
        if one is None or other is None or one % _BANKS != other % _BANKS:
            continue
        if one == other and bound.target.has("FeatureGFX1250Insts"):
            continue
        message = f"v{one} and v{other} are in the same of the four VGPR banks; the two sources must not be"
        return bound.problem("operand-conflict", message, right)
    return None


def _vgpr(bound: Bound, name: str) -> int | None:
    argument = bound.arguments.get(name)
    if argument is None or argument.register is None or argument.register.file != "v":
        return None
    return argument.register.first
