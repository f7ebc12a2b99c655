"""Instructions of SP3 as LLVM's assembler reads them: operands with their widths, modifiers by LLVM's names."""

from collections.abc import Callable

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa.modifiers import cache_policy, table
from gcn_lsp.views.c.expressions import SHIFT
from gcn_lsp.views.c.lex import TokenKind
from gcn_lsp.views.map import MappedBytes
from gcn_lsp.views.sp3.values import Registers, Value, ValueReader, WrittenName

# Modifiers that SP3 gives a value and LLVM does not, or calls differently.
_FLAGS = frozenset((*table.flags(), *(row.name for row in cache_policy.ROWS)))
_RENAMED = {"inst_offset": "offset"}
_POLICY_BITS = {row.name: row.bit for row in cache_policy.EARLY_ROWS}
_BUFFER, _ADDRESSING = "MUBUF", frozenset(("offen", "idxen"))


class Written(msgspec.Struct, frozen=True):
    """An instruction as LLVM's assembler reads it, with what it stands for on line `number` of the source."""

    text: bytes
    pieces: tuple[MappedBytes, ...]
    number: int

    def on_line(self, number: int) -> tuple[MappedBytes, ...]:
        """The pieces of the same text on another line."""
        if number == self.number:
            return self.pieces
        return tuple(msgspec.structs.replace(piece, line=number) for piece in self.pieces)


class _Item(msgspec.Struct, frozen=True):
    """An operand or a modifier, and its columns."""

    value: Value
    start: int
    end: int


def translated(
    reader: ValueReader, line: bytes, number: int, target: "isa.Target", label: Callable[[str], str]
) -> Written:
    """The instruction of a reader's tokens, which are on line `number`. label: the name of a label. Raises Wrong."""
    word = reader.found[0]
    family = _family(target, word.said)
    operands, modifiers = _items(reader, label)
    names = {modifier.value.text for modifier in modifiers if isinstance(modifier.value, WrittenName)}
    if family == _BUFFER and len(operands) == 4 and isinstance(operands[1].value, Registers):
        if not names & _ADDRESSING:  # the address register is in the encoding and not used
            operands[1] = msgspec.structs.replace(operands[1], value=WrittenName("off"))
        if "lds" in names:
            operands = operands[1:]
    widths = _widths(target, word.said, len(operands))
    text = bytearray(word.text)
    pieces = [MappedBytes(0, len(text), number, word.start, word.end, True)]

    def write(new: str, item: _Item) -> None:
        encoded = new.encode()
        copied = line[item.start : item.end] == encoded
        pieces.append(MappedBytes(len(text), len(text) + len(encoded), number, item.start, item.end, copied))
        text.extend(encoded)

    for index, operand in enumerate(operands):
        text += b", " if index else b" "
        value = operand.value
        if isinstance(value, Registers) and index < len(widths):
            value = value.widened(widths[index])
        write(_text(value), operand)
    for modifier in sorted(modifiers, key=_order):
        text += b" "
        write(_policy(target, family, _text(modifier.value)), modifier)
    return Written(bytes(text), tuple(pieces), number)


def _items(reader: ValueReader, label: Callable[[str], str]) -> tuple[list[_Item], list[_Item]]:
    """The operands, and the modifiers as LLVM writes them."""
    operands: list[_Item] = []
    modifiers: list[_Item] = []
    found = reader.found
    reader.at = 1
    while reader.at < len(found):
        first = found[reader.at]
        if reader.at + 1 < len(found) and found[reader.at + 1].text == b":" and first.kind is TokenKind.NAME:
            reader.at += 2
            value = reader.value(SHIFT)
            name = _RENAMED.get(first.said, first.said)
            if name not in _FLAGS or not isinstance(value, int):
                modifiers.append(_Item(WrittenName(f"{name}:{_text(value)}"), first.start, found[reader.at - 1].end))
            elif value:
                modifiers.append(_Item(WrittenName(name), first.start, found[reader.at - 1].end))
        elif operands and found[reader.at - 1].text != b"," and first.kind is TokenKind.NAME:
            reader.at += 1
            modifiers.append(_Item(WrittenName(first.said), first.start, first.end))
        else:
            value = reader.value()
            if isinstance(value, WrittenName):
                value = WrittenName(label(value.text))
            operands.append(_Item(value, first.start, found[reader.at - 1].end))
        if reader.take(b",") and reader.at == len(found):
            reader.unexpected()
    return operands, modifiers


def _family(target: "isa.Target", mnemonic: str) -> str:
    forms = target.forms(mnemonic)
    return forms[0].family if forms else ""


def _policy(target: "isa.Target", family: str, name: str) -> str:
    """A flag of the cache policy by the target's name for its bit."""
    bit = _POLICY_BITS.get(name)
    if bit is None:
        return name
    known = cache_policy.flags_of(family, target.features)
    return name if name in known else next((other for other, its in known.items() if its == bit), name)


def _widths(target: "isa.Target", mnemonic: str, count: int) -> tuple[int, ...]:
    """The registers that each operand takes, by the first form with that number of operands."""
    for form in target.forms(mnemonic):
        slots = [slot for slot in form.slots if slot.role == "operand" or slot.text == "off"]
        if len(slots) == count:
            kinds = [slot.kind.registers if slot.kind is not None else None for slot in slots]
            return tuple(max(kind.bits // 32, 1) if kind is not None else 1 for kind in kinds)
    return ()


def _order(modifier: _Item) -> int:
    """LLVM takes what belongs to the address before the rest."""
    name = _text(modifier.value).partition(":")[0]
    return 0 if name in _ADDRESSING else 1 if name.startswith("offset") else 2


def _text(value: Value) -> str:
    if isinstance(value, int):
        return str(value) if -64 <= value < 1024 else f"{value:#x}"
    return value.text
