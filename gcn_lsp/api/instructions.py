"""Questions to instructions that need no file: `encode`, `decode`, `legal_targets`, `distance`."""

from collections.abc import Iterator
from functools import reduce
from operator import or_

import msgspec

from gcn_lsp import isa
from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.analysis.hazards.walk import Hazard
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.waits import waits
from gcn_lsp.api.hardware import known_target
from gcn_lsp.findings.hazards import separating, unit_of
from gcn_lsp.instruction.decoding.decoder import decoder_for
from gcn_lsp.instruction.rejection import elsewhere
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program import program as programs
from gcn_lsp.program.program import Options, Program
from gcn_lsp.text import SourceText


class NotAssembled(ValueError):
    """A target does not take an instruction: the message says why."""


class DecodedInstruction(msgspec.Struct, frozen=True):
    """An instruction in machine code. text: as LLVM writes it; empty for words that are none. size: bytes."""

    offset: int
    size: int
    text: str


class DistanceNeed(msgspec.Struct, frozen=True):
    """What must be between two instructions.

    unit: what `count` counts: `vmcnt` and the like for a counter to be at most that, otherwise, for a hazard,
    `wait states` or `VALU instructions`. between: instructions that are enough: `s_waitcnt vmcnt(0)`, `s_nop 4`.
    registers: that both touch. reason, row: of a hazard in words, and its id, as `gcn-lsp explain` takes it.
    is_certain: the hardware is known to need it; otherwise only LLVM asks for it, or only one document.
    """

    unit: str
    count: int
    between: tuple[str, ...]
    registers: tuple[str, ...] = ()
    reason: str = ""
    row: str = ""
    is_certain: bool = True


def targets() -> tuple[str, ...]:
    """The names of all processors."""
    return tuple(isa.target_names())


def encode(text: str, target: str, *, mattr: str = "") -> bytes:
    """The bytes of instructions, one on each line. Raises NotAssembled, and ValueError for an unknown target."""
    return _assembled(text, target, mattr).section_bytes(".text")


def decode(code: bytes, target: str) -> tuple[DecodedInstruction, ...]:
    """The instructions of machine code, one after the other. Raises ValueError for an unknown target."""
    decoder = decoder_for(isa.load_target(known_target(target)))
    found, offset = [], 0
    for each in decoder.read_all(code):
        size = each.size if each is not None else min(_WORD, len(code) - offset)
        found.append(DecodedInstruction(offset, size, each.text if each is not None else ""))
        offset += size
    return tuple(found)


_WORD = 4  # bytes


def legal_targets(text: str) -> tuple[str, ...]:
    """The targets, one for each group with the same instructions, that take an instruction as it is written.

    Raises NotAssembled if the text is something else than one instruction.
    """
    _expect_one_each(_program(text, elsewhere.GROUPS[0][1][0], ""), text)
    return tuple(name for _, names in elsewhere.GROUPS for name in names if _is_taken(text, name))


def distance(first: str, second: str, target: str, *, mattr: str = "") -> tuple[DistanceNeed, ...]:
    """What must be between two instructions when `second` follows `first` directly; empty if nothing must be.

    Raises as `encode` does, also if a text is something else than one instruction.
    """
    program = _assembled(f"{first}\n{second}\n", target, mattr)
    _expect_one_each(program, first, second)
    return (*_waits(program), *_hazards(program))


def _waits(program: Program) -> Iterator[DistanceNeed]:
    found = waits.of(program)
    if found is None or program.target is None:
        return
    for missing in found.missing:
        for counter, count in missing.needs:
            shared = reduce(or_, (cause.overlap for cause in missing.causes if cause.counter == counter), 0)
            between = wait_text.written({counter: count}, program.target.features)
            yield DistanceNeed(counter, count, between, registers.names(shared))


def _hazards(program: Program) -> tuple[DistanceNeed, ...]:
    """The needs of all hazards between the two, the greatest first."""
    known = hazards.of(program)
    if known is None:
        return ()
    found = sorted(known.every, key=lambda each: (-each.need, each.row.id))
    return tuple(dict.fromkeys(_need(each, known.rows.nop_limit) for each in found if not each.row.replay))


def _need(hazard: Hazard, nop_limit: int) -> DistanceNeed:
    row = hazard.row
    between = separating(hazard, hazard.need - hazard.present, nop_limit)
    names = registers.names(hazard.registers)
    return DistanceNeed(unit_of(hazard), hazard.need, between, names, row.reason, row.id, row.sure)


def _expect_one_each(program: Program, *texts: str) -> None:
    """Raise NotAssembled unless each of the texts, one below the other in the program, is one instruction."""
    lines = [placed.where.line for placed in program.items() if placed.item.instruction is not None]
    start = 0
    for text in texts:
        end = start + text.count("\n") + 1
        if sum(start <= line < end for line in lines) != 1:
            raise NotAssembled(f"{text!r} is not one instruction")
        start = end


def _is_taken(text: str, target: str) -> bool:
    try:
        encode(text, target)
    except NotAssembled:
        return False
    return True


def _assembled(text: str, target: str, mattr: str) -> Program:
    """The program of instructions that the target takes. Raises as `encode` does."""
    program = _program(text, target, mattr)
    for placed in program.items():
        instruction = placed.item.instruction
        if instruction is not None and not instruction.code:
            said = instruction.problems[0].message if instruction.problems else "it cannot be encoded"
            raise NotAssembled(f"line {placed.where.line + 1}: {said}")
    return program


def _program(text: str, target: str, mattr: str) -> Program:
    source = SourceText.from_bytes("text.s", text.encode("utf-8", "surrogateescape"))
    return programs.build(source, Options(known_target(target), mattr, {}, is_edited=False))
