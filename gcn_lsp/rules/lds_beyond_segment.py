"""lds-beyond-segment: LDS is accessed beyond the size that the kernel requests.

What it checks

LDS instructions whose offset, alone or added to a constant that was just moved into the address register, reaches
beyond the LDS size in the kernel's descriptor, or in its metadata if the descriptor gives none. So do addresses that
follow from the work-item id alone, for the work-items that the kernel certainly has: those of the required size, or of
one wave if it has a barrier and no compiler wrote its metadata, of two if that metadata also have a
`.max_flat_workgroup_size` below 1024.

- Where nothing but a barrier says that there are two waves, what the second one reaches is information: a kernel of
  one wave may have a barrier too.
- Where a loop toggles between two buffers, as `s_xor_b32 s5, s5, 0x1000` does, both count.
- If the work-items that only `.max_flat_workgroup_size` allows reach further than the others, that is information: a
  launch may have fewer. A size of 1024 says nothing, since compilers write it by default. Likewise those of one wave in
  a kernel without metadata.
- An address that the kernel cuts from data in memory, such as `(x & 0x1ff) << 2`, is information if it may be beyond:
  the data may be smaller. Whole bytes and half words say nothing, nor does compiled code.
- A kernel without a size is not checked: its LDS is allocated at launch.
- A kernel whose metadata has an LDS argument sized at launch is not checked.
- An address beyond all LDS that a work-group can have counts as intended: kernels read zeros that way.

Why it matters

Reads beyond the end return 0 and writes are lost, or they hit the LDS of another work-group.

Example

    ; gcn-lsp: target=gfx900
    reduce:
      v_mov_b32 v1, 0
      v_mov_b32 v2, v0
      v_mov_b32 v3, v0
      ds_write_b64 v1, v[2:3] offset:1020
      s_endpgm
    .rodata
    .amdhsa_kernel reduce
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    reduce:
      v_mov_b32 v1, 0
      v_mov_b32 v2, v0
      v_mov_b32 v3, v0
      ds_write_b64 v1, v[2:3] offset:1016
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

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import banks, protocol
from gcn_lsp.analysis.lds.protocol import Launches
from gcn_lsp.findings import descriptor_places, expansion, sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.kernels import lds_usage
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location


def check(program: Program) -> Iterator[Finding]:
    """A finding at each access that reaches beyond the kernel's LDS."""
    graph = graphs.of(program)
    for block in program.closed_blocks:
        used = program.register_usage.get(block.name) if program.target is not None else None
        size = descriptor_places.lds_given(program, block) if used is not None else None
        if used is None or size is None:
            continue
        limit = allocation.lds_limit(program.target.features) if program.target is not None else 0
        beyond = tuple(lds_usage.beyond(used, size[0]))
        wrong = [(chunk, access) for chunk, access in beyond if (access.address or 0) < limit]
        seen = {id(access.item) for _, access in beyond}
        ends = range(size[0] + 1, limit + 1)
        reaches = tuple(_reaches(program, graph, block, ends, seen)) if graph is not None else ()
        # One size is right for all: the largest that is certain, or that some launch needs.
        aligned = [each for each in reaches if not each.misaligned]
        sure = [access.last for _, access in wrong] + [each.end for each in aligned if each.is_certain]
        certain = max(sure, default=0)
        most = max((certain, *(each.end for each in aligned)))
        for chunk, access in wrong:
            yield _finding(program, block, chunk, access, *size, certain)
        for each in reaches:
            assert graph is not None  # reaches come from it
            place = sites.place(program, graph, each.site)
            related = (Related(size[1], "the size is given here"), *place.related)
            fixes = descriptor_places.size_fixes(program, block, *_FIELD, certain if each.is_certain else most)
            message = f"{each.said} to byte {each.end} of LDS{each.here}, but the kernel requests {size[0]} bytes"
            if each.misaligned:
                message += f"; the address of these dwords is {each.misaligned} more than a multiple of {_DWORD}"
                fixes = ()
            severity = RULE.severity if each.is_certain else Severity.INFORMATION
            yield RULE.at(place.where, message, related, fixes, severity=severity)


RULE = Rule(
    "lds-beyond-segment",
    Severity.WARNING,
    __doc__,
    Stage.HINTS,  # the addresses of all lanes take longer than a key may
    check=check,
)


class _Reach(NamedTuple):
    """An access that goes beyond the kernel's LDS, to the byte before `end`. said, here: how, before and after that."""

    site: Site
    end: int
    is_certain: bool
    said: str
    here: str = ""

    @property
    def misaligned(self) -> int:
        """How far the address of whole dwords is from a multiple of 4: then that is the mistake, and no size is."""
        width = lds_accesses.width(self.site.mnemonic)
        return self.end % _DWORD if width and not width % _DWORD else 0


def _reaches(
    program: Program, graph: graphs.Graph, block: DescriptorBlock, ends: range, seen: set[int]
) -> Iterator[_Reach]:
    """The accesses that some lane, or data, may send to one of `ends`. seen: the items that are reported anyway."""
    found = protocol.of_all(program)
    if found is None:
        return
    beyond = [
        (site, reach)
        for (site, _), reach in found.reached.items()
        if reach.kernel == block.name and reach.end in ends and id(site.item) not in seen
    ]
    first: dict[Site, Launches] = {}
    for site, reach in beyond:
        launches = reach.launches
        if first.setdefault(site, launches) is not launches:
            continue
        if launches is Launches.LARGE and not banks.ends_at(program, graph, site, reach.lane, reach.end):
            continue
        who = _WHO[launches].format(reach.lane, program.target.wavefront_size if program.target is not None else 0)
        yield _Reach(site, reach.end, launches is Launches.ALL, f"{who} reaches", " here")
    for site, (end, kernel) in found.reached_by_data.items():
        if kernel == block.name and end in ends and id(site.item) not in seen:
            yield _Reach(site, end, is_certain=False, said="data may send this")


def _finding(
    program: Program,
    block: DescriptorBlock,
    chunk: Chunk,
    access: lds_usage.Access,
    size: int,
    source: Location,
    needed: int,
) -> Finding:
    instruction, statement = access.item.instruction, access.item.statement
    written = [each.node for each in instruction.operands if each.slot in _OFFSETS] if instruction is not None else []
    start, end = (written[0].start, written[-1].end) if written else (statement.start, statement.end)
    where, _ = program.place_in(chunk, access.item, start, end)
    at = "" if access.address is None else f", with {access.address} in the address register"
    message = f"this reaches to byte {access.last} of LDS{at}, but the kernel requests {size} bytes"
    steps = program.steps(program.layout.numbers[chunk], access.item.written.frame)
    related = (Related(source, "the size is given here"), *expansion.related(steps))
    fixes = descriptor_places.size_fixes(program, block, *_FIELD, needed)
    return RULE.at(where, message, related, fixes)


_WHO = {
    Launches.ALL: "work-item {}",
    Launches.OF_TWO_WAVES: "in groups of more than {1} work-items, work-item {0}",
    Launches.LARGE: "work-item {}, which a launch may have,",
}
_DWORD = 4  # bytes
_FIELD = (descriptor_places.LDS_SIZE, f".{descriptor_places.LDS_SIZE}")
_OFFSETS = ("offset", "offset0", "offset1")
