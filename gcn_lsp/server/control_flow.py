"""`gcn-lsp/controlFlow`: a kernel's blocks and edges, for an editor to draw.

Parameters: the document's `uri`, and the name of a `kernel`, or a `line` in it.
"""

from typing import Any

from gcn_lsp.ide import control_flow as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class Instruction(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """One instruction; `line` counts from 0."""

    text: str
    line: int
    is_wait: bool
    vgprs: int


class Block(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """Instructions that run one after another, and the most registers in use at one of them."""

    labels: tuple[str, ...]
    instructions: tuple[Instruction, ...]
    waits: int
    vgprs: int
    agprs: int
    sgprs: int
    is_exit: bool
    leaves: bool


class Edge(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """An edge between two blocks, by their places in the list. kind: `next`, `branch`, `back` or `call`."""

    source: int
    target: int
    kind: str


class ControlFlow(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer; null if there is no code, or no known target. kernels: all names to choose from."""

    kernel: str
    kernels: tuple[str, ...]
    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]


def control_flow(snapshot: Snapshot, params: Any) -> ControlFlow | None:
    """The control flow of the requested kernel."""
    program = snapshot.program
    line = snapshot.in_program(int(getattr(params, "line", 0)))
    kernel = getattr(params, "kernel", None) or ide.kernel_at(program, line)
    flow = ide.control_flow(program, str(kernel)) if kernel is not None else None
    if flow is None:
        return None
    blocks = tuple(_block(block, snapshot) for block in flow.blocks)
    edges = tuple(Edge(edge.source, edge.target, edge.kind) for edge in flow.edges)
    return ControlFlow(flow.kernel, ide.kernels(program), blocks, edges)


def _block(block: ide.Block, snapshot: Snapshot) -> Block:
    instructions = tuple(
        Instruction(each.text, snapshot.line_in_text(each.line), each.is_wait, each.vgprs)
        for each in block.instructions
    )
    registers = block.vgprs, block.agprs, block.sgprs
    return Block(block.labels, instructions, block.waits, *registers, block.is_exit, block.leaves)
