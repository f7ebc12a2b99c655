"""privileged-write: a kernel writes a register that only the trap handler can write.

What it checks

Code that control reaches from the start of a kernel with a descriptor, functions included:

- writes of `ttmp0` to `ttmp15`;
- on gfx11, `s_setreg` of FLAT_SCR; from gfx12, of STATE_PRIV, EXCP_FLAG_PRIV, TRAP_CTRL and SCRATCH_BASE.

On gfx11.0 straight code after `s_trap` is left out: only a privileged wave gets there, and LLVM ends programs so.

Why it matters

Outside the trap handler the hardware ignores the write, and the old value stays. On gfx12 these registers hold the
work-group ids, which look like free SGPRs.

Example

    ; gcn-lsp: target=gfx1200
    kernel:
      s_mov_b32 ttmp4, 0
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 1
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx1200
    kernel:
      s_mov_b32 s4, ttmp9
      s_lshl_b32 s5, s4, 8
      s_mov_b32 m0, s5
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.operands import hwreg, limits
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each write that the hardware ignores."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    features = graph.model.target.features
    privileged = {
        number: name for number, name, targets in limits.PRIVILEGED_HARDWARE_REGISTERS if holds(targets, features)
    }
    goes_on = holds(limits.PRIVILEGED_AFTER_TRAP, features)
    suspects = _all_writes(graph)
    starts = [graph.by_label[block.name] for block in program.kernel_blocks if block.name in graph.by_label]
    reached = graph.reached(starts, into_calls=True) if suspects and starts else set()
    for node, writes in suspects:
        for site, written in writes if node in reached else ():
            what = privileged.get(written) if isinstance(written, int) else written
            if what is not None and not (goes_on and _is_after_trap(graph, site)):
                place = sites.place(program, graph, site)
                message = f"only the trap handler can write {what}: in a kernel this write is ignored"
                yield RULE.at(place.where, message, place.related)


RULE = Rule("privileged-write", Severity.WARNING, __doc__, Stage.PATHS, check=check)

_TRAPS, _SETS = roles.mnemonics("trap"), roles.mnemonics("set state", "set constant state")
_TEMPORARIES = registers.of_tuple("ttmp", 0, 16)


@once
def _writes(segment: Segment) -> tuple[tuple[Site, "str | int"], ...]:
    """The writes of a segment: the instruction, and the trap temporary or the number of the hardware register."""
    found = ((site, _temporary(site) or _hardware_register(site)) for site in segment.sites)
    return tuple((site, written) for site, written in found if written is not None)


_all_writes = in_segments(lambda segment, _: _writes(segment))


def _is_after_trap(graph: Graph, site: Site) -> bool:
    return any(before.mnemonic in _TRAPS for before in straight.back(graph, site))


def _temporary(site: Site) -> "str | None":
    written = site.effects.writes & _TEMPORARIES
    return f"`{registers.describe(written)}`" if written else None


def _hardware_register(site: Site) -> "int | None":
    instruction = site.item.instruction
    if site.mnemonic not in _SETS or (instruction is not None and instruction.problems):
        return None  # a write of a register that can only be read has its finding
    values = [operand.value for operand in site.operands if operand.slot in ("simm16", "imm")]
    return hwreg.Fields.unpack(values[0]).register if values and type(values[0]) is int else None
