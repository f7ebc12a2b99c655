"""suspicious-resource: the constants of a resource descriptor cannot be right.

What it checks

Buffer and scalar buffer instructions in straight-line code after the `s_mov` instructions that fill their descriptor
(V#). Only words that are constants count. The rule reports:

- a `type` other than 0
- reserved component selects, where the instruction converts a format
- swizzling with a `stride` that is 0 or not a whole number of elements
- swizzling for scalar memory
- `idxen` with a `stride` of 0
- bits that gfx9 reserves as 0
- a format of 0, which makes the resource unbound, unless the whole last word is 0, an access that reaches beyond
  `num_records` or its record by its immediate offset alone, and one that is wider than a swizzled element, if the
  words are filled between the last label or branch and the access
- there also descriptors of images (T#): a `type` that is no image's, or that the instruction contradicts by `da`, or
  by a `dim` with samples

Hover over the operand to see all fields.

Why it matters

The hardware takes the bits as they are: with another type it sees another kind of resource, and a swizzled access
without records goes anywhere. Often a word is in the wrong register, or was made for another generation.

Example

    ; gcn-lsp: target=gfx803
    kernel:
      s_mov_b32 s7, 0xc0000000
      buffer_load_dword v1, off, s[4:7], 0
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx803
    kernel:
      s_mov_b32 s7, 0x27fac
      buffer_load_dword v1, off, s[4:7], 0
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.values import constant_resources
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each descriptor whose constants cannot be right."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for each in constant_resources.suspicious(program, graph):
        place = sites.place(program, graph, each.reader)
        known = ", ".join(
            f"s{each.operand.first + number} = {word:#x}" for number, word in enumerate(each.words) if word is not None
        )
        message = f"{'; '.join(each.defects)} (the {each.kind} descriptor `{each.operand.text}` with {known})"
        yield RULE.at(place.where, message, place.related)


RULE = Rule("suspicious-resource", Severity.INFORMATION, __doc__, Stage.PATHS, check=check)
