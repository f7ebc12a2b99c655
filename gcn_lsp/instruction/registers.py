"""Registers as written: names and tuples as one value, or the reason why there is none.

A tuple of scalar registers starts at a multiple of its size (4 at most). Vector tuples may start anywhere here: the
operand's register class checks the alignment that gfx90a needs.
"""

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.machine import registers as isa_registers
from gcn_lsp.isa.versions import LISTS_END_IN_VCC
from gcn_lsp.patterns import regex

_FILES = {"v": "v", "s": "s", "a": "a", "acc": "a", "ttmp": "ttmp"}
_NUMBERED = regex(r"(ttmp|acc|[vsa])([0-9]+)(?:\.([lh]))?\Z")

_VECTOR_WIDTHS = frozenset((*range(1, 13), 16, 32))
_WIDTHS = {
    "v": _VECTOR_WIDTHS,
    "a": _VECTOR_WIDTHS,
    "s": frozenset((*range(1, 13), 16)),
    "ttmp": frozenset((1, 2, 4, 8, 16)),
}

_LAST_BEFORE_VCC = 106  # the number of vcc_lo: before gfx10 other registers lie between it and the last SGPR

_VECTOR_BIT, _ACC_BIT = 1 << 8, 1 << 9

SPECIAL_NAMES = isa_registers.known_spellings() | {"pc"}
"""Every name that some target reads as a register; none of them can be a symbol."""

INLINE_VALUES = frozenset(
    [
        "src_shared_base",
        "src_shared_limit",
        "src_private_base",
        "src_private_limit",
        "src_pops_exiting_wave_id",
        "src_vccz",
        "src_execz",
        "src_scc",
        "src_flat_scratch_base_lo",
        "src_flat_scratch_base_hi",
        "null",
    ]
)
"""Special registers that every source with inline constants takes, whatever its width."""


class RegisterRef(msgspec.Struct, frozen=True, gc=False):
    """A register or tuple that the target has.

    file: `v`, `s`, `a`, `ttmp`, or the special register's name. first, count: dwords (first of a special register is
    its hardware number). code: the value in an operand field of nine or ten bits. shape: equal for registers that every
    register class treats alike. half: `lo` or `hi` for half a register.
    """

    file: str
    first: int
    count: int
    code: int
    text: str
    shape: tuple[str, int, int]
    half: str = ""
    is_special: bool = False

    @property
    def is_scalar(self) -> bool:
        """Whether a VALU reads it through the constant bus."""
        return self.file not in ("v", "a") and self.file not in ("src_lds_direct",)

    def overlaps(self, other: "RegisterRef") -> bool:
        """Whether a dword belongs to both; a special register may be one of a tuple of SGPRs, as vcc_lo is."""
        if {self.file, other.file} & {"v", "a"}:
            return self.file == other.file and _meet(self.first, self.count, other.first, other.count)
        return _meet(self.code, self.count, other.code, other.count)


class BadRegister(msgspec.Struct, frozen=True, gc=False):
    """Why there is no such register: the rule and the message."""

    rule: str
    message: str
    aligned: int | None = None


