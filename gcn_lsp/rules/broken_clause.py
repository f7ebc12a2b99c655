"""broken-clause: the instructions after an `s_clause` are not the clause that it announces.

What it checks

Whether as many instructions follow an `s_clause` as it announces, all of one type: scalar memory, vector memory, flat,
LDS or VALU. On gfx11 and gfx12, loads, stores, atomics and samples are separate types, on gfx11 images, too.

- `s_nop`, waits for counters, `s_delay_alu` and, before gfx12, `s_sleep` are allowed, from gfx11 not as the first
  instruction, which decides the type. Labels do not matter.
- `s_delay_alu` is not allowed in a clause of VALU instructions; for other clauses the documents say both.
- Other scalar instructions, branches and another `s_clause` are not allowed, nor are `s_dcache_inv` and `s_gl1_inv`.
- On gfx10.1, image instructions with several address registers are not allowed.
- Waits in a clause on gfx11 are accepted: the RDNA3 document forbids them in one place and allows them in another.
- Loads and stores in one clause are accepted on gfx10.3: the RDNA2 document forbids it, LLVM does it.

Why it matters

While a clause runs, no other wave may issue. An instruction that does not belong ends the clause at best; the manuals
forbid it. Often a line was added or removed, and the count was not updated.

Example

    ; gcn-lsp: target=gfx1030
    kernel:
      s_clause 0x2
      s_load_dword s0, s[4:5], 0x0
      s_load_dword s1, s[4:5], 0x4
      s_mov_b32 s2, 0
      s_load_dword s3, s[4:5], 0x8
      s_waitcnt lgkmcnt(0)
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx1030
    kernel:
      s_clause 0x1
      s_load_dword s0, s[4:5], 0x0
      s_load_dword s1, s[4:5], 0x4
      s_mov_b32 s2, 0
      s_load_dword s3, s[4:5], 0x8
      s_waitcnt lgkmcnt(0)
      s_endpgm

Targets

gfx10 and later.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.values import clauses
from gcn_lsp.analysis.values.clauses import Broken
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.operands import limits
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each `s_clause` whose instructions are not the clause that it announces."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = tuple(clauses.broken(program, graph))
    fixable = sites.fixable(program, graph, (each.clause for each in found)) if found else frozenset()
    for each in found:
        place = sites.place(program, graph, each.clause)
        fixes = _fixes(program, each, place) if sites.written(graph, each.clause) in fixable else ()
        related = (*_offender(program, graph, each), *place.related)
        yield RULE.at(place.where, _message(each), related, fixes)


RULE = Rule("broken-clause", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _message(broken: Broken) -> str:
    if broken.offender is None:
        return f"this clause has {broken.length} instructions, but only {broken.fitting} follow: {broken.reason}"
    name = broken.offender.item.statement.name
    return (
        f"this clause has {broken.length} instructions, but `{name}`, number {broken.fitting + 1}, cannot be in it: "
        f"{broken.reason}"
    )


def _offender(program: Program, graph: Graph, broken: Broken) -> tuple[Related, ...]:
    if broken.offender is None:
        return ()
    return (Related(sites.place(program, graph, broken.offender).where, "this cannot be in the clause"),)


def _fixes(program: Program, broken: Broken, place: sites.WrittenPlace) -> tuple[Fix, ...]:
    """Ends the clause before the offender; removes it if fewer than two instructions are left."""
    if broken.reason == clauses.NO_TYPE:
        return ()
    if broken.fitting > limits.SHORTEST_CLAUSE:
        mask = (1 << limits.CLAUSE_BITS) - 1
        text = f"{roles.CLAUSE} {(broken.field & ~mask) | (broken.fitting - 1):#x}"
        edit = sites.replacement(place, text)
        return (Fix(f"Change to `{text}`", (edit,)),) if edit is not None else ()
    removal = sites.removal(program, place)
    return (Fix("Remove the `s_clause`", (removal,)),) if removal is not None else ()
