"""The types of sources in the pseudo-code of a manual, against those of the operands.

Integers are alike, whatever their size and sign: the same constants are inline, and a literal has the same bits. Floats
of fewer than 16 bits are bits of an integer.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from gcn_lsp import isa
from gcn_lsp.isa.operands import operand_types
from tests.manuals import effects
from tests.manuals.difference import Difference
from tests.manuals.reading import Listed

_TYPED = re.compile(r"\b(S[0-3])(?:\[[^][]*\])?\.(bf|fp|[uifb])(\d+)\b")
_OURS = re.compile(r"(?:NOINLINE_)?(?:V2)?(INT|BF|FP)(\d+)")
_CONSTANT = re.compile(r"OPERAND_REG_(?:IMM|INLINE_C|INLINE_AC)_(\w+)")
_KINDS = {"FP": "f", "BF": "bf"}
_SHORTEST = 16


def is_compared(entry: Listed, target: isa.Target) -> bool:
    """Whether some source has a type on both sides."""
    return effects.is_compared(entry, target) and any(
        operand in _theirs(entry.code) for operand in _ours(entry.name, target.forms(entry.name))
    )


def compare(entry: Listed, target: isa.Target) -> Iterator[Difference]:
    """The sources whose types differ: a form has one that the code does not have."""
    theirs, ours = _theirs(entry.code), _ours(entry.name, target.forms(entry.name))
    for operand in sorted(theirs.keys() & ours.keys()):
        if not ours[operand] <= theirs[operand]:
            yield Difference(operand, " ".join(sorted(theirs[operand])), " ".join(sorted(ours[operand])))


def _theirs(code: str) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for operand, kind, size in _TYPED.findall(re.sub(r"//.*", "", code)):
        found[operand].add(f"{kind}{size}" if kind in ("f", "bf") and int(size) >= _SHORTEST else "int")
    return found


def _ours(name: str, forms: Sequence[isa.Form]) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for form in forms:
        for operand in form.operands:
            place = next((key for key, names in effects.OPERANDS.items() if operand.name in names), "")
            written = _CONSTANT.match(operand.kind.type)
            if place.startswith("S") and written:
                match = _OURS.match(operand_types.source_type(name, operand.name) or written[1])
                assert match is not None, operand.kind.type
                found[place].add(f"{_KINDS[match[1]]}{match[2] or 16}" if match[1] in _KINDS else "int")
    return found
