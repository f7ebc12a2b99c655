"""Vector instructions of two sources whose order does not matter: sums, products, extremes and logic.

Facts: the operations of the ISA documents. Instructions of three sources are not among them.
"""

from gcn_lsp.patterns import regex

COMMUTES = regex(
    r"v_(?:add|mul|min|max|and|or|xor|xnor|mac|fmac)_(?:(?:co|nc|legacy|hi|lo|num)_)*[fiub](?:16|32)(?:_[iu]24)?"
    r"|v_addc_(?:co_)?u32|v_add_co_ci_u32"
)
"""Their mnemonics, without a suffix."""
