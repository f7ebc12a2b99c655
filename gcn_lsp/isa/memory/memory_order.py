"""Instructions before which a wait orders memory, whatever registers it is for."""

from collections.abc import Mapping

from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.schema import Form

# Counters that no register waits for: a wait for them is for memory.
MEMORY_COUNTERS = frozenset(("vscnt", "storecnt", "asynccnt", "tensorcnt"))

# The beginnings of mnemonics: barriers, cache maintenance, messages, and instructions that end or leave the code.
_WORDS = (
    *sorted(roles.mnemonics("end", "jump", "jump by", "call")),
    "s_barrier", "s_sendmsg", "s_dcache", "s_gl1_inv", "s_icache", "s_sleep", "s_wakeup", "s_rfe", "s_trap",
    "s_setreg", "s_atomic", "s_scratch_store", "s_store", "s_buffer_store",
    "s_buffer_atomic", "buffer_wb", "buffer_inv", "buffer_gl", "global_wb", "global_inv", "ds_gws", "tensor_",
)  # fmt: skip
_POLICY = "cpol"


def orders(form: Form, modifiers: Mapping[str, object]) -> bool:
    """Whether a wait directly before an instruction of this form, with these modifiers, may be for memory.

    Others see accesses with a cache policy, and atomics are meant to be seen.
    """
    if form.mnemonic.startswith(_WORDS):
        return True
    if not (form.may_load or form.may_store):
        return False
    is_atomic = not form.flags.isdisjoint(("IsAtomicRet", "IsAtomicNoRet")) and form.may_load
    return is_atomic or bool(modifiers.get(_POLICY))
