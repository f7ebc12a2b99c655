"""unreachable-code: no path leads to these instructions.

What it checks

Instructions after an unconditional branch or the end of a program, up to the next label that something branches to, and
labels that only unreachable code leads to.

- Kernels, functions, symbols declared by `.globl` or similar, and the start of a section count as reached.
- Labels that anything but a branch mentions count as reached, since their address may be used.
- Kernels with a jump to an address in registers are not checked.
- Code with the only stores of a kernel is a finding of `unreached-store`.
- Padding (`s_nop`, `s_code_end`, `s_endpgm`) and code mixed with bytes that are not instructions are not checked.

Why it matters

It takes room in the instruction cache and the reader's time. Often a label or a condition was forgotten. Editors show
it faded.

Example

    ; gcn-lsp: target=gfx900
    copy:
      v_mov_b32 v1, v0
      s_branch store
      v_add_u32 v1, v1, v1
    store:
      ds_write_b32 v0, v1
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      v_mov_b32 v1, v0
      s_cbranch_scc1 store
      v_add_u32 v1, v1, v1
    store:
      ds_write_b32 v0, v1
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator, Sequence

from gcn_lsp.analysis.control import graphs, unreachable
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location


def check(program: Program) -> Iterator[Finding]:
    """A finding for the lines of each run of instructions that no path leads to."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    told = {id(each.first) for each in unreachable.stores(program, graph)}
    runs = [
        _without_padding([site for node in run for site in graph.nodes[node].sites])
        for run in unreachable.runs(program, graph)
    ]
    runs = [run for run in runs if run and told.isdisjoint(map(id, run))]
    if not runs:
        return
    everywhere = sites.fixable(program, graph, (site for run in runs for site in run))
    seen: set[sites.Written] = set()
    for run in runs:
        parts: dict[object, set[Location]] = {}  # of the file, and of each macro
        for site in run:
            written = sites.written(graph, site)
            if written in everywhere and written not in seen:
                seen.add(written)
                parts.setdefault(written[1], set()).add(sites.place(program, graph, site).where)
        for lines in parts.values():
            yield _finding(sorted(lines))


RULE = Rule("unreachable-code", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _without_padding(run: Sequence[Site]) -> Sequence[Site]:
    while run and _is_filling(run[0]):
        run = run[1:]
    while run and _is_filling(run[-1]):
        run = run[:-1]
    return run


def _is_filling(site: Site) -> bool:
    instruction = site.item.instruction
    form = instruction.form if instruction is not None else None
    return form is not None and form.mnemonic in control_flow.FILLING


def _finding(lines: Sequence[Location]) -> Finding:
    first, end = lines[0], lines[-1]
    last = Location(end.path, end.line, 0, end.end) if end.line > first.line else None
    message = "no path leads here: control leaves before it, and nothing branches to it"
    return RULE.at(first, message, unnecessary=True, last=last)
