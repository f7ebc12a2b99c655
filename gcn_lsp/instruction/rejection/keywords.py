"""Words that mean something in an operand and so are never taken for symbols."""

from gcn_lsp.instruction import modifiers
from gcn_lsp.instruction.special import cache_policy, dependencies, formats, hwreg, sendmsg, swizzle, vgpr_index

_MODULES = (modifiers, cache_policy, dependencies, formats, hwreg, sendmsg, swizzle, vgpr_index)
WORDS: frozenset[str] = frozenset().union(*(module.WORDS for module in _MODULES))
