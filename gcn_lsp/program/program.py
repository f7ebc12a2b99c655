"""The snapshot of one version of a file: everything that rules, editor features and the command line read.

`build` makes one, and reuses every chunk of the previous version that the edit did not change.
"""

import copy
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import handed_on, renewed
from gcn_lsp.flow.steps import Steps, finish
from gcn_lsp.instruction.memo import Assembler, assembler_for
from gcn_lsp.isa.kernels import descriptor, kernel_code
from gcn_lsp.preproc import macros
from gcn_lsp.preproc.calls import MAX_EXPANDED_LINES as MAX_EXPANDED_LINES
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Frame, FrameKind, Written
from gcn_lsp.preproc.state import SymbolValue
from gcn_lsp.program import incremental
from gcn_lsp.program import layout as layouts
from gcn_lsp.program.candidates import LIKELY, Candidate, Candidates
from gcn_lsp.program.chunk import Chunk, DescriptorLine, Item, Metadata
from gcn_lsp.program.incremental import IncludeResolver as IncludeResolver
from gcn_lsp.program.incremental import Options as Options
from gcn_lsp.program.kernels import descriptor_blocks, header_blocks, judgement, kernel_usage, metadata
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock, DescriptorField, ending_items
from gcn_lsp.program.kernels.descriptor_blocks import KernelDescriptor as KernelDescriptor
from gcn_lsp.program.kernels.judgement import Judgement
from gcn_lsp.program.kernels.metadata import MetadataBlock
from gcn_lsp.program.kernels.resources import FieldValues
from gcn_lsp.program.links import Links, link
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.directives import assigned_name
from gcn_lsp.syntax.expressions import UNKNOWN
from gcn_lsp.syntax.statement import Line
from gcn_lsp.text import Location, SourceText


class ExpansionStep(msgspec.Struct, frozen=True):
    """A step of an expansion chain in one version of the text; see `preproc.provenance.Frame`."""

    kind: FrameKind
    name: str
    where: Location


class PlacedItem(msgspec.Struct, frozen=True):
    """An item with its place in this version of the text and in its section, and its final bytes."""

    item: Item
    where: Location
    steps: tuple[ExpansionStep, ...]
    section: str
    offset: int
    code: bytes

    @property
    def text(self) -> str:
        """The statement as interpreted."""
        statement = self.item.statement
        return statement.line[statement.start : statement.end].decode("utf-8", "replace")


