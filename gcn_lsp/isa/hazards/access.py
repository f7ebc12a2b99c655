"""How a row of the hazard tables selects registers of an instruction: `Access` says which role, `File` which registers.

`analysis.hazards.parts` applies both to an instruction.
"""

from enum import Enum, auto


class Access(Enum):
    """The role in which an instruction has registers."""

    READS = auto()
    WRITES = auto()
    TOUCHES = auto()
    """Reads or writes."""
    READS_IF_WRITES = auto()
    """Reads, if the instruction writes anything."""
    READS_PAIRS = auto()
    """Reads, and the other register of each pair."""
    USES = auto()
    """Reads by an operand."""
    USES_NUMBERED = auto()
    """Reads by an operand written `s[...]`."""
    USES_BY_NAME = auto()
    """Reads by an operand in `Part.slots` that has a name, such as `vcc`."""
    DEFINES = auto()
    """Writes by an operand."""
    WRITES_NUMBERED = auto()
    """Writes by an operand written `s[...]`."""
    WRITES_BY_NAME = auto()
    """Writes otherwise than by an operand written `s[...]`."""
    SLOTS = auto()
    """Has in an operand in `Part.slots`."""
    THIRD = auto()
    """Has as the third register of an operand in `Part.slots`."""
    ADDEND = auto()
    """Has in the first operand of `Part.slots` that the form has."""
    MASK = auto()
    """Has in the operand in `Part.slots` that selects lanes or carries, or reads as the implied VCC."""
    NAMED = auto()
    """All of the file, whatever the instruction does."""
    HARDWARE_REGISTER = auto()
    """The hardware register in its immediate."""
    ALWAYS = auto()
    """What all instructions have in common."""
    IF_READS = auto()
    """The same, if the instruction reads registers of the file."""
    IF_WRITES = auto()
    """The same, if the instruction writes registers of the file."""
    IF_OVERLAPS = auto()
    """The same, if the instruction reads registers of the file that it writes."""


class File(Enum):
    """The registers that count."""

    ALL = auto()
    VECTOR = auto()
    """VGPRs and AccVGPRs."""
    VGPR = auto()
    """VGPRs without AccVGPRs."""
    SCALAR = auto()
    """All but vectors, SCC and MODE."""
    OPERANDS = auto()
    """Of the scalar ones those that are operands: without EXEC."""
    SGPR = auto()
    PLAIN_SGPR = auto()
    """SGPRs without VCC."""
    VCC = auto()
    EXEC = auto()
    M0 = auto()
    S102 = auto()
    S103 = auto()
    FLAT_SCRATCH_BASE_LO = auto()
    FLAT_SCRATCH_BASE_HI = auto()
