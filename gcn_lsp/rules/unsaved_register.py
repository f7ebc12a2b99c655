"""unsaved-register: a function changes a register that its caller expects as it was.

What it checks

Functions that `.globl` and `.type NAME,@function` declare and that return by `s_setpc_b64 s[30:31]`: a write of a
register that LLVM's calling convention preserves, if no path from the entry has read the register before, as it must
to save it. Whether the function restores what it has saved is not checked.

Why it matters

A compiled caller keeps values in these registers over the call: s33 to s39, s48 to s55 and further eights, v40 to v47,
v56 to v63 and further eights, on gfx90a, gfx94* and gfx950 also a32 to a255. `explain calling-convention` has the list.
Where `.amdgcn_target` or `.amd_amdgpu_isa` names another system than amdhsa, functions may be those of shaders, which
preserve other SGPRs; then only what both preserve is checked.

Example

    ; gcn-lsp: target=gfx900
    .globl twice
    .type twice,@function
    twice:
      s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
      v_mov_b32 v40, v0
      v_add_f32 v0, v40, v40
      s_setpc_b64 s[30:31]

Use instead

    ; gcn-lsp: target=gfx900
    .globl twice
    .type twice,@function
    twice:
      s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
      v_mov_b32 v1, v0
      v_add_f32 v0, v1, v1
      s_setpc_b64 s[30:31]

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import preserved
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first write of each register that a function has to preserve and does not save."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for each in preserved.unsaved(program, graph):
        place = sites.place(program, graph, each.write)
        names = registers.describe(each.registers)
        message = f"`{each.function}` has to return with `{names}` as it was, and overwrites it without saving it first"
        yield RULE.at(place.where, message, place.related)


RULE = Rule("unsaved-register", Severity.WARNING, __doc__, Stage.PATHS, check=check)
