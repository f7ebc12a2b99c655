"""The resources of a kernel: what its descriptor asks for, and how many of its waves fit on a SIMD.

They depend on the target and the written values alone.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.program.kernels import descriptor, inputs
from gcn_lsp.program.kernels.inputs import KERNARG_POINTER, Input

FieldValues = tuple[tuple[str, "int | None"], ...]


class Resources(msgspec.Struct, frozen=True):
    """The resources of a kernel. None is a number that depends on a symbol without a value.

    values: of every field that the target has. vgprs, agprs, sgprs: how many the code may name. total_vgprs: of a wave,
    with AGPRs if they share the file. vgpr_blocks, sgpr_blocks: as in the descriptor. reserved_sgprs: for VCC,
    FLAT_SCRATCH, XNACK_MASK after `sgprs`. user_sgprs: their count. inputs: the contents of registers at the start.
    waves: how many fit on a SIMD by `VGPRs`, `SGPRs` and `wave slots`, the upper limit.
    """

    target: isa.Target
    values: "Mapping[str, int | None]"
    wavefront_size: int
    vgprs: int | None
    agprs: int | None
    sgprs: int | None
    total_vgprs: int | None
    allocated_vgprs: int | None
    vgpr_blocks: int | None
    allocated_sgprs: int | None
    sgpr_blocks: int | None
    reserved_sgprs: int | None
    user_sgprs: int | None
    inputs: tuple[Input, ...]
    lds: int | None
    scratch: int | None
    waves: "Mapping[str, int]"

    @property
    def kernarg_pointer(self) -> "int | None":
        """The first SGPR of the pair with the kernarg segment pointer; None if the kernel has none."""
        return next((each.first for each in self.inputs if each.title == KERNARG_POINTER), None)

    @property
    def occupancy(self) -> "int | None":
        """Waves that fit on a SIMD by registers; None if a count is not known."""
        known = self.total_vgprs is not None and self.sgprs is not None
        return min(self.waves.values()) if known else None

    @property
    def limits(self) -> tuple[str, ...]:
        """The resources that limit the waves: the names in `waves` with the lowest value."""
        least = min(self.waves.values())
        return tuple(name for name, count in self.waves.items() if count == least)

    def waves_by_lds(self, work_items: int) -> "int | None":
        """Waves that fit on a SIMD by LDS, for work-groups of `work_items`."""
        if self.lds is None:
            return None
        return allocation.waves_by_lds(
            self.lds,
            work_items,
            wave32=self.wavefront_size == 32,
            work_groups=bool(self.values.get("workgroup_processor_mode")),
            target=self.target,
        )


@lru_cache(maxsize=1024)
def of(target: isa.Target, fields: FieldValues) -> Resources:
    """The resources of a kernel whose descriptor has these fields."""
    values = descriptor.all_values(target, dict(fields))
    features = target.features
    wave32 = descriptor.is_wave32(target, values)
    limits = allocation.units(features, wave32=wave32)
    total, named_sgprs = values["next_free_vgpr"], values["next_free_sgpr"]
    reserved = descriptor.reserved_sgprs(target, values)
    asked = None if named_sgprs is None or reserved is None else descriptor.encoded_sgprs(target, values)
    vgprs, agprs = _shares(target, values, total)
    waves = {"wave slots": limits.waves}
    if total is not None:
        waves["VGPRs"] = allocation.waves_by_vgprs(total, limits)
    if asked is not None:
        waves["SGPRs"] = allocation.waves_by_sgprs(asked, features, limits)
    return Resources(
        target=target,
        values=values,
        wavefront_size=32 if wave32 else 64,
        vgprs=vgprs,
        agprs=agprs,
        sgprs=named_sgprs if limits.sgpr else limits.sgprs,
        total_vgprs=total,
        allocated_vgprs=None if total is None else -(-max(total, 1) // limits.vgpr) * limits.vgpr,
        vgpr_blocks=None if total is None else descriptor.blocks(total, limits.vgpr_encoding),
        allocated_sgprs=None if asked is None else allocation.allocated_sgprs(asked, features),
        sgpr_blocks=0 if not limits.sgpr else None if asked is None else descriptor.blocks(asked, limits.sgpr_encoding),
        reserved_sgprs=reserved,
        user_sgprs=values.get("user_sgpr_count"),
        inputs=tuple(inputs.of(target, values)),
        lds=values.get("group_segment_fixed_size"),
        scratch=values.get("private_segment_fixed_size"),
        waves=waves,
    )


def _shares(target: isa.Target, values: "Mapping[str, int | None]", total: "int | None") -> tuple[int | None, ...]:
    """How many VGPRs and AGPRs the code may name."""
    if "accum_offset" in values:  # one file: the AGPRs begin at the offset
        accum = values["accum_offset"]
        return accum, None if accum is None or total is None else max(total - accum, 0)
    return total, total if target.has_accvgprs else 0  # two files of one size