class Program:
    """One interpreted and assembled version of a file. Immutable; parts that are seldom asked for come on demand.

    candidates: when nothing names the file's target, those that it may be for; `target` is then the one assumed.
    has_flow: whether analyses follow control through it; if not, they find nothing.
    """

    def __init__(
        self,
        options: Options,
        assembler: Assembler,
        built: incremental.Built,
        previous: "Program | None" = None,
    ) -> None:
        self.built = built
        self.source = built.source
        self.path = built.source.path
        self.options = options
        self.target = assembler.target
        self.assembler = assembler
        self.chunks = built.chunks
        self.bases = built.bases
        self.layout = built.layout
        self.final_state = built.state
        self.memo: dict[Any, Any] = {}  # results about this version, see `flow.kept`
        self.included = built.included
        self.candidates: Candidates[Program] | None = None
        self.has_flow = True
        # Results of the version before, for this one; that version itself is not kept.
        self.earlier: dict[Any, Any] = {}
        if previous is not None:
            self.earlier = {**previous.earlier, **handed_on(previous)}

    @cached_property
    def others(self) -> "tuple[Program, ...]":
        """The same text for each further target in the options, as that target's assembler interprets it."""
        return _others(self)

    def without_flow(self) -> "Program":
        """The same program for what can be said of it at once, without the analyses."""
        found = copy.copy(self)
        found.memo, found.earlier, found.has_flow = {}, self.earlier.copy(), False
        return found

    # Lines and items

    def line(self, line: int) -> Line:
        """Line `line` of the main file, parsed."""
        number = self.chunk_at(line)
        return self.chunks[number].line(line - self.bases[number])

    def chunk_at(self, line: int) -> int:
        """The number of the chunk of line `line` of the main file."""
        return max(0, bisect_right(self.bases, line) - 1)

    def items(self) -> Iterator[PlacedItem]:
        """Every item in program order, including those of expansions."""
        for number, chunk in enumerate(self.chunks):
            for index in range(len(chunk.items)):
                yield self.placed(number, index)

    def items_on(self, line: int) -> tuple[PlacedItem, ...]:
        """The items that line `line` of the main file leads to: its own, and those of a call on it."""
        number = self.chunk_at(line)
        chunk = self.chunks[number]
        wanted = line - self.bases[number]
        return tuple(
            self.placed(number, index) for index, item in enumerate(chunk.items) if item.written.top_line == wanted
        )

    def placed(self, number: int, index: int) -> PlacedItem:
        """Item `index` of chunk `number` with its place and bytes."""
        chunk = self.chunks[number]
        item = chunk.items[index]
        statement = item.statement
        where = self.locate(number, item.written, statement.line, statement.start, statement.end)[0]
        offset = self.layout.starts[number][item.piece] + item.offset
        return PlacedItem(
            item,
            where,
            self.steps(number, item.written.frame),
            expressions.section_of(chunk.pieces[item.piece].section),
            offset,
            self._code(number, index),
        )

    def _code(self, number: int, index: int) -> bytes:
        """The final bytes of an item."""
        item = self.chunks[number].items[index]
        if item.fixups or (item.instruction is not None and item.instruction.fixups):
            return layouts.resolve_item(self.chunks, self.layout, self.final_state, number, index)[0]
        if item.statement.word in (descriptor_blocks.ENDING, header_blocks.ENDING):
            return self._kernel_bytes.get((number, index), b"")
        return layouts.plain_code(item)

    def section_bytes(self, name: str) -> bytes:
        """The bytes of section `name`, empty if there is none. Raises OverflowError if they are over a GiB."""
        data = bytearray(layouts.section_bytes(name, self.chunks, self.layout, self.final_state))
        for (number, index), code in self._kernel_bytes.items():
            item = self.chunks[number].items[index]
            if expressions.section_of(self.chunks[number].pieces[item.piece].section) == name:
                start = self.layout.starts[number][item.piece] + item.offset
                data[start : start + len(code)] = code
        return bytes(data)

    # Places

    def macro_place(self, macro: Macro) -> "tuple[int, Macro | str | None, int] | None":
        """The place of a macro's definition: a chunk, a container and the line of the header in it."""
        return self._macro_places.get(macro)

    @cached_property
    def _macro_places(self) -> "dict[Macro, tuple[int, Macro | str | None, int]]":
        return {
            macro: (number, container, line)
            for number, chunk in enumerate(self.chunks)
            for macro, container, line, _ in chunk.definitions
        }

    def line_place(self, number: int, container: "Macro | str | None", line: int) -> tuple[str, int]:
        """The file and absolute line of line `line` of a container, as seen from chunk `number`."""
        while isinstance(container, Macro):
            place = self._macro_places.get(container)
            if place is None:
                return self.path, self.bases[number]
            number, container, header = place
            line += header + 1
        if container is None:
            return self.path, self.bases[number] + line
        return container, line

    def line_text(self, path: str, line: int) -> bytes:
        """The text of a line of the main file or of an included one; empty if there is no such line."""
        source = self.source if path == self.path else self.included.get(path)
        return source.lines[line] if source is not None and 0 <= line < len(source.lines) else b""

    def locate(self, number: int, written: Written, text: bytes, start: int, end: int) -> tuple[Location, bool]:
        """The written place of columns `start` to `end` of an interpreted line `text` (empty: as written).

        The second value says whether the text there is identical to the interpreted text.
        """
        path, absolute = self.line_place(number, written.container, written.line)
        substitutions = _substitutions(written.frame)
        if not substitutions:
            return Location(path, absolute, start, end), True
        as_written = self.line_text(path, absolute)
        mappings: list[tuple[macros.SubstitutedBytes, ...]] = []
        current = as_written
        for substitution in substitutions:
            mappings.append(macros.segments(current, substitution))
            current = macros.substitute(current, substitution)
        own = current == as_written
        for mapping in reversed(mappings):
            start, end = macros.to_source(start, end, mapping)
        return Location(path, absolute, start, end), own

    def steps(self, number: int, frame: "Frame | None") -> tuple[ExpansionStep, ...]:
        """The expansion chain of a frame, the outermost step first."""
        if frame is None:
            return ()
        found: list[ExpansionStep] = []
        for step in frame.chain():
            where, _ = self.locate(number, step.written, b"", step.start, step.end)
            found.append(ExpansionStep(step.kind, step.name, where))
        return tuple(found)

    # Links

    @cached_property
    def links(self) -> Links:
        """The results of the fixups of each chunk."""
        return _links(self)

    def may_be_elsewhere(self, name: str) -> bool:
        """Whether another file or the build may define a name."""
        return name in self._declared or name in self.build_defined

    def is_declared(self, name: str) -> bool:
        """Whether a directive such as `.globl` or `.weak` makes a name known to other files."""
        return name in self._declared

    def is_defined(self, name: str) -> bool:
        """Whether the file defines a name, as a label or by an assignment."""
        return name in self._defined_names

    @cached_property
    def undescribed(self) -> tuple[str, ...]:
        """The labels of kernels or functions that have no `.amdhsa_kernel` block."""
        described = {block.name for block in self.kernel_blocks}
        found = kernel_usage.code_labels(self.chunks, self._declared)
        return tuple(name for name in found if name not in described)

    @cached_property
    def _declared(self) -> frozenset[str]:
        """Names that directives such as `.globl` or `.weak` declare: other files may define them."""
        return frozenset().union(*(chunk.declared for chunk in self.chunks if chunk.declared))

    # Symbols

    @cached_property
    def build_defined(self) -> tuple[str, ...]:
        """Names that nothing in the file defines, though values in it depend on them: only the build can.

        A default that comes after the first use, in `.ifndef`, says that the build may define a name too.
        """
        defined = self._defined_names.difference(*(chunk.defaults for chunk in self.chunks))
        names = dict.fromkeys(
            unresolved.name
            for chunk in self.chunks
            for unresolved in chunk.unresolved
            if unresolved.name not in defined
        )
        unknown = (name for name, value in self.options.defines.items() if value is None)
        return tuple(dict.fromkeys((*names, *unknown)))

    @cached_property
    def _defined_names(self) -> frozenset[str]:
        return frozenset(self.layout.known).union(*(chunk.assigned for chunk in self.chunks))

    @property
    def macros(self) -> "Mapping[str, Macro]":
        """Every macro that was defined, the last definition of a name."""
        return {macro.name: macro for chunk in self.chunks for macro, _, _, _ in chunk.definitions}

    def symbol_value(self, name: str, line: int) -> "int | None":
        """The value of an assigned symbol before line `line` of the main file; None if it has none or it is unknown."""
        value = self._symbol(name, line)
        return value if type(value) is int else None

    def symbol_is_unknown(self, name: str, line: int) -> bool:
        """Whether only the build knows the value of `name` at `line`."""
        return self._symbol(name, line) is UNKNOWN or name in self.build_defined

    def _symbol(self, name: str, line: int) -> "SymbolValue | None":
        """The value of `name` before a line of the main file; the line need not be the first of its chunk."""
        number = self.chunk_at(line)
        chunk = self.chunks[number]
        value: SymbolValue | None = chunk.before.symbols.get(name)
        if name not in chunk.changed.symbols:
            return value
        wanted, set_on = line - self.bases[number], -1
        for item in chunk.items:
            if item.written.top_line >= wanted:
                break
            if item.kind == "assignment" and assigned_name(item.statement) == name:
                value, set_on = item.value, item.written.top_line
        for made_on, other, made in chunk.changed.made:
            if other == name and set_on <= made_on < wanted:
                value = made
        return value

    # Kernels

    @cached_property
    def kernel_blocks(self) -> tuple[DescriptorBlock, ...]:
        """The `.amdhsa_kernel` blocks in order, without places; rules about every kernel read them first."""
        return descriptor_blocks.of(self.chunks)

    @cached_property
    def closed_blocks(self) -> tuple[DescriptorBlock, ...]:
        """The `.amdhsa_kernel` blocks that have an end; in the others, fields are still to come."""
        return tuple(block for block in self.kernel_blocks if block.is_closed)

    def judgement(self, block: DescriptorBlock) -> "Judgement | None":
        """The judgement of a block; None if the target is not known."""
        if self.target is None:
            return None
        return judgement.judge(block, self.target, self.final_state.symbols)

    def written_fields(self, block: DescriptorBlock) -> FieldValues:
        """The fields of a block with their values."""
        return descriptor_blocks.written(block, self.final_state.symbols)

    @cached_property
    def register_usage(self) -> "Mapping[str, kernel_usage.KernelUsage]":
        """The registers named by the code of each kernel with a descriptor or metadata."""
        names = {block.name for block in self.kernel_blocks}
        for chunk in self.chunks:
            for block in chunk.metadata:
                names.update(map(metadata.kernel_name, metadata.kernels(block.word, block.lines)))
        return kernel_usage.of_kernels(self.chunks, names, self._declared)

    @cached_property
    def kernels(self) -> tuple[KernelDescriptor, ...]:
        """The kernel descriptors in order."""
        return tuple(self.descriptor_of(block) for block in self.kernel_blocks)

    def descriptor_of(self, block: DescriptorBlock) -> KernelDescriptor:
        """A block with its places and resources; none while it has no end, since fields are still to come."""
        written = self.written_fields(block)
        values = dict(written)
        fields = []
        for chunk, line in block.fields:
            statement = line.statement
            where, movable = self.place_in(chunk, line, statement.start, statement.end)
            argument, _ = self.place_in(chunk, line, statement.rest_start, statement.end)
            name = statement.word.removeprefix(descriptor.PREFIX)
            fields.append(DescriptorField(statement.word, values[name], where, argument, movable))
        judgement = self.judgement(block) if block.is_closed else None
        opening = block.lines[0][1].statement
        where, _ = self.place_in(*block.lines[0], opening.start, opening.end)
        return KernelDescriptor(
            block.name, where, tuple(fields), judgement.resources if judgement is not None else None
        )

    def place_in(self, chunk: Chunk, line: "DescriptorLine | Item", start: int, end: int) -> tuple[Location, bool]:
        """The place of columns of a line or item of a chunk, and whether the text there is its own."""
        number = self.layout.numbers[chunk]
        return self.locate(number, line.written, line.statement.line, start, end)

    @cached_property
    def _kernel_bytes(self) -> "Mapping[tuple[int, int], bytes]":
        """The bytes of kernels' descriptors and headers, by the chunk and item that ends each."""
        descriptors = (descriptor_blocks.code(self.target, self.written_fields(block)) for block in self.closed_blocks)
        fields = header_blocks.of(self.chunks, self.final_state.symbols)
        headers = (kernel_code.encode(self.target, each) for each in fields)
        return {
            **dict(zip(ending_items(self.chunks, descriptor_blocks.ENDING), descriptors, strict=False)),
            **dict(zip(ending_items(self.chunks, header_blocks.ENDING), headers, strict=False)),
        }

    @cached_property
    def metadata(self) -> tuple[MetadataBlock, ...]:
        """The metadata blocks in order."""
        return tuple(
            self._metadata_block(number, block) for number, chunk in enumerate(self.chunks) for block in chunk.metadata
        )

    @cached_property
    def metadata_so_far(self) -> tuple[MetadataBlock, ...]:
        """The metadata blocks, and what can be read of one that is being written: it has no end yet."""
        block = self.final_state.block
        if block is None or block.word != metadata.WORD:
            return self.metadata
        where = Location(self.path, len(self.source.lines) - len(block.lines), 0, 0)
        return (*self.metadata, MetadataBlock(block.word, metadata.readable(block.lines), where))

    def _metadata_block(self, number: int, block: Metadata) -> MetadataBlock:
        path, line = self.line_place(number, block.container, block.first_line)
        return MetadataBlock(block.word, block.lines, Location(path, line, 0, 0))


