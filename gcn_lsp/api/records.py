"""The values that `Assembly` answers with."""

from typing import Any

import msgspec

from gcn_lsp.text import json_bytes


class EncodedInstruction(msgspec.Struct, frozen=True):
    """One instruction of a program.

    file, line: where it is written; for an instruction of a macro or a repetition, there. text: as assembled, with
    macro arguments and symbols in place. section, offset: where its bytes are. code: them, as hexadecimal digits; empty
    if it cannot be encoded. reads, writes: registers, those of implicit operands too, as `v[4:7]`, `vcc`. counters:
    those that it raises. waits: for which counts it waits, by counter. flow: `next`, `branch`, `conditional`, `end`,
    `call` or `jump`.
    """

    file: str
    line: int
    text: str
    mnemonic: str
    section: str
    offset: int
    code: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    counters: tuple[str, ...]
    waits: dict[str, int]
    flow: str


class OperationInFlight(msgspec.Struct, frozen=True):
    """A memory operation that may not be done before an instruction.

    counter: which counts it. mnemonic, file, line: of the instruction that issued it. writes: registers that it will
    write. reads: registers that it still reads. younger: how many operations the counter has counted since, at least:
    a wait for that count or less is a wait for it.
    """

    counter: str
    mnemonic: str
    file: str
    line: int
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    younger: int


class KernelResources(msgspec.Struct, frozen=True):
    """What the descriptor of a kernel asks for; None where that depends on a symbol without a value.

    vgprs, agprs, sgprs: registers of a wave that its code may name. lds: bytes of a work-group. scratch: bytes of a
    work-item. lanes: of a wave, 32 or 64. waves: that fit on a SIMD. limits: what allows no more, such as `VGPRs`.
    used_vgprs, used_agprs, used_sgprs: one more than the highest number that the code names. next_step: what has to go
    for more waves, `2 VGPRs fewer give 5 waves`; empty if something else than VGPRs and LDS limits them.
    """

    name: str
    vgprs: int | None
    agprs: int | None
    sgprs: int | None
    lds: int | None
    scratch: int | None
    lanes: int
    waves: int | None
    limits: tuple[str, ...]
    used_vgprs: int
    used_agprs: int
    used_sgprs: int
    next_step: str


class CodeBlock(msgspec.Struct, frozen=True):
    """Instructions of a kernel that run one after another.

    number: from 0, in the order of the program. labels: at its start. first_line, last_line: in the file. instructions:
    their texts. waits: how many of them wait for counters. vgprs, agprs, sgprs: the most in use at one of them.
    successors: numbers of the blocks that may run next. is_loop_end: one of these is the block or an earlier one.
    is_exit: the wave may end here.
    """

    number: int
    labels: tuple[str, ...]
    first_line: int
    last_line: int
    instructions: tuple[str, ...]
    waits: int
    vgprs: int
    agprs: int
    sgprs: int
    successors: tuple[int, ...]
    is_loop_end: bool
    is_exit: bool


def to_builtins(value: Any) -> Any:
    """A value of this interface as dicts, lists, strings and numbers, which `json.dumps` takes."""
    return msgspec.json.decode(json_bytes(value))
