"""Takes single waits and wait states out of compiled kernels, and says where that has to be noticed.

A mutation is an edit of one line of a text: a wait without one of its counters, a count one higher, an `s_nop` that is
gone or one state shorter. The compiler puts a wait right before the instruction that needs it, so that instruction is
where a finding is expected. Waits that serve no register are told apart by `excuse`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

# The counters of waits that have one, with the count that waits for nothing. What `s_waitcnt` leaves out waits for
# nothing too, so its counters need no such count.
_SINGLE = {
    "s_waitcnt_vscnt": "vscnt", "s_waitcnt_vmcnt": "vmcnt",
    "s_waitcnt_expcnt": "expcnt", "s_waitcnt_lgkmcnt": "lgkmcnt",
    "s_wait_loadcnt": "loadcnt", "s_wait_storecnt": "storecnt", "s_wait_samplecnt": "samplecnt",
    "s_wait_bvhcnt": "bvhcnt", "s_wait_expcnt": "expcnt", "s_wait_dscnt": "dscnt", "s_wait_kmcnt": "kmcnt",
    "s_wait_xcnt": "xcnt", "s_wait_asynccnt": "asynccnt", "s_wait_tensorcnt": "tensorcnt",
}  # fmt: skip
# Two counters in one number: the one in the low byte, the one in the high byte.
_DOUBLE = {"s_wait_loadcnt_dscnt": ("dscnt", "loadcnt"), "s_wait_storecnt_dscnt": ("dscnt", "storecnt")}
_NO_WAIT = 0x3F
# The fields that have fewer bits than the others, with their greatest count.
_SMALL = {"expcnt": 7, "bvhcnt": 7, "kmcnt": 31}
_VMCNT_OF_FOUR_BITS = re.compile(r"gfx[678]")
_LGKMCNT_OF_FOUR_BITS = re.compile(r"gfx[6789]")

_DEPCTR = ("s_waitcnt_depctr", "s_wait_alu")
_PART = re.compile(r"(\w+)\((\d+)\)")
_INSTRUCTION = re.compile(r"\t([a-z]\w*)([^;]*)")
_FUNCTION = re.compile(r"(?!\.L)([\w.$]+):")


class Mutation(NamedTuple):
    """One edit of a text. line: where the text differs, counted from 0. expected: the line of the instruction that
    needs what is gone, as far as the compiler's habits tell. what: `vmcnt(0) removed` and the like."""

    line: int
    expected: int
    what: str
    new_line: str
    is_removal: bool

    def apply(self, text: str) -> str:
        """The edited text; it has as many lines as before."""
        lines = text.split("\n")
        lines[self.line] = self.new_line
        return "\n".join(lines)


def of_waits(text: str, target: str) -> Iterator[Mutation]:
    """Every wait for a memory counter without each of its counters, and with each of its counts one higher."""
    lines = text.split("\n")
    for number, mnemonic, operands in _instructions(lines):
        parts = _parts(mnemonic, operands)
        for counter, count in parts.items():
            most = _most(counter, target)
            if count >= most:
                continue
            expected = needing(lines, number)
            left = {**parts, counter: most}
            yield Mutation(number, expected, f"{counter}({count}) removed", _written(mnemonic, left, target), True)
            if count + 1 < most:
                more = {**parts, counter: count + 1}
                what = f"{counter}({count}) weakened"
                yield Mutation(number, expected, what, _written(mnemonic, more, target), False)


def of_wait_states(text: str) -> Iterator[Mutation]:
    """Every `s_nop` gone, and one state shorter."""
    lines = text.split("\n")
    for number, mnemonic, operands in _instructions(lines):
        if mnemonic == "s_nop":
            states = int(operands, 0)
            expected = needing(lines, number)
            yield Mutation(number, expected, f"s_nop {states} removed", "", True)
            if states:
                yield Mutation(number, expected, f"s_nop {states} shortened", f"\ts_nop {states - 1}", False)


def of_mitigations(text: str) -> Iterator[Mutation]:
    """Every wait for the arithmetic pipelines without each of its fields."""
    lines = text.split("\n")
    for number, mnemonic, operands in _instructions(lines):
        if mnemonic in _DEPCTR:
            fields = dict(_PART.findall(operands))
            for field, count in fields.items():
                left = " ".join(f"{other}({value})" for other, value in fields.items() if other != field)
                new_line = f"\t{mnemonic} {left}" if left else ""
                yield Mutation(number, needing(lines, number), f"{field}({count}) removed", new_line, True)


def stripped(text: str) -> str:
    """The text without any wait for a memory counter."""
    lines = text.split("\n")
    for number, mnemonic, operands in _instructions(lines):
        if _parts(mnemonic, operands):
            lines[number] = ""
    return "\n".join(lines)


