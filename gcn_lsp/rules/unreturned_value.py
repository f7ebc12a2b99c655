"""unreturned-value: a register is read as the result of an atomic that returns nothing.

What it checks

- Scalar atomics without `glc`, in straight-line code: the next instruction that uses their data register reads it, is
  not a memory access, and comes after a wait for scalar memory.
- Vector atomics without `glc`, `sc0` or `th:TH_ATOMIC_RETURN`: their data are a copy of an SGPR or a constant, the wave
  waits directly after the atomic, and `v_readfirstlane_b32` reads them next.

Why it matters

Only with such a modifier does an atomic return the old value from memory. Without it the register keeps its operand and
there is nothing to wait for. If the operand is meant to be used again, say so with the comment `; gcn-lsp:
disable=unreturned-value`.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      s_atomic_add s0, s[4:5], 0x0
      s_waitcnt lgkmcnt(0)
      v_mov_b32 v2, s0
      global_store_dword v[0:1], v2, off
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      s_atomic_add s0, s[4:5], 0x0 glc
      s_waitcnt lgkmcnt(0)
      v_mov_b32 v2, s0
      global_store_dword v[0:1], v2, off
      s_endpgm

Targets

All; scalar atomics exist on gfx9 and gfx10.1.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import scalar_memory
from gcn_lsp.analysis.waits import unreturned
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that reads an atomic's operand as if it were the result."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    features = program.target.features
    scalar = [(each, "glc") for each in scalar_memory.unreturned(program, graph)]
    vector = [(each, memory_model.returning(features)) for each in unreturned.found(program, graph)]
    for each, needed in (*scalar, *vector):
        place = sites.place(program, graph, each.reader)
        atomic = sites.place(program, graph, each.atomic)
        name, line = each.atomic.item.statement.name, sites.line(program, graph, each.atomic)
        said = message(
            "`{}` is still the operand of `{}` on {}, which returns nothing without `{}`",
            *(registers.describe(each.registers), name, line, needed),
        )
        related = (Related(atomic.where, "the atomic"), *atomic.related, *place.related)
        yield RULE.at(place.where, said, related)


RULE = Rule("unreturned-value", Severity.WARNING, __doc__, Stage.PATHS, check=check)