def build(source: SourceText, options: Options, previous: "Program | None" = None, *, settle: bool = True) -> Program:
    """Interpret and assemble `source`; chunks shared with `previous`, an earlier version of it, are reused.

    Without a target in the options it is the program of the target that the file is taken for, see `candidates`.
    settle: whether to compare the candidates at once; `settled` does it later.
    """
    if previous is not None and msgspec.structs.replace(previous.options, candidates=options.candidates) != options:
        previous = None
    if options.target is not None:
        return _assembled(source, options, (options.target, options.mattr), previous)

    def assembled(candidate: Candidate, earlier: "Program | None") -> Program:
        return _assembled(source, options, candidate, earlier)

    earlier = previous.candidates if previous is not None else None
    candidates = Candidates(options.candidates or LIKELY, options.mattr, assembled, earlier)
    program = candidates.assumed
    program.candidates = candidates
    return finish(settled(program)) if settle else program


def settled(program: Program) -> Steps[Program]:
    """`program`, or the file as another target reads it, once the candidates are compared."""
    candidates = program.candidates
    if candidates is None:
        return program
    found = yield from candidates.settle()
    program.candidates = None  # those of a rival would keep this version
    found.candidates = candidates
    return found


def _assembled(source: SourceText, options: Options, target: Candidate, previous: "Program | None") -> Program:
    assembler = assembler_for(isa.load_target(*target))
    built = incremental.assemble(source, options, assembler, previous.built if previous is not None else None)
    return Program(options, assembler, built, previous)


def _substitutions(frame: "Frame | None") -> list[macros.Substitution]:
    """The substitutions that changed the text of lines in `frame`, in order."""
    found: list[macros.Substitution] = []
    while frame is not None and frame.kind != "include":
        if frame.substitution is not None:
            found.append(frame.substitution)
        if frame.kind == "macro":
            break
        frame = frame.parent
    found.reverse()
    return found


@renewed
def _links(program: Program, earlier: "Links | None") -> Links:
    return link(program.chunks, program.layout, program.final_state, program.may_be_elsewhere, earlier)


@renewed
def _others(program: Program, earlier: "tuple[Program, ...] | None") -> tuple[Program, ...]:
    built = []
    for target, mattr in program.options.others:
        options = msgspec.structs.replace(program.options, target=target, mattr=mattr, others=())
        before = next((each for each in earlier or () if each.options == options), None)
        built.append(build(program.source, options, before))
    return tuple(built)
