"""The instructions of a program after their offsets and bytes, as assembly with comments.

The bytes come first, since a narrow view cuts off the end of a line.
"""

from typing import TYPE_CHECKING

from gcn_lsp.ide.derived import Derived

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem, Program

_BYTES = len("00000000 00000000")  # most instructions are shorter


def encoded(program: "Program") -> Derived:
    """Each instruction in program order after its offset in the section and its dwords; labels on lines of their own.

    The program has a known target. A line is a call's or an include's for what comes from there.
    """
    lines, origins = [], []
    section = ""
    for item in program.items():
        text = _line(item)
        if text is None:
            continue
        if item.section != section:
            section = item.section
            lines.append(f".section {section}")
            origins.append(_top_line(item))
        lines.append(text)
        origins.append(_top_line(item))
    return Derived(tuple(lines), tuple(origins))


def _line(item: "PlacedItem") -> str | None:
    if item.item.kind == "label":
        return f"{item.item.statement.name}:"
    if item.item.instruction is None:
        return None
    said = _dwords(item.code) if item.item.instruction.code else "no bytes"
    return f"/* {item.offset:06x}  {said:<{_BYTES}} */  {' '.join(item.text.split())}"


def _dwords(code: bytes) -> str:
    return " ".join(f"{int.from_bytes(code[at : at + 4], 'little'):08x}" for at in range(0, len(code), 4))


def _top_line(item: "PlacedItem") -> int:
    return (item.steps[0].where if item.steps else item.where).line
