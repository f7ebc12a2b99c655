"""endless-loop: nothing in a loop changes the condition on which it ends.

What it checks

Loops whose branches out all depend on a comparison of registers that no instruction of the loop writes, or on an SCC,
VCC or EXEC that none writes; and loops that no branch leaves, unless they do nothing but wait. A register that scalar
instructions of the loop compute from such registers, from constants and from arguments of the kernel is the same in
each round, too: as in a loop that begins, by a wrong label, where its counter is set.

- A loop that `s_branch` closes is checked if one comparison of SGPRs decides the only way out of it: persistent kernels
  have loops with other ways out that are never taken.
- A loop with a call, with a jump to an address in registers, or with data among its code is not checked.
- A comparison of a register with itself, or one such as `s_cmp_lt_u32 s4, 0`, never changes, whatever writes it.
- A loop with `s_sleep` or `s_sendmsg` that tests EXEC waits until the hardware writes it, as trap handlers do.
- A value that the loop reads from LDS or memory may change, even if nothing in this kernel writes it there.
- A branch on something else than a comparison, such as on a mask that logic makes, counts as one that may change.

Why it matters

Such a loop runs once, or never ends: the queue hangs until the driver resets it. Usually the counter is not counted, or
the comparison reads another register.

Example

    ; gcn-lsp: target=gfx900
      s_mov_b32 s4, 16
    next:
      global_load_dword v2, v[0:1], off
      s_sub_u32 s5, s5, 1
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc1 next
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
      s_mov_b32 s4, 16
    next:
      global_load_dword v2, v[0:1], off
      s_sub_u32 s4, s4, 1
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc1 next
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import endless
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at the branch back of each loop that cannot be left after the first round."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    opaque = results.opaque(program, graph)
    for each in sites.first_at_each(graph, endless.found(program, graph, opaque), lambda each: each.branch):
        place = sites.place(program, graph, each.branch)
        names = f"`{registers.describe(each.compared & ~registers.EXEC or each.compared)}`"
        related = place.related
        if each.comparison is None and not each.compared:
            said = message("this loop never ends: no branch in it leads out")
        elif each.comparison is None:
            said = message("this loop runs once or never ends: nothing in it writes {}", names)
        else:
            line = sites.line(program, graph, each.comparison)
            related = (Related(sites.place(program, graph, each.comparison).where, "the comparison"), *related)
            if each.reset is not None:
                reset = sites.place(program, graph, each.reset)
                related = (Related(reset.where, "each round begins again here"), *related)
                said = message(
                    "this loop runs once or never ends: {} on {} sets {} again in each round, so that the comparison "
                    "on {} tests the same value",
                    f"`{each.reset.item.statement.word}`",
                    sites.line(program, graph, each.reset),
                    f"`{registers.describe(each.reset.effects.writes & each.computed)}`",
                    line,
                )
            elif each.computed:
                said = message(
                    "this loop runs once or never ends: the comparison on {} tests the same value of {} in each round",
                    line,
                    names,
                )
            elif each.compared:
                said = message(
                    "this loop runs once or never ends: nothing in it writes {}, which the comparison on {} tests",
                    names,
                    line,
                )
            else:
                said = message("this loop runs once or never ends: the comparison on {} has one result", line)
        yield RULE.at(place.where, said, related)


RULE = Rule("endless-loop", Severity.WARNING, __doc__, Stage.PATHS, check=check)