def count_waits(text: str) -> int:
    """How many instructions of a text wait for a memory counter."""
    return sum(bool(_parts(mnemonic, operands)) for _, mnemonic, operands in _instructions(text.split("\n")))


def needing(lines: list[str], number: int) -> int:
    """The next line with an instruction that is neither a wait nor a state of waiting."""
    for later in range(number + 1, len(lines)):
        match = _INSTRUCTION.match(lines[later])
        if match and not match[1].startswith(("s_wait", "s_nop", "s_delay_alu")):
            return later
    return number


# What a wait may serve besides a register, by what stands behind it.
_ORDERING = re.compile(
    r"s_barrier|buffer_wb|buffer_inv|buffer_gl\d_inv|global_wb|global_inv|s_dcache|s_gl1_inv|s_sendmsg|s_icache|"
    r"ds_gws|s_endpgm|s_sleep|s_monitor"
)
_ATOMIC_OR_STORE = re.compile(
    r"\w+_(atomic|store|write|cmpst|cmpstore|wrxchg)|ds_(add|sub|min|max|and|or|xor|inc|dec)_"
)


def excuse(text: str, mutation: Mutation) -> "str | None":
    """Why nobody has to notice a mutation of a wait; None when no reason is seen in the text.

    The reasons are about the code around the wait and know nothing of registers: they explain what was not found, and
    say nothing of what was.
    """
    lines = text.split("\n")
    before = _instruction_before(lines, mutation.line)
    if before is None:
        return "function entry"
    behind = _INSTRUCTION.match(lines[mutation.expected])
    mnemonic = behind[1] if behind else ""
    if mnemonic == "s_setpc_b64":
        return "return"
    if _ORDERING.match(mnemonic):
        return f"memory order before {mnemonic}"
    if _ATOMIC_OR_STORE.match(mnemonic):
        return "memory order before an atomic operation or a store"
    if _ORDERING.match(before):
        return f"memory order after {before}"
    return None


def _instruction_before(lines: list[str], number: int) -> "str | None":
    """The mnemonic of the last instruction before a line that is no wait; None where a function begins."""
    for earlier in range(number - 1, -1, -1):
        match = _INSTRUCTION.match(lines[earlier])
        if match and not match[1].startswith(("s_wait", "s_nop", "s_delay_alu")):
            return match[1]
        if _FUNCTION.match(lines[earlier]):
            return None
    return None


def _instructions(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(lines):
        match = _INSTRUCTION.match(line)
        if match:
            yield number, match[1], match[2].strip()


def _parts(mnemonic: str, operands: str) -> dict[str, int]:
    """The counters that an instruction waits for, with their counts; empty when it is no such wait."""
    if mnemonic == "s_waitcnt":
        return {name: int(count) for name, count in _PART.findall(operands)}
    if mnemonic in _SINGLE:
        return {_SINGLE[mnemonic]: int(operands.split()[-1], 0)}
    if mnemonic in _DOUBLE:
        low, high = _DOUBLE[mnemonic]
        value = int(operands, 0)
        return {low: value & 0xFF, high: value >> 8}
    return {}


def _most(counter: str, target: str) -> int:
    """The greatest count of a counter's field, with which nothing is waited for."""
    if counter == "vmcnt" and _VMCNT_OF_FOUR_BITS.match(target):
        return 15
    if counter == "lgkmcnt" and _LGKMCNT_OF_FOUR_BITS.match(target):
        return 15
    return _SMALL.get(counter, _NO_WAIT)


def _written(mnemonic: str, parts: dict[str, int], target: str) -> str:
    """The line of a wait for `parts`; empty when none of them waits."""
    waiting = {counter: count for counter, count in parts.items() if count < _most(counter, target)}
    if not waiting:
        return ""
    if mnemonic == "s_waitcnt":
        return "\ts_waitcnt " + " ".join(f"{counter}({count})" for counter, count in waiting.items())
    if mnemonic in _DOUBLE:
        low, high = _DOUBLE[mnemonic]
        return f"\t{mnemonic} {parts[high] << 8 | parts[low]:#x}"
    register = "null, " if mnemonic.startswith("s_waitcnt_") else ""
    return f"\t{mnemonic} {register}{next(iter(waiting.values())):#x}"


def excuse_of_states(text: str, mutation: Mutation) -> "str | None":
    """Why nobody has to notice a mutation of wait states; None when no reason is seen in the text."""
    lines = text.split("\n")
    behind = _INSTRUCTION.match(lines[mutation.expected]) if mutation.expected != mutation.line else None
    if behind is None:
        return "nothing behind it"
    return None
