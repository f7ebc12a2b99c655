"""Names for what many forms share: each is named after the first of its forms.

The first form is one on the oldest target that has any, then the first by mnemonic and record. Nothing else counts, so
additions of a newer LLVM for new targets rename nothing: a name changes only with its own form.
"""

import re
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from gcn_lsp.isa import conditions
from gcn_lsp.isa.generation.forms import FormRow
from gcn_lsp.isa.processors import age

_GENERATION = re.compile(r"gfx\w+|vi|ci|si")
T = TypeVar("T", bound=Hashable)
Rank = tuple[int, bool, str, str]


class Naming:
    """Ranks forms by the oldest target that has them."""

    def __init__(self, rows: list[FormRow], targets: Mapping[str, frozenset[str]]) -> None:
        ages = sorted(targets, key=age)
        self._rows = rows
        self._oldest = {
            condition: next((at for at, name in enumerate(ages) if conditions.met(condition, targets[name])), len(ages))
            for condition in {row.condition for row in rows}
        }

    def names(self, shared: Callable[[FormRow], T], called: Callable[[FormRow], str]) -> dict[T, str]:
        """The results of `shared` for the forms, each with what its first form is `called`, numbered if taken."""
        first: dict[T, tuple[Rank, FormRow]] = {}
        for row in self._rows:
            rank = (self._oldest[row.condition], row.is_alias, row.mnemonic, row.record)
            content = shared(row)
            if content not in first or rank < first[content][0]:
                first[content] = rank, row
        names: dict[T, str] = {}
        count: dict[str, int] = {}
        for content, (_, row) in sorted(first.items(), key=lambda item: (item[1][0], item[0])):
            name = called(row)
            count[name] = count.get(name, 0) + 1
            names[content] = name if count[name] == 1 else f"{name}.{count[name]}"
        return names


def label(row: FormRow) -> str:
    """`s_load_dword.sgpr_gfx10` for S_LOAD_DWORD_SGPR_gfx10: the mnemonic, and the rest of its record's name."""
    return _joined(row.mnemonic, _details(row))


def short_label(row: FormRow) -> str:
    """The same without the generation, which affects little but bits: `s_load_dword.sgpr`."""
    return _joined(row.mnemonic, [word for word in _details(row) if not _GENERATION.fullmatch(word)])


def _details(row: FormRow) -> list[str]:
    words = row.record.lower().split("_")
    for word in row.mnemonic.split("_"):
        if not words or words[0] != word:
            break
        del words[0]
    return words


def _joined(mnemonic: str, details: list[str]) -> str:
    return f"{mnemonic}.{'_'.join(details)}" if details else mnemonic
