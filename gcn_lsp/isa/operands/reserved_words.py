"""Words with a special meaning in an operand, which are never symbols."""

from gcn_lsp.isa.modifiers import table
from gcn_lsp.isa.operands import formats, gpr_index, hwreg, sendmsg, swizzle
from gcn_lsp.isa.waits import waitcnt

RESERVED: frozenset[str] = frozenset(
    {
        *table.all_values(),
        *formats.all_names(),
        *gpr_index.MODES,
        *hwreg.all_names(),
        *sendmsg.all_names(),
        *sendmsg.all_operations(),
        *swizzle.all_modes(),
        *waitcnt.DELAY_INSTRUCTIONS,
        *waitcnt.DELAY_SKIPS,
    }
)
