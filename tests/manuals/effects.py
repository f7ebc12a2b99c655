"""What the pseudo-code of a manual reads and writes implicitly, and how wide its operands are, against the tables.

The state is SCC, VCC, EXEC and M0. That an operation of lanes reads EXEC, its code leaves out. A carry that one
encoding has in VCC, and another in an operand, counts as either.
"""

import re
from collections.abc import Iterator, Sequence

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import implicit
from tests.manuals.difference import Difference
from tests.manuals.reading import Listed

_STATE = ("SCC", "VCC", "EXEC", "M0")
_SPELT = {"VCCZ": "VCC", "EXECZ": "EXEC", "EXEC_LO": "EXEC", "EXEC_HI": "EXEC"}
_WORD = re.compile(
    r"\b(SCC|VCCZ?|EXECZ?|EXEC_(?:LO|HI)|M0)\b(?P<path>(?:\.[a-z]\w*|\[[^][]*(?:\[[^][]*\][^][]*)*\])*)"
    r"(?P<sign>\s*[-+]?=(?!=))?"
)
# An operand with its type, or with the bits that are meant.
_TYPED = re.compile(r"\b(D0|S[0-3])\.(?:bf|fp|[uifb])(\d+)\b(?!\[)")
_BITS = re.compile(r"\b(D0|S[0-3])(?:\.[a-z]+\d*)?\[\s*(\d+)\s*:\s*(\d+)\s*\]")
OPERANDS = {
    "D0": ("vdst", "sdst"),
    "S0": ("src0", "vsrc"),
    "S1": ("src1",),
    "S2": ("src2",),
    "S3": ("src3",),
}
"""The operands of the forms by their names in the code."""

_PARTS = re.compile(r"\{([^{}]*)\}\s*=(?!=)")
_DWORD = 32


def is_compared(entry: Listed, target: isa.Target) -> bool:
    """Whether an instruction has code that names its operands."""
    return bool(target.forms(entry.name)) and "=" in entry.code and "eval " not in entry.code


def compare(entry: Listed, target: isa.Target) -> tuple[Difference, ...]:
    """The differences of one instruction."""
    forms = target.forms(entry.name)
    if not is_compared(entry, target):
        return ()
    code = re.sub(r"//.*", "", entry.code)
    return (*_of_state(entry.name, code, forms, target), *_of_widths(code, forms))


def _of_state(name: str, code: str, forms: Sequence[isa.Form], target: isa.Target) -> Iterator[Difference]:
    own = documentation.entry(name, target)
    spelt = {slot.text.removesuffix("_lo").upper() for form in forms for slot in form.slots if slot.text}
    theirs = _used(code)
    named = {state for state in _STATE if state in spelt} | ({"VCC"} if _has_mask(forms) else set())
    for kind, found in (("reads", implicit.reads), ("writes", implicit.writes)):
        known = found(own, forms, target.name)
        ours = {each.partition(".")[0] for each in known.always}
        possible = {each.partition(".")[0] for each in known.sometimes}  # in other encodings
        for state in _STATE:
            if state == "EXEC" and kind == "reads" and not name.startswith("s_"):
                continue
            if (state in theirs[kind]) != (state in ours) and state not in named | possible:
                yield Difference(f"{kind} {state}", int(state in theirs[kind]), int(state in ours))


def _used(code: str) -> dict[str, set[str]]:
    """The state that some code reads before it writes it, and that it writes."""
    reads: set[str] = set()
    writes: set[str] = set()
    for line in re.split(r"[;\n]", code):
        found = [(_SPELT.get(match[1], match[1]), match) for match in _WORD.finditer(line)]
        written = {state for state, match in found if match["sign"]}
        written |= {state for parts in _PARTS.findall(line) for state in _STATE if state in parts}
        read = {state for state, match in found if not match["sign"] or "+" in match["sign"]}
        reads |= read - writes - (written if _PARTS.search(line) else set())
        writes |= written
    return {"reads": reads, "writes": writes}


def _has_mask(forms: Sequence[isa.Form]) -> bool:
    """Whether a form takes or gives a mask of lanes in an operand, as others do in VCC."""
    operands = [operand for form in forms for operand in form.operands]
    return any(
        (operand.name in ("sdst", "src2") and operand.kind.match == "BoolReg")
        or (operand.name == "src2" and "SReg_1" in operand.kind.name)
        for operand in operands
    )


def _of_widths(code: str, forms: Sequence[isa.Form]) -> Iterator[Difference]:
    theirs: dict[str, int] = {}
    for operand, size in _TYPED.findall(code):
        theirs[operand] = max(theirs.get(operand, 0), int(size))
    for operand, high, low in _BITS.findall(code):
        theirs[operand] = max(theirs.get(operand, 0), int(high) + 1, int(low) + 1)
    for operand, size in sorted(theirs.items()):
        widths = {_width(form, OPERANDS[operand]) for form in forms} - {0}
        expected = -(-size // _DWORD) * _DWORD
        if widths and expected not in {max(width, _DWORD) for width in widths}:
            yield Difference(operand, expected, max(widths))


def _width(form: isa.Form, names: tuple[str, ...]) -> int:
    """The bits of the operand's registers, 0 if the form has no such operand."""
    found = (operand.kind.registers for operand in form.operands if operand.name in names)
    return next((registers.bits for registers in found if registers is not None), 0)
