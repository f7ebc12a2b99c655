"""Compares results: the pseudo-code of a manual and the operation of the documentation on the same random operands."""

import random
import re
from collections.abc import Mapping
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from tests.isa.documentation import evaluator, values
from tests.isa.documentation.values import Unsupported, Value
from tests.manuals import pseudocode
from tests.manuals.reading import Listed

ROUNDS = 80
LANE = 37
_EDGES = (
    0, 1, 31, 32, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 63, (1 << 64) - 1,
    0x3F80_0000, 0xBF80_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7FA0_0000, 0x0040_0000, 0x7F7F_FFFF, 0x4B00_0001,
    0x3F00_0000, 0x3FC0_0000, 0x4020_0000, 0x4F00_0000, 0xCF00_0000, 0x4F80_0000,
    0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x7D00, 0x0200, 0x7BFF, 0x3E00, 0x4100,
    0x3FF0 << 48, 0xBFF0 << 48, 0x7FF0 << 48, 0x7FF8 << 48, 0x7FF4 << 48, 0x0008 << 48, 0x3FF8 << 48, 0x41E0 << 48,
)  # fmt: skip


class Compared(NamedTuple):
    """How an instruction compares. how: `equal`, `different`, or why it was not evaluated. example: of a difference."""

    name: str
    how: str
    example: str = ""


def compare(entry: Listed, target: isa.Target, codes: Mapping[str, str]) -> Compared:
    """The comparison of one instruction."""
    own = documentation.entry(entry.name, target)
    if own is None or not own.operation:
        return Compared(entry.name, "no operation of ours")
    if "=" not in entry.code:
        return Compared(entry.name, "theirs: no statement, or a page ends in it")
    operation = own.operation
    source = random.Random(entry.name)
    for _ in range(ROUNDS):
        theirs, ours, drawn = _states(source, entry, operation)
        try:
            after = pseudocode.run(entry.code, theirs, codes, wraps=not entry.is_older)
        except Unsupported as missing:
            return Compared(entry.name, f"theirs: {missing}")
        except (
            ZeroDivisionError,
            ValueError,
            KeyError,
            IndexError,
            TypeError,
            OverflowError,
            RecursionError,
        ) as missing:
            return Compared(entry.name, f"theirs: {type(missing).__name__} {missing}")
        try:
            before = evaluator.run(operation, ours)
        except Unsupported as missing:
            return Compared(entry.name, f"ours: {missing}")
        except (
            ZeroDivisionError,
            ValueError,
            KeyError,
            IndexError,
            TypeError,
            OverflowError,
            RecursionError,
        ) as missing:
            return Compared(entry.name, f"ours: {type(missing).__name__} {missing}")
        different = _difference(after, before, theirs, ours, entry.name.endswith("_b32"))
        if different:
            return Compared(entry.name, "different", f"{drawn} {different}")
    return Compared(entry.name, "equal")


