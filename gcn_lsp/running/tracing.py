"""The trace of a run: one line for each instruction, with what its operands hold before it."""

from gcn_lsp.instruction.model import Operand
from gcn_lsp.machine.registers import Wave
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.running.opened import RunnableFile

_MOST_LANES = 4


def line(opened: RunnableFile, run: WaveRun) -> str:
    """The instruction at the program counter of a wave; empty where there is none."""
    step = run.image.steps.get(run.wave.pc)
    if step is None:
        return ""
    placed = opened.image.placed(step)
    group = ",".join(map(str, run.group.place))
    values = [f"{operand.text}={shown}" for operand in step.instruction.operands if (shown := value(run.wave, operand))]
    where = f"{placed.where.path}:{placed.where.line + 1}"
    return f"{group}:{run.number} {where}: {placed.text}" + (f"  ; {' '.join(values)}" if values else "") + "\n"


def value(wave: Wave, operand: Operand) -> str:
    """What the registers of an operand hold; of VGPRs the first lanes that are on. Empty for other operands."""
    if operand.kind != "register":
        return ""
    if operand.file == "s":
        return f"{wave.scalars(operand.first, operand.count):#x}"
    if operand.file in ("v", "a"):
        registers = wave.vgprs if operand.file == "v" else wave.accvgprs
        lanes = [lane for lane in range(wave.lanes) if wave.exec >> lane & 1][:_MOST_LANES]
        if operand.first >= len(registers):
            return ""
        shown = ",".join(f"{int(registers[operand.first, lane]):#x}" for lane in lanes)
        return f"[{shown}{',..' if wave.lanes > len(lanes) else ''}]"
    if operand.file in ("vcc", "exec"):
        return f"{wave.vcc if operand.file == 'vcc' else wave.exec:#x}"
    return ""
