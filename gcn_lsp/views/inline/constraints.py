"""What a constraint says about an operand, in the letters that clang takes for AMD GPUs."""

import re
from functools import lru_cache

import msgspec

from gcn_lsp.patterns import regex

_REGISTER = regex(r"\{([a-z_0-9]+)(?:\[(\d{1,4}):(\d{1,4})\])?\}")
_DIGITS = regex(r"\d{1,4}")
_NUMBERED = regex(r"([vsa]|ttmp)(\d{1,4})")

# Letters of registers: the files that the compiler may choose from.
FILES = {"v": ("v",), "s": ("s",), "r": ("s",), "a": ("a",), "VA": ("v", "a")}
# Letters of constants: the least and the largest value, None for any.
IMMEDIATES: "dict[str, tuple[int, int] | None]" = {
    "i": None, "n": None, "I": (-16, 64), "J": (-32768, 32767), "A": None, "B": (-(1 << 31), (1 << 31) - 1),
    "C": (-16, (1 << 32) - 1), "DA": None, "DB": None,
}  # fmt: skip


class Constraint(msgspec.Struct, frozen=True):
    """What one constraint says.

    is_output: it begins with `=` or `+`. is_inout: with `+`. is_early: it has `&`. files: register files to choose from
    (`v`, `s`, `a`). immediates: letters of constants. tied: the number of the operand with the same register, or its
    name; empty for none. fixed: a register by name, with its count. known: False if it has letters that are none of
    AMD's.
    """

    is_output: bool = False
    is_inout: bool = False
    is_early: bool = False
    files: tuple[str, ...] = ()
    immediates: tuple[str, ...] = ()
    tied: str = ""
    fixed: "tuple[str, int, int] | None" = None
    known: bool = True

    @property
    def is_immediate(self) -> bool:
        """Whether only a constant is possible."""
        return bool(self.immediates) and not self.files and self.fixed is None


@lru_cache(maxsize=1024)
def read(text: str) -> Constraint:
    """The meaning of a constraint; of several alternatives the first."""
    text = "".join(text.split())
    rest = text.lstrip("=+&%*")
    marks = text[: len(text) - len(rest)]
    early = "&" in marks
    files: list[str] = []
    immediates: list[str] = []
    tied, known = "", True
    fixed: tuple[str, int, int] | None = None
    at = 0
    rest = rest.partition(",")[0]
    while at < len(rest):
        register = _REGISTER.match(rest, at)
        digits = _DIGITS.match(rest, at)
        two = rest[at : at + 2]
        if register is not None:
            fixed = _fixed(register)
            at = register.end()
        elif digits is not None:
            tied, at = digits[0], digits.end()
        elif rest[at] == "[" and "]" in rest[at:]:
            end = rest.index("]", at)
            tied, at = rest[at + 1 : end], end + 1
        elif two in FILES or two in IMMEDIATES:
            files += FILES.get(two, ())
            immediates += [two] if two in IMMEDIATES else []
            at += 2
        elif rest[at] in FILES:
            files += FILES[rest[at]]
            at += 1
        elif rest[at] in IMMEDIATES:
            immediates.append(rest[at])
            at += 1
        elif rest[at] == "&":
            early, at = True, at + 1
        else:
            known, at = False, at + 1
    known = known and bool(files or immediates or tied or fixed)
    return Constraint(
        marks[:1] in ("=", "+"), marks[:1] == "+", early, tuple(dict.fromkeys(files)), tuple(immediates), tied, fixed,
        known,
    )  # fmt: skip


def register(name: str) -> "tuple[str, int, int] | None":
    """The file, the first number and the count of a register as clobbers name it: `v1`, `s[4:5]`, `vcc`."""
    found = _REGISTER.fullmatch("{" + name.strip().lower() + "}")
    return _fixed(found) if found is not None else None


def _fixed(found: "re.Match[str]") -> tuple[str, int, int]:
    if found[2] is not None:
        first, last = int(found[2]), int(found[3])
        return found[1], first, max(last - first + 1, 1)
    numbered = _NUMBERED.fullmatch(found[1])
    if numbered is not None:
        return numbered[1], int(numbered[2]), 1
    return found[1], 0, {"vcc": 2, "exec": 2, "flat_scratch": 2}.get(found[1], 1)
