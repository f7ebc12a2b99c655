"""Places and fixes in kernel descriptors and metadata, for the rules about them."""

from collections.abc import Iterator, Mapping

from gcn_lsp.findings.model import Fix
from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.metadata import MetadataBlock
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit


def of_field(program: Program, block: DescriptorBlock, name: str) -> tuple[Location, bool]:
    """The place of a field's value, or of the block's opening line, and whether the text there is what is assembled."""
    chunk, line = block.line_of(name)
    statement = line.statement
    start = statement.start if line is block.lines[0][1] else statement.rest_start
    return program.place_in(chunk, line, start, statement.end)


def field_fixes(program: Program, block: DescriptorBlock, values: "Mapping[str, int]") -> tuple[Fix, ...]:
    """A fix that sets all `values`; none unless the block itself gives every field a plain number."""
    edits = []
    for name, value in values.items():
        _, line = block.line_of(name)
        place, movable = of_field(program, block, name)
        if line is block.lines[0][1] or not movable or not _is_number(line.statement.rest):
            return ()
        edits.append(TextEdit(place, str(value)))
    listed = " and ".join(f"`{descriptor.PREFIX}{name}` to {value}" for name, value in values.items())
    return (Fix(f"Set {listed}", tuple(edits)),)


def setting(program: Program, block: DescriptorBlock, name: str, value: int) -> TextEdit | None:
    """The edit that sets a field where a number is written, or writes it first; None if there is no place for it."""
    _, line = block.line_of(name)
    place, movable = of_field(program, block, name)
    if not movable or line.written.frame is not None or place.path != program.path:
        return None
    if line is not block.lines[0][1]:
        return TextEdit(place, str(value)) if _is_number(line.statement.rest) else None
    following = program.place_in(*block.lines[1], 0, 0)[0] if len(block.lines) > 2 else place
    text = program.source.lines[following.line]
    indent = text[: len(text) - len(text.lstrip())].decode() + ("  " if following is place else "")
    end = len(program.source.lines[place.line])
    return TextEdit(Location(place.path, place.line, end, end), f"\n{indent}{descriptor.PREFIX}{name} {value}")


def in_metadata(program: Program, block: MetadataBlock, line: int, start: int, end: int) -> tuple[Location, bool]:
    """The place of columns of a line of a metadata block, and whether the text there is what is assembled.

    It is not if a macro's arguments were pasted into the line; then the place is the whole line.
    """
    path, number = block.where.path, block.where.line + line
    text = program.line_text(path, number)
    if line < len(block.lines) and text == block.lines[line]:
        return Location(path, number, min(start, len(text)), min(end, len(text))), True
    first = len(text) - len(text.lstrip())
    return Location(path, number, first, max(first, len(text.rstrip()))), False


LDS_SIZE = "group_segment_fixed_size"
_LDS_AT_LAUNCH = frozenset(("dynamic_shared_pointer", "hidden_dynamic_lds_size"))


def lds_size(program: Program, block: DescriptorBlock) -> int | None:
    """The bytes of LDS that a kernel requests; None if its metadata says that the launch decides."""
    found = lds_given(program, block)
    if found is not None:
        return found[0]
    return None if _has_lds_at_launch(program, block) else 0


def lds_given(program: Program, block: DescriptorBlock) -> tuple[int, Location] | None:
    """The LDS of a kernel in bytes, not 0, and its place; None if it is 0 or the launch decides."""
    if _has_lds_at_launch(program, block):
        return None
    found = size_given(program, block, LDS_SIZE, f".{LDS_SIZE}")
    return found if found is not None and found[0] else None


def _has_lds_at_launch(program: Program, block: DescriptorBlock) -> bool:
    for each in metadata.described(program.metadata_so_far):
        arguments = each.kernel.get(".args") if each.name == block.name else None
        kinds = (argument.get(".value_kind") for argument in (arguments.items or () if arguments is not None else ()))
        if any(kind is not None and kind.text in _LDS_AT_LAUNCH for kind in kinds):
            return True
    return False


def size_given(program: Program, block: DescriptorBlock, field: str, key: str) -> tuple[int, Location] | None:
    """A size in bytes and its place: a descriptor's `field`, which the launch goes by, or else the metadata's `key`."""
    return next(((size, where) for size, where, _ in _sizes(program, block, field, key)), None)


def size_fixes(program: Program, block: DescriptorBlock, field: str, key: str, size: int) -> tuple[Fix, ...]:
    """The fix that raises a size where it is given, if plain numbers give it: to `size` bytes, or to what is given
    elsewhere if that is more, so that both agree."""
    found = _sizes(program, block, field, key)
    if not found or not all(is_own for _, _, is_own in found):
        return ()
    size = max(size, *(given for given, _, _ in found))
    edits = tuple(TextEdit(where, str(size)) for given, where, _ in found if given < size)
    return (Fix(f"Set the size to {size}", edits, is_certain=False),)


def request_fixes(program: Program, block: DescriptorBlock, field: str, key: str, size: int) -> tuple[Fix, ...]:
    """The fix that requests `size` bytes in a descriptor and in metadata that request none."""
    edits = [setting(program, block, field, size)]
    written = _in_metadata_of(program, block, key)
    edits += (TextEdit(where, str(size)) if is_own else None for _, where, is_own in written)
    certain = tuple(edit for edit in edits if edit is not None)
    if len(certain) < len(edits):
        return ()
    return (Fix(f"Set `{descriptor.PREFIX}{field}` to {size}", certain, is_certain=False),)


def _sizes(program: Program, block: DescriptorBlock, field: str, key: str) -> list[tuple[int, Location, bool]]:
    """Each size that is given, with its place, and whether a number is written there."""
    found = []
    written = dict(program.written_fields(block)).get(field)
    if written:
        where, is_own = of_field(program, block, field)
        found.append((written, where, is_own and _is_number(block.line_of(field)[1].statement.rest)))
    written_there = _in_metadata_of(program, block, key)
    found += ((number, where, is_own) for number, where, is_own in written_there if number is not None)
    return found


def _in_metadata_of(program: Program, block: DescriptorBlock, key: str) -> Iterator[tuple[int | None, Location, bool]]:
    """The number at a key of a kernel's metadata, its place, and whether it is written there; None if it is none."""
    for described, kernel, name in metadata.described(program.metadata):
        value = kernel.get(key) if name == block.name else None
        if value is not None:
            yield value.number, *in_metadata(program, described, value.line, value.start, value.end)


def _is_number(text: bytes) -> bool:
    stripped = text.strip()
    return stripped[:1].isdigit() and stripped.isalnum()
