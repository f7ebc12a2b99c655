"""register-beyond-descriptor: a kernel uses a register that its descriptor does not request.

What it checks

The highest VGPR, AGPR and SGPR between the kernel's label and the next kernel or function, against
`.amdhsa_next_free_vgpr`, `.amdhsa_next_free_sgpr` and `.amdhsa_accum_offset`. For a kernel without a descriptor in the
file, the limits are `.vgpr_count`, `.agpr_count` and `.sgpr_count` in its metadata.

- Fields whose value only the build knows are not checked.
- A register that the wave has anyway because the allocated block happens to cover it is reported as information.
- A VGPR beyond `.amdhsa_accum_offset` is not reported in a kernel that uses no AGPRs: nothing overlaps it, and the
  bound that the ISA documents give is the size of the allocation. Nearly all of MIOpen's kernels for gfx90a have such.

Why it matters

The wave gets the registers that its descriptor requests. Those beyond belong to nobody or to another wave: writes are
lost, reads return another register's value, and accumulators overlap ordinary registers.

Example

    ; gcn-lsp: target=gfx900
    copy:
      v_mov_b32 v9, v0
      ds_write_b8 v0, v9
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      v_mov_b32 v9, v0
      ds_write_b8 v0, v9
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 10
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Targets

All. SGPRs are not checked from gfx10, where every wave has all of them.
"""

from collections.abc import Iterator

import msgspec

from gcn_lsp.findings import descriptor_places, names_used
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.program.kernels import kernel_usage, metadata
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.metadata import MetadataBlock
from gcn_lsp.program.kernels.metadata_tree import Node
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import expressions
from gcn_lsp.text import TextEdit

_ACCUM_STEP = 4


class _Excess(NamedTuple):
    """A field that is too small: `limit` is the first register of `file` that is too many.

    needed: fields with sufficient values, the one at fault first. harmless: why the wave has the register anyway,
    empty if it has not.
    """

    file: str
    limit: int
    needed: dict[str, int]
    harmless: str


_COVERED = "the allocated block happens to cover it"


def check(program: Program) -> Iterator[Finding]:
    """A finding at each field of a descriptor that is too small for its kernel's code."""
    for block in program.closed_blocks:
        judgement = program.judgement(block)
        used = program.register_usage.get(block.name) if judgement is not None else None
        if used is None or judgement is None:
            continue
        for excess in _excesses(judgement.resources, used.counts):
            yield _finding(program, block, used, excess, judgement.resources)
    yield from _beyond_metadata(program)


RULE = Rule("register-beyond-descriptor", Severity.WARNING, __doc__, Stage.PATHS, check=check)


# The counts in metadata, by register file.
_COUNTS = {".vgpr_count": "v", ".agpr_count": "a", ".sgpr_count": "s"}


def _beyond_metadata(program: Program) -> Iterator[Finding]:
    """A finding at each count in the metadata that is too small, for kernels without a descriptor in the file."""
    described_here = {block.name for block in program.kernel_blocks}
    for block, described, name in metadata.described(program.metadata) if program.target is not None else ():
        used = program.register_usage.get(name) if name not in described_here else None
        for key, file in _COUNTS.items() if used is not None else ():
            value = described.get(key)
            if used is not None and value is not None and value.number is not None:
                yield from _beyond_count(program, block, name, used, _Count(key, file, value, value.number))


class _Count(NamedTuple):
    """A count of registers in the metadata."""

    key: str
    file: str
    node: Node
    number: int


def _beyond_count(
    program: Program, block: MetadataBlock, name: str, used: kernel_usage.KernelUsage, count: _Count
) -> Iterator[Finding]:
    needed = used.counts[kernel_usage.FILES.index(count.file)]
    limits = allocation.units(program.target.features, wave32=False) if program.target is not None else None
    if needed <= count.number or limits is None or (count.file == "s" and not limits.sgpr):
        return
    node = count.node
    where, movable = descriptor_places.in_metadata(program, block, node.line, node.start, node.end)
    register = f"{count.file}{needed - 1}"
    message = f"kernel `{name}` uses `{register}`, but `{count.key}` is {count.number}; {needed} is needed"
    excess = _Excess(count.file, count.number, {}, "")
    unused = _unused(used, count.file, count.number)
    message += unused
    edit = TextEdit(where, str(needed))
    fixes = (Fix(f"Change to `{needed}`", (edit,), is_certain=not unused),) if movable else ()
    yield RULE.at(where, message, tuple(_first_use(program, used, excess)), fixes)


def _excesses(resources: Resources, counts: tuple[int, ...]) -> Iterator[_Excess]:
    vectors, accumulators, scalars = counts
    total, accum = resources.total_vgprs, resources.values.get("accum_offset")
    allocated = resources.allocated_vgprs or 0
    if "accum_offset" in resources.values:
        if total is None or accum is None:
            return
        yield from _shared_file_excesses(total, accum, allocated, vectors, accumulators)
    elif total is not None:
        file, count = ("a", accumulators) if accumulators > vectors else ("v", vectors)
        if count > total:
            yield _Excess(file, total, {"next_free_vgpr": count}, _COVERED if count <= allocated else "")
    yield from _scalar_excesses(resources, scalars)


