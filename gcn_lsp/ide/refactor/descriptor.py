"""Writes the descriptor of a kernel with a header, `.amd_kernel_code_t`, as code objects before version 3 have it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.ide.reading.blocks import LineBlock, blocks
from gcn_lsp.ide.refactor import model
from gcn_lsp.ide.refactor.model import REWRITE, Edit, Refactoring, Selection
from gcn_lsp.isa.kernels import allocation, descriptor, kernel_code
from gcn_lsp.program.kernels import descriptor_blocks, header_blocks
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.directives import FORMER
from gcn_lsp.syntax.statement import StatementKind

if TYPE_CHECKING:
    from gcn_lsp import isa
    from gcn_lsp.program.program import Program

TITLE = "Write `.amdhsa_kernel` in place of the header"

_SIZES = {
    "group_segment_fixed_size": "workgroup_group_segment_byte_size",
    "private_segment_fixed_size": "workitem_private_segment_byte_size",
    "kernarg_size": "kernarg_segment_byte_size",
}
_KERNEL = ".amdgpu_hsa_kernel"
_OF_HEADERS = frozenset((_KERNEL, *FORMER))
_RESERVED = ("reserve_vcc", "reserve_flat_scratch")  # which the count of a header includes
# What only a header requests, and what a descriptor follows from its other fields.
_WITHOUT_DIRECTIVE = tuple(f"enable_sgpr_grid_workgroup_count_{axis}" for axis in "xyz")
_COMPUTED = "user_sgpr_count"


TITLE_FOR_ALL = "Write `.amdhsa_kernel` in place of the headers"


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """For the header on the selection's first line, if a descriptor can say all that it does.

    On another former directive for all headers of the file.
    """
    line = selection.first
    headers = [block for block in blocks(program) if block.kind == "header"]
    is_former = any(each.word in _OF_HEADERS for each in program.line(line).statements) if headers else False
    chosen = headers if is_former else [block for block in headers if block.first <= line <= block.last]
    ends = descriptor_blocks.ending_items(program.chunks, header_blocks.ENDING) if chosen else ()
    found = []
    for block, (number, index) in zip(headers, ends, strict=False):
        header = _header(program, block, program.placed(number, index).code) if block in chosen else None
        if header is not None:
            found.append(header)
    if found and len(found) == len(chosen):
        title = TITLE if len(found) == 1 else TITLE_FOR_ALL
        yield Refactoring(title, REWRITE, tuple(_edits(program, found)), solves="former-directive")


class _Header(NamedTuple):
    """A header, its kernel, and the fields of the descriptor that says the same."""

    block: LineBlock
    name: str
    fields: tuple[tuple[str, int], ...]


def _header(program: "Program", block: LineBlock, code: bytes) -> _Header | None:
    """A header with its descriptor; None if none says all that the header does."""
    if program.target is None:
        return None
    name, fields = _label_above(program, block.first), tuple(_fields(code, program.target))
    is_all = name and fields and not any(_value(code, each) for each in _WITHOUT_DIRECTIVE)
    return _Header(block, name, fields) if is_all else None


def _fields(code: bytes, target: "isa.Target") -> Iterator[tuple[str, int]]:
    """The directives that give the values of a header; none for its end without a value."""
    if len(code) != kernel_code.SIZE:
        return
    known = descriptor.directives(target.features)
    for ours, theirs in _SIZES.items():
        if _value(code, theirs):
            yield ours, _value(code, theirs)
    requested = 0
    for name, directive in known.items():
        if not directive.bits or directive.word not in _BITS or name == _COMPUTED:
            continue
        place, size = descriptor.WORDS[directive.word]  # a header has the same words at the same places
        word = int.from_bytes(code[place : place + size], "little")
        value = word >> directive.shift & (1 << directive.bits) - 1
        requested += directive.user_sgprs * value
        if value != directive.default_on(target.features):
            yield name, value
    if _value(code, _COMPUTED) != requested:
        yield _COMPUTED, _value(code, _COMPUTED)
    # A header counts the SGPRs of replay as well, which the assembler adds to a descriptor by itself.
    replay = allocation.reserves_xnack(target)
    added = allocation.reserved_sgprs(target.features, vcc=False, flat_scratch=False, xnack=replay)
    yield "next_free_vgpr", max(_value(code, "workitem_vgpr_count"), 1)
    yield "next_free_sgpr", max(_value(code, "wavefront_sgpr_count") - added, 1)
    yield from ((name, 0) for name in _RESERVED if name in known)


_BITS = ("compute_pgm_rsrc1", "compute_pgm_rsrc2", "kernel_code_properties")


def _value(code: bytes, name: str) -> int:
    field = kernel_code.FIELDS[name]
    whole = int.from_bytes(code[field.offset : field.offset + field.size], "little") >> field.shift
    return whole & (1 << field.bits) - 1 if field.bits else whole


def _label_above(program: "Program", line: int) -> str:
    """The kernel's label; empty if something else is between it and the header."""
    for number in range(line - 1, -1, -1):
        statements = program.line(number).statements
        if not statements or (statements[0].kind is StatementKind.LABEL and statements[0].name.startswith(".L")):
            continue
        return statements[0].name if statements[0].kind is StatementKind.LABEL else ""
    return ""


def _edits(program: "Program", headers: list[_Header]) -> Iterator[Edit]:
    lines = program.source.lines
    yield from _former(program, frozenset(each.name for each in headers))
    for each in headers:
        yield Edit(each.block.first, 0, each.block.last + 1, 0, "")
    last = len(lines) - 1
    start = "" if not lines[last] else "\n"
    text = f"{start}\n.rodata\n{''.join(map(_descriptor, headers))}.text\n"
    yield Edit(last, len(lines[last]), last, len(lines[last]), text)


def _descriptor(header: _Header) -> str:
    written = "".join(f"  {descriptor.PREFIX}{field} {value}\n" for field, value in header.fields)
    return f".p2align 6\n.amdhsa_kernel {header.name}\n{written}.end_amdhsa_kernel\n"


def _former(program: "Program", names: frozenset[str]) -> Iterator[Edit]:
    """What current assemblers take in place of the file's other former directives. Metadata become comments."""
    target = program.target.name if program.target is not None else ""
    has_target = any(b".amdgcn_target" in line for line in program.source.lines)
    in_metadata = False
    for number, line in enumerate(program.source.lines):
        statements = program.line(number).statements
        former = next((FORMER[each.word].instead for each in statements if each.word in FORMER), "")
        in_metadata = in_metadata or former == _METADATA
        if in_metadata:
            if line.strip():
                yield Edit(number, 0, number, 0, "// ")
            in_metadata = former != _END_OF_METADATA
            continue
        for statement in statements:
            name = model.decoded(statement.rest.strip())
            if statement.word == _KERNEL and name in names:
                instead = "" if program.is_declared(name) else f".globl {name}"
                yield Edit(number, statement.start, number, statement.end, instead)
            elif statement.word in FORMER:
                instead = FORMER[statement.word].instead
                if instead == ".amdgcn_target":
                    instead = "" if has_target else f'{instead} "amdgcn-amd-amdhsa--{target}"'
                    has_target = True
                yield Edit(number, statement.start, number, statement.end, instead)


_METADATA, _END_OF_METADATA = ".amdgpu_metadata", ".end_amdgpu_metadata"
