"""redundant-nop: no hazard of the target needs an `s_nop`.

What it checks

Whether every hazard of the target is resolved without the `s_nop`, and without all others that are reported too.

- An `s_nop` in a macro or repetition, or with a comment on its line, is not reported.
- An `s_nop` next to an instruction that people pad for other reasons, such as `s_barrier`, `s_setprio` or `s_sendmsg`,
  is not reported.
- An instruction that does not assemble needs what its mnemonic may need, with any registers.

Why it matters

It takes issue slots. Often it is left over from another target, or other instructions now resolve the hazard.

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

_MESSAGE = "no hazard of the target needs this `s_nop`"


def check(program: Program) -> Iterator[Finding]:
    """A finding at each `s_nop` that can be removed."""
    known = hazards.of(program)
    if known is None:
        return
    for site in hazards.idle_nops(known):
        if site.item.written.frame is None:
            place = sites.place(program, known.graph, site)
            edit = sites.removal(program, place)
            if edit is not None and edit.takes_line:  # a comment on its line may give a reason
                fix = Fix("Remove the `s_nop`", (edit,))
                yield RULE.at(place.where, _MESSAGE, (), (fix,), unnecessary=True)


RULE = Rule("redundant-nop", Severity.HINT, __doc__, Stage.HINTS, check=check)