def _shared_file_excesses(total: int, accum: int, allocated: int, vectors: int, accumulators: int) -> Iterator[_Excess]:
    """The excesses if VGPRs and AGPRs share one file, in which the AGPRs begin at the offset.

    The offset alone stops no VGPR: production kernels without AGPRs use VGPRs beyond it.
    """
    offset = -(-vectors // _ACCUM_STEP) * _ACCUM_STEP
    if vectors > accum and accumulators:
        needed = {"accum_offset": offset}
        if offset + accumulators > total:
            needed["next_free_vgpr"] = offset + accumulators
        yield _Excess("v", accum, needed, "")
    elif vectors > total:
        needed = {"next_free_vgpr": vectors}
        if vectors > accum:
            needed["accum_offset"] = offset
        yield _Excess("v", total, needed, _COVERED if vectors <= allocated else "")
    if accumulators and accum + accumulators > total:
        needed = {"next_free_vgpr": accum + accumulators}
        yield _Excess("a", max(total - accum, 0), needed, _COVERED if accum + accumulators <= allocated else "")


def _scalar_excesses(resources: Resources, scalars: int) -> Iterator[_Excess]:
    named, reserved = resources.values.get("next_free_sgpr"), resources.reserved_sgprs
    limits = allocation.units(resources.target.features, wave32=False)
    if named is None or reserved is None or not limits.sgpr or resources.target.initializes_all_sgprs_wrongly:
        return
    if scalars > named:
        is_covered = scalars + reserved <= (resources.allocated_sgprs or 0)
        yield _Excess("s", named, {"next_free_sgpr": scalars}, _COVERED if is_covered else "")


def _finding(
    program: Program, block: DescriptorBlock, used: kernel_usage.KernelUsage, excess: _Excess, resources: Resources
) -> Finding:
    (name, value), *_ = excess.needed.items()
    where, _ = descriptor_places.of_field(program, block, name)
    related = (*_set_by(program, block, name, where.line), *_first_use(program, used, excess))
    highest = f"{excess.file}{used.counts[kernel_usage.FILES.index(excess.file)] - 1}"
    message = (
        f"kernel `{block.name}` uses `{highest}`, but `.amdhsa_{name}` is {resources.values[name]}; {value} is needed"
    )
    if excess.harmless:
        message += f"; {excess.harmless}"
    unused = _unused(used, excess.file, excess.limit)
    message += unused
    fixes = descriptor_places.field_fixes(program, block, excess.needed)
    if unused:
        fixes = tuple(msgspec.structs.replace(fix, is_certain=False) for fix in fixes)
    severity = Severity.INFORMATION if excess.harmless else None
    return RULE.at(where, message, related, fixes, severity=severity)


def _set_by(program: Program, block: DescriptorBlock, name: str, line: int) -> Iterator[Related]:
    """The assignments of the symbols that a field's value names.

    `.amdgcn.next_free_vgpr` counts the registers of the code above it, unless a line sets it to something else.
    """
    _, field = block.line_of(name)
    statement = field.statement
    names = expressions.names_in(statement.expression(statement.rest_start, statement.end))
    for symbol, where in names_used.assigned_above(program, names, line).items() if names else ():
        yield Related(where, f"`{symbol}` is set here")


def _unused(used: kernel_usage.KernelUsage, file: str, limit: int) -> str:
    """A clause about the registers from `limit` that the code leaves out below the highest; empty if it names most.

    Then the highest may be a slip (`v44` for `v4`), and the fix would allocate registers that nothing uses.
    """
    named = used.named_from(file, limit)
    if not named or max(named) - limit < _WIDE or 2 * len(named) > max(named) - limit:
        return ""
    return f"; nothing uses `{file}[{limit}:{min(named) - 1}]`" if min(named) > limit + 1 else "; most are unused"


_WIDE = 8  # registers; a smaller gap costs at most a block or two


def _first_use(program: Program, used: kernel_usage.KernelUsage, excess: _Excess) -> Iterator[Related]:
    """The place where the code first names a register that is too many, and the expansions that lead there."""
    place = used.first_beyond(excess.file, excess.limit)
    if place is None:
        return
    chunk, item = place
    where, _ = program.place_in(chunk, item, item.statement.start, item.statement.end)
    last = f"`{excess.file}{excess.limit - 1}`" if excess.limit else f"the allocated ones (not even {excess.file}0)"
    yield Related(where, f"the first use of a register beyond {last}")
    for step in reversed(program.steps(program.layout.numbers[chunk], item.written.frame)):
        yield Related(step.where, f"in a call of `{step.name}`" if step.kind == "macro" else "in the expansion of this")
