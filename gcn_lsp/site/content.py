"""What the site tells: for each mnemonic its entries and syntaxes with the targets that share them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import form as forms
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import Entry, documents, implicit
from gcn_lsp.isa.documentation.implicit import Implicit

_SECOND_HALF = "v_dual_"
_FIRST_OF_PAIRS = "v_dual_mov_b32"
# With fewer targets than this, other processes cost more than they save.
_WORTH_PROCESSES = 4


class Told(NamedTuple):
    """What one target has of a mnemonic: the entry without its sources, these, the syntaxes, what is implicit."""

    entry: Entry
    reads: Implicit
    writes: Implicit
    sources: tuple[str, ...]
    syntaxes: tuple[str, ...]


OnTarget = Mapping[str, Told]
"""Of one target: each mnemonic."""


class Variant(msgspec.Struct, frozen=True):
    """An entry, the targets that have it so, and each syntax with the targets among them that take it.

    The sources are those of all these targets: the same facts are in the document of each generation.
    """

    entry: Entry
    reads: Implicit
    writes: Implicit
    targets: tuple[str, ...]
    sources: tuple[str, ...]
    syntaxes: tuple[tuple[str, tuple[str, ...]], ...]


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
        """What it does, as the newest targets have it."""
        return self.variants[-1].entry.summary

    @property
    def targets(self) -> tuple[str, ...]:
        """All targets that have it."""
        return tuple(name for variant in self.variants for name in variant.targets)


def mnemonics(targets: Sequence[str]) -> list[Mnemonic]:
    """Every mnemonic of some targets, by name."""
    told = dict(zip(targets, _all(targets), strict=True))
    names = sorted({name for known in told.values() for name in known})
    return [Mnemonic(name, tuple(_variants(name, told))) for name in names]


def _all(targets: Sequence[str]) -> Iterable[OnTarget]:
    if len(targets) < _WORTH_PROCESSES:
        return map(on_target, targets)
    with ProcessPoolExecutor() as pool:
        return list(pool.map(on_target, targets))


def on_target(name: str) -> OnTarget:
    """What one target has."""
    target = isa.load_target(name)
    found: dict[str, Told] = {}
    names = [*target.mnemonics]
    if target.has_forms(_FIRST_OF_PAIRS):
        names += [half for half in documentation.mnemonics() if half.startswith(_SECOND_HALF)]
    for mnemonic in dict.fromkeys(names):
        entry = documentation.entry(mnemonic, target)
        if entry is not None:
            known = target.forms(mnemonic)
            shortest = min(known, key=lambda form: form.size, default=None)
            sources = documents.of_entry(entry, name, shortest.family if shortest is not None else "")
            read, written = implicit.reads(entry, known, name), implicit.writes(entry, known, name)
            found[mnemonic] = Told(
                msgspec.structs.replace(entry, sources=()), read, written, sources, forms.syntaxes(known, target)
            )
    return found


def _variants(name: str, told: Mapping[str, OnTarget]) -> Iterator[Variant]:
    having: dict[tuple[Entry, Implicit, Implicit], list[str]] = {}
    for target, known in told.items():
        if name in known:
            having.setdefault(known[name][:3], []).append(target)
    for (entry, reads, writes), targets in having.items():
        syntaxes: dict[str, list[str]] = {}
        for target in targets:
            for syntax in told[target][name].syntaxes:
                syntaxes.setdefault(syntax, []).append(target)
        sources = dict.fromkeys(source for target in targets for source in told[target][name].sources)
        taken = tuple((syntax, tuple(taking)) for syntax, taking in syntaxes.items())
        yield Variant(entry, reads, writes, tuple(targets), tuple(sources), taken)
