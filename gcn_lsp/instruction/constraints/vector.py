"""Vector instructions: DPP, SDWA, clamp, `lds_direct`, and constraints of single instructions."""

from gcn_lsp import isa
from gcn_lsp.instruction import operands
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.modifiers import dpp, sdwa
from gcn_lsp.isa.operands import limits

_SOURCES = ("src0", "src1", "src2")
_REVERSED = (
    "V_SUBREV_",
    "V_SUBBREV_",
    "V_LSHRREV_",
    "V_ASHRREV_",
    "V_LSHLREV_",
    "V_PK_LSHLREV_",
    "V_PK_LSHRREV_",
    "V_PK_ASHRREV_",
)


def lds_direct(bound: Bound) -> Problem | None:
    """`lds_direct` can only be src0, of some instructions on some targets."""
    for name in _SOURCES:
        argument = bound.arguments.get(name)
        if argument is None or argument.register is None or argument.register.file != "src_lds_direct":
            continue
        if not bound.target.has_lds_direct_source:
            return bound.problem("register-not-available", f"{bound.target.name} has no lds_direct", name)
        if bound.form.name.startswith(_REVERSED) or "SDWA" in bound.form.flags:
            return bound.problem("operand-conflict", f"{bound.word} cannot read lds_direct", name)
        if name != "src0":
            return bound.problem("operand-conflict", f"lds_direct may only be src0, not {name}", name)
    return None


def integer_clamp(bound: Bound) -> Problem | None:
    """Some targets have no clamp on integers."""
    if bound.values.get("clamp"):
        return bound.problem("unsupported-on-target", f"{bound.target.name} has no clamp on integers", "clamp")
    return None


def dpp_operands(bound: Bound) -> Problem | None:
    """DPP on 64-bit operands, and DPP with a scalar second source, exist on some targets only."""
    control = bound.values.get("dpp_ctrl")
    limited = control is not None and bound.target.has_64_bit_dpp
    is_double = limited and (bound.form.mnemonic in limits.AS_DOUBLES or _has_doubles(bound.form))
    if is_double and not dpp.is_row_broadcast(control or 0):
        allowed = "row_share" if bound.target.has_row_share else "row_newbcast"
        message = f"the unit for 64-bit operands executes {bound.word} and allows only {allowed} as DPP control"
        return bound.problem("unsupported-on-target", message, "dpp_ctrl")
    if not bound.target.has_scalar_source_in_dpp:
        argument = bound.arguments.get("src1")
        if argument is not None and (argument.register is None or argument.register.is_scalar):
            what = f"`{argument.register.text}`" if argument.register is not None else "a constant"
            message = f"src1 takes a VGPR with DPP on {bound.target.name}, not {what}"
            return bound.problem("wrong-operand-kind", message, "src1")
    return None


def _has_doubles(form: isa.Form) -> bool:
    """Whether a VGPR operand of the form has 64 bits."""
    kinds = (operand.kind for operand in form.operands if operand.name in ("vdst", *_SOURCES))
    return any(kind.registers is not None and kind.registers.bits == _DOUBLE for kind in kinds)


_DOUBLE = 64


WHOLE_RESULTS = frozenset(("V_MAC_F16_sdwa_vi", "V_MAC_F32_sdwa_vi"))


def whole_result(bound: Bound) -> Problem | None:
    """The accumulating instructions of SDWA write the whole register."""
    if bound.values.get("dst_sel", sdwa.WHOLE) == sdwa.WHOLE:
        return None
    return bound.problem("modifier-out-of-range", f"{bound.word} takes only dst_sel:DWORD", "dst_sel")


def relative_source(bound: Bound) -> Problem | None:
    """v_movrels reads a VGPR."""
    source = bound.arguments["src0"].register
    if source is not None and source.file == "v":
        return None
    return bound.problem("wrong-operand-kind", f"{bound.word} takes a VGPR, which m0 selects", "src0")


def division_scale(bound: Bound) -> Problem | None:
    """VOP3B has no bits for an absolute value."""
    # LLVM checks only the first and the third source.
    for name in ("src0", "src2"):
        if bound.arguments[name].modifiers & operands.ABS:
            return bound.problem(
                "unknown-modifier", f"{bound.word} takes no absolute value: VOP3B has no bits for it", name
            )
    return None
