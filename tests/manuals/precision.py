"""The units in the last place and the exceptions that a manual gives in words, against the table of precision."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.machine import precision


class Statement(NamedTuple):
    """Something that a manual says of an instruction. what: `ULP`, `denormals flushed`, `INEXACT`."""

    name: str
    what: str
    theirs: str
    ours: str


_HEADING = re.compile(r"#+ \**([SV]_[A-Z0-9_]+) +\d+\**$")
_ROW = re.compile(r"\| *\d+ *\| *([SV]_[A-Z0-9_]+) *\|(.*)\|$")
_ULP = re.compile(r"(?<![\d.])(\d[\d.]*|\(?2\*\*29\)?) ?ULP (?:accuracy|precision)|Precision is (\(2\*\*29\)) ULP")
_FLUSHED = re.compile(r"[Dd]enormals are flushed")
_INEXACT = "INEXACT exception is controlled by the CLAMP bit"


def compare(text: str, target: isa.Target) -> Iterator[Statement]:
    """The statements of a manual, each once, about instructions that the target has."""
    seen: set[Statement] = set()
    for name, line in described(text):
        if target.forms(name) or name.startswith("v_dual_"):
            for statement in _of_line(name, line, target):
                if statement not in seen:
                    seen.add(statement)
                    yield statement


def described(text: str) -> Iterator[tuple[str, str]]:
    """The name of an instruction with each line about it."""
    name = ""
    for line in text.replace("\\_", "_").replace("\\*", "*").split("\n"):
        heading, row = _HEADING.match(line), _ROW.match(line)
        if row:
            yield row[1].lower(), row[2]
        elif line.startswith("#"):
            name = heading[1].lower() if heading else name if re.match(r"#+ \**(Notes|Functional)", line) else ""
        elif name:
            yield name, line


def _of_line(name: str, line: str, target: isa.Target) -> Iterator[Statement]:
    found = _ULP.search(line)
    if found:
        theirs = (found[1] or found[2]).strip("().").replace("2**29", "2 ** 29")
        yield Statement(name, "ULP", theirs, precision.ulp(name, target.name))
    if _FLUSHED.search(line):
        entry = documentation.entry(name, target)
        said = " ".join(entry.notes) if entry else ""
        is_said = "Denormal sources and results count as 0" in said or "denormals are flushed" in said
        yield Statement(name, "denormals flushed", "1", "1" if is_said else "")
    if _INEXACT in line:
        yield Statement(name, "INEXACT", "1", "1" if precision.has_inexact_by_clamp(name, target.name) else "")
