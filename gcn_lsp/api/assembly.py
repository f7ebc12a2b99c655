"""Opened assembly and the questions to it: `open_file`, `open_text`."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike, fspath

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import UNKNOWN, Model
from gcn_lsp.analysis.waits import waits
from gcn_lsp.analysis.waits.state import Pending
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.api import mix
from gcn_lsp.api.hardware import known_target
from gcn_lsp.api.mix import BlockMix
from gcn_lsp.api.records import CodeBlock, EncodedInstruction, KernelResources, OperationInFlight
from gcn_lsp.findings import sites
from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import control_flow
from gcn_lsp.ide.reading import occupancy
from gcn_lsp.program.program import PlacedItem, Program
from gcn_lsp.project import opened, report, states
from gcn_lsp.project.opened import OpenFile
from gcn_lsp.project.reported import ReportedFinding, reported
from gcn_lsp.project.settings import Settings


class NotReadable(Exception):
    """There is no assembly to ask about: the message says why."""


class FilesRead:
    """The files that assembly was read from or that were looked for: its own, included ones, settings."""

    def __init__(self, seen: "dict[str, bytes] | None") -> None:
        """Made by `Assembly`. seen: `project.states` of the files; None if no account was kept."""
        self._seen = seen

    @property
    def are_unchanged(self) -> bool:
        """Whether each is known to have the content that it had, so that equal questions have equal answers."""
        return self._seen is not None and states.are_now(self._seen)


class Assembly:
    """Assembly for one target: a file, a text, or one of several code objects in a file.

    target: the processor, such as `gfx90a`; empty for inline assembly of several. target_reason: what named it.
    files_read: what tells whether it is still the assembly of those files.
    """

    def __init__(self, kernel: OpenFile) -> None:
        """Use `open_file`, `open_parts` or `open_text`."""
        self._opened = kernel
        self.files_read = FilesRead(kernel.files.seen)
        self.path = kernel.path
        self.target_reason = kernel.target()
        program = kernel.program
        self.target = program.target.name if program is not None and program.target is not None else ""

    def findings(self, severity: str = "information") -> tuple[ReportedFinding, ...]:
        """What `gcn-lsp check` reports: the findings of this severity (`error` to `hint`) or worse.

        Raises ValueError for another severity.
        """
        found = self._opened.findings(Severity(severity))
        made = report.of(self.path, found, self._opened.source)
        return tuple(reported(made, finding) for finding in made.findings)

    def instructions(self) -> tuple[EncodedInstruction, ...]:
        """Every instruction in program order, those of macros and repetitions too."""
        return tuple(self._instruction(item) for item in self._program.items() if item.item.instruction is not None)

    def code(self, section: str = ".text") -> bytes:
        """The bytes of a section, with fields that only the linker fills as 0; empty if there is no such section."""
        return self._program.section_bytes(section)

    def in_flight(self, line: int) -> tuple[OperationInFlight, ...]:
        """The operations that may not be done before a line's first instruction, the youngest of each counter first.

        Raises LookupError for a line without an instruction, such as one in a macro that nothing calls.
        """
        found = waits.of(self._program)
        operations = None if found is None else self._in_flight(found, line - 1)
        if operations is None:
            raise LookupError(f"line {line} has no instruction that is assembled")
        return operations

    def explained(self, line: int, column: int | None = None) -> str | None:
        """What an editor's hover shows at a place, as Markdown; without a column at the first word of the line.

        None if there is nothing to explain. Raises LookupError for a line that there is not.
        """
        return self._opened.explained(line, column)

    def kernels(self) -> tuple[KernelResources, ...]:
        """The kernels with a descriptor, in order."""
        return tuple(self._kernels())

    def labels(self) -> tuple[str, ...]:
        """The kernels with code, or without descriptors the labels where control may enter."""
        return control_flow.kernels(self._program)

    def blocks(self, kernel: str = "") -> tuple[CodeBlock, ...]:
        """The basic blocks of a kernel, or from a label on; of the first kernel if none is named.

        Raises KeyError if nothing of that name has code.
        """
        flow = self._flow(kernel)
        after: dict[int, list[int]] = {}
        for edge in flow.edges:
            after.setdefault(edge.source, []).append(edge.target)
        return tuple(_block(block, after.get(block.number, ())) for block in flow.blocks)

    def mix(self, kernel: str = "") -> tuple[BlockMix, ...]:
        """How many instructions of which class each basic block has; `kernel` as for `blocks`."""
        flow = self._flow(kernel)
        loops = tuple((edge.target, edge.source) for edge in flow.edges if edge.kind == "back")
        return tuple(mix.of_block(block, loops, self._program.target) for block in flow.blocks)

    def _flow(self, kernel: str) -> control_flow.ControlFlow:
        name = kernel or next(iter(self.labels()), "")
        found = control_flow.control_flow(self._program, name)
        if found is None:
            raise KeyError(name)
        return found

    @property
    def _program(self) -> Program:
        program = self._opened.program
        if program is None:
            raise NotReadable(f"{self.path} is a source in another language: only its findings can be asked for")
        return program

    @cached_property
    def _model(self) -> "Model | None":
        target = self._program.target
        return None if target is None else Model(target)

    def _instruction(self, placed: PlacedItem) -> EncodedInstruction:
        instruction = placed.item.instruction
        assert instruction is not None
        effects = UNKNOWN if self._model is None else self._model.of(instruction)
        return EncodedInstruction(
            placed.where.path,
            placed.where.line + 1,
            placed.text,
            placed.item.statement.name,
            placed.section,
            placed.offset,
            placed.code.hex() if instruction.code else "",
            registers.names(effects.reads),
            registers.names(effects.writes),
            tuple(dict.fromkeys(event.counter for event in effects.events)),
            dict(effects.waits),
            effects.flow,
        )

    def _in_flight(self, found: Waits, line: int) -> tuple[OperationInFlight, ...] | None:
        for chunk, segment in zip(found.graph.chunks, found.graph.nodes, strict=True):
            wanted = [site for site in segment.sites if self._program.bases[chunk] + site.item.written.top_line == line]
            for _, operations in found.along(segment, wanted[:1]):
                return tuple(self._operation(found, counter, each) for counter, each in reversed(operations))
        return None

    def _operation(self, found: Waits, counter: str, pending: Pending) -> OperationInFlight:
        where = sites.line(self._program, found.graph, pending.site)
        event = pending.raised
        name = pending.site.item.statement.name
        written, read = registers.names(event.writes), registers.names(event.reads)
        return OperationInFlight(counter, name, where.path, where.line + 1, written, read, pending.age)

    def _kernels(self) -> Iterator[KernelResources]:
        program = self._program
        sizes: Mapping[str, int] = occupancy.work_group_sizes(program)
        for kernel in program.kernels:
            asked = kernel.resources
            usage = program.register_usage.get(kernel.name)
            used = dict(zip("vas", usage.counts, strict=True)) if usage is not None else {}
            if asked is None:
                continue
            size = sizes.get(kernel.name)
            fits, step = occupancy.occupancy(asked, size), occupancy.next_step(asked, size)
            yield KernelResources(
                kernel.name,
                asked.vgprs,
                asked.agprs,
                asked.sgprs,
                asked.lds,
                asked.scratch,
                asked.wavefront_size,
                fits.waves if fits is not None else None,
                fits.limits if fits is not None else (),
                used.get("v", 0),
                used.get("a", 0),
                used.get("s", 0),
                step.text if step is not None else "",
            )


def open_file(
    path: "str | PathLike[str]",
    target: str | None = None,
    *,
    mattr: str = "",
    defines: Mapping[str, int] | None = None,
    include_paths: Sequence[str] = (),
) -> Assembly:
    """The assembly of a file: a source, a code object, a listing, a source with inline assembly.

    It is read with the settings of its project, `gcn-lsp.toml` and `compile_commands.json`; arguments come first.
    target: of several code objects, the first for that. Raises NotReadable, and ValueError for an unknown target.
    """
    settings = _settings(target, mattr, defines, include_paths)
    return _checked(opened.open_file(fspath(path), settings, takes_inline=True, seen={}))


def open_parts(path: "str | PathLike[str]", target: str | None = None) -> Iterator[Assembly]:
    """`open_file`, then each further code object of the file, and each function of one that is too long for a view.

    Raises as `open_file` does.
    """
    settings = _settings(target, "", None, ())
    yield from map(_checked, opened.open_all(fspath(path), settings, takes_inline=True, seen={}))


def open_text(
    text: "str | bytes",
    target: str | None = None,
    *,
    path: str = "text.s",
    mattr: str = "",
    defines: Mapping[str, int] | None = None,
    include_paths: Sequence[str] = (),
) -> Assembly:
    """The assembly of a text, or of the bytes of a code object. path: its name in findings; no file is read there.

    Raises as `open_file` does.
    """
    settings = _settings(target, mattr, defines, include_paths)
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return _checked(opened.open_file(path, settings, takes_inline=True, data=data, seen={}))


def _settings(
    target: str | None, mattr: str, defines: Mapping[str, int] | None, include_paths: Sequence[str]
) -> Settings:
    return Settings(
        target=known_target(target) if target is not None else None,
        mattr=mattr,
        defines=dict(defines or {}),
        include_paths=tuple(map(fspath, include_paths)),
    )


def _checked(kernel: OpenFile) -> Assembly:
    if kernel.program is None and kernel.inline is None:
        raise NotReadable(kernel.refusal)
    return Assembly(kernel)


def _block(block: control_flow.BasicBlock, successors: Sequence[int]) -> CodeBlock:
    return CodeBlock(
        block.number,
        block.labels,
        block.first_line + 1,
        block.last_line + 1,
        tuple(each.text.strip() for each in block.instructions),
        block.waits,
        block.vgprs,
        block.agprs,
        block.sgprs,
        tuple(successors),
        any(number <= block.number for number in successors),
        block.is_exit,
    )
