"""Code lenses: at the label of each kernel its resources, and how many waves they allow."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.values import pressure
from gcn_lsp.analysis.values.pressure import Highest
from gcn_lsp.isa import allocation
from gcn_lsp.program.kernels import kernel_usage, metadata
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.kernels.kernel import Resources
    from gcn_lsp.program.program import Program


class CodeLens(msgspec.Struct, frozen=True):
    """A line of text to show above `where`."""

    where: Location
    text: str


class Occupancy(msgspec.Struct, frozen=True):
    """Waves that fit on a SIMD and on a compute unit, and what limits them; `wave slots` if nothing else does.

    is_known: False if LDS may leave room for fewer, since the size of work-groups is not known.
    """

    waves: int
    waves_of_unit: int
    limits: tuple[str, ...]
    is_known: bool = True


_LDS, _SLOTS = "LDS", "wave slots"
_TITLES = {"v": "VGPRs", "a": "AGPRs", "s": "SGPRs"}


def code_lenses(program: "Program") -> list[CodeLens]:
    """The lenses of the main file: two at each kernel with a descriptor, for its resources and the registers in use."""
    found: list[CodeLens] = []
    sizes = work_group_sizes(program)
    for kernel in program.kernels:
        where = _label(program, kernel.name)
        if where is None or kernel.resources is None:
            continue
        used = program.register_usage.get(kernel.name)
        parts = [*_registers(kernel.resources, used.counts if used is not None else None), *_memory(kernel.resources)]
        occupied = occupancy(kernel.resources, sizes.get(kernel.name))
        if occupied is not None:
            parts.append(_said(occupied))
        found.append(CodeLens(where, " | ".join(parts)))
        live = _live(program, kernel.name)
        if live:
            found.append(CodeLens(where, live))
    return found


def occupancy(resources: "Resources", work_items: "int | None") -> "Occupancy | None":
    """The waves of a kernel with work-groups of `work_items`; None if they depend on unknown values."""
    if resources.occupancy is None:
        return None
    waves = dict(resources.waves)
    is_known = work_items is not None or resources.lds == 0
    if work_items is not None:
        by_groups = resources.waves_by_lds(work_items)
        if by_groups is None:
            is_known = False
        elif by_groups < waves[_SLOTS]:
            waves[_LDS if resources.lds else "work-group size"] = by_groups
    least = min(waves.values())
    simds = allocation.simds_of_unit(resources.target.features)
    limits = tuple(name for name, count in waves.items() if count == least)
    return Occupancy(least, least * simds, limits if least < waves[_SLOTS] else (_SLOTS,), is_known)


def _said(found: Occupancy) -> str:
    most = "" if found.is_known else "at most "
    limits = " and ".join(name for name in found.limits if name != _SLOTS)
    return f"{most}{found.waves} waves per SIMD, {found.waves_of_unit} per CU" + (
        f", limited by {limits}" if limits else ""
    )


def _registers(resources: "Resources", named: "tuple[int, ...] | None") -> Iterator[str]:
    """The number of registers of each file that the code names, and that it may name."""
    given = {"v": resources.vgprs, "a": resources.agprs, "s": resources.sgprs}
    for index, file in enumerate(kernel_usage.FILES):
        limit, title = given[file], _TITLES[file]
        if limit == 0 and not (named and named[index]):
            continue
        used = f"{named[index]} of " if named is not None else ""
        yield f"{title} {used}{'?' if limit is None else limit}"


def _memory(resources: "Resources") -> Iterator[str]:
    for title, size in ((_LDS, resources.lds), ("scratch", resources.scratch)):
        yield f"{title} {'?' if size is None else size} B"


def _live(program: "Program", name: str) -> str:
    """The most registers in use at one time, with the line."""
    pressures = pressure.of(program)
    node = kernels.entries(program, pressures.graph).get(name) if pressures is not None else None
    if pressures is None or node is None:
        return ""
    highest: Highest = pressures.highest(pressures.graph.reached((node,)))
    parts = []
    for title, count, site in (
        ("VGPRs", highest.vgprs, highest.vgprs_at),
        ("AGPRs", highest.agprs, highest.agprs_at),
        ("SGPRs", highest.sgprs, highest.sgprs_at),
    ):
        if site is not None:
            number = pressures.graph.number_of(site.segment)
            assert number is not None
            parts.append(f"{title} {count} (line {program.bases[number] + site.item.written.top_line + 1})")
    return "most in use at once: " + ", ".join(parts) if parts else ""


def _label(program: "Program", name: str) -> "Location | None":
    """The place of a kernel's label, if it is in the main file."""
    label = program.layout.known.get(name)
    if label is None:
        return None
    item = label.chunk.items[label.item]
    where, _ = program.place_in(label.chunk, item, item.statement.name_start, item.statement.name_end)
    return where if where.path == program.path else None


def work_group_sizes(program: "Program") -> Mapping[str, int]:
    """The largest number of work-items in a work-group, for the kernels whose metadata give it."""
    found: dict[str, int] = {}
    for block in program.metadata:
        if block.word == metadata.WORD:
            for described in metadata.read(block.lines).kernels:
                size = described.get(".max_flat_workgroup_size")
                if size is not None and size.number is not None and size.number > 0:
                    found[metadata.kernel_name(described)] = size.number
    return found
