"""The VGPR index mode of `s_set_gpr_idx_on`: `gpr_idx(SRC0,DST)` or a number."""

from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa.operands.gpr_index import HIGHEST_MODE, MODES
from gcn_lsp.syntax import nodes


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The four bits, one for each indexed operand."""
    if not isinstance(node, nodes.Call) or node.name != "gpr_idx":
        return scope.ranged(node, 0, HIGHEST_MODE, "the index mode")
    mode = 0
    for argument in node.arguments:
        bit = MODES.get(name_of(argument), 0)
        if not bit or mode & bit:
            why = "is given twice" if bit else f"is not a VGPR index mode; those are {', '.join(MODES)}"
            return Problem("wrong-operand-kind", argument.start, argument.end, f"`{name_of(argument)}` {why}")
        mode |= bit
    return mode
