"""`gcn-lsp/controlFlow`: a kernel's blocks and edges, for an editor to draw.

Parameters: the document's `uri`, and the name of a `kernel`, or a `line` in it. With `opened`, the answer has the
drawing too: a list of the first lines of long blocks that are drawn in full.
"""

from typing import Any

import msgspec

from gcn_lsp.ide import control_flow as ide
from gcn_lsp.ide.drawing import html, svg
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class Instruction(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """One instruction; `line` counts from 0."""

    text: str
    line: int
    is_wait: bool
    vgprs: int


class DrawnBlock(wire.Wire, frozen=True, gc=False, omit_defaults=False):
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
    """The answer; null if there is no code, or no known target. kernels: all names to choose from.

    svg, legend: the drawing and the meaning of its colours, in HTML; empty if the request does not ask for them.
    """

    kernel: str
    kernels: tuple[str, ...]
    blocks: tuple[DrawnBlock, ...]
    edges: tuple[Edge, ...]
    svg: str
    legend: str


def control_flow(snapshot: Snapshot, params: Any) -> ControlFlow | None:
    """The control flow of the requested kernel."""
    program = snapshot.program
    line = snapshot.in_program(int(getattr(params, "line", 0)))
    kernel = getattr(params, "kernel", None) or ide.kernel_at(program, line)
    flow = ide.control_flow(program, str(kernel)) if kernel is not None else None
    if flow is None:
        return None
    flow = _in_text(flow, snapshot)
    blocks = tuple(_block(block) for block in flow.blocks)
    edges = tuple(Edge(edge.source, edge.target, edge.kind) for edge in flow.edges)
    opened = getattr(params, "opened", None)
    drawn = (svg.drawing(flow, opened), html.legend()) if opened is not None else ("", "")
    return ControlFlow(flow.kernel, ide.kernels(program), blocks, edges, *drawn)


def _in_text(flow: ide.ControlFlow, snapshot: Snapshot) -> ide.ControlFlow:
    """Control flow with the lines of the document, where the program is made of another text."""
    replace = msgspec.structs.replace
    return replace(
        flow,
        blocks=tuple(
            replace(
                block,
                instructions=tuple(replace(each, line=snapshot.line_in_text(each.line)) for each in block.instructions),
            )
            for block in flow.blocks
        ),
    )


def _block(block: ide.BasicBlock) -> DrawnBlock:
    instructions = tuple(Instruction(each.text, each.line, each.is_wait, each.vgprs) for each in block.instructions)
    registers = block.vgprs, block.agprs, block.sgprs
    return DrawnBlock(block.labels, instructions, block.waits, *registers, block.is_exit, block.leaves)
