"""Words that mean something in an operand and so are never taken for symbols."""

from gcn_lsp.asm import modifiers
from gcn_lsp.asm.special import formats, hwreg, sendmsg, swizzle, vgpr_index

WORDS = modifiers.WORDS | formats.WORDS | hwreg.WORDS | sendmsg.WORDS | swizzle.WORDS | vgpr_index.WORDS
