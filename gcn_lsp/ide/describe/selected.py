"""Describes which of 1024 VGPRs an operand means after `s_set_vgpr_msb` or a write of MODE."""

from typing import TYPE_CHECKING

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.values import reaching
from gcn_lsp.ide.describe import markdown
from gcn_lsp.instruction.model import Operand
from gcn_lsp.instruction.registers import tuple_text
from gcn_lsp.isa.machine import vgpr_selectors

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_NAMED = 256  # VGPRs that an operand can name


def site_of(program: "Program", line: int, operand: Operand) -> "Site | None":
    """The instruction on a line if a selector other than zero is in force for one of its operands; otherwise None."""
    if operand.file != "v" or program.target is None or vgpr_selectors.TARGETS not in program.target.features:
        return None
    place = reaching.on_line(program, line)
    if place is None or not place.site.selectors or _position(place.site, operand) is None:
        return None
    return place.site


def describe(program: "Program", line: int, operand: Operand) -> str:
    """The register that an operand of the instruction on a line means, a sentence; empty if it is the one it names."""
    site = site_of(program, line, operand)
    position = _position(site, operand) if site is not None else None
    if site is None or position is None:
        return ""
    kind = next(kind for kind, low in vgpr_selectors.PLACES if low == position)
    selector = vgpr_selectors.selected(site.selectors, position)
    if selector is None:
        others = ", ".join(markdown.code(_further_on(operand, block)) for block in range(1, 4))
        return f"The selector of the {kind} is not known here, so this may also be {others}."
    if not selector:
        return ""
    return f"Here it is {markdown.code(_further_on(operand, selector))}: the selector of the {kind} is {selector}."


def _position(site: Site, operand: Operand) -> "int | None":
    instruction = site.item.instruction
    if instruction is None or instruction.form is None:
        return None
    return vgpr_selectors.positions(instruction.form).get(operand.slot)


def _further_on(operand: Operand, selector: int) -> str:
    half = operand.text[-2:] if operand.text.endswith((".l", ".h")) else ""
    return tuple_text(operand.file, operand.first + _NAMED * selector, operand.count) + half
