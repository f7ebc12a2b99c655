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
    """The VGPRs and bytes of LDS that a kernel has to give up for more waves on a SIMD, and how many those are."""

    vgprs: int
    lds: int
    waves: int

    @property
    def less(self) -> str:
        """`2 VGPRs fewer`."""
        parts = ((self.vgprs, f"{self.vgprs} VGPR{'s' * (self.vgprs > 1)}"), (self.lds, f"{self.lds} bytes of LDS"))
        return f"{' and '.join(text for count, text in parts if count)} fewer"

    @property
    def text(self) -> str:
        """`2 VGPRs fewer give 5 waves`."""
        return f"{self.less} give{'s' * (self.vgprs + self.lds == 1)} {self.waves} waves"


def next_step(resources: "Resources", work_items: "int | None") -> "NextStep | None":
    """The next step of the waves of a kernel that VGPRs or LDS limit; None for any other."""
    found, vgprs, lds = occupancy(resources, work_items), resources.total_vgprs, resources.lds
    if found is None or not found.is_known or vgprs is None or lds is None:
        return None
    if not {_VGPRS, LDS}.issuperset(found.limits):
        return None
    more, less = found.waves + 1, resources
    if _VGPRS in found.limits:
        limits = allocation.units(resources.target.features, wave32=resources.wavefront_size == 32)
        fewer = next((n for n in range(vgprs - 1, 0, -1) if allocation.waves_by_vgprs(n, limits) >= more), None)
        if fewer is None:
            return None
        waves = {**resources.waves, _VGPRS: allocation.waves_by_vgprs(fewer, limits)}
        less = msgspec.structs.replace(less, total_vgprs=fewer, waves=waves)
    if LDS in found.limits:
        assert work_items is not None  # without it LDS limits nothing
        less = msgspec.structs.replace(less, lds=_most_lds(resources, work_items, lds, more))
    after = occupancy(less, work_items)
    if after is None or after.waves < more or bool(less.lds) != bool(lds):
        return None
    return NextStep(vgprs - (less.total_vgprs or 0), lds - (less.lds or 0), after.waves)


def _most_lds(resources: "Resources", work_items: int, lds: int, waves: int) -> int:
    """The most bytes of LDS with which as many waves fit; 0 if there are none."""
    low, high = 0, lds
    while high - low > 1:
        middle = (low + high) // 2
        fit = msgspec.structs.replace(resources, lds=middle).waves_by_lds(work_items)
        low, high = (middle, high) if fit is not None and fit >= waves else (low, middle)
    return low


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