def _states(source: random.Random, entry: Listed, operation: str) -> tuple[dict[str, Value], dict[str, Value], str]:
    code = entry.code
    sources = [
        source.choice(_EDGES) | (source.choice(_EDGES) << 16 & 0xFFFF_0000 if source.random() < 0.3 else 0)
        if source.random() < 0.5
        else source.getrandbits(128)
        if source.random() < 0.7
        else _near_one(source)
        for _ in range(3)
    ]
    old, mask, execute = source.getrandbits(64), source.getrandbits(64), source.getrandbits(64)
    scc = source.getrandbits(1)
    immediate = source.getrandbits(16)
    shared = {
        **{f"S{place}": Value("b", number, 128) for place, number in enumerate(sources)},
        "EXEC": Value("b", execute, 64), "SCC": Value("b", scc, 1), "SIMM16": Value("b", immediate, 16),
    }  # fmt: skip
    if entry.name.endswith(("saveexec_b32", "wrexec_b32")):
        shared["EXEC"] = Value("b", execute & 0xFFFF_FFFF, 32)
    theirs = {
        **shared,
        "D0": Value("b", old, 64),
        "VCC": Value("b", mask, 64),
        "laneId": values.integer(LANE),
        "WAVE64": values.integer(1, 1),
        "WAVE32": values.integer(0, 1),
        "EXEC_LO": Value("b", execute & 0xFFFF_FFFF, 32),
        "SIMM32": Value("b", source.getrandbits(32), 32),
    }
    ours = {
        **shared,
        "D": Value("b", old, 64),
        "VCC": Value("b", mask, 64),
        "SDST": Value("b", mask, 64),
        "lane": values.integer(LANE),
    }
    ours["lanes"] = values.integer(64)
    ours["LITERAL"] = theirs["SIMM32"]
    if "VCC" in code and not re.search(r"\bS2\b", code):
        ours["S2"] = Value("b", mask, 64)
    if "SOPK" in entry.section and "SIMM16" not in code:
        theirs["S1" if entry.name.startswith("s_cmpk") else "S0"] = Value("b", immediate, 16)
    if entry.name.endswith(("mk_f16", "ak_f16")):
        theirs["SIMM16"] = Value("b", values.raw(theirs["SIMM32"]) & 0xFFFF, 16)
    if "S2" in code and "D0.f, " not in code and entry.section.startswith("VOP2"):
        theirs["S2"] = ours["S2"] = Value("b", old, 64)  # the destination is the third source
    if entry.name.startswith("s_") and entry.name.endswith("b32"):
        ours["D"] = theirs["D0"] = Value("b", old & 0xFFFF_FFFF, 32)
    drawn = " ".join(f"S{place}={number:#x}" for place, number in enumerate(sources))
    return theirs, ours, f"{drawn} D={old:#x} VCC={mask:#x} SCC={scc}"


def _near_one(source: random.Random) -> int:
    """A float of each size with an ordinary exponent in its low bits."""
    kind = source.randrange(3)
    exponent = source.randrange(-6, 7)
    if kind == 0:
        return source.getrandbits(1) << 31 | (127 + exponent) << 23 | source.getrandbits(23)
    if kind == 1:
        halves = [source.getrandbits(1) << 15 | (15 + exponent) << 10 | source.getrandbits(10) for _ in range(2)]
        return halves[1] << 16 | halves[0]
    return source.getrandbits(1) << 63 | (1023 + exponent) << 52 | source.getrandbits(52)


def _difference(
    after: dict[str, Value], before: dict[str, Value], theirs: dict[str, Value], ours: dict[str, Value], is_short: bool
) -> str:
    kind = after.get("kind of D0") or before.get("kind of D") or Value("b", 0, 64)
    our_kind = before.get("kind of D")
    pairs = [("D0", "D"), ("SCC", "SCC"), ("EXEC", "EXEC")]
    for one, other in pairs:
        first, second = values.raw(after[one]), values.raw(before[other])
        if one == "EXEC" and is_short:
            first, second = first & 0xFFFF_FFFF, second & 0xFFFF_FFFF
        size = min(kind.size or 64, our_kind.size if our_kind else 64) if one == "D0" else 64
        if one == "D0" and kind.kind not in ("f", "bf") and our_kind and our_kind.kind in ("f", "bf"):
            kind = our_kind
        mask = (1 << size) - 1
        if not values.same(first & mask, second & mask, kind.kind if one == "D0" else "b", kind.size):
            if one == "D0" and _same_parts(first & mask, second & mask):
                continue
            return f"{one}: theirs {first & mask:#x}, ours {second & mask:#x}"
    mine = before["SDST"] if before["SDST"] != ours["SDST"] else before["VCC"]
    is_changed = after["VCC"] != theirs["VCC"] or mine.number != ours["VCC"].number
    if is_changed and values.raw(after["VCC"]) != values.raw(mine):
        return f"VCC: theirs {values.raw(after['VCC']):#x}, ours {values.raw(mine):#x}"
    return ""


def _same_parts(a: int, b: int) -> bool:
    """Whether two results differ only in NaNs of 16 bits, as packed ones do."""
    if (a ^ b) >> 32:
        return False
    halves = [(a >> low & 0xFFFF, b >> low & 0xFFFF) for low in (0, 16)]
    return all(one == other or all(values.is_nan(Value("f", x, 16)) for x in (one, other)) for one, other in halves)
