"""descriptor-inconsistent: fields of a kernel descriptor, each valid alone, contradict each other.

What it checks

- The inputs that the descriptor enables fit into the SGPRs that it requests.
- `.amdhsa_user_sgpr_count` counts no more than those inputs.
- Scratch is set up if the kernel has a private segment.
- LDS does not exceed what a work-group can have.
- The wave size is the one that the code is assembled for.
- The kernel begins at a multiple of 256 bytes of its section.

The first two are reported as information: compilers enable inputs that nothing reads.

Why it matters

The assembler accepts such a descriptor. The kernel then reads an input from the wrong register, faults at its first
access to scratch, or cannot be launched.

Example

    ; gcn-lsp: target=gfx900
    .amdhsa_kernel copy
      .amdhsa_private_segment_fixed_size 64
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    .amdhsa_kernel copy
      .amdhsa_private_segment_fixed_size 64
      .amdhsa_system_sgpr_private_segment_wavefront_offset 1
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Targets

All. The wave size is checked from gfx10.
"""

from collections.abc import Iterator

from gcn_lsp.findings import descriptor_places
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.program.kernels import descriptor
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import OfTarget, Text, message

_OFFSET = "system_sgpr_private_segment_wavefront_offset"
_ENABLE = "enable_private_segment"


class _Contradiction(NamedTuple):
    """A contradiction, reported at the value of `field`; `right` is a value that resolves it, if one is certain."""

    field: str
    said: Text
    right: int | None = None
    severity: Severity | None = None


def check(program: Program) -> Iterator[Finding]:
    """A finding at each field that contradicts the others."""
    for block in program.kernel_blocks:
        yield from _misplaced(program, block)
        judgement = program.judgement(block)
        if judgement is None or not block.is_closed or judgement.mistakes:
            continue  # wrong fields have findings already
        for mistake in _mistakes(judgement.resources, dict(program.written_fields(block))):
            where, _ = descriptor_places.of_field(program, block, mistake.field)
            fixes = (
                ()
                if mistake.right is None
                else descriptor_places.field_fixes(program, block, {mistake.field: mistake.right})
            )
            yield RULE.at(where, mistake.said, fixes=fixes, severity=mistake.severity)


def _misplaced(program: Program, block: DescriptorBlock) -> Iterator[Finding]:
    """The finding about code that begins where the hardware cannot start it: the register for it has no lower bits.

    Source: LLVM's "User Guide for AMDGPU Backend", kernel descriptor, KERNEL_CODE_ENTRY_BYTE_OFFSET.
    """
    address = program.layout.address(block.name)
    if address is not None and not program.layout.parts and address.offset % _START:
        where, _ = descriptor_places.of_field(program, block, "")
        message = (
            f"`{block.name}` begins at {address.section} + {address.offset:#x}; the hardware starts kernels only at "
            f"multiples of {_START} bytes: write `.p2align 8` before its label"
        )
        yield RULE.at(where, message)


_START = 256

RULE = Rule("descriptor-inconsistent", Severity.WARNING, __doc__, Stage.PROGRAM, check=check)


def _mistakes(resources: Resources, written: "dict[str, int | None]") -> Iterator[_Contradiction]:
    values, target = resources.values, resources.target
    explicit = written.get("user_sgpr_count")
    implied = descriptor.implied_user_sgprs(target, written)
    padded = target.needs_16_user_sgprs  # compilers count more there on purpose
    if explicit is not None and implied is not None and explicit > implied and not padded:
        said = f"`.amdhsa_user_sgpr_count` is {explicit}, but the enabled inputs fill {implied} SGPRs"
        yield _Contradiction("user_sgpr_count", said, implied, Severity.INFORMATION)
    yield from _input_mistakes(resources)
    lds, limit = resources.lds, allocation.lds_limit(target.features)
    if lds is not None and lds > limit:
        words = "the kernel has {} bytes of LDS, but a work-group on {} can have {} at most"
        yield _Contradiction("group_segment_fixed_size", message(words, lds, OfTarget(target.name), limit))
    setup = _ENABLE if _ENABLE in values else _OFFSET
    if resources.scratch and values.get(setup) == 0:
        said = f"the kernel has {resources.scratch} bytes of scratch, which need `.amdhsa_{setup} 1`"
        yield _Contradiction("private_segment_fixed_size", said)
    wave32 = written.get("wavefront_size32")
    if wave32 is not None and wave32 != int(target.wavefront_size == 32):
        lanes = 32 if wave32 else 64
        said = f"the kernel runs in waves of {lanes} lanes, but the code is assembled for {target.wavefront_size}"
        yield _Contradiction("wavefront_size32", said, 1 - wave32)


def _input_mistakes(resources: Resources) -> Iterator[_Contradiction]:
    named, allocated, reserved = resources.sgprs, resources.allocated_sgprs, resources.reserved_sgprs
    if named is None or allocated is None or reserved is None:
        return
    last = max((place for place in resources.inputs if place.file == "s"), key=lambda place: place.first, default=None)
    if last is not None and last.first + last.count > max(allocated - reserved, named):
        count = last.first + last.count
        message = (
            f"the enabled inputs take {count} SGPRs, the {last.title} last, but `.amdhsa_next_free_sgpr` is {named}"
        )
        # Compilers do so if nothing reads the input.
        yield _Contradiction("next_free_sgpr", message, count, Severity.INFORMATION)
