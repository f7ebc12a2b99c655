"""unread-text: a part of the file, or all of it, is not checked.

What it checks

Three kinds of file that LLVM's assembler for AMD GPUs does not read as a whole, and code that is written as data:

- The output of `clang -S` or `hipcc -S` for HIP is a bundle: a text for each GPU and one for the host, between comments
  with `__CLANG_OFFLOAD_BUNDLE__`. The part for the target is checked, or else the first part for a GPU. The rule
  reports each other part for a GPU; the host's is skipped.
- CLRX has an assembler of its own, with other directives (`.amdcl2`, `.gallium`, `.rocm`, `.config`) and other
  operands. Hovers explain its instructions; nothing else in such a file is reported.
- CodeXL's listings, with an address of eight digits and words after each instruction
  (`s_mov_b32 m0, 0x8000 // 00000000: BEFC03FF 00008000`), are in the spelling of AMD's own shader compiler. They are
  treated as a file for CLRX is.
- Some tools write a kernel's body as words, `.long 0xBF800000`. With one instruction in a statement they are checked
  like any, after an instruction and from the label of a kernel on. The rule reports 16 or more that are not, at the
  first: after them the contents of registers are unknown. Hovers and hints show the instructions, and an
  editor's *Write the data as instructions* replaces the words, which `gcn-lsp fix` does not.

Why it matters

No finding in a part that is not checked does not mean that it is correct.

Example

    # __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a
    .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
    s_nop 0
    # __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx90a
    # __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx1100
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
    s_nop 0
    # __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx1100

Use instead

    # __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a
    .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
    s_nop 0
    # __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx90a

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import data_as_code, graphs
from gcn_lsp.findings import expansion
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program

_FEWEST = 16
_FEWEST_TOGETHER = 4  # fewer are what the author's assembler did not know


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first of the instructions that are written as data, if they are many."""
    graph = graphs.of(program)
    if graph is None or program.target is None:
        return
    runs = data_as_code.unread_runs(program, graph)
    every = zip(runs, map(_whole, data_as_code.read_each(program, runs, program.target)), strict=True)
    whole = [read for run, read in every if _is_code(graph, run, read)]
    count = sum(map(len, whole))
    if count >= _FEWEST:
        first = whole[0][0].item
        message = f"{count} instructions are written as data from here on: waits, hazards and registers are not checked"
        yield RULE.at(first.where, message, expansion.related(first.steps))


def _whole(read: Iterator[data_as_code.Read]) -> list[data_as_code.Read]:
    """The instructions of a run of words; none if one of them is not an instruction."""
    found = []
    for each in read:
        if each.decoded is None:
            return []
        found.append(each)
    return found


def _is_code(graph: graphs.Graph, run: data_as_code.Run, read: list[data_as_code.Read]) -> bool:
    """Whether a run is enough, and the code before it or an end among its instructions shows that they are meant."""
    if len(read) < _FEWEST_TOGETHER:
        return False
    if len({each.code for each in read}) == 1:  # padding, or data to come
        return False
    forms = (each.decoded.form for each in read if each.decoded is not None)
    return bool(graph.nodes[run.node].sites) or any(_LEAVING in form.flags for form in forms)


_LEAVING = "isBarrier"  # LLVM's flag of instructions after which control does not go on


RULE = Rule(
    "unread-text",
    Severity.INFORMATION,
    __doc__,
    Stage.PATHS,
    check=check,
    any_target=True,
    found_by=("project.dialects",),
)
