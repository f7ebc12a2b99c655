"""What the two halves of a dual-issue instruction (VOPD) must keep to: their registers lie in different banks."""

from gcn_lsp.asm.bound import Bound
from gcn_lsp.asm.model import Problem

_BANKS = (4, 4, 2)
"""How many banks the register file has for the first, the second and the third source."""


def check(bound: Bound) -> Problem | None:
    """One result register is even and the other odd; sources at the same place come from different banks."""
    first, second = _vgpr(bound, "vdstX"), _vgpr(bound, "vdstY")
    if "VOPD3" in bound.form.flags:  # the longer encoding asks only for different results
        same = first is not None and first == second
        return bound.problem("operand-conflict", "both halves write the same register", "vdstY") if same else None
    if first is not None and second is not None and first % 2 == second % 2:
        message = "one of the two results must be an even register, the other odd"
        return bound.problem("operand-conflict", message, "vdstY")
    if bound.target.generation_number >= 12 and "V_DUAL_MOV_B32_e32_X_MOV_B32" in bound.form.name:
        return None  # the second move reads through another cache
    for left, right, banks in zip(*_sources(bound), _BANKS, strict=False):
        one, other = _vgpr(bound, left), _vgpr(bound, right)
        if one is None or other is None or one % banks != other % banks:
            continue
        if one == other and bound.target.has("FeatureGFX1250Insts"):
            continue
        message = f"v{one} and v{other} are in the same of {banks} VGPR banks; the two sources must not be"
        return bound.problem("operand-conflict", message, right)
    return None


def _sources(bound: Bound) -> tuple[list[str], list[str]]:
    """The source slots of each half, in order; a result that is added to is the third source."""
    names = [slot.name or slot.text for slot in bound.form.slots]
    middle = names.index("::")
    halves = names[1:middle], names[middle + 3 :]
    tied = dict(bound.form.ties)
    for half, accumulator in zip(halves, ("src2X", "src2Y"), strict=True):
        if accumulator in tied:
            half.append(tied[accumulator])
    return halves


def _vgpr(bound: Bound, name: str) -> int | None:
    argument = bound.arguments.get(name)
    if argument is None or argument.register is None or argument.register.file != "v":
        return None
    return argument.register.first
