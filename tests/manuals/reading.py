"""Reads a manual: the instructions that it lists, each with the number of its opcode and its pseudo-code."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.manuals import older

TARGETS = {
    "vega": "gfx900", "vega7": "gfx906", "cdna1": "gfx908", "cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950",
    "cdna5": "gfx1250", "rdna1": "gfx1010", "rdna2": "gfx1030", "rdna3": "gfx1100", "rdna3.5": "gfx1150",
    "rdna4": "gfx1200",
}  # fmt: skip
"""The target of each manual, by its folder."""


class Listed(NamedTuple):
    """An instruction as a manual lists it once. name: in small letters. code: empty where there is none.

    section: the title of the section. line: of the manual, counted from 1. older: whether the code is that of an older
    manual, translated; its integers do not wrap. examples: of results.
    """

    name: str
    number: int
    section: str
    code: str
    line: int
    is_older: bool = False
    examples: tuple[older.Example, ...] = ()


_SECTION = re.compile(r"#+ .*?\*\*(?:\d+\.)+ (.*Instructions.*?)\*\*")
_HEADING = re.compile(r"#+ \**([A-Z]+_[A-Z0-9_]+) +(\d+)\**$")
_CELLS = re.compile(r"\| *(\d+) *(?=\| *([A-Z]+_[A-Z0-9_]+) *\|)")
_DESCRIBED = re.compile(r"\| *(\d+) *\| *([A-Z]+_[A-Z0-9_]+) *\|(.*)\|$")
_BLOCK = re.compile(r"`{3}\w*$")
_LINE_OF_CODE = re.compile(r"`([^`]+)`$")


def listed(text: str) -> Iterator[Listed]:
    """The instructions of a manual: those under headings with pseudo-code, and the rows of tables of opcodes."""
    lines = text.replace("\\_", "_").replace("\\*", "*").split("\n")
    section = ""
    is_older = not any(_HEADING.match(line) for line in lines)
    for place, line in enumerate(lines):
        title = _SECTION.match(line)
        if title:
            section = title[1]
        heading = _HEADING.match(line)
        if heading:
            yield Listed(heading[1].lower(), int(heading[2]), section, _code(lines, place + 1), place + 1)
        elif is_older and _DESCRIBED.match(line) and not _CELLS.match(line, line.index("|", 1)):
            number, name, text = _DESCRIBED.match(line).groups()  # type: ignore[union-attr]
            found = tuple(each for each in older.examples(text) if each.name == name.lower())
            code = older.translated(name.lower(), text.strip())
            yield Listed(name.lower(), int(number), section, code, place + 1, True, found)
        elif line.startswith("|"):
            for number, name in _CELLS.findall(line):
                yield Listed(name.lower(), int(number), section, "", place + 1)


def _code(lines: list[str], place: int) -> str:
    """The pseudo-code after a heading: the first block, or a line between quotes."""
    for at in range(place, len(lines)):
        line = lines[at].strip()
        if line.startswith("#") and _HEADING.match(line):
            break
        if _BLOCK.match(line):
            end = next((last for last in range(at + 1, len(lines)) if lines[last].startswith(("```", "#"))), at)
            code = "\n".join(lines[at + 1 : end])
            if not re.match(r"\s*[SV]_\w+\(", code):  # examples
                return code
        if _LINE_OF_CODE.match(line) and ("=" in line or ";" in line):
            return line.strip("`")
        if line.startswith("|"):
            break
    return ""
