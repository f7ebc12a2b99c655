"""Accesses of LDS under addresses that data in memory decide, such as those of a histogram: what they may touch.

Question: which bytes may a wave access, whatever the data are? Does another wave access one of them for sure?
May or must: may, for the access that data decide; must, for the other one.
Ignored: addresses that depend on anything else that is not known, since that may keep waves apart.
"""

from functools import reduce
from operator import or_

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import regions, words
from gcn_lsp.analysis.lds.regions import Bytes, Region, WorkGroup
from gcn_lsp.analysis.lds.words import Atom, Sharing, Word

_MEMORY = ("MUBUF", "MTBUF", "GLOBAL", "FLAT")
_HALF = 16
_TYPES = (8, _HALF)  # bits of the types that data in memory may have by themselves

Steps = tuple[int, ...]


def steps(address: Word) -> "Steps | None":
    """What the data may add to an address, each or not; None if it depends on something else, or may be anywhere."""
    if address.scope is not Sharing.LANE or not all(_is_loaded(atom) for atom in words.atoms(address)):
        return None
    found = [factor << bit for atom, factor in address.terms for bit in range(32) if atom.bits >> bit & 1]
    return tuple(found) if sum(found) < regions.FURTHEST else None


def _is_loaded(atom: Atom) -> bool:
    match atom.key:
        case ("result", Site() as site, _):
            form = site.item.instruction.form if site.item.instruction is not None else None
            return form is not None and form.family in _MEMORY and form.may_load and not form.may_store
    return False


def is_whole_type(address: Word) -> bool:
    """Whether some of the data are all bits of a byte or a half word: the kernel does not say what they may be."""
    return any(_width(atom) in _TYPES for atom, _ in address.terms)


def has_half(address: Word) -> bool:
    """Whether some of the data are all bits of a half word, which may well be an offset in bytes."""
    return any(_width(atom) == _HALF for atom, _ in address.terms)


def _width(atom: Atom) -> int:
    return (atom.bits // (atom.bits & -atom.bits)).bit_length()


def of_waves(region: Region, added: Steps, group: WorkGroup) -> tuple[Bytes, ...]:
    """The bytes that each wave may access. added: what the data may add to the known part of the address."""
    known = region._replace(address=words.of(region.address.lanes), exec_=max(region.exec_, regions.ALL_LANES))
    found = []
    for start in regions.of_waves(known, group):
        reached = start
        for step in added:
            reached |= reached << step
        found.append(reached & (1 << regions.FURTHEST) - 1)
    return tuple(found)


def meets(sure: Region, may: tuple[Bytes, ...], also: tuple[Region, ...], group: WorkGroup, *, is_read: bool) -> bool:
    """Whether a wave may touch what another one does, with some data.

    may: the bytes that each wave may access. is_read: whether that is the later access, the one that reads. also: what
    waves write besides. What the reading wave writes itself does not count.
    """
    certain = regions.of_waves(sure, group)
    reading, writing = (may, certain) if is_read else (certain, may)
    for wave, its in enumerate(reading):
        others = reduce(or_, writing[:wave] + writing[wave + 1 :], 0)
        own = reduce(or_, (regions.of_waves(each, group)[wave] for each in also), certain[wave] if is_read else 0)
        if its & others & ~own:
            return True
    return False
