"""The edit that writes the metadata of a kernel descriptor into the file that has the descriptor."""

from collections.abc import Iterator

from gcn_lsp.program.kernels import metadata, metadata_text
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.metadata import Described, MetadataBlock
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit

TITLE = "Write the metadata of this descriptor"


def edit(program: Program, block: DescriptorBlock) -> TextEdit | None:
    """The edit for a descriptor without metadata; None for any other, or if it is not written in the main file."""
    if any(name == block.name for _, _, name in metadata.described(program.metadata)) or not block.is_closed:
        return None
    chunk, last = block.lines[-1]
    where, is_own = program.place_in(chunk, last, last.statement.start, last.statement.end)
    if where.path != program.path or not is_own or last.written.frame is not None:
        return None
    for other in program.metadata:
        if other.word == metadata.WORD:
            return _added(program, block, other)
    lines = metadata_text.entry(program, block)
    end = len(program.source.lines[where.line])
    text = "\n".join(("", "", *metadata_text.block_of(lines)))
    return _edit(Location(where.path, where.line, end, end), text) if lines else None


def _added(program: Program, block: DescriptorBlock, other: MetadataBlock) -> TextEdit | None:
    """The edit that puts the kernel before the others in a block."""
    heading = f"{metadata.KERNELS}:".encode()
    for number, line in enumerate(other.lines[:-1]):
        if line.strip() == heading and other.where.path == program.path:
            following = other.lines[number + 1]
            indent = following[: len(following) - len(following.lstrip())].decode()
            lines = metadata_text.entry(program, block, indent if following.lstrip().startswith(b"-") else "  ")
            where = Location(program.path, other.where.line + number, len(line), len(line))
            return _edit(where, "".join(f"\n{each}" for each in lines)) if lines else None
    return None


def _edit(where: Location, text: str) -> TextEdit:
    return TextEdit(where, text, stops=tuple(metadata_text.made_up(text)))


def described(block: MetadataBlock) -> Iterator[Described]:
    """The kernels in a block."""
    return metadata.described((block,))
