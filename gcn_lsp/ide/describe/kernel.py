"""Describes a kernel's resources: the registers and memory that it takes, and how many waves they allow."""

from typing import TYPE_CHECKING

from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.reading import occupancy
from gcn_lsp.program.kernels import kernel_usage
from gcn_lsp.text import Location, Text, message

if TYPE_CHECKING:
    from gcn_lsp.program.kernels.resources import Resources
    from gcn_lsp.program.program import Program

_FILES = {"v": "VGPRs", "a": "AGPRs", "s": "SGPRs"}


def describe(program: "Program", name: str) -> Text:
    """The resources of the kernel of this name; empty without a descriptor."""
    kernel = next((kernel for kernel in program.kernels if kernel.name == name), None)
    if kernel is None or kernel.resources is None:
        return ""
    size = occupancy.work_group_sizes(program).get(name)
    found = occupancy.occupancy(kernel.resources, size)
    step = occupancy.next_step(kernel.resources, size)
    return markdown.join(
        markdown.table(("registers", "in the descriptor", "named in code", "in use at once"), _rows(program, name)),
        f"LDS: {_known(kernel.resources.lds)} bytes. Scratch: {_known(kernel.resources.scratch)} bytes a work-item.",
        _waves(found) if found is not None else "",
        f"{step.text}." if step is not None else "",
    )


def _rows(program: "Program", name: str) -> list[tuple[Text, ...]]:
    resources = next(kernel.resources for kernel in program.kernels if kernel.name == name)
    assert resources is not None
    named = program.register_usage.get(name)
    peaks = {peak.file: peak for peak in occupancy.peaks(program, name)}
    rows: list[tuple[Text, ...]] = []
    for index, file in enumerate(kernel_usage.FILES):
        title, given = _FILES[file], _given(resources, file)
        used = named.counts[index] if named is not None else None
        if given == 0 and not used:
            continue
        peak = peaks.get(title)
        where = Location(program.path, peak.line, 0, 0) if peak is not None else ""
        at_once = message("{} ({})", peak.count, where) if peak is not None else ""
        written = resources.values["next_free_sgpr"] if file == "s" else given
        # Where SGPRs are not allocated, a wave has them all whatever is written.
        always = "" if written == given else f"; a wave has {_known(given)} always"
        rows.append((title, f"{_known(written)}{always}", "" if used is None else str(used), at_once))
    return rows


def _given(resources: "Resources", file: str) -> "int | None":
    return {"v": resources.vgprs, "a": resources.agprs, "s": resources.sgprs}[file]


def _waves(found: occupancy.Occupancy) -> str:
    most = "" if found.is_known else "at most "
    limits = " and ".join(name for name in found.limits if name != occupancy.SLOTS)
    by = f", limited by {limits}" if limits else ""
    return f"Occupancy: {most}{found.waves} waves on a SIMD, {found.waves_of_unit} on a compute unit{by}."


def _known(value: "int | None") -> str:
    return "?" if value is None else str(value)
