"""Finds the target of a jump or a call to an address that earlier instructions compute from the program counter.

A branch reaches 128 KiB. Longer jumps, and calls, use `s_getpc_b64`, an addition of the distance, and `s_setpc_b64` or
`s_swappc_b64`; from gfx1250 `s_get_pc_i64`, `s_add_nc_u64`, and `s_set_pc_i64` or `s_swap_pc_i64`. The distance is a
label, to which the assembler adds the place of the addition, the name of a function with `@rel32@lo` or `@rel64`, the
difference of two labels, or, in a disassembly, a number. `s_add_pc_i64` adds the distance itself.
"""

from collections.abc import Sequence

from gcn_lsp.analysis.machine import arithmetic
from gcn_lsp.analysis.machine.arithmetic import Counter, Executed, Known
from gcn_lsp.isa.machine import roles
from gcn_lsp.patterns import regex

_DISTANCES = regex(r"@rel(?:32@lo|64)$")  # after the name of a function: the distance to it, or its low half
_READERS, _ADDERS = roles.mnemonics("read pc"), roles.mnemonics("jump by")


def target(sites: Sequence[Executed]) -> "tuple[str, int] | None":
    """The label that the last of some consecutive instructions jumps to or, with an empty label, the distance in bytes.

    The distance counts from the end of the jump. None if it is not known.
    """
    to = sites[-1].operands[-1:]
    if to and sites[-1].mnemonic in _ADDERS:
        added = arithmetic.source(to[0], sites[-1], {})
        return (added.label, added.number) if added is not None else None
    if not to or to[0].file != "s" or not any(site.mnemonic in _READERS for site in sites):
        return None
    known: Known = {}
    for site in sites[:-1]:
        known = arithmetic.after(known, site)
    found = known.get(to[0].first)
    if found is None or not isinstance(found.base, Counter) or found.negated or not (found.label or found.number):
        return None
    passed = 0
    for site in reversed(sites):
        if site.item is found.base.reader:
            break
        passed += site.item.instruction.size if site.item.instruction is not None else 0
    # The end of one function and the start of another are not one stretch of code for LLVM, so a jump stays unknown.
    label = _DISTANCES.sub("", found.label) if sites[-1].effects.flow == "call" else found.label
    return label, found.number - passed
