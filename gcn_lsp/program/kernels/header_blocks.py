"""The `.amd_kernel_code_t` blocks of a program, which describe kernels where descriptors do not."""

from collections.abc import Iterable, Iterator, Mapping

from gcn_lsp import isa
from gcn_lsp.preproc.state import SymbolValue
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.kernels import resources
from gcn_lsp.program.kernels.descriptor_blocks import evaluated
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.syntax import nodes

OPENING, ENDING = ".amd_kernel_code_t", ".end_amd_kernel_code_t"

# The fields of a descriptor with those of a header that mean the same, and those whose SGPRs a header counts itself.
_OF_HEADER = {
    "next_free_vgpr": "workitem_vgpr_count",
    "next_free_sgpr": "wavefront_sgpr_count",
    "group_segment_fixed_size": "workgroup_group_segment_byte_size",
    "private_segment_fixed_size": "workitem_private_segment_byte_size",
    "wavefront_size32": "enable_wavefront_size32",
}
_RESERVED = ("reserve_vcc", "reserve_flat_scratch", "reserve_xnack_mask")


def of(chunks: Iterable[Chunk], symbols: "Mapping[str, SymbolValue]") -> Iterator[Mapping[str, int]]:
    """The fields of every closed `.amd_kernel_code_t` block, in order; `symbols` gives late values."""
    fields: dict[str, int] = {}
    for chunk in chunks:
        for name, written in chunk.headers:
            if not name:
                yield fields
                fields = {}
                continue
            value = evaluated(written, symbols) if isinstance(written, nodes.Node) else written
            if value is not None:
                fields[name] = value


def resources_of(target: isa.Target, fields: "Mapping[str, int]") -> Resources:
    """The resources of a kernel with such a header, whose count of SGPRs includes the reserved ones."""
    known = {ours: fields.get(theirs, 0) for ours, theirs in _OF_HEADER.items()}
    # Where AGPRs share the file of VGPRs, all are VGPRs: headers are from before that.
    own = -(-max(known["next_free_vgpr"], 1) // 4) * 4
    return resources.of(target, (*known.items(), *((name, 0) for name in _RESERVED), ("accum_offset", own)))
