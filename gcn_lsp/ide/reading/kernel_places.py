"""Which kernel a line of a descriptor, of metadata, or with a label is about."""

from typing import TYPE_CHECKING

from gcn_lsp.findings import written_metadata
from gcn_lsp.ide.reading import functions

if TYPE_CHECKING:
    from gcn_lsp.program.kernels.metadata import MetadataBlock
    from gcn_lsp.program.program import Program


def kernel_at(program: "Program", line: int) -> str:
    """The kernel of the descriptor, of the metadata, or at the label on a line of the main file; empty for none."""
    return described_at(program, line) or next(
        (found.name for found in functions.functions(program) if found.first == line), ""
    )


def described_at(program: "Program", line: int) -> str:
    """The kernel of the descriptor or of the metadata on a line of the main file; empty for none."""
    for kernel in program.kernels:
        places = (kernel.where, *(field.where for field in kernel.fields))
        lines = [place.line for place in places if place.path == program.path]
        if lines and min(lines) <= line <= max(lines) + 1:
            return kernel.name
    for block in program.metadata:
        if block.where.path == program.path and block.where.line - 1 <= line <= block.where.line + len(block.lines):
            return _in_block(block, line - block.where.line)
    return ""


def _in_block(block: "MetadataBlock", line: int) -> str:
    """The kernel whose map is on a line of a block, or begins nearest above it; the only one for all lines."""
    found = list(written_metadata.described(block))
    begun = [name for _, kernel, name in found if kernel.line <= line]
    return found[0].name if len(found) == 1 else begun[-1] if begun else ""
