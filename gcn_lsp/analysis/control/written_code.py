"""Instructions that are written as data, one in a statement: `.long 0xd3cd0000, 0x04020100`.

Kernels hold what the assembler of their time did not know as words, or all of their code. What the words are follows
from the decoder; a statement with more or less than one instruction remains data.
"""

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.isa.operands.limits import LONGEST_CODE
from gcn_lsp.program.chunk import Item
from gcn_lsp.syntax import lines
from gcn_lsp.syntax.statement import Statement

_WORD_SIZE = 4
_known: ByValue[tuple[isa.Target, bytes], Instruction | None] = ByValue(1 << 16)


def read(item: Item, target: isa.Target) -> "Item | None":
    """The instruction that an item of data is, as an item; None if it is anything else.

    Its statement has the place of the data and the name of the instruction, and so have its operands.
    """
    size = len(item.data)
    if item.fixups or not _WORD_SIZE <= size <= LONGEST_CODE or size % _WORD_SIZE:
        return None
    key = target, item.data
    found = _known[key] if key in _known else _known.keep(key, _decoded(item.data, target))
    if found is None or found.form is None:
        return None
    data = item.statement
    statement = Statement(
        data.kind, data.line, found.form.mnemonic, data.start, data.end, data.start, data.end, data.rest_start
    )
    operands = tuple(
        msgspec.structs.replace(each, node=msgspec.structs.replace(each.node, start=data.start, end=data.end))
        for each in found.operands
    )
    instruction = msgspec.structs.replace(found, statement=statement, operands=operands)
    return Item("instruction", statement, instruction, item.written, item.piece, item.offset)


def _decoded(code: bytes, target: isa.Target) -> "Instruction | None":
    """The instruction with this machine code, if it is all of it and has a text that the assembler takes."""
    from gcn_lsp.instruction.decoding.decoder import decoder_for  # late: few files have data among their code

    decoded = decoder_for(target).read(code)
    if decoded is None or decoded.size != len(code):
        return None
    statement = lines.parse_line(f"\t{decoded.text}".encode()).statements[0]
    made = assembler.assemble(target, statement, predefined.VERSION_CODES)
    if made.form is None or not made.code or made.fixups:
        return None
    return msgspec.structs.replace(made, code=code, size=len(code), problems=())
