"""Decodes machine code: `decoder_for(target).read(code, offset)` gives the instruction at a place and its text.

LLVM's disassembler tries tables one after the other. Here one rule decides: among the rows whose constant bits agree,
the one with the most of them. Rows with the same bits differ in how large their registers are or in what they write
out (`choice`). Every distinct instruction is read once for a target.
"""

from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.instruction.decoding import choice
from gcn_lsp.instruction.decoding.index import Candidate, Index
from gcn_lsp.instruction.decoding.patterns import Pattern
from gcn_lsp.instruction.decoding.reader import LITERAL_NAME, FormReader
from gcn_lsp.instruction.decoding.registers import Registers
from gcn_lsp.isa.operands.limits import LONGEST_CODE
from gcn_lsp.isa.target import Row
from gcn_lsp.records import NamedTuple

_KEPT = 1 << 14  # distinct instructions, of some 800 bytes: hardly a file has as many that come again
_WORD_SIZE = 4


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


_Known = dict[int, "Decoded | _Known | None"]
"""What a word says: the instruction, or what each word that may follow says."""


class Decoder:
    """The instructions of one target."""

    def __init__(self, target: isa.Target) -> None:
        self.target = target
        self._index = Index(target)
        self._registers = Registers(target)
        self._readers: dict[int, choice.ReaderChoice] = {}
        self._kept: list[Candidate] = []
        self._known: _Known = {}
        self._count = 0

    def read(self, code: bytes, offset: int = 0) -> Decoded | None:
        """The instruction at a place in machine code; None when there is none."""
        return self._read(code[offset : offset + LONGEST_CODE])[0]

    def read_all(self, code: bytes) -> list[Decoded | None]:
        """The instructions of machine code, one after the other; None for four bytes (fewer at the end) that are none.

        Most code repeats itself, so that each distinct instruction is found again by its words, as the same object.
        """
        return self.read_part(code, 0, len(code))[0]

    def read_part(self, code: bytes, start: int, end: int) -> tuple[list[Decoded | None], int]:
        """The same for those that begin from `start` to before `end`, and the place after the last."""
        known, found = self._known, []
        last = min(end, len(code))
        available = min(last + LONGEST_CODE, len(code)) - start
        words = memoryview(code)[start : start + available // _WORD_SIZE * _WORD_SIZE].cast("I").tolist()
        at, stop = 0, (last - start) // _WORD_SIZE
        while at < stop:
            try:
                one = known[words[at]]
                following = at
                while one.__class__ is dict:
                    following += 1
                    one = one[words[following]]
            except (KeyError, IndexError):
                place = start + _WORD_SIZE * at
                one = self._learned(code[place : place + LONGEST_CODE], words[at : at + LONGEST_CODE // _WORD_SIZE])
            found.append(one)
            at += 1 if one is None else one.size >> 2  # type: ignore[union-attr]
        place = start + _WORD_SIZE * at
        if place < last:
            found.append(None)
            place = last
        return found, place  # type: ignore[return-value]

    def _learned(self, code: bytes, words: list[int]) -> Decoded | None:
        """Read an instruction, and keep it by as many words as it takes to tell it from others."""
        found, looked_at = self._read(code)
        if looked_at > _WORD_SIZE * len(words):
            return found  # the code ends here, which further words may not
        self._count += 1
        if self._count > _KEPT:
            self._known.clear()
            self._count = 1
        known = self._known
        for word in words[: looked_at // _WORD_SIZE - 1]:
            known = known.setdefault(word, {})  # type: ignore[assignment]
        known[words[looked_at // _WORD_SIZE - 1]] = found
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
            looked_at = LONGEST_CODE
        return None, looked_at

    def _read_as(self, candidate: Candidate, number: int, available: int) -> Decoded | None:
        known = self._readers.get(id(candidate))
        if known is None:
            known = self._readers[id(candidate)] = choice.ReaderChoice(self.target, candidate.rows, self._reader)
            self._kept.append(candidate)  # keeps its id from being used again
        first = known.first
        values = first.values(number)
        reader = known.of(values)
        if reader is not first:
            values = reader.values(number)
        for name, bit, width in candidate.moved:
            values[name] = number >> bit & (1 << width) - 1
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
        code = number & (1 << 8 * (size - literal)) - 1
        pattern = reader.patterns.of(code, values[LITERAL_NAME] if literal else None)
        return Decoded(reader.form, " ".join(text.split()), size, reader.jump(values), pattern)

    def _reader(self, row: Row) -> FormReader:
        form = self.target.form_of(row)
        return FormReader(form, self.target, self._registers, self._word(form))

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
