"""Chooses the checks that a form needs, in their order.

Each check is a function from a `Bound` instruction to a problem or None. The checks of a form follow from its flags and
operand names and are chosen once; they run in the order of the table, and the first problem is reported.
"""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.instruction import dual_issue, image_checks
from gcn_lsp.instruction.bound import Check
from gcn_lsp.instruction.check_rows import FormHere, Rows, chosen
from gcn_lsp.instruction.constraints import bus, matrix, memory, offsets, packed, vector
from gcn_lsp.isa import versions
from gcn_lsp.isa.operands import limits


def checks_for(form: isa.Form, target: isa.Target) -> tuple[Check, ...]:
    """The checks that the form needs on the target."""
    return chosen(_ROWS, FormHere(form, target, frozenset(operand.name for operand in form.operands)))


def _is_valu(here: FormHere) -> bool:
    return here.has("VOPC", "VOP1", "VOP2", "VOP3", "VOP3P", "SDWA")


def _is_image(here: FormHere) -> bool:
    return here.has("MIMG", "VIMAGE", "VSAMPLE")


def _is_mfma(here: FormHere) -> bool:
    return here.has("IsMAI") and here.takes("src2")


def _selects_halves(here: FormHere) -> bool:
    classes = (operand.kind.registers for operand in here.form.operands)
    return here.takes("op_sel", "op_sel_hi") and any(each is not None and each.bits == packed.HALF for each in classes)


def _offset(here: FormHere) -> Iterator[Check]:
    check = offsets.offset_check(here.form, here.target)
    if check is not None:
        yield check


def _alignment(here: FormHere) -> Iterator[Check]:
    exempt = memory.unaligned_slots(here.form)
    if exempt is not None:
        yield memory.aligned_but(exempt)


# fmt: off
_ROWS: Rows = (
    (_is_valu, (vector.lds_direct,)),
    (lambda here: here.has("SOP2", "SOPC"), (bus.scalar_literals,)),
    (lambda here: here.has("VOP3", "VOP3P") or (here.takes("imm") and _is_valu(here)), (bus.vector_literals,)),
    (_is_valu, (bus.constant_bus,)),
    (lambda here: here.has("IntClamp") and not here.target.has_integer_clamp, (vector.integer_clamp,)),
    (lambda here: here.takes("op_sel", "op_sel_hi"), (packed.op_sel,)),
    (_selects_halves, (packed.selected_halves,)),
    (lambda here: here.form.mnemonic in limits.PACKED_SINGLES and here.target.has_packed_singles_with_scalars,
     (packed.packed_scalars,)),
    (lambda here: here.has("IsDOT", "IsWMMA", "IsSWMMAC") and here.takes("neg_lo", "neg_hi"), (packed.neg,)),
    (lambda here: here.takes("dpp_ctrl", "dpp8"), (vector.dpp_operands,)),
    (_is_image, (image_checks.d16,)),
    (lambda here: _is_image(here) and here.target.has_image_dimension and here.takes("dim"),
     (image_checks.dimension, image_checks.samples)),
    (_is_image, (image_checks.data,)),
    (lambda here: _is_image(here) and here.target.has_image_dimension and here.form.image is not None,
     (image_checks.address,)),
    (_is_image, (image_checks.atomic_mask, image_checks.gather_mask)),
    (lambda here: here.form.family == "VOPD", (bus.dual_literals, bus.dual_constant_bus, dual_issue.check)),
    (lambda here: here.has("VOP3", "VOP3P") and here.target.has_64_bit_literals, (bus.long_literals,)),
    (lambda here: here.has("SDWA") and here.is_for("v_movrels") and here.target.has_relative_sdwa_of_vgprs_only,
     (vector.relative_source,)),
    (lambda here: here.form.name in vector.WHOLE_RESULTS, (vector.whole_result,)),
    (lambda here: "F8F6F4" in here.form.name, (matrix.matrix_sizes,)),
    (lambda here: {"matrix_a_fmt", "matrix_a_scale_fmt"} <= here.names and here.target.has(versions.SCALE_FORMATS),
     (matrix.scale_formats,)),
    (lambda here: here.takes("offset"), _offset),
    (lambda here: here.is_named("V_ACCVGPR_WRITE_B32") and not here.target.has_general_acc_write, (matrix.acc_write,)),
    (lambda here: _is_mfma(here) and "F8F6F4" not in here.form.name, (matrix.mfma_overlap,)),
    (lambda here: _is_mfma(here) and here.target.misreads_inline_constants_of_mfma, (matrix.mfma_inline,)),
    (lambda here: here.takes("cpol"), (memory.policy,)),
    (lambda here: here.has("FLAT", "MUBUF", "MTBUF", "MIMG", "DS"), (memory.same_file,)),
    (lambda here: here.target.needs_aligned_vgprs, _alignment),
    (lambda here: here.has("DS") and here.has("GWS"), (memory.gws,)),
    (lambda here: here.has("DS") and not here.has("GWS"), (memory.gds,)),
    (lambda here: here.takes("blgp"), (matrix.blgp,)),
    (lambda here: here.is_named("V_DIV_SCALE_F32", "V_DIV_SCALE_F64") and here.target.divides_with_one_scale,
     (vector.division_scale,)),
    (lambda here: here.has("SOPK") and here.is_for("s_waitcnt_") and here.target.waits_take_only_null,
     (memory.wait_register,)),
    (lambda here: here.has("MUBUF", "MTBUF") and here.has("mayStore"), (memory.tfe,)),
    (lambda here: here.has("TENSOR_CNT") and here.takes("r128"), (memory.tensor_descriptor,)),
)
