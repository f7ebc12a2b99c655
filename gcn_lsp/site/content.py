"""The contents of the site: for each mnemonic its entries and syntaxes, with the targets that share them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide import mnemonics as names_of
from gcn_lsp.ide.describe import accepts, matrix, page, subject
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import Entry
from gcn_lsp.isa.documentation.implicit import Implicit
from gcn_lsp.records import NamedTuple

T = TypeVar("T")

# With fewer groups of targets, other processes cost more than they save.
_WORTH_PROCESSES = 4


class Known(NamedTuple):
    """A mnemonic on one target: the entry without its sources, the sources, its syntaxes, its implicit operands.

    matrices: the registers of a matrix instruction, drawn; empty for others.
    """

    entry: Entry
    reads: Implicit
    writes: Implicit
    sources: tuple[str, ...]
    syntaxes: tuple[str, ...]
    operands: tuple[tuple[str, str], ...]
    matrices: str


OnTarget = Mapping[str, Known]
"""The mnemonics of one target."""


class Variant(msgspec.Struct, frozen=True):
    """An entry and its targets, with its syntaxes and what operands accept, each with the targets that have them.

    The sources are those of all these targets: the document of each generation has the same facts. `matrices` are the
    drawings of a matrix instruction's registers, with their targets too.
    """

    entry: Entry
    reads: Implicit
    writes: Implicit
    targets: tuple[str, ...]
    sources: tuple[str, ...]
    syntaxes: tuple[tuple[str, tuple[str, ...]], ...]
    operands: tuple[tuple[tuple[str, str], tuple[str, ...]], ...]
    matrices: tuple[tuple[str, tuple[str, ...]], ...]


class Mnemonic(msgspec.Struct, frozen=True):
    """A mnemonic with its entries, those of the oldest targets first."""

    name: str
    variants: tuple[Variant, ...]

    @property
    def family(self) -> str:
        """The family's title."""
        return self.variants[0].entry.family

    @property
    def summary(self) -> str:
        """Its summary on the newest targets."""
        return self.variants[-1].entry.summary

    @property
    def targets(self) -> tuple[str, ...]:
        """All targets that have it."""
        return tuple(name for variant in self.variants for name in variant.targets)


def mnemonics(targets: Sequence[str]) -> list[Mnemonic]:
    """Every mnemonic of some targets, by name."""
    by_target = _all(targets)
    names = sorted({name for known in by_target.values() for name in known})
    return [Mnemonic(name, tuple(_variants(name, by_target))) for name in names]


def _all(targets: Sequence[str]) -> Mapping[str, OnTarget]:
    """The mnemonics of each target. Those of targets that differ in their names alone are made together."""
    alike: dict[object, list[str]] = {}
    for name in targets:
        alike.setdefault(isa.kind_of_target(name), []).append(name)
    groups = list(alike.values())
    if len(groups) < _WORTH_PROCESSES:
        found = [on_targets(names) for names in groups]
    else:
        with ProcessPoolExecutor() as pool:
            found = list(pool.map(on_targets, groups))
    by_target = {name: known for each in found for name, known in each.items()}
    return {name: by_target[name] for name in targets}


def on_targets(names: Sequence[str]) -> Mapping[str, OnTarget]:
    """The mnemonics of targets that differ in their names alone, and so in entries and sources."""
    loaded = isa.load_target(names[0])
    halves = (name for name in documentation.mnemonics() if names_of.as_second_half(loaded, name))
    found: dict[str, dict[str, Known]] = {name: {} for name in names}
    for mnemonic in dict.fromkeys((*loaded.mnemonics, *halves)):
        of_all = subject.of(mnemonic, loaded)
        syntaxes = tuple(page.syntaxes(of_all))
        operands = tuple(accepts.operands(of_all.forms, loaded).items())
        matrices = matrix.drawing(of_all.forms, loaded)
        for name in names:
            about = subject.of(mnemonic, isa.load_target(name))
            if about.entry is not None:
                found[name][mnemonic] = Known(
                    msgspec.structs.replace(about.entry, sources=()),
                    about.reads,
                    about.writes,
                    about.sources,
                    syntaxes,
                    operands,
                    matrices,
                )
    return found


def _variants(name: str, by_target: Mapping[str, OnTarget]) -> Iterator[Variant]:
    having: dict[tuple[Entry, Implicit, Implicit], list[str]] = {}
    for target, known in by_target.items():
        if name in known:
            having.setdefault(known[name][:3], []).append(target)
    for (entry, reads, writes), targets in having.items():
        sources = dict.fromkeys(source for target in targets for source in by_target[target][name].sources)
        syntaxes = _having({target: by_target[target][name].syntaxes for target in targets})
        operands = _having({target: by_target[target][name].operands for target in targets})
        matrices = _having({target: filter(None, [by_target[target][name].matrices]) for target in targets})
        yield Variant(entry, reads, writes, tuple(targets), tuple(sources), syntaxes, operands, matrices)


def _having(each: Mapping[str, Iterable[T]]) -> tuple[tuple[T, tuple[str, ...]], ...]:
    """Everything that any target has, with its targets."""
    found: dict[T, list[str]] = {}
    for target, things in each.items():
        for thing in things:
            found.setdefault(thing, []).append(target)
    return tuple((thing, tuple(targets)) for thing, targets in found.items())
