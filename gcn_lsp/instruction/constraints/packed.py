"""Halves of registers: `op_sel`, `neg_lo` and `neg_hi`, and the packed instructions."""

from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem

_SOURCES = ("src0", "src1", "src2")


def op_sel(bound: Bound) -> Problem | None:
    """Some instructions have fewer bits of op_sel than their form."""
    form, values = bound.form, bound.values
    if bound.target.has_dots_without_op_sel and "IsDOT" in form.flags:
        for name in ("op_sel", "op_sel_hi"):
            if name in bound.arguments and (values[name] or name == "op_sel_hi"):
                return bound.problem(
                    "unsupported-on-target", f"{bound.word} takes no {name} on {bound.target.name}", name
                )
    if form.mnemonic.startswith("v_permlane") and values.get("op_sel", 0) & ~3:
        return bound.problem("modifier-out-of-range", f"{bound.word} has two bits of op_sel", "op_sel")
    if (
        bound.target.has_dots_with_op_sel_of_results
        and {"IsDOT", "VOP3"} <= form.flags
        and "VOP3P" not in form.flags
        and values.get("op_sel", 0) & 3
    ):
        message = f"the first two bits of op_sel must be 0 in {bound.word}"
        return bound.problem("modifier-out-of-range", message, "op_sel")
    return None


HALF = 16  # bits


def selected_halves(bound: Bound) -> Problem | None:
    """A written op_sel agrees with `.l` and `.h`; one of zeros counts as none."""
    selected = bound.values.get("op_sel", 0)
    if not selected:
        return None
    names = {operand.name for operand in bound.form.operands}
    same = {one: other for tie in bound.form.ties for one, other in (tie, tie[::-1])}
    for bit, name in enumerate(name for name in (*_SOURCES, "vdst") if name in names):
        argument = bound.arguments.get(name) or bound.arguments.get(same.get(name, ""))
        register = argument.register if argument is not None else None
        if register is not None and register.half and (register.half == "hi") != bool(selected >> bit & 1):
            written, chosen = ("upper", "lower") if register.half == "hi" else ("lower", "upper")
            message = (
                f"`{register.text}` is the {written} half, but bit {bit} of op_sel selects the {chosen} one; "
                "op_sel is not needed here"
            )
            return bound.problem("operand-conflict", message, "op_sel")
    return None


_WHOLE_PAIRS = frozenset(("ttmp", "null"))  # LLVM does not check these


def packed_scalars(bound: Bound) -> Problem | None:
    """A scalar source is read as one dword for both halves, so neither half can be selected."""
    low, high = bound.values.get("op_sel", 0), bound.values.get("op_sel_hi", _ALL_HIGH)
    for index, name in enumerate(_SOURCES):
        argument = bound.arguments.get(name)
        register = argument.register if argument is not None else None
        if register is None or not register.is_scalar or register.file in _WHOLE_PAIRS:
            continue
        if (low | high) >> index & 1:
            message = f"op_sel and op_sel_hi must be 0 for `{register.text}`: both halves read the same dword here"
            return bound.problem("operand-conflict", message, name)
    return None


_ALL_HIGH = 0b111


def neg(bound: Bound) -> Problem | None:
    """Sources without modifier bits cannot be negated."""
    names = {operand.name for operand in bound.form.operands}
    for modifier in ("neg_lo", "neg_hi"):
        bits = bound.values.get(modifier, 0)
        for index, source in enumerate(_SOURCES):
            if bits >> index & 1 and f"{source}_modifiers" not in names:
                return bound.problem("modifier-out-of-range", f"{bound.word} cannot negate its {source}", modifier)
    return None
