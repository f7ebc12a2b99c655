"""The version of LLVM whose assembler made an object's code, as the bits that no operand shows tell it.

From gfx10 LLVM 23 fills the field of a source that an instruction of two sources lacks with the number of the constant
0, and older versions with 0.
"""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import Decoded, decoder_for
from gcn_lsp.instruction.decoding.returning import returning_for
from gcn_lsp.isa import versions
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.views.objects import blocks, kernel_headers
from gcn_lsp.views.objects.elf import CodeObject, Section

_SAMPLE = 16 * 1024
"""Bytes of each section that are read."""


def of(code: CodeObject, target: isa.Target) -> int:
    """The version that gives most distinct instructions their bytes again, the usual one of several alike."""
    lost = {versions.USUAL: _lost(code, target)}
    for version in versions.VERSIONS if lost[versions.USUAL] else ():
        if version != versions.USUAL:
            older = isa.load_target(target.name, versions.with_switch(target.mattr, version))
            lost[version] = _lost(code, older)
    return min(lost, key=lambda version: (lost[version], version != versions.USUAL))


def _lost(code: CodeObject, target: isa.Target) -> int:
    """How many distinct instructions of the samples the assembler would make other bytes of."""
    returning = returning_for(target)
    distinct = {
        bytes_: found for index in range(len(code.sections)) for bytes_, found in _instructions(code, index, target)
    }
    return sum(found.jump is None and not returning.gives(found, bytes_) for bytes_, found in distinct.items())


def _instructions(code: CodeObject, index: int, target: isa.Target) -> Iterator[tuple[bytes, Decoded]]:
    section = code.sections[index]
    if not section.flags & Section.EXECUTABLE:
        return
    headers = kernel_headers.places(code, index)
    place = 0
    for block in blocks.read(decoder_for(target), section.data, 0, min(len(section.data), _SAMPLE)):
        for found in block:
            size = found.size if found is not None else 4
            if isinstance(found, Decoded) and not any(0 <= place - each < kernel_code.SIZE for each in headers):
                yield section.data[place : place + size], found
            place += size
