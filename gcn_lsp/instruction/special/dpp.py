"""The DPP control: `quad_perm:[0,1,2,3]`, `row_shl:1`, `row_mirror`, ... as the bits of `dpp_ctrl`; also `dpp8`."""

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope
from gcn_lsp.syntax import nodes

# name: (code, lowest, highest); a range of one value has the code itself, a longer one adds the value
_RANGED = {
    "row_shl": (0x100, 1, 15),
    "row_shr": (0x110, 1, 15),
    "row_ror": (0x120, 1, 15),
    "wave_shl": (0x130, 1, 1),
    "wave_rol": (0x134, 1, 1),
    "wave_shr": (0x138, 1, 1),
    "wave_ror": (0x13C, 1, 1),
    "row_share": (0x150, 0, 15),
    "row_newbcast": (0x150, 0, 15),
    "row_xmask": (0x160, 0, 15),
}
FLAGS = {"row_mirror": 0x140, "row_half_mirror": 0x141}
_BROADCAST = {15: 0x142, 31: 0x143}
NAMES = frozenset((*_RANGED, *FLAGS, "quad_perm", "row_bcast"))


def available(name: str, target: isa.Target) -> bool:
    """Whether the target has the control."""
    if name == "row_newbcast":
        return target.has("FeatureGFX90AInsts")
    if name in ("row_share", "row_xmask"):
        return target.generation_number >= 10
    if name.startswith("wave_") or name == "row_bcast":
        return 8 <= target.generation_number <= 9
    return True


def is_row_broadcast(control: int) -> bool:
    """`row_newbcast` or `row_share`: what instructions on doubles may use."""
    return 0x150 <= control <= 0x15F


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The control's code."""
    if isinstance(node, nodes.Name):
        return FLAGS[node.name]
    assert isinstance(node, nodes.Modifier)
    if node.name == "quad_perm":
        return _lanes(node, scope, 4, 2)
    value = scope.number(node.value, f"the value of {node.name}")
    if not isinstance(value, int):
        return value
    if node.name == "row_bcast":
        if value in _BROADCAST:
            return _BROADCAST[value]
        allowed = "15 or 31"
    else:
        code, low, high = _RANGED[node.name]
        if low <= value <= high:
            return code if low == high else code | value
        allowed = f"from {low} to {high}" if low != high else str(low)
    place = node.value
    return Problem("modifier-out-of-range", place.start, place.end, f"{node.name} is {value}; it must be {allowed}")


def read_dpp8(node: nodes.Node, scope: Scope) -> Reading:
    """The 24 bits of `dpp8:[0,1,2,3,4,5,6,7]`."""
    assert isinstance(node, nodes.Modifier)
    return _lanes(node, scope, 8, 3)


def _lanes(node: nodes.Modifier, scope: Scope, count: int, bits: int) -> Reading:
    items = node.value.items if isinstance(node.value, nodes.Bracket) else ()
    if len(items) != count:
        return Problem(
            "modifier-out-of-range", node.value.start, node.value.end, f"{node.name} takes {count} lanes in brackets"
        )
    code = 0
    for index, item in enumerate(items):
        lane = scope.ranged(item, 0, (1 << bits) - 1, "the lane", "modifier-out-of-range")
        if not isinstance(lane, int):
            return lane
        code |= lane << index * bits
    return code
