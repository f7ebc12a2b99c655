"""The order in which LLVM's assembler tries the forms of a mnemonic.

LLVM sorts by the number of written operands and tokens, then operand by operand (tokens before registers, smaller
register classes before larger ones, both before other operand classes), then by the number of features, most first.
"""

import re
from collections.abc import Mapping

from gcn_lsp.isa.conditions import Clauses, written
from gcn_lsp.isa.generation.dump import Dump
from gcn_lsp.isa.generation.forms import FormRow, Forms, Shape
from gcn_lsp.isa.generation.registers import Sets

VARIANTS = ("Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP")
_SUFFIX = re.compile(r"_(?:e64_dpp|e32|e64|dpp|sdwa)$")
_PART = re.compile(r"\$\w+|::|[\[\]]|[^\s,$\[\]]+")

Rank = tuple[int, int, str]


def stem(mnemonic: str) -> str:
    """The mnemonic without its encoding suffix."""
    return _SUFFIX.sub("", mnemonic)


def ordered(dump: Dump, forms: Forms, possible: Mapping[Clauses, list[str]]) -> list[FormRow]:
    """The rows with their rank among those of the mnemonic that some target may have together with them.

    possible: the targets that may have forms of a condition. Forms that no target has together may share a rank, so
    those of a new generation change no others.
    """
    ranks = _Ranks(dump, forms)
    rows = []
    places: dict[tuple[str, str], int] = {}
    for row in sorted(forms.rows, key=ranks.key):
        groups = [(row.mnemonic, target) for target in possible[row.condition] or [written(row.condition)]]
        place = max(places.get(group, 0) for group in groups)
        places.update(dict.fromkeys(groups, place + 1))
        rows.append(row._replace(order=place))
    return rows


class _Ranks:
    """Ranks of shapes and of the operand kinds in them, each computed once."""

    def __init__(self, dump: Dump, forms: Forms) -> None:
        self.dump = dump
        self.sets = Sets(dump)
        self.kinds = forms.kinds.rows
        self.shapes = {shape: self._shape(shape) for shape in {row.shape for row in forms.rows}}

    def key(self, row: FormRow) -> tuple[object, ...]:
        variant, parts = self.shapes[row.shape]
        return (row.mnemonic, variant, len(parts), parts, -row.predicates, row.is_alias, row.record, row.shape)

    def _shape(self, shape: Shape) -> tuple[int, tuple[Rank, ...]]:
        operands = dict(part.lstrip("=").split(":") for part in shape.operands.split())
        parts = tuple(self._part(part, operands) for part in _PART.findall(shape.syntax))
        return VARIANTS.index(shape.variant), parts

    def _part(self, part: str, operands: dict[str, str]) -> Rank:
        if part[0] != "$":
            return (0, 0, part)
        kind = self.kinds[operands[part[1:]]]
        if "match" in kind or "registers" not in kind:
            return (2, 0, kind.get("match", ""))
        return (1, self._members(kind["registers"]), kind["registers"])

    def _members(self, name: str) -> int:
        record = self.dump[name]
        objects = record.get("Objects")
        return len(self.sets.members(objects[0]["def"] if objects else name))
