"""inverted-loop-branch: a loop ends at once, because its branch asks for the opposite.

What it checks

Branches out of a loop, or back to its head, that depend on a counter: an SGPR that one instruction of the loop changes
by a constant in each round.

- The loop goes on only while the counter is equal to something that does not change: it ends in its first round, or in
  the second one.
- The counter goes up and the loop goes on while it is greater, or down while it is less: the loop ends at once, or goes
  on until the counter runs over. Of unsigned counters only those count that go up from a constant far below 2^32:
  counting down below 0, and up from the negative of a number, are usual.
- A branch after which the loop may also be left elsewhere, before control is here again, is not checked: it may only
  leave out the rest of a round. Nor is one with the counter of a larger loop.
- Loops with several branches back, with calls, or with counters in VGPRs or behind a copy are not checked.
- A comparison of known constants that is not in a loop is not checked: kernels that are made for many sizes have these.
- A branch to an existing but wrong label is not noticed by this rule: nothing says which one was meant.

Why it matters

The rest of the work is left out and the results are wrong, without any sign. Usually `s_cbranch_scc0` and
`s_cbranch_scc1`, or a comparison and its opposite, were mixed up.

Example

    ; gcn-lsp: target=gfx900
      s_movk_i32 s12, 0x80
    next:
      v_add_f32 v1, v1, v2
      s_lshr_b32 s12, s12, 1
      s_cmp_lg_u32 s12, 0
      s_cbranch_scc0 next
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
      s_movk_i32 s12, 0x80
    next:
      v_add_f32 v1, v1, v2
      s_lshr_b32 s12, s12, 1
      s_cmp_lg_u32 s12, 0
      s_cbranch_scc1 next
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import results
from gcn_lsp.analysis.values import counted
from gcn_lsp.analysis.values.counted import Exit
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each branch that leaves a loop where it should go on with it."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = tuple(counted.inverted(program, graph, results.opaque(program, graph)))
    for each, is_everywhere in sites.with_fixable(program, graph, found, lambda each: each.exit.branch):
        if is_everywhere:
            yield _finding(program, graph, each.exit, is_endless=each.is_endless)


RULE = Rule("inverted-loop-branch", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _finding(program: Program, graph: Graph, exit_: Exit, *, is_endless: bool) -> Finding:
    place, comparison, step = (
        sites.place(program, graph, site) for site in (exit_.branch, exit_.comparison, exit_.step)
    )
    said = message(
        "the loop goes on only while {} is {}, but {} on {} counts it {} in each round: "
        + ("it runs once, or until the counter runs over" if is_endless else "it ends in its first round or the second")
        + "; {} is the opposite",
        f"`{exit_.counter.text}`",
        _relation(exit_),
        f"`{exit_.step.item.statement.word}`",
        sites.line(program, graph, exit_.step),
        "up" if exit_.is_up else "down",
        f"`{_opposite(exit_)}`",
    )
    related = (Related(comparison.where, "the comparison"), Related(step.where, "it is counted here"), *place.related)
    label = exit_.branch.operands[0].text if exit_.branch.operands else ""
    edit = sites.replacement(place, f"{_opposite(exit_)} {label}") if label else None
    fixes = (Fix(f"Change to `{_opposite(exit_)}`", (edit,), is_certain=False),) if edit is not None else ()
    return RULE.at(place.where, said, related, fixes)


_RELATIONS = {
    ("eq", True): "",
    ("gt", True): "greater than ",
    ("gt", False): "at most ",
    ("lt", True): "less than ",
    ("lt", False): "at least ",
}


def _relation(exit_: Exit) -> str:
    other = exit_.other.text if exit_.other is not None else "0"
    return f"{_RELATIONS[exit_.question[:2], exit_.holds]}`{other}`"


def _opposite(exit_: Exit) -> str:
    """The branch that is taken if and only if that of `exit_` is not."""
    is_set = control_flow.SCC_BRANCHES[exit_.branch.mnemonic]
    return next(name for name, other in control_flow.SCC_BRANCHES.items() if other != is_set)
