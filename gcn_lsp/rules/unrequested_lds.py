"""unrequested-lds: a kernel accesses LDS and requests none.

What it checks

The first LDS access of each kernel whose descriptor and metadata request 0 bytes of LDS. Instructions that use LDS only
to move values between lanes, such as `ds_bpermute_b32`, need none, and GDS is another memory.

A kernel whose metadata has an LDS argument sized at launch is not reported. Others may get their LDS at launch too
(`extern __shared__` in HIP, all of Triton's kernels), so this is information and no warning.

The fix requests as much as the accesses need whose addresses are known, for the work-items that the metadata allow.

Why it matters

Without LDS from the launch, reads return 0 and writes are lost, without any error.

Example

    ; gcn-lsp: target=gfx900
    reduce:
      ds_write_b8 v0, v0
      s_endpgm
    .rodata
    .amdhsa_kernel reduce
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    reduce:
      ds_write_b8 v0, v0
      s_endpgm
    .rodata
    .amdhsa_kernel reduce
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.lds import protocol
from gcn_lsp.findings import descriptor_places, expansion
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.program.kernels import lds_usage
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.kernel_usage import KernelUsage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first LDS access of each kernel that requests no LDS."""
    if program.target is None or program.final_state.incomplete:
        return
    for block in program.closed_blocks:
        used = program.register_usage.get(block.name)
        first = next(lds_usage.accesses(used), None) if used is not None else None
        if used is None or first is None or descriptor_places.lds_size(program, block) != 0:
            continue
        chunk, access = first
        statement = access.item.statement
        where, _ = program.place_in(chunk, access.item, statement.start, statement.end)
        needed = _needed(program, block, used)
        message = (
            f"kernel `{block.name}` requests 0 bytes of LDS, so this access is beyond them unless the launch adds some"
        )
        if needed:
            message += f"; its accesses reach to byte {needed} at least"
        steps = program.steps(program.layout.numbers[chunk], access.item.written.frame)
        related = Related(descriptor_places.of_field(program, block, descriptor_places.LDS_SIZE)[0], "the descriptor")
        yield RULE.at(where, message, (related, *expansion.related(steps)), _fixes(program, block, needed))


def _needed(program: Program, block: DescriptorBlock, used: KernelUsage) -> int:
    """The bytes of LDS that the accesses need whose addresses are known; 0 if none is.

    Addresses beyond all LDS that a work-group can have count as intended.
    """
    found = protocol.of_all(program)
    reached = found.reached.values() if found is not None else ()
    ends = [access.last for _, access in lds_usage.accesses(used) if access.address is not None]
    ends += [reach.end for reach in reached if reach.kernel == block.name]
    limit = allocation.lds_limit(program.target.features) if program.target is not None else 0
    return max((end for end in ends if end <= limit), default=0)


def _fixes(program: Program, block: DescriptorBlock, needed: int) -> tuple[Fix, ...]:
    size = descriptor_places.LDS_SIZE
    return descriptor_places.request_fixes(program, block, size, f".{size}", needed) if needed else ()


RULE = Rule(
    "unrequested-lds",
    Severity.INFORMATION,
    __doc__,
    Stage.HINTS,  # the addresses of all lanes take longer than a key may
    check=check,
)
