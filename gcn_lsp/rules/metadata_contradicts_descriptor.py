"""metadata-contradicts-descriptor: the metadata of a kernel contradicts its descriptor.

What it checks

For each kernel with both, what `.amdgpu_metadata` says about registers, LDS, scratch, kernel arguments, the wave size,
the stack and the work-group processor mode, against the fields of `.amdhsa_kernel`.

- Counts may be rounded up to the unit of allocation.
- SGPR counts may or may not include those for VCC, FLAT_SCRATCH and XNACK_MASK.
- LDS that only the metadata gives is reported as information: HIP takes its size from there, HSA from the descriptor.
- Less LDS than in the descriptor is information where no access is known to reach further, and so are other counts of
  registers: only tools read those.
- Counts may be lower than the descriptor's if the descriptor asks for one register more than whole units, or for all:
  compilers do this to run no more waves than LDS has room for.

Why it matters

The runtime allocates LDS, scratch and the kernarg segment from the metadata; the hardware allocates registers from the
descriptor. Profilers and debuggers trust the metadata.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_group_segment_fixed_size 4096
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 8
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 1024
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 16
        .vgpr_count: 8
        .max_flat_workgroup_size: 256
    .end_amdgpu_metadata

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_group_segment_fixed_size 4096
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 8
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 4096
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 16
        .vgpr_count: 8
        .max_flat_workgroup_size: 256
    .end_amdgpu_metadata

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings import descriptor_places
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.program.kernels import lds_usage, metadata
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.metadata import MetadataBlock
from gcn_lsp.program.kernels.metadata_tree import Node
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import TextEdit

# Sizes that both give: the metadata's key and the descriptor's field.
_SIZES = {
    ".group_segment_fixed_size": "group_segment_fixed_size",
    ".private_segment_fixed_size": "private_segment_fixed_size",
    ".kernarg_segment_size": "kernarg_size",
}
# The same for switches.
_SWITCHES = {
    ".uses_dynamic_stack": "uses_dynamic_stack",
    ".workgroup_processor_mode": "workgroup_processor_mode",
}
_LDS = ".group_segment_fixed_size"
_COUNTS = (".vgpr_count", ".agpr_count", ".sgpr_count")
_WORDS = {"true": 1, "false": 0, "1": 1, "0": 0}
_MOST_RESERVED = 6  # SGPRs at most for VCC, FLAT_SCRATCH and XNACK_MASK
_SGPR_UNIT = 16  # the largest unit in which SGPRs are allocated


class _Contradiction(NamedTuple):
    """A wrong value in the metadata. field: of the descriptor; said: what that says; right: the value it should be.

    is_default: the descriptor does not give the field, which is 0 then. is_harmless: the kernel runs as it should.
    """

    value: Node
    key: str
    field: str
    said: str
    right: int | str
    is_default: bool = False
    is_harmless: bool = False


def check(program: Program) -> Iterator[Finding]:
    """A finding at each value in the metadata that contradicts a descriptor."""
    blocks = {block.name: block for block in program.closed_blocks}
    if not blocks:
        return
    for metadata_block, described, name in metadata.described(program.metadata):
        block = blocks.get(name)
        judgement = program.judgement(block) if block is not None else None
        if block is None or judgement is None:
            continue
        for found in _contradictions(described, judgement.resources, dict(program.written_fields(block))):
            yield _finding(program, block, metadata_block, _judged(program, block, found))


RULE = Rule("metadata-contradicts-descriptor", Severity.WARNING, __doc__, Stage.PROGRAM, check=check)


def _contradictions(
    described: Node, resources: Resources, written: "dict[str, int | None]"
) -> Iterator[_Contradiction]:
    for key, field in _SIZES.items():
        value, right = described.get(key), written.get(field)
        if value is not None and value.number is not None and right is not None and value.number != right:
            yield _Contradiction(value, key, field, f"`.amdhsa_{field}` is {right}", right)
    lds = described.get(_LDS)
    if lds is not None and lds.number and _SIZES[_LDS] not in written:
        said = f"the descriptor requests none: it has no `.amdhsa_{_SIZES[_LDS]}`"
        yield _Contradiction(lds, _LDS, _SIZES[_LDS], said, 0, is_default=True)
    for key, field in _SWITCHES.items():
        value, right = described.get(key), resources.values.get(field)
        if value is not None and right is not None and _WORDS.get(value.text or "", right) != right:
            is_word = not (value.text or "").isdigit()
            spelled = ("false", "true")[right] if is_word else right
            yield _Contradiction(value, key, field, f"`.amdhsa_{field}` is {right}", spelled)
    wave = described.get(".wavefront_size")
    if wave is not None and wave.number not in (None, resources.wavefront_size):
        lanes = resources.wavefront_size
        yield _Contradiction(
            wave, ".wavefront_size", "wavefront_size32", f"the kernel runs in waves of {lanes} lanes", lanes
        )
    yield from _vector_contradictions(described, resources)
    yield from _scalar_contradictions(described, resources)


def _judged(program: Program, block: DescriptorBlock, found: _Contradiction) -> _Contradiction:
    if found.key not in _COUNTS:
        least, used = found.value.number, program.register_usage.get(block.name)
        if found.key != _LDS or not isinstance(found.right, int) or least is None or least > found.right:
            return found
        if used is not None and any(lds_usage.beyond(used, least)):
            return found
    return found._replace(is_harmless=True)


def _vector_contradictions(described: Node, resources: Resources) -> Iterator[_Contradiction]:
    total, allocated = resources.total_vgprs, resources.allocated_vgprs
    if total is None or allocated is None:
        return
    value, accumulators = described.get(".vgpr_count"), described.get(".agpr_count")
    own = accumulators.number or 0 if accumulators is not None else 0
    shared = "accum_offset" in resources.values
    said = f"`.amdhsa_next_free_vgpr` is {total}"
    if value is not None and value.number is not None:
        # If VGPRs and AGPRs share a file, the count may or may not include the AGPRs.
        least = total if not own else max(0, total - own - 3) if shared else 0
        limits = allocation.units(resources.target.features, wave32=resources.wavefront_size == 32)
        least = 0 if _keeps_waves_out(total, limits.vgpr, limits.vgprs) else least
        if not least <= value.number <= allocated:
            yield _Contradiction(value, ".vgpr_count", "next_free_vgpr", said, total)
    offset = (resources.values.get("accum_offset") or 0) if shared else 0
    if accumulators is not None and resources.agprs is not None and own and offset + own > allocated:
        said += f", which leaves {resources.agprs} AccVGPRs"
        yield _Contradiction(accumulators, ".agpr_count", "next_free_vgpr", said, resources.agprs)


def _scalar_contradictions(described: Node, resources: Resources) -> Iterator[_Contradiction]:
    named, value = resources.values.get("next_free_sgpr"), described.get(".sgpr_count")
    if named is None or value is None or value.number is None:
        return
    most = -(-(named + _MOST_RESERVED) // _SGPR_UNIT) * _SGPR_UNIT
    right = named + (resources.reserved_sgprs or 0)
    limits = allocation.units(resources.target.features, wave32=resources.wavefront_size == 32)
    least = 0 if limits.sgpr and _keeps_waves_out(right, limits.sgpr, limits.sgprs) else named
    if named == 1:  # compilers request one if the code uses none
        least = 0
    if not least <= value.number <= most:
        reserved = f", which makes {right} with the reserved SGPRs" if right != named else ""
        said = f"`.amdhsa_next_free_sgpr` is {named}{reserved}"
        yield _Contradiction(value, ".sgpr_count", "next_free_sgpr", said, right)


def _keeps_waves_out(count: int, unit: int, most: int) -> bool:
    """Whether a count is the lowest that limits the number of waves, as compilers choose it to save LDS."""
    return count == most or count % unit == 1


def _finding(program: Program, block: DescriptorBlock, metadata_block: MetadataBlock, found: _Contradiction) -> Finding:
    value = found.value
    where, movable = descriptor_places.in_metadata(program, metadata_block, value.line, value.start, value.end)
    message = f"`{found.key}` of kernel `{block.name}` is {value.text}, but {found.said}"
    subject = "the descriptor" if found.is_default else "the descriptor's value"
    related = (Related(descriptor_places.of_field(program, block, found.field)[0], subject),)
    if found.is_default:
        return RULE.at(where, message, related, severity=Severity.INFORMATION)
    edit = TextEdit(where, str(found.right))
    fixes: tuple[Fix, ...] = (Fix(f"Change to `{found.right}`", (edit,)),) if movable else ()
    if movable and found.field in _SIZES.values() and value.number is not None:  # the metadata may be right
        other = descriptor_places.field_fixes(program, block, {found.field: value.number})
        is_larger = isinstance(found.right, int) and value.number > found.right
        fixes = other + fixes if is_larger else fixes + other  # too much does no harm
    severity = Severity.INFORMATION if found.is_harmless else None
    return RULE.at(where, message, related, fixes, severity=severity)
