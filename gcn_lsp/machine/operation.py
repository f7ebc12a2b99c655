"""One instruction as a function of the state of a wave: `bind(instruction, target).execute(wave, environment)`."""

from typing import NamedTuple, Protocol

from gcn_lsp import isa
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.machine.environment import Environment
from gcn_lsp.machine.registers import Wave


class Bound(Protocol):
    """An instruction that can be carried out. size: its bytes. is_approximate: whether hardware only comes near."""

    size: int
    is_approximate: bool

    def execute(self, wave: Wave, environment: Environment) -> None:
        """Carries it out in all lanes."""


class Inexecutable(NamedTuple):
    """An instruction that cannot be carried out. reason: a sentence."""

    reason: str


def bind(instruction: Instruction, target: isa.Target, code: bytes = b"") -> "Bound | Inexecutable":
    """The instruction as a function of a wave.

    code: its bytes with the addresses filled in, where `instruction.code` still has fixups.
    """
    return Inexecutable(f"{instruction.statement} cannot be executed yet.")
