"""exposed-hazard: inline assembly relies on wait states that the compiler does not insert around a statement.

What it checks

Hazards between the instructions of a statement and those that the compiler places directly before or after it, of the
rows that `missing-wait-states` checks:

- at the start, operands in VGPRs that are read too early if a VALU instruction has just written them: by DPP, by a
  matrix instruction, by a read of lanes;
- at the end, operands that are not written or read yet if an ordinary instruction comes next: results of matrix
  instructions and dot products, SGPRs read from a lane, the data of wide stores.

It is a warning if the statement has an `s_nop` there, but not enough, and information otherwise: whether such an
instruction comes there is up to the compiler, and a later statement may have the wait states.

- Operands in SGPRs at the start are not checked: scalar instructions write most of them.
- What LLVM puts around a statement is taken into account: from gfx942 one wait state before a VALU instruction that
  uses its results.
- Registers that the statement names itself are not checked. Neither are statements with branches.

Why it matters

LLVM does not read the text of a statement, so it inserts no `s_nop` for it. The result is wrong with one version of the
compiler and right with the next.

Example

    // gcn-lsp: target=gfx90a
    void f(float x) {
      float y;
      asm volatile("s_nop 0\\n\\t"
                   "v_add_f32 %0, %1, %1 row_shr:1" : "=v"(y) : "v"(x));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(float x) {
      float y;
      asm volatile("s_nop 1\\n\\t"
                   "v_add_f32 %0, %1, %1 row_shr:1" : "=v"(y) : "v"(x));
    }

Targets

gfx6 to gfx9; later hardware waits by itself for what such code has.
"""

from collections.abc import Iterable, Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.hazards import edges
from gcn_lsp.analysis.hazards.edges import Exposed
from gcn_lsp.analysis.machine import registers
from gcn_lsp.findings import inline_edits
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.isa import hazards
from gcn_lsp.isa.machine import roles


def check(about: Judged) -> Iterator[Finding]:
    """A finding for the worst hazard at each end."""
    sites, graph = about.sites, graphs.of(about.program)
    if not sites or graph is None:
        return
    features = graph.model.target.features
    first = _worst(edges.at_start(graph, sites, _read(about)))
    if first is not None:
        yield _finding(about, first, features, is_last=False)
    last = _worst(edges.at_end(graph, sites, _any(about)))
    if last is not None:
        yield _finding(about, last, features, is_last=True)


def _read(about: Judged) -> int:
    """The registers of the operands whose values come from outside."""
    mask = registers.NONE
    for number, operand in about.operands():
        if not operand.is_output or about.constraint(number).is_inout:
            mask |= about.masks[number]
    return mask


def _any(about: Judged) -> int:
    mask = registers.NONE
    for each in about.masks:
        mask |= each
    return mask


def _worst(found: Iterable[Exposed]) -> Exposed | None:
    """The hazard that misses the most; of equal ones always the same."""
    return max(found, key=lambda each: (each.need - each.present, each.site.index, each.row.id), default=None)


def _finding(about: Judged, found: Exposed, features: frozenset[str], *, is_last: bool) -> Finding:
    number = next((number for number, mask in enumerate(about.masks) if mask & found.registers), 0)
    name, mnemonic = about.name(number), about.text(found.site)
    missing = found.need - found.present
    is_written = is_last and bool(found.site.effects.writes & found.registers)
    if not is_last:
        message = f"`{mnemonic}` reads {name} too early if the compiler writes it directly before the statement"
    elif is_written:
        message = f"`{mnemonic}` has not written {name} yet if the compiler uses it directly after the statement"
    else:
        message = f"`{mnemonic}` has not read {name} yet if the compiler overwrites it directly after the statement"
    where = about.operand_place(found.site, found.registers, is_written=is_written)
    states = "wait state" if found.need == 1 else "wait states"
    detail = f"{found.need} {states} needed, {found.present} here: {found.row.reason} ({found.row.id})"
    limit = hazards.nop_limit(features)
    nops = [f"{roles.NOP} {min(limit, missing - given) - 1}" for given in range(0, missing, limit)]
    fixes = inline_edits.inserted(about, nops, is_last=is_last)
    edge = about.sites[-1 if is_last else 0]
    severity = Severity.WARNING if edge.mnemonic == roles.NOP else Severity.INFORMATION
    return RULE.at(where, message, (Related(where, detail),), fixes, severity=severity)


RULE = Rule("exposed-hazard", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
