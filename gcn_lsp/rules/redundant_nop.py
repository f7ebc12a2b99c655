"""redundant-nop: an `s_nop` that no hazard of the target asks for.

What it checks

Whether every row of the target's hazards would be kept without it, and without all the others that are named too. Not
judged: what macros and repetitions write, what has a comment on its line, and what stands beside instructions that
people put wait states around for reasons of their own, such as `s_barrier`, `s_setprio` or `s_sendmsg`.

Why it matters

It takes issue slots. Often it is left from another target, or from a hazard that other instructions resolve by now.

Example

    ; gcn-lsp: target=gfx1030
    kernel:
      v_readfirstlane_b32 s4, v0
      s_nop 4
      v_add_f32 v1, s4, v2
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx1030
    kernel:
      v_readfirstlane_b32 s4, v0
      v_add_f32 v1, s4, v2
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.program.program import Program

_MESSAGE = "no hazard of the target asks for this `s_nop`"


def check(program: Program) -> Iterator[Finding]:
    """A finding at each `s_nop` that could go."""
    known = hazards.of(program)
    if known is None:
        return
    for site in hazards.idle_nops(known):
        if site.item.written.frame is None:
            place = sites.place(program, known.graph, site)
            edit = sites.removal(program, place)
            if edit is not None and edit.takes_line:  # a comment beside it may say what it is for
                fix = Fix("Remove it", (edit,))
                yield RULE.at(place.where, _MESSAGE, (), (fix,), unnecessary=True)


RULE = Rule("redundant-nop", Severity.HINT, __doc__, Stage.HINTS, check=check)
