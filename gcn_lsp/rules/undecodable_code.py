"""undecodable-code: control runs into data that is not an instruction.

What it checks

Data (`.long`, `.byte`, ...) after an instruction that control does not leave. The bytes are read as the hardware reads
them; the finding is at the first that are not an instruction of the target. In a code object, the same holds for words
in the code of a kernel.

- Data after a branch, `s_endpgm` or `s_trap`, and code that nothing reaches, is not checked.
- Data whose bytes depend on an address is not checked.
- Encodings that AMD's kernels use and LLVM does not know are not reported.

Why it matters

The wave takes an illegal-instruction exception, or does what no manual says. The data was meant to be jumped over, a
word written by hand has a wrong bit, or the code is for another target.

Example

    ; gcn-lsp: target=gfx900
    s_mov_b32 s0, 0
    .long 0xffffffff
    s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b32 s0, 0
    .long 0xbf800000
    s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, undecodable
from gcn_lsp.findings import expansion
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import OfTarget, message


def check(program: Program) -> Iterator[Finding]:
    """A finding for each run of data among the code in which bytes are not an instruction."""
    graph = graphs.of(program)
    if graph is None or program.target is None or program.final_state.incomplete:
        return
    for found in undecodable.found(program, graph, program.target):
        word = f"{int.from_bytes(found.word, 'little'):#0{2 + 2 * len(found.word)}x}"
        said = message("control runs into {}, which is not an instruction on {}", word, OfTarget(program.target.name))
        yield RULE.at(found.item.where, said, expansion.related(found.item.steps))


RULE = Rule("undecodable-code", Severity.WARNING, __doc__, Stage.PATHS, check=check)
