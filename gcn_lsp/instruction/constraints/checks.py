"""Chooses the checks that a form needs, in their order.

Each check is a function from a `Bound` instruction to a problem or None. The checks of a form follow from its flags and
operand names and are chosen once; they run in the order of this list, and the first problem is reported.
"""

from gcn_lsp import isa
from gcn_lsp.instruction import dual_issue, image_checks
from gcn_lsp.instruction.bound import Check
from gcn_lsp.instruction.constraints import bus, matrix, memory, offsets, packed, vector
from gcn_lsp.isa import versions

_VALU_FLAGS = frozenset(("VOPC", "VOP1", "VOP2", "VOP3", "VOP3P", "SDWA"))


def checks_for(form: isa.Form, target: isa.Target) -> tuple[Check, ...]:
    """The checks that the form needs on the target."""
    flags = form.flags
    names = {operand.name for operand in form.operands}
    valu = bool(flags & _VALU_FLAGS)
    found: list[Check] = []
    if valu:
        found.append(vector.lds_direct)
    if flags & {"SOP2", "SOPC"}:
        found.append(bus.scalar_literals)
    if flags & {"VOP3", "VOP3P"} or ("imm" in names and valu):
        found.append(bus.vector_literals)
    if valu:
        found.append(bus.constant_bus)
    if "IntClamp" in flags and not target.has("FeatureIntClamp"):
        found.append(vector.integer_clamp)
    if {"op_sel", "op_sel_hi"} & names:
        found.append(packed.op_sel)
        if any(
            kind.registers is not None and kind.registers.bits == packed.HALF
            for kind in (o.kind for o in form.operands)
        ):
            found.append(packed.selected_halves)
    if form.mnemonic in packed.PACKED_SINGLES and target.has("FeatureGFX1250Insts"):
        found.append(packed.packed_scalars)
    if flags & {"IsDOT", "IsWMMA", "IsSWMMAC"} and {"neg_lo", "neg_hi"} & names:
        found.append(packed.neg)
    if {"dpp_ctrl", "dpp8"} & names:
        found.append(vector.dpp_operands)
    if flags & {"MIMG", "VIMAGE", "VSAMPLE"}:
        found.extend(image_checks.checks_for(form, target))
    if form.family == "VOPD":
        found.extend((bus.dual_literals, bus.dual_constant_bus, dual_issue.check))
    if flags & {"VOP3", "VOP3P"} and target.has("Feature64BitLiterals"):
        found.append(bus.long_literals)
    if "SDWA" in flags and form.mnemonic.startswith("v_movrels") and target.generation_number >= 10:
        found.append(vector.relative_source)
    if form.name in vector.WHOLE_RESULTS:
        found.append(vector.whole_result)
    if "F8F6F4" in form.name:
        found.append(matrix.matrix_sizes)
    if {"matrix_a_fmt", "matrix_a_scale_fmt"} <= names and target.has(versions.SCALE_FORMATS):
        found.append(matrix.scale_formats)
    if "offset" in names:
        offset_check = offsets.offset_check(form, target)
        if offset_check is not None:
            found.append(offset_check)
    if form.name.startswith("V_ACCVGPR_WRITE_B32") and not target.has("FeatureGFX90AInsts"):
        found.append(matrix.acc_write)
    if "IsMAI" in flags and "src2" in names:
        if "F8F6F4" not in form.name:
            found.append(matrix.mfma_overlap)
        if target.has("FeatureMFMAInlineLiteralBug"):
            found.append(matrix.mfma_inline)
    if "cpol" in names:
        found.append(memory.policy)
    if flags & {"FLAT", "MUBUF", "MTBUF", "MIMG", "DS"}:
        found.append(memory.same_file)
    if target.has("FeatureRequiresAlignedVGPRs"):
        exempt = memory.unaligned_slots(form)
        if exempt is not None:
            found.append(memory.aligned_but(exempt))
    if "DS" in flags:
        found.append(memory.gws if "GWS" in flags else memory.gds)
    if "blgp" in names:
        found.append(matrix.blgp)
    if form.name.startswith(("V_DIV_SCALE_F32", "V_DIV_SCALE_F64")) and target.generation_number <= 10:
        found.append(vector.division_scale)
    if "SOPK" in flags and form.mnemonic.startswith("s_waitcnt_") and target.generation_number == memory.NULL_WAITS:
        found.append(memory.wait_register)
    if flags & {"MUBUF", "MTBUF"} and "mayStore" in flags:
        found.append(memory.tfe)
    if "TENSOR_CNT" in flags and "r128" in names:
        found.append(memory.tensor_descriptor)
    return tuple(found)
