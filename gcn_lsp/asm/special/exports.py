"""Targets of `exp`: `mrt0`, `mrtz`, `null`, `pos0`, `prim`, `param0`, ... as the six bits of `tgt`."""

import re

from gcn_lsp import isa

_NAME = re.compile(r"(mrt|pos|param|dual_src_blend)(0|[1-9][0-9]?)\Z")
# name: (first code, how many, first and last generation)
_NUMBERED = {"mrt": (0, 8, 6, 99), "pos": (12, 5, 6, 99), "param": (32, 32, 6, 10), "dual_src_blend": (21, 2, 11, 99)}
_SINGLE = {"mrtz": (8, 6, 99), "null": (9, 6, 10), "prim": (20, 10, 99)}


def code(name: str, target: isa.Target) -> tuple[int | None, bool]:
    """The target's code, None when there is none; and whether some other GPU has it."""
    age = target.generation_number
    single = _SINGLE.get(name)
    if single is not None:
        return (single[0], True) if single[1] <= age <= single[2] else (None, True)
    match = _NAME.match(name)
    if match is None:
        return None, False
    base, count, first, last = _NUMBERED[match[1]]
    index = int(match[2])
    if index >= count:
        return None, False
    available = first <= age <= last and not (match[1] == "pos" and index == 4 and age < 10)
    return (base + index if available else None), True
