"""Cache policies: `glc slc dlc` and their successors, and `th:... scope:...` of gfx12; several words, one operand."""

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of, one_of
from gcn_lsp.syntax import nodes

GLC, SLC, DLC, SCC = 1, 2, 4, 16
FLAGS = {"glc": GLC, "slc": SLC, "dlc": DLC, "scc": SCC}
GFX942_FLAGS = {"sc0": GLC, "nt": SLC, "sc1": SCC}
SCALE_OFFSET = 1 << 11
GFX12_FLAGS = {"nv": 1 << 5, "scale_offset": SCALE_OFFSET}
GFX12_WORDS = ("th", "scope")

HINT, SCOPE = 0x7, 0x18
LOAD, STORE, ATOMIC, REAL_BYPASS = 1 << 7, 1 << 8, 1 << 9, 1 << 10
ATOMIC_RETURN, BYPASS, SYSTEM_SCOPE = 1, 3, 0x18
NOT_FOR_SCALARS = (4, 5, 6)

_SCOPES = {"SCOPE_CU": 0x00, "SCOPE_SE": 0x08, "SCOPE_DEV": 0x10, "SCOPE_SYS": 0x18}
_ACCESS = {
    "RT": 0, "NT": 1, "HT": 2, "LU": 3, "WB": 3, "BYPASS": 3 | REAL_BYPASS, "NT_RT": 4, "RT_NT": 5, "NT_HT": 6,
    "NT_WB": 7,
}  # fmt: skip
_ATOMICS = {"RETURN": 1, "RT": 0, "RT_RETURN": 1, "NT": 2, "NT_RETURN": 3, "CASCADE_RT": 4, "CASCADE_NT": 6}
_UNNAMED = ("TH_STORE_LU", "TH_LOAD_WB", "TH_LOAD_NT_WB")
_HINTS = (
    {"TH_DEFAULT": 0}
    | {f"TH_LOAD_{name}": LOAD | value for name, value in _ACCESS.items()}
    | {f"TH_STORE_{name}": STORE | value for name, value in _ACCESS.items()}
    | {f"TH_ATOMIC_{name}": ATOMIC | value for name, value in _ATOMICS.items()}
)
for _name in _UNNAMED:
    del _HINTS[_name]
WORDS = frozenset((*_SCOPES, *_HINTS))


def flags(target: isa.Target, scalar: bool) -> dict[str, int]:
    """The flags of the target with their bits; `scalar`: of scalar instructions."""
    if target.generation_number >= 12:
        return GFX12_FLAGS
    return GFX942_FLAGS if target.has("FeatureGFX940Insts") and not scalar else FLAGS


def flag(name: str, bits: dict[str, int]) -> tuple[int, bool]:
    """The bit of a flag or of its `no...` form, and whether it is set; (0, False) for other names."""
    if name in bits:
        return bits[name], True
    if name.startswith("no") and name[2:] in bits:
        return bits[name[2:]], False
    return 0, False


def exists(bit: int, target: isa.Target) -> bool:
    """Whether the target has the policy with this bit."""
    if bit == DLC:
        return target.generation_number >= 10
    return bit != SCC or target.has("FeatureGFX90AInsts")


def unavailable(node: nodes.Node, name: str, bit: int, target: isa.Target) -> Problem | None:
    """Why the target lacks the flag, if it does."""
    if not exists(bit, target):
        message = f"{target.name} has no cache policy `{name}`"
        return Problem("unsupported-on-target", node.start, node.end, message)
    return None


def read_word(node: nodes.Modifier, scope: Scope) -> Reading:
    """The bits of `th:` or `scope:`."""
    words = _SCOPES if node.name == "scope" else _HINTS
    name = name_of(node.value)
    if name in words:
        return words[name]
    if node.name == "scope" and not isinstance(node.value, nodes.Name):
        value = scope.number(node.value, "the scope")
        if not isinstance(value, int) or 0 <= value <= 3:
            return value << 3 if isinstance(value, int) else value
    allowed = one_of(list(words)) if node.name == "scope" else "TH_DEFAULT or a TH_LOAD_, TH_STORE_ or TH_ATOMIC_ hint"
    return Problem("modifier-out-of-range", node.value.start, node.value.end, f"{node.name} takes {allowed}")
