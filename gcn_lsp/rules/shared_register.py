"""shared-register: a value known by one symbol is overwritten through another symbol for the same register.

What it checks

Operands whose index is a symbol, such as `v[v_sum]`: a register is written under one name, then under another, and then
read under the first, in straight-line code.

- Symbols set from one another (`.set b, a`), or both from a third, are meant to share a register and are not reported.
- A line of a macro is reported only if it is wrong in every call.

Why it matters

Registers are given names by hand, with `.set`, and nothing keeps two names from getting the same number. The value that
is read is not the one that the name promises.

Example

    ; gcn-lsp: target=gfx900
    .set v_offset, 3
    .set v_count, 3
    v_lshlrev_b32 v[v_offset], 2, v0
    ds_write_b32 v[v_offset], v0
    v_mov_b32 v[v_count], 5
    ds_write_b32 v[v_offset], v[v_count]

Use instead

    ; gcn-lsp: target=gfx900
    .set v_offset, 3
    .set v_count, 4
    v_lshlrev_b32 v[v_offset], 2, v0
    ds_write_b32 v[v_offset], v0
    v_mov_b32 v[v_count], 5
    ds_write_b32 v[v_offset], v[v_count]

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import named
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.flow import search
from gcn_lsp.program.program import Program
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.directives import assigned_name
from gcn_lsp.syntax.statement import StatementKind
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each read of a register that was overwritten under another name."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = list(named.overwritten(graph))
    if not found:
        return
    origins = _origins(program)
    everywhere = sites.fixable(program, graph, [each.reader for each in found])
    seen = set()
    for each in found:
        written = sites.written(graph, each.reader)
        if written not in everywhere or written in seen or _are_related(each.name, each.other, origins):
            continue
        seen.add(written)
        place = sites.place(program, graph, each.reader)
        line = sites.line(program, graph, each.overwriting)
        name = registers.describe(each.register)
        said = message(
            "`{}` and `{}` are both {}: this reads the value that {} wrote", each.name, each.other, name, line
        )
        related = (
            Related(sites.place(program, graph, each.writer).where, f"written as `{each.name}`"),
            Related(sites.place(program, graph, each.overwriting).where, f"overwritten as `{each.other}`"),
            *place.related,
        )
        yield RULE.at(place.where, said, related)


RULE = Rule("shared-register", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _origins(program: Program) -> dict[str, set[str]]:
    """For each symbol, the names in the expressions that set it."""
    found: dict[str, set[str]] = {}
    for chunk in program.chunks:
        for item in chunk.items:
            if item.kind == "assignment":
                statement = item.statement
                start = statement.rest_start
                if statement.kind is not StatementKind.ASSIGNMENT:
                    start += statement.rest.find(b",") + 1
                node = statement.expression(start, statement.end)
                found.setdefault(assigned_name(statement), set()).update(expressions.names_in(node))
    return found


def _are_related(one: str, other: str, origins: dict[str, set[str]]) -> bool:
    """Whether one symbol is set from the other, or both from a third."""
    family, others = (search.reached([name], lambda each: origins.get(each, ())) for name in (one, other))
    return not family.isdisjoint(others)
