"""Decodes machine code: `decoder_for(target).read(code, offset)` gives the instruction at a place and its text.

What LLVM's disassembler tries in tables, one after the other, is here one rule: of the rows whose constant bits agree
the one with the most of them. Rows with the same bits differ in how large their registers are or in what they write
out (`choice`). Every distinct instruction is read once for a target.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction.decoding import choice
from gcn_lsp.instruction.decoding.index import Candidate, Index
from gcn_lsp.instruction.decoding.reader import LITERAL_NAME, Pattern, Reader
from gcn_lsp.instruction.decoding.registers import Registers
from gcn_lsp.isa.target import Row

LONGEST = 24
"""The most bytes of an instruction: an encoding of 16 bytes with a literal of 8."""
_KEPT = 1 << 18
_WORD_SIZE = 4
_LENGTHS = (8, 12, 16, LONGEST)
"""By so many bytes instructions are kept that their first word does not tell from others."""


class Decoded(NamedTuple):
    """An instruction in machine code. text: as LLVM writes it. size: bytes.

    jump: of a branch by a number of dwords, the bytes from its end to where it goes; None for others.
    pattern: of instructions with the same form and pattern, the assembler gives all their bytes again or none.
    """

    form: isa.Form
    text: str
    size: int
    jump: int | None = None
    pattern: Pattern = ()


_LONGER = Decoded(None, "", 0)  # type: ignore[arg-type]  # more bytes say which it is


class Decoder:
    """The instructions of one target."""

    def __init__(self, target: isa.Target) -> None:
        self.target = target
        self._index = Index(target)
        self._registers = Registers(target)
        self._readers: dict[int, choice.Choice] = {}
        self._kept: list[Candidate] = []
        self._by_word: ByValue[int, Decoded | None] = ByValue(_KEPT)
        self._by_bytes: ByValue[bytes, Decoded | None] = ByValue(_KEPT)

    def read(self, code: bytes, offset: int = 0) -> Decoded | None:
        """The instruction at a place in machine code; None when there is none."""
        return self._read(code[offset : offset + LONGEST])[0]

    def read_all(self, code: bytes) -> Iterator[Decoded | None]:
        """The instructions of machine code, one after the other; None for four bytes (fewer at the end) that are none.

        Most code repeats itself, so that each distinct instruction is found again by its bytes, as the same object.
        """
        by_word, by_bytes = self._by_word, self._by_bytes
        words = memoryview(code)[: len(code) // 4 * 4].cast("I")
        at, end = 0, len(words)
        while at < end:
            try:
                found = by_word[words[at]]  # None: its first word alone does not say what it is
                if found is None:
                    found = by_bytes[code[4 * at : 4 * at + 8]]
                    if found is _LONGER:
                        found = self._longer(code[4 * at : 4 * at + LONGEST])
            except KeyError:
                found = self._learned(code[4 * at : 4 * at + LONGEST])
            yield found
            at += 1 if found is None else found.size >> 2
        if len(code) % 4:
            yield None

    def _longer(self, code: bytes) -> Decoded | None:
        """What more than eight bytes say. Raises KeyError when it is not known."""
        for size in _LENGTHS[1:]:
            found = self._by_bytes[code[:size]]
            if found is not _LONGER:
                return found
        return None

    def _learned(self, code: bytes) -> Decoded | None:
        """Read an instruction, and keep it by as many bytes as it takes to tell it from others."""
        found, looked_at = self._read(code)
        is_word = found is not None and looked_at == _WORD_SIZE
        self._by_word.keep(int.from_bytes(code[:_WORD_SIZE], "little"), found if is_word else None)
        if not is_word:
            for size in _LENGTHS:
                self._by_bytes.keep(code[:size], _LONGER if size < looked_at else found)
                if size >= looked_at:
                    break
        return found

    def _read(self, code: bytes) -> tuple[Decoded | None, int]:
        """The instruction, and the bytes that say that it is this one."""
        looked_at = _WORD_SIZE
        if len(code) < _WORD_SIZE:
            return None, looked_at
        number = int.from_bytes(code, "little")
        for candidate in self._index.candidates(number & 0xFFFFFFFF):
            differing = (number ^ candidate.fixed) & candidate.mask
            if differing:
                lowest = (differing & -differing).bit_length()
                looked_at = max(looked_at, -(-lowest // 32) * 4)
                continue
            found = self._read_as(candidate, number, len(code)) if candidate.size <= len(code) else None
            if found is not None:
                return found, max(looked_at, found.size)
            looked_at = LONGEST
        return None, looked_at

    def _read_as(self, candidate: Candidate, number: int, available: int) -> Decoded | None:
        known = self._readers.get(id(candidate))
        if known is None:
            known = self._readers[id(candidate)] = choice.Choice(self.target, candidate.rows, self._reader)
            self._kept.append(candidate)  # keeps its id from being used again
        first = known.first
        values = first.values(number)
        reader = known.of(values)
        if reader is not first:
            values = reader.values(number)
        size = reader.size
        literal = reader.literal_size(values)
        if literal:
            if size + literal > available:
                return None
            values[LITERAL_NAME] = number >> 8 * size & (1 << 8 * literal) - 1
            size += literal
        if reader.addresses:
            for index, name in enumerate(reader.addresses):
                values[name] = number >> 8 * (size + index) & 0xFF
            size += -(-len(reader.addresses) // 4) * 4
            if size > available:
                return None
        text = reader.text(values)
        if text is None and reader is not known.smallest:
            reader = known.smallest  # a tuple beyond the last register: LLVM then writes as little as there can be
            text = reader.text(values)
        if text is None:
            return None
        pattern = reader.pattern(number & (1 << 8 * size) - 1)
        return Decoded(reader.form, " ".join(text.split()), size, reader.jump(values), pattern)

    def _reader(self, row: Row) -> Reader:
        form = self.target.form_of(row)
        return Reader(form, self.target, self._registers, self._word(form))

    def _word(self, form: isa.Form) -> str:
        return form.mnemonic + suffix(form, self.target)


@lru_cache(maxsize=16)
def decoder_for(target: isa.Target) -> Decoder:
    """The decoder for a target, shared by all who read its code."""
    return Decoder(target)


def suffix(form: isa.Form, target: isa.Target) -> str:
    """What LLVM writes after a mnemonic to tell the encoding, where the mnemonic has several."""
    result = next((operand.kind.name for operand in form.operands if operand.name in ("vdst", "sdst")), "")
    # LLVM writes it with the result, or has it in the name of a comparison.
    if not (result.startswith(_WITH_SUFFIX) or form.mnemonic.startswith("v_cmp")):
        return ""
    if form.variant == "VOP3_DPP":
        return "_e64_dpp"
    if form.family not in ("VOP1", "VOP2", "VOP3", "VOPC", "VINTRP"):
        return ""
    if form.variant in ("DPP", "SDWA") and form.family == "VOPC":
        return ""
    if form.variant in _SUFFIXES:
        return _SUFFIXES[form.variant]
    families = {other.family for other in target.forms(form.mnemonic)}
    if form.family == "VOP3":
        return "_e64" if families & {"VOP1", "VOP2", "VOPC", "VINTRP"} else ""
    return "_e32" if "VOP3" in families or form.family in ("VOPC", "VINTRP") else ""


_WITH_SUFFIX = ("VDst.", "VOPDst", "VINTRPDst")
"""LLVM's operands for results that are written with the suffix."""
_SUFFIXES = {"DPP": "_dpp", "SDWA": "_sdwa", "SDWA9": "_sdwa"}
