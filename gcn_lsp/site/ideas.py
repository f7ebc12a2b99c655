"""The ideas that no mnemonic stands for: the text and the tables of each, for the targets that have them alike."""

from collections.abc import Sequence
from functools import cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import concept
from gcn_lsp.isa import documentation

INDEX = "ideas.html"
TITLE = "Ideas: occupancy, waits, LDS, memory model, and others"


class Idea(msgspec.Struct, frozen=True):
    """An idea under its first name. names: all of them. variants: Markdown, and the targets that share it."""

    title: str
    names: tuple[str, ...]
    summary: str
    variants: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"ideas/{self.names[0]}.html"


@cache
def ideas(targets: tuple[str, ...]) -> Sequence[Idea]:
    """The ideas that some of the targets have, in the order of the documentation."""
    found = []
    groups: dict[str, list[str]] = {}
    for name in documentation.names(documentation.CONCEPTS):
        entry = documentation.concept(name)
        groups.setdefault(entry.summary if entry is not None else "", []).append(name)
    loaded = [isa.load_target(target) for target in targets]
    for summary, names in groups.items():
        variants: dict[str, list[str]] = {}
        for target in loaded:
            if documentation.has_text(documentation.CONCEPTS, names[0], target.name):
                variants.setdefault(concept.text(names[0], target), []).append(target.name)
        if variants:
            shared = tuple((text, tuple(having)) for text, having in variants.items())
            found.append(Idea(_title(names[0]), tuple(names), summary, shared))
    return tuple(found)


def _title(name: str) -> str:
    words = [word.upper() if word in _ABBREVIATIONS else word for word in name.split("-")]
    return " ".join((f"{words[0][:1].upper()}{words[0][1:]}", *words[1:]))


_ABBREVIATIONS = ("dpp", "flat", "lds", "mfma", "pc", "sdwa", "sgpr", "vgpr", "xnack")
