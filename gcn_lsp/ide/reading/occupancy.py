"""How many waves of a kernel fit on a SIMD, what limits them, and where the most registers are in use."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.analysis.control import graphs, kernels
from gcn_lsp.analysis.values import pressure
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.program.kernels import header_blocks, metadata

if TYPE_CHECKING:
    from gcn_lsp.program.kernels.resources import Resources
    from gcn_lsp.program.program import Program

LDS, SLOTS = "LDS", "wave slots"


class Occupancy(msgspec.Struct, frozen=True):
    """Waves that fit on a SIMD and on a compute unit, and what limits them; `wave slots` if nothing else does.

    is_known: False if LDS may leave room for fewer, since the size of work-groups is not known.
    """

    waves: int
    waves_of_unit: int
    limits: tuple[str, ...]
    is_known: bool = True


class Peak(msgspec.Struct, frozen=True):
    """The most registers of a file (`VGPRs`) in use at one time, and the line (from 0) where that is."""

    file: str
    count: int
    line: int


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
        elif by_groups < waves[SLOTS]:
            waves[LDS if resources.lds else "work-group size"] = by_groups
    least = min(waves.values())
    simds = allocation.simds_of_unit(resources.target.features)
    limits = tuple(name for name, count in waves.items() if count == least)
    return Occupancy(least, least * simds, limits if least < waves[SLOTS] else (SLOTS,), is_known)


class NextStep(msgspec.Struct, frozen=True):
    """How many VGPRs a kernel would have to give up for more waves on a SIMD, and how many those are then."""

    fewer: int
    waves: int

    @property
    def text(self) -> str:
        """`2 VGPRs fewer give 5 waves`."""
        return f"{self.fewer} VGPR{'s' * (self.fewer > 1)} fewer give{'s' * (self.fewer == 1)} {self.waves} waves"


def next_step(resources: "Resources", work_items: "int | None") -> "NextStep | None":
    """The next step of the waves of a kernel that VGPRs alone limit; None for any other."""
    found, total = occupancy(resources, work_items), resources.total_vgprs
    if found is None or not found.is_known or total is None or found.limits != (_VGPRS,):
        return None
    limits = allocation.units(resources.target.features, wave32=resources.wavefront_size == 32)
    for count in range(total - 1, 0, -1):
        waves = allocation.waves_by_vgprs(count, limits)
        if waves > found.waves:
            less = msgspec.structs.replace(resources, total_vgprs=count, waves={**resources.waves, _VGPRS: waves})
            after = occupancy(less, work_items)
            return NextStep(total - count, after.waves) if after is not None and after.waves > found.waves else None
    return None


_VGPRS = "VGPRs"


def of_headers(program: "Program") -> "Mapping[str, Resources]":
    """The resources of the kernels with a header in the code (`.amd_kernel_code_t`), by label."""
    graph = graphs.of(program)
    if graph is None or program.target is None:
        return {}
    fields = header_blocks.of(program.chunks, program.final_state.symbols)
    return {
        found[0]: header_blocks.resources_of(program.target, each)
        for found, each in zip(kernels.headers(program, graph), fields, strict=False)
        if found is not None
    }


def work_group_sizes(program: "Program") -> Mapping[str, int]:
    """The largest number of work-items in a work-group, for the kernels whose metadata give it."""
    found: dict[str, int] = {}
    for _, kernel, name in metadata.described(program.metadata):
        size = kernel.get(".max_flat_workgroup_size")
        if size is not None and size.number is not None and size.number > 0:
            found[name] = size.number
    return found


def peaks(program: "Program", name: str) -> tuple[Peak, ...]:
    """Where the most registers of each file are in use in a kernel, or in what control reaches from a label."""
    pressures = pressure.of(program)
    if pressures is None:
        return ()
    node = kernels.entries(program, pressures.graph).get(name, pressures.graph.by_label.get(name))
    if node is None:
        return ()
    highest = pressures.highest(pressures.graph.reached((node,)))
    found = []
    for file, count, site in (
        ("VGPRs", highest.vgprs, highest.vgprs_at),
        ("AGPRs", highest.agprs, highest.agprs_at),
        ("SGPRs", highest.sgprs, highest.sgprs_at),
    ):
        if site is not None:
            number = pressures.graph.number_of(site.segment)
            assert number is not None
            found.append(Peak(file, count, program.bases[number] + site.item.written.top_line))
    return tuple(found)
