"""Code lenses: at each kernel's label what limits its waves, where most registers are in use, its control flow, a run.

A narrow view cuts off the end of the line: titles are short, and what is only read comes first.

The top of a file shows the symbols that only its build defines, a barrier the copies to LDS that it publishes.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.findings import assumed_target, build_symbols
from gcn_lsp.ide import being_typed, control_flow, lds_access
from gcn_lsp.ide.reading import occupancy
from gcn_lsp.text import Location, Text

if TYPE_CHECKING:
    from gcn_lsp.program.kernels.resources import Resources
    from gcn_lsp.program.program import Program


Opens = Literal["report", "line", "control-flow", "debug"]
REPORT: Opens = "report"
LINE: Opens = "line"
CONTROL_FLOW: Opens = "control-flow"
DEBUG: Opens = "debug"
_VGPRS = "VGPRs"


class CodeLens(msgspec.Struct, frozen=True):
    """A short text to show above `where`, and what a click on it does.

    opens: `report`, `line` (`line`, from 0), or for the kernel at `where`, called `kernel`, `control-flow` or `debug`.
    """

    where: Location
    text: Text
    opens: Opens
    kernel: str
    line: int = 0


def code_lenses(program: "Program", typed_line: int = -1, only: str = "") -> list[CodeLens]:
    """The lenses of the main file: at each kernel, at barriers, and at the top if only the build configures it.

    typed_line: the line that is being typed; a name that only it has is not the build's. only: the one kernel that is
    asked about; its descriptor alone is read.
    Without descriptors the kernels are those with a header in the code, or the labels where control may enter.
    """
    found = [] if only or being_typed.is_all_new(program, typed_line) else list(_configuration(program))
    sizes = occupancy.work_group_sizes(program)
    for name, where, resources in _kernels(program):
        if only and name != only:
            continue
        if resources is not None:
            parts = (*_amounts(resources), _waves(resources, sizes.get(name)))
            found.append(CodeLens(where, ", ".join(part for part in parts if part), REPORT, name))
        most = next(iter(occupancy.peaks(program, name)), None)
        if most is not None:  # without the line, which a click goes to
            text = f"peak {most.count} {most.file if most.count != 1 else most.file.removesuffix('s')}"
            if resources is not None and most.file == _VGPRS:
                text = f"peak {most.count}"  # after their number
            found.append(CodeLens(where, text, LINE, name, most.line))
        found.append(CodeLens(where, "graph", CONTROL_FLOW, name, where.line))
        if resources is not None:
            found.append(CodeLens(where, "debug", DEBUG, name, where.line))
    return found if only else [*found, *_barriers(program)]


def unresolved(program: "Program", typed_line: int = -1) -> list[CodeLens]:
    """The same without the texts that need the flow of control: `code_lenses` of one kernel has them."""
    found = [] if being_typed.is_all_new(program, typed_line) else list(_configuration(program))
    for name, where, resources in _kernels(program):
        if resources is not None:
            found.append(CodeLens(where, "", REPORT, name))
        found.append(CodeLens(where, "", LINE, name))
        found.append(CodeLens(where, "graph", CONTROL_FLOW, name, where.line))
        if resources is not None:
            found.append(CodeLens(where, "debug", DEBUG, name, where.line))
    return [*found, *_barriers(program)]


def _barriers(program: "Program") -> Iterator[CodeLens]:
    """That a barrier publishes copies to LDS, with the way to the first of them."""
    for each in lds_access.publishing(program):
        yield CodeLens(each.where, each.text, LINE, "", each.copy_line)


def _kernels(program: "Program") -> "Iterator[tuple[str, Location, Resources | None]]":
    described = {kernel.name: kernel.resources for kernel in program.kernels} or occupancy.of_headers(program)
    for name in described or control_flow.kernels(program):
        where, resources = _label(program, name), described.get(name)
        if where is not None and (resources is not None or name not in described):
            yield name, where, resources


def _configuration(program: "Program") -> Iterator[CodeLens]:
    """That symbols are left to the build, with the way to the first place that needs one."""
    names = program.build_defined
    if names:
        symbols = f"`{names[0]}`" if len(names) == 1 else f"{len(names)} symbols"
        line = build_symbols.first_use(program).line
        yield CodeLens(assumed_target.place(program), f"configuration unknown: {symbols}", LINE, "", line)


def _amounts(resources: "Resources") -> Iterator[str]:
    """What the kernel takes of what may limit it: `64 VGPRs`, `32 KiB LDS`. SGPRs hardly ever do."""
    for count, file in ((resources.vgprs, _VGPRS), (resources.agprs, "AGPRs")):
        if count != 0:
            yield f"{'?' if count is None else count} {file}"
    for size, memory in ((resources.lds, occupancy.LDS), (resources.scratch, "scratch")):
        if size != 0:
            yield f"{_size(size)} {memory}"


def _size(size: "int | None") -> str:
    if size is None:
        return "? B"
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size} B"


def _waves(resources: "Resources", work_items: "int | None") -> str:
    found = occupancy.occupancy(resources, work_items)
    if found is None:
        return ""
    most = "" if found.is_known else "≤"
    step = occupancy.next_step(resources, work_items)
    if step is not None:
        return f"{most}{found.waves} waves/SIMD ({step.waves} with {step.less})"
    limits = ", ".join(name for name in found.limits if name != occupancy.SLOTS)
    return f"{most}{found.waves} waves/SIMD" + (f" ({limits})" if limits else "")


def _label(program: "Program", name: str) -> "Location | None":
    """The place of a kernel's label; if that is in a macro or another file, the line that leads there."""
    label = program.layout.known.get(name)
    if label is None:
        return None
    item = label.chunk.items[label.item]
    if item.written.frame is None:
        return program.place_in(label.chunk, item, item.statement.name_start, item.statement.name_end)[0]
    line = program.bases[program.layout.numbers[label.chunk]] + item.written.top_line
    return Location(program.path, line, 0, len(program.source.lines[line]))
