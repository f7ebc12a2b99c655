"""shared-register: a value that is known by one symbol is overwritten through another symbol of the same register.

What it checks

Operands with a symbol for an index, `v[v_sum]`: if a register is written by one name, then by another, and then read
by the first one, in straight code. Not judged are symbols of which one is set from the other (`.set b, a`) or both
from a third, since they are meant to share, and lines of a macro where it is so in some of the calls only.

Why it matters

Names are given to registers by hand, with `.set`, and nothing keeps two of them from getting one number. The value that
is read here is another than the name says.

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

from gcn_lsp.analysis.control import graph as graphs
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import named
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.syntax import expressions, operands
from gcn_lsp.syntax.directives import assigned_name
from gcn_lsp.syntax.statement import Kind


def check(program: Program) -> Iterator[Finding]:
    """A finding at each read of a register that got another value under another name."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = list(named.overwritten(graph))
    if not found:
        return
    origins = _origins(program)
    everywhere = sites.fixable(program, graph, [each.reader for each in found])
    told = set()
    for each in found:
        written = sites.written(graph, each.reader)
        if written not in everywhere or written in told or _are_related(each.name, each.other, origins):
            continue
        told.add(written)
        place = sites.place(program, graph, each.reader)
        line = sites.line_number(program, graph, each.overwriting)
        name = registers.describe(each.register)
        message = f"`{each.name}` and `{each.other}` are both {name}: what is read here is what line {line} wrote"
        related = (
            Related(sites.place(program, graph, each.writer).where, f"written as `{each.name}`"),
            Related(sites.place(program, graph, each.overwriting).where, f"overwritten as `{each.other}`"),
            *place.related,
        )
        yield RULE.at(place.where, message, related)


RULE = Rule("shared-register", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _origins(program: Program) -> dict[str, set[str]]:
    """For each symbol the names in the expressions that it is set to."""
    found: dict[str, set[str]] = {}
    for chunk in program.chunks:
        for item in chunk.items:
            if item.kind == "assignment":
                statement = item.statement
                start = statement.rest_start
                if statement.kind is not Kind.ASSIGNMENT:
                    start += statement.rest.find(b",") + 1
                node = operands.parse_expression(statement.line, start, statement.end)
                found.setdefault(assigned_name(statement), set()).update(expressions.names_in(node))
    return found


def _are_related(one: str, other: str, origins: dict[str, set[str]]) -> bool:
    """Whether one symbol is set from the other, or both from a third."""
    return not _family(one, origins).isdisjoint(_family(other, origins))


def _family(name: str, origins: dict[str, set[str]]) -> set[str]:
    found = {name}
    waiting = [name]
    while waiting:
        for each in origins.get(waiting.pop(), ()):
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found
