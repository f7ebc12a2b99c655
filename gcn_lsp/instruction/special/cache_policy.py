"""Cache policies: `glc slc dlc` and their successors, and `th:... scope:...` of gfx12; several words, one operand."""

import difflib
from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of, one_of
from gcn_lsp.isa.modifiers import cache_policy as table
from gcn_lsp.syntax import nodes


def flag(name: str, bits: Mapping[str, int]) -> tuple[int, bool]:
    """The bit of a flag or of its `no...` form, and whether it is set; (0, False) for other names."""
    if name in bits:
        return bits[name], True
    if name.startswith("no") and name[2:] in bits:
        return bits[name[2:]], False
    return 0, False


def unavailable(node: nodes.Node, name: str, bit: int, is_set: bool, target: isa.Target) -> Problem | None:
    """Why the target lacks the flag, if it does. is_set: it is not the `no...` form."""
    if bit & table.bits(target.features) or (not is_set and target.has_temporal_hints):
        return None
    return Problem("unsupported-on-target", node.start, node.end, f"{target.name} has no cache policy `{name}`")


def read_word(node: nodes.Modifier, scope: Scope) -> Reading:
    """The bits of `th:` or `scope:`."""
    words = table.SCOPES if node.name == "scope" else table.HINTS
    name = name_of(node.value)
    if name in words:
        return words[name]
    if node.name == "scope" and not isinstance(node.value, nodes.Name):
        value = scope.number(node.value, "the scope")
        if not isinstance(value, int) or 0 <= value < len(table.SCOPES):
            return value << table.SCOPE_SHIFT if isinstance(value, int) else value
    allowed = one_of(list(words)) if node.name == "scope" else "TH_DEFAULT or a TH_LOAD_, TH_STORE_ or TH_ATOMIC_ hint"
    start, end = node.value.start, node.value.end
    near = difflib.get_close_matches(name.upper(), words, 1, _LIKENESS) if name and len(name) <= _LONGEST else []
    fixes = tuple(LineFix(f"Change to `{each}`", start, end, each, is_certain=False) for each in near)
    hint = f"; did you mean {near[0]}?" if near else ""
    return Problem("modifier-out-of-range", start, end, f"{node.name} takes {allowed}{hint}", fixes)


_LIKENESS = 0.8
_LONGEST = 32  # letters of a word that is compared with others
