"""Finds registers that a function changes though its caller expects them as they were.

A function that saves a register reads it first. So a write is wrong if nothing on any path from the entry has read the
register.

Question: which registers may a function have read before it writes a register that it has to preserve?
Direction: forward, from the entry of each function.
Lattice and join: sets of registers; the union.
May or must: may; a register that some path has read may have been saved.
Ignored: whether the value is restored.
"""

import re
from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_

from gcn_lsp.analysis.control import functions
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.kernels import calling_convention
from gcn_lsp.isa.tables import target_id
from gcn_lsp.patterns import regex
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Unsaved(NamedTuple):
    """A write of registers that a function has to preserve and has not read before."""

    function: str
    write: Site
    registers: int


def unsaved(program: Program, graph: Graph) -> Iterator[Unsaved]:
    """The first such write of each register in each function that other files may call.

    LLVM compiles a function that only its own file calls together with its callers, and may agree on other registers.
    """
    found = [*functions.of(program, graph)]
    kept = kept_by_calls(program, graph) if found else registers.NONE
    for function in found:
        if not function.is_global or not any(_reads_and_writes(graph.nodes[node])[1] & kept for node in function.nodes):
            continue
        states = solver.solve(
            graph.successors,
            {function.entry: registers.NONE},
            lambda node, state: registers.union(state, _reads_and_writes(graph.nodes[node])[0]),
            registers.union,
        )
        reported = registers.NONE
        for node in sorted(function.nodes):
            read = states[node] or registers.NONE
            for site in graph.nodes[node].sites:
                read |= site.effects.reads
                lost = site.effects.writes & kept & ~registers.whole(read) & ~reported
                if lost:
                    reported |= registers.whole(lost)
                    yield Unsaved(function.name, site, lost)


@latest
def kept_by_calls(program: Program, graph: Graph) -> int:
    """The registers that functions return with as they were, by LLVM's convention."""
    systems = frozenset[str]().union(*map(_systems, program.chunks))
    return _kept(graph.model.target.features, may_be_shader=any(not each.startswith("amdhsa") for each in systems))


@lru_cache(maxsize=16)
def _kept(features: frozenset[str], *, may_be_shader: bool) -> int:
    """may_be_shader: then the functions are those of shaders, or others; they agree on what both preserve."""
    accumulators = (
        calling_convention.PRESERVED_ACCUMULATORS if holds(calling_convention.WITH_ACCUMULATORS, features) else ()
    )
    found = _of_runs("s", calling_convention.PRESERVED_SGPRS)
    if may_be_shader:
        found &= _of_runs("s", calling_convention.PRESERVED_SGPRS_OF_SHADERS)
    return found | _of_runs("v", calling_convention.PRESERVED_VGPRS) | _of_runs("a", accumulators)


def _of_runs(file: str, runs: tuple[tuple[int, int], ...]) -> int:
    return reduce(or_, (registers.of_tuple(file, first, last - first + 1) for first, last in runs), registers.NONE)


_TARGET_ID = regex(rb'^[ \t]*\.(?:amdgcn_target|amd_amdgpu_isa)[ \t]+"([^"\n]*)"', re.MULTILINE)


@once
def _systems(chunk: Chunk) -> frozenset[str]:
    """The systems of the target IDs in a chunk."""
    found = (target_id.parse(text.decode("utf-8", "replace")) for text in _TARGET_ID.findall(b"\n".join(chunk.lines)))
    return frozenset(each.system for each in found if each is not None)


@once
def _reads_and_writes(segment: Segment) -> tuple[int, int]:
    read = written = registers.NONE
    for site in segment.sites:
        read |= site.effects.reads
        written |= site.effects.writes
    return read, written
