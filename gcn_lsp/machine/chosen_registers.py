"""Instructions whose VGPRs a mode chooses: VGPR indexing of gfx8 and gfx9, and the selectors of 1024 VGPRs.

Under such a mode an instruction stands for another one, with other numbers of registers, which is kept with the image.
"""

from collections.abc import Iterable, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa import conditions
from gcn_lsp.isa.machine import vgpr_indexing, vgpr_selectors
from gcn_lsp.machine.environment import Stop
from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.machine.registers import Wave

_SELECTORS_IN_MODE = vgpr_selectors.ALL << vgpr_selectors.MODE_SHIFT
_PER_SELECTOR = 256
_FILE = "v"


def bits_of_mode(target: isa.Target) -> int:
    """The bits of MODE of which one is set where registers are chosen; 0 for a target without."""
    if conditions.holds(vgpr_indexing.TARGETS, target.features):
        return vgpr_indexing.ENABLED
    return _SELECTORS_IN_MODE if conditions.holds(vgpr_selectors.TARGETS, target.features) else 0


class ChosenRegisters:
    """The instructions of an image under the modes that were met."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._indexes = bits_of_mode(model.target) == vgpr_indexing.ENABLED
        self._made: dict[tuple[int, int], PlacedInstruction] = {}

    def made(self) -> "Iterable[PlacedInstruction]":
        """The instructions that others stood for so far."""
        return self._made.values()

    def of(self, step: PlacedInstruction, wave: Wave) -> PlacedInstruction:
        """What an instruction stands for in a wave. Raises Stop for what is not executed, or has no such register."""
        state = wave.m0 if self._indexes else vgpr_selectors.of_mode(wave.mode)
        made = self._made.get((step.address, state))
        if made is None:
            made = self._made[step.address, state] = self._chosen(step, state, len(wave.vgprs))
        return made

    def _chosen(self, step: PlacedInstruction, state: int, count: int) -> PlacedInstruction:
        instruction = step.instruction
        form = instruction.form
        if form is None:
            return step
        added: Mapping[str, int] | None
        if self._indexes:
            added = vgpr_indexing.chosen(form, state)
            if added is None:
                raise Stop("Its result is read at one index and written at another, which is not executed.")
        else:
            places = vgpr_selectors.positions(form)
            added = {slot: (state >> low & 3) * _PER_SELECTOR for slot, low in places.items()}
        operands = tuple(_moved(each, added) for each in instruction.operands)
        if operands == instruction.operands:
            return step
        for each in operands:
            if each.file == _FILE and each.first + each.count > count:
                raise Stop(f"It means v{each.first + each.count - 1}, and there are {count} VGPRs.")
        other = msgspec.structs.replace(instruction, operands=operands)
        effects = self._model.of(other) if self._indexes else self._model.of(instruction, state)
        return PlacedInstruction(step.chunk, step.index, other, step.address, step.code, effects)


def _moved(operand: Operand, added: Mapping[str, int]) -> Operand:
    more = added.get(operand.slot, 0)
    if not more or operand.file != _FILE:
        return operand
    return msgspec.structs.replace(operand, first=operand.first + more)
