"""Reads of registers that nothing has written, as far as the result depends on them."""

from gcn_lsp.analysis.machine import registers
from gcn_lsp.isa.machine import register_results
from gcn_lsp.machine.image import PlacedInstruction

_JUDGED = registers.SGPRS | registers.SCC | registers.ALL_ACCUMULATORS


def missing(step: PlacedInstruction, defined: int, features: frozenset[str]) -> int:
    """The registers without a value that an instruction needs; none if it only passes them on."""
    form = step.instruction.form
    if form is None or form.mnemonic in register_results.PUTS_AWAY | register_results.MOVES_PAIRS:
        return registers.NONE
    reads = step.effects.reads
    judged = reads & _JUDGED | registers.vectors(reads)
    if reads & registers.M0 and register_results.needs_m0(form, features):
        judged |= registers.M0
    if form.mnemonic in register_results.INDIRECT_SOURCES:
        judged &= registers.M0
    stored = dict(step.effects.slots).get("vdata", registers.NONE) if form.family == "SCRATCH" else registers.NONE
    judged &= ~stored  # a function saves the registers of its caller, which may have no value
    sources = [operand for operand in step.instruction.operands if operand.slot.startswith("src")]
    if form.mnemonic in register_results.SELF_CLEARING and len(sources) > 1:
        first, *others = ((operand.file, operand.first, operand.count, operand.value) for operand in sources)
        if all(other == first for other in others):
            return registers.NONE
    for name, mask in step.effects.slots:
        # A tied operand may only pass an old value on, and of a tuple that is partly written the rest may not count.
        if name in step.effects.defined or (mask & defined and ("VALU" in form.flags or "SALU" in form.flags)):
            judged &= ~mask
    return judged & ~registers.whole(defined)