class RegisterNames:
    """The registers of one target, each made once."""

    def __init__(self, target: isa.Target) -> None:
        self._target = target
        self._names: ByValue[str, RegisterRef | BadRegister | None] = ByValue(100_000)
        self._tuples: ByValue[tuple[str, int, int], RegisterRef | BadRegister] = ByValue(100_000)

    def named(self, name: str) -> RegisterRef | BadRegister | None:
        """The register called `name`; None if that is not a register name."""
        try:
            return self._names[name]
        except KeyError:
            return self._names.keep(name, self._by_name(name))

    def numbered(self, file: str, first: int, count: int) -> RegisterRef | BadRegister:
        """The tuple of `count` registers of `file` (`acc` is `a`) that starts at `first`."""
        key = (file, first, count)
        found = self._tuples.get(key)
        if found is None:
            found = self._tuples.keep(key, self._make(_FILES[file], first, count, ""))
        return found

    def ending_in_vcc(self, names: tuple[str, ...]) -> RegisterRef | None:
        """The tuple of the last SGPRs and of vcc after them: `[s104,s105,vcc_lo]`."""
        count, last = len(names), self._target.file_sizes["s"]
        first = last + ("vcc_hi" in names) + 1 - count
        tuple_ = (*(f"s{number}" for number in range(first, last)), "vcc_lo", "vcc_hi")[:count]
        step = scalar_step(count)
        if names != tuple_ or last != _LAST_BEFORE_VCC or first % step or not self._target.has(LISTS_END_IN_VCC):
            return None
        text = f"[{','.join(names)}]"
        return RegisterRef("s", first, count, first, text, (text, count, 0))

    def _by_name(self, name: str) -> RegisterRef | BadRegister | None:
        match = _NUMBERED.match(name)
        if match is not None:
            if len(match[2]) > 9:
                return None  # LLVM reads a number that overflows as a part of a symbol's name
            half = {"l": "lo", "h": "hi"}.get(match[3] or "", "")
            if half:
                return self._make(_FILES[match[1]], int(match[2]), 1, half)
            return self.numbered(match[1], int(match[2]), 1)
        if name not in SPECIAL_NAMES:
            return None
        special = self._target.registers.get(name)
        if special is None:
            return BadRegister("register-not-available", f"{self._target.name} has no register `{name}`")
        shape = (special.name, special.dwords, 0)
        return RegisterRef(
            special.name, special.number, special.dwords, special.number, special.name, shape, is_special=True
        )

    def _make(self, file: str, first: int, count: int, half: str) -> RegisterRef | BadRegister:
        text = tuple_text(file, first, count)
        if count not in _WIDTHS[file]:
            return BadRegister("wrong-register-width", f"there are no {kind_name(file)} tuples of {count} registers")
        limit = self._target.file_sizes[file]
        if not limit:
            return BadRegister("register-not-available", f"{self._target.name} has no AccVGPRs, such as `{text}`")
        if file in ("s", "ttmp"):
            step = scalar_step(count)
            if first % step:
                aligned = first - first % step
                return BadRegister(
                    "misaligned-register",
                    f"`{text}` starts at {first}; {kind_name(file)} tuples of {count} registers must start at "
                    f"multiples of {step}",
                    aligned,
                )
        goes_on = file == "v" and first < limit and self._target.has_tuples_beyond_names
        if first + count > limit and not goes_on:
            return BadRegister(
                "register-out-of-range",
                f"`{text}` ends beyond {tuple_text(file, limit - 1, 1)}, the last {kind_name(file)} of "
                f"{self._target.name}",
            )
        code = first
        bucket = 0
        if file == "ttmp":
            code = self._target.ttmp_base + first
        elif file != "s":
            code |= _VECTOR_BIT | (_ACC_BIT if file == "a" else 0)
            bucket = (first & 1 if count > 1 else 0) | (2 if first >= 128 else 0)
        if half:
            bucket |= 4 if half == "lo" else 8
            text += ".l" if half == "lo" else ".h"
        return RegisterRef(file, first, count, code, text, (file, count, bucket), half)


def _meet(one: int, length: int, other: int, other_length: int) -> bool:
    return one < other + other_length and other < one + length


def scalar_step(count: int) -> int:
    """The registers from one start of a tuple of `count` SGPRs to the next."""
    return min(1 << (count - 1).bit_length(), 4)


def tuple_text(file: str, first: int, count: int) -> str:
    """A tuple as written."""
    return f"{file}{first}" if count == 1 else f"{file}[{first}:{first + count - 1}]"


def kind_name(file: str) -> str:
    """The field's word for a register of the file."""
    return {"v": "VGPR", "s": "SGPR", "a": "AccVGPR", "ttmp": "ttmp"}.get(file, file)


def class_holds(register_class: isa.RegisterClass, register: RegisterRef) -> bool:
    """Whether an operand of the class takes the register."""
    if register.is_special:
        return register.file in register_class.specials
    if register.text[0] == "[":
        return register.text in register_class.specials
    return register_class.holds(register.file, register.first, register.count, register.half)
