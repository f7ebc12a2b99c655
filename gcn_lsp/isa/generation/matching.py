"""The order in which LLVM's assembler tries the forms of a mnemonic.

LLVM sorts by the number of written operands and tokens, then operand by operand (tokens before registers, smaller
register classes before larger ones, both before other operand classes), then by the number of features, most first.
"""

import re

from gcn_lsp.isa.generation.dump import Dump
from gcn_lsp.isa.generation.forms import FormRow, Forms
from gcn_lsp.isa.generation.registers import Sets

VARIANTS = ("Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP")
_SUFFIX = re.compile(r"_(?:e64_dpp|e32|e64|dpp|sdwa)$")
_PART = re.compile(r"\$\w+|::|[\[\]]|[^\s,$\[\]]+")

Rank = tuple[int, int, str]


def stem(mnemonic: str) -> str:
    """The mnemonic without its encoding suffix."""
    return _SUFFIX.sub("", mnemonic)


def ordered(dump: Dump, forms: Forms) -> list[FormRow]:
    """The rows with their place among those of the same mnemonic."""
    ranks = _Ranks(dump, forms)
    rows = []
    place: dict[str, int] = {}
    for row in sorted(forms.rows, key=ranks.key):
        place[row.mnemonic] = place.get(row.mnemonic, -1) + 1
        rows.append(row._replace(order=place[row.mnemonic]))
    return rows


class _Ranks:
    """Ranks of shapes and of the operand kinds in them, each worked out once."""

    def __init__(self, dump: Dump, forms: Forms) -> None:
        self.dump = dump
        self.sets = Sets(dump)
        self.kinds = forms.kinds.rows
        self.lists = dict(forms.lists.rows())
        self.shapes = {id_: self._shape(content.split("\t")) for id_, content in forms.shapes.rows()}

    def key(self, row: FormRow) -> tuple[object, ...]:
        variant, parts = self.shapes[row.shape]
        return (row.mnemonic, variant, len(parts), parts, -row.predicates, row.is_alias, row.name, row.shape)

    def _shape(self, cells: list[str]) -> tuple[int, tuple[Rank, ...]]:
        operands = dict(part.lstrip("=").split(":") for part in self.lists[cells[2]].split())
        parts = tuple(self._part(part, operands) for part in _PART.findall(cells[1]))
        return VARIANTS.index(cells[0]), parts

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
