"""Matrix instructions: sizes by format, overlap of addend and result, `blgp`."""

from gcn_lsp import isa
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.modifiers.table import MATRIX_FORMATS

# Dwords of a matrix operand by its format: FP8, BF8, FP6, BF6, FP4.
_MFMA_DWORDS = (8, 8, 6, 6, 4, 8, 8, 8)  # the last three are not formats; LLVM treats them as the first


_WMMA_DWORDS = (16, 16, 12, 12, 8)


# The modifier that selects the format, the operand, the sizes.
_MATRIX_FORMATS = (
    ("cbsz", "src0", _MFMA_DWORDS),
    ("blgp", "src1", _MFMA_DWORDS),
    ("matrix_a_fmt", "src0", _WMMA_DWORDS),
    ("matrix_b_fmt", "src1", _WMMA_DWORDS),
)


_FP4 = MATRIX_FORMATS["MATRIX_FMT_FP4"]


def matrix_sizes(bound: Bound) -> Problem | None:
    """The formats of the matrices A and B determine the number of their registers."""
    names = {operand.name for operand in bound.form.operands}
    for modifier, source, sizes in _MATRIX_FORMATS:
        format_ = bound.values.get(modifier, 0)
        register = bound.arguments[source].register
        if modifier not in names or register is None or format_ >= len(sizes) or register.count == sizes[format_]:
            continue
        wanted = sizes[format_]
        message = f"`{register.text}` has {register.count} dwords; {modifier}:{format_} needs {wanted}"
        return bound.problem("wrong-register-width", message, source)
    return None


def scale_formats(bound: Bound) -> Problem | None:
    """A matrix of 8 or 6 bits has scales in E8; two matrices of 4 bits have scales of one format."""
    formats = [bound.values.get(f"matrix_{name}_fmt", 0) for name in "ab"]
    scales = [bound.values.get(f"matrix_{name}_scale_fmt", 0) for name in "ab"]
    for name, format_, scale in zip("ab", formats, scales, strict=True):
        if scale and format_ < _FP4:
            message = f"matrix_{name}_scale_fmt must be MATRIX_SCALE_FMT_E8: only MATRIX_FMT_FP4 has scales in others"
            return bound.problem("operand-conflict", message, f"matrix_{name}_scale_fmt")
    if formats == [_FP4, _FP4] and scales[0] != scales[1]:
        message = "matrix_a_scale_fmt and matrix_b_scale_fmt must be equal where both matrices are MATRIX_FMT_FP4"
        return bound.problem("operand-conflict", message, "matrix_b_scale_fmt")
    return None


def acc_write(bound: Bound) -> Problem | None:
    """v_accvgpr_write reads no SGPR on the first targets."""
    source = bound.arguments["src0"].register
    if source is not None and source.is_scalar:
        return bound.problem(
            "wrong-operand-kind", f"{bound.word} takes a VGPR or an inline constant, not `{source.text}`", "src0"
        )
    return None


def mfma_inline(bound: Bound) -> Problem | None:
    """Some targets misread inline constants in MFMA."""
    if "src2" in bound.numbers:
        return bound.problem(
            "wrong-operand-kind", f"{bound.word} takes no inline constant here on {bound.target.name}", "src2"
        )
    return None


def mfma_overlap(bound: Bound) -> Problem | None:
    """The addend equals the result or does not overlap it."""
    addend = bound.arguments.get("src2")
    if addend is None:
        return None
    source, result = addend.register, bound.arguments["vdst"].register
    if source is None or result is None or result.count <= 4:
        return None
    if source.first == result.first or not source.overlaps(result):
        return None
    message = f"`{source.text}` partly overlaps the result `{result.text}`; it must equal it or not overlap"
    return bound.problem("operand-conflict", message, "src2")


_NEGATABLE = 3


def blgp_negates(form: isa.Form, target: isa.Target) -> bool:
    """Whether the field of blgp negates the sources of the form and is written `neg:[A,B,C]`."""
    return target.has_double_mfma_signs and form.mnemonic.startswith("v_mfma_f64_")


def blgp(bound: Bound) -> Problem | None:
    """The field is written `blgp:`, or `neg:` where it negates sources."""
    argument = bound.arguments.get("blgp")
    if argument is None:
        return None
    negates = argument.name == "neg"
    if negates == blgp_negates(bound.form, bound.target):
        if bound.values["blgp"] >> _NEGATABLE:
            return bound.problem("modifier-out-of-range", f"neg has {_NEGATABLE} bits, one for each source", "blgp")
        return None
    written, right = ("neg", "blgp") if negates else ("blgp", "neg")
    return bound.problem("unknown-modifier", f"{bound.word} takes {right} here, not {written}", "blgp")
