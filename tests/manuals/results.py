"""Compares results: the pseudo-code of a manual and the operation of the documentation on the same random operands."""

import random
import re
from collections.abc import Mapping
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from tests.isa.documentation import registers, values
from tests.isa.documentation.values import Unsupported, Value, integer, raw
from tests.machine import operations
from tests.manuals import pseudocode
from tests.manuals.reading import Listed

ROUNDS = 80
_ROUNDS_OF_WAVES = 4  # of operations that are carried out in every lane
LANE = 37
_LANES = 64
_EDGES = (
    0, 1, 31, 32, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 63, (1 << 64) - 1,
    0x3F80_0000, 0xBF80_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7FA0_0000, 0x0040_0000, 0x7F7F_FFFF, 0x4B00_0001,
    0x3F00_0000, 0x3FC0_0000, 0x4020_0000, 0x4F00_0000, 0xCF00_0000, 0x4F80_0000,
    0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x7D00, 0x0200, 0x7BFF, 0x3E00, 0x4100,
    0x3FF0 << 48, 0xBFF0 << 48, 0x7FF0 << 48, 0x7FF8 << 48, 0x7FF4 << 48, 0x0008 << 48, 0x3FF8 << 48, 0x41E0 << 48,
)  # fmt: skip
# The numbers of the registers that the operands name.
_NUMBERS = {"D": 2, "S0": 10, "S1": 16, "S2": 20}
_PC = 0x4000
_ADDRESS = 0x1000
_ADDRESS_OPERANDS = (
    "vgpr_a", "v_addr", "v_addr_off", "s_saddr", "s_saddr_off", "sgpr_o", "sgpr_base", "flat_scratch", "VADDR", "SADDR",
    "SBASE", "SOFFSET", "SRSRC", "IOFFSET", "RSRC", "TADDR",
)  # fmt: skip
_RESULTS = ("RETURN_DATA", "VDATA", "SDATA")  # of an access to memory
_TABLES = {"b4": (32, 32), "b6": (32, 64), "b8": (64, 64)}  # the bits of the sources of v_perm_pk16
_WIDE = 1024  # bits of the operands of scaled conversions
_ERRORS = (
    ZeroDivisionError, ValueError, KeyError, IndexError, TypeError, OverflowError, RecursionError, AttributeError,
)  # fmt: skip


class Compared(NamedTuple):
    """How an instruction compares. how: `equal`, `different`, or why it was not evaluated.

    example: of a difference. where: the place that differs in it. share: of the random operands that differ.
    """

    name: str
    how: str
    example: str = ""
    where: str = ""
    share: float = 0


State = dict[str, Value]

_BY_CHANCE = re.compile(r"\.(?!bf16)\w+(?:\[\w+\])? = stochastic\(")  # the manuals add the bits and then round, too
_WRITES = re.compile(
    r"\b(D[01]?|MEM|RETURN_DATA|[VS]DATA|SCC|VCC|EXEC(_LO)?|M0|PC|[VS]GPR|HW_REGISTERS|WAVE_\w+|MODE|VSKIP)\b[^=\n]*(?<![!<>=])=(?!=)"
)


def compare(entry: Listed, target: isa.Target, codes: Mapping[str, str]) -> Compared:
    """The comparison of one instruction. codes: of all instructions of the manual, by name."""
    own = documentation.entry(entry.name, target)
    if own is None or not own.operation:
        return Compared(entry.name, "no operation of ours")
    if not _WRITES.search(entry.code) and not _SHAPE.search(entry.code):
        return Compared(entry.name, "theirs: no statement, or a page ends in it")
    if is_memory(entry.name) and ("VGPR[" in entry.code or entry.name.endswith("_block")):
        return Compared(entry.name, "theirs: several lanes or registers at once")
    of_wave = "VGPR[" in entry.code and "laneId" not in entry.code and entry.name.startswith("v_permlane")
    shape = _SHAPE.search(entry.code)
    if shape:
        return _compare_shapes(entry.name, shape, own.operation)
    if _BY_CHANCE.search(own.operation):
        return Compared(entry.name, "ours: a rounding by chance")
    is_short = target.name.startswith("gfx125")
    source = random.Random(entry.name)
    is_scalar = entry.name.startswith("s_")
    in_lanes = ("D", "S0", "S1") if re.search(r"VGPR\[lane\]\[SRC1", entry.code) else ("D", "S0")
    by_lane = {name: _NUMBERS[name] for name in in_lanes} if of_wave else {}
    rounds = _ROUNDS_OF_WAVES if of_wave else ROUNDS
    differences = []
    for _ in range(rounds):
        theirs, ours, drawn = _states(source, entry, own.operation, is_short)
        modes = values.Modes() if is_memory(entry.name) or _WITHOUT_MODES.search(entry.name) else _modes(source)
        with values.modes(modes):
            try:
                after = pseudocode.run(entry.code, theirs, codes, wraps=not entry.is_older)
            except (Unsupported, *_ERRORS) as missing:
                return Compared(entry.name, f"theirs: {_reason(missing)}")
            try:
                before = operations.run(own.operation, ours, is_scalar=is_scalar, by_lane=by_lane)
            except (Unsupported, *_ERRORS) as missing:
                return Compared(entry.name, f"ours: {_reason(missing)}")
        drawn += "" if modes == values.Modes() else f" {modes}"
        if is_memory(entry.name):
            found = _of_registers(after, before) or _of_result(after, before, theirs, ours, own.operation)
        else:
            found = _difference(after, before, theirs, ours, entry.name, of_wave)
        if found:
            differences.append((drawn, found))
    if not differences:
        return Compared(entry.name, "equal")
    drawn, found = differences[0]
    where = "|".join(dict.fromkeys(re.split(r"[:[]", found)[0] for _, found in differences))
    return Compared(entry.name, "different", f"{drawn} {found}", where, len(differences) / rounds)


_SHAPE = re.compile(
    r"D = A \((?P<sparse>sparse )?(?P<m>\d+)x(?P<k>\d+)\) \* B \((?P=k)x(?P<n>\d+)\) \+ [CD] \((?P=m)x(?P=n)\)"
)


def _compare_shapes(name: str, shape: "re.Match[str]", operation: str) -> Compared:
    """A product of matrices, of which a manual says no more than the shapes."""
    bounds = dict(re.findall(r"for (\w) < (\d+)", operation))
    ours = tuple(bounds.get(each, "") for each in ("i", "j", "g" if shape["sparse"] else "k"))
    theirs = (shape["m"], shape["n"], shape["k"])
    if ours == theirs:
        return Compared(name, "equal")
    return Compared(name, "different", f"shape: theirs {theirs}, ours {ours}", "shape", 1)


# Nothing is rounded, and which of two denormals is given back that count as 0, the code of the manuals does not say.
_WITHOUT_MODES = re.compile(r"_class_|_med3|_(?:min|max)")


def _modes(source: random.Random) -> values.Modes:
    """MODE as it is by default, or drawn."""
    if source.random() < 0.5:
        return values.Modes()
    return values.Modes(source.randrange(4), source.random() < 0.5, source.random() < 0.5)


def _reason(missing: Exception) -> str:
    return str(missing) if isinstance(missing, Unsupported) else f"{type(missing).__name__} {missing}"


def _states(source: random.Random, entry: Listed, operation: str, is_short: bool) -> tuple[State, State, str]:
    """The state before a manual's code and before our operation, and what was drawn."""
    code, name = entry.code, entry.name
    size = _WIDE if "scale" in name else 128
    sources = [_drawn(source, size) for _ in range(3)]
    old, mask, execute = source.getrandbits(size // 2), source.getrandbits(64), source.getrandbits(64)
    scc, immediate, literal = source.getrandbits(1), source.getrandbits(16), source.getrandbits(64)
    if re.search(r"\bPC\b", code):
        immediate = source.randrange(-4096, 4096) & 0xFFFF
        mask, execute = mask * source.getrandbits(1), execute * source.getrandbits(1)
    if name.endswith(("saveexec_b32", "wrexec_b32")):
        execute &= 0xFFFF_FFFF
    if re.search(r"permlane_(up|down|bcast|xor)", name):  # groups of lanes, and a distance
        sources[2], sources[1] = source.choice((2, 4, 8, 16, 32)), source.randrange(40)
    index = source.randrange(0, 40, 2) if "M0" in operation else source.getrandbits(32)
    old_size = (
        32 if re.match(r"s_(?!\w*b64)\w*b32$", name) else max(size // 2, 128 if "127" in code or "b128" in code else 0)
    )
    shared: State = {
        **{f"S{place}": Value("b", number, size) for place, number in enumerate(sources)},
        "EXEC": Value("b", execute, 32 if name.endswith(("saveexec_b32", "wrexec_b32")) else 64),
        "SCC": Value("b", scc, 1), "SIMM16": Value("b", immediate, 16), "M0": Value("b", index, 32),
        "VCC": Value("b", mask, 64), "PC": Value("b", _PC, 64),
        "MODE.IEEE": integer(source.getrandbits(1) if "IEEE" in code else 0, 1),
    }  # fmt: skip
    for operand, number in _NUMBERS.items():
        value = Value("b", old, size) if operand == "D" else shared[operand]
        for file, place in (("SGPR", ()), ("VGPR", (LANE,))):
            if file + "[" in code or file + "[" in operation:
                registers.write(shared, file, (*place, number), raw(value), 64)
    theirs: State = {
        **shared,
        "D0": Value("b", old & (1 << old_size) - 1, old_size),
        "laneId": integer(LANE), "WAVE64": integer(1, 1), "WAVE32": integer(0, 1),
        "wave32": integer(0, 1),
        "EXEC_LO": Value("b", execute & 0xFFFF_FFFF, 32),
        "SIMM32": Value("b", literal & 0xFFFF_FFFF, 32), "SIMM64": Value("b", literal, 64),
        "VCCZ": integer(int(not mask), 1), "EXECZ": integer(int(not execute), 1),
        "SRC0": integer(_NUMBERS["S0"], 32), "SRC1": integer(_NUMBERS["S1"], 32), "SRC2": integer(_NUMBERS["S2"], 32),
        "VDST": integer(_NUMBERS["D"], 32), "DST": integer(_NUMBERS["D"], 32), "SDST": integer(_NUMBERS["D"], 32),
        "SIMM4": Value("b", sources[1] & 15, 4),
    }  # fmt: skip
    ours: State = {
        **shared,
        "D": Value("b", old & (1 << old_size) - 1, old_size),
        "SDST": Value("b", mask, 64),
        "lane": integer(LANE), "lanes": integer(_LANES),
        "LITERAL": Value("b", literal if name.endswith("f64") else literal & 0xFFFF_FFFF, 64),
        "NEXT": Value("b", _PC + 4, 64),
        "TARGET": Value("b", _PC + 4 + 4 * int(integer(immediate, 16, "i").number), 64),
        **{f"number of {operand}": integer(number) for operand, number in _NUMBERS.items()},
    }  # fmt: skip
    if is_memory(name):
        _memory(source, name, code, theirs, ours)
    _modifiers(source, code, operation, theirs, ours, is_brain="bf16" in name)
    _shape(entry, old, theirs, ours, is_short=is_short)
    drawn = " ".join(f"S{place}={number:#x}" for place, number in enumerate(sources))
    return theirs, ours, f"{drawn} D={old:#x} VCC={mask:#x} SCC={scc}"


def is_memory(name: str) -> bool:
    """Whether an instruction accesses memory or LDS."""
    return bool(re.match(r"(ds|t?buffer|flat|global|scratch)_|s_(buffer_|scratch_)?(load|store|atomic)", name))


def _memory(source: random.Random, name: str, code: str, theirs: State, ours: State) -> None:
    """The address, the data and the result of an access."""
    data, second, old = (source.getrandbits(256) for _ in range(3))
    offsets = [source.randrange(64) for _ in range(2)]
    offset = offsets[0] if name.startswith("ds_") else 0
    if name.startswith("ds_") and "addtid" in name:  # both offsets are one
        offset |= offsets[1] << 8
    address = Value("b", _ADDRESS, 64)
    ours |= {
        "address": address, "ADDR": address, "DATA": Value("b", data, 256), "DATA0": Value("b", data, 256),
        "DATA1": Value("b", second, 256), "D": Value("b", old, 256), "RETURN": integer(1),
        "OFFSET": integer(offset), "OFFSET0": integer(offsets[0]), "OFFSET1": integer(offsets[1]),
        **dict.fromkeys(("SADDR", "SBASE", "SRSRC", "SOFFSET"), Value("b", 0, 64)),
    }  # fmt: skip
    start = _ADDRESS if "OFFSET" in code else _ADDRESS + offset  # some code adds it
    result = Value("b", data if "store" in name and "xchg" not in name else old, 256)
    theirs |= {
        "address": address, "ADDR": Value("b", start, 64), "DATA": Value("b", data, 256),
        "ADDR_BASE": Value("b", _ADDRESS, 32), "SGPR_ADDR": Value("b", 0, 64), "INST_OFFSET": integer(offset, 32),
        "DATA0": Value("b", data, 256), "bits of memory": integer(64 if re.search(r"(?:64|_x2)$", name) else 32),
        "DATA2": Value("b", second, 256), **dict.fromkeys(_RESULTS, result), "OFFSET": integer(offset, 32),
        "OFFSET0": integer(offsets[0], 8), "OFFSET1": integer(offsets[1], 8), "offset": integer(offset, 32),
        **dict.fromkeys(_ADDRESS_OPERANDS, Value("b", 0, 64)),
    }  # fmt: skip


def _of_result(after: State, before: State, theirs: State, ours: State, operation: str) -> str:
    """The difference of what an access gives back."""
    if not re.search(r"\bD\b", operation):
        return ""
    changed = next((name for name in _RESULTS if after[name] != theirs[name]), _RESULTS[0])
    kind = before.get("kind of D")
    mask = (1 << (kind.size if kind else 256)) - 1  # what lies above the type is undefined in one of them
    first, second = raw(after[changed]) & mask, raw(before["D"]) & mask
    return "" if _same_parts(first, second) else f"D0: theirs {first:#x}, ours {second:#x}"


def _modifiers(source: random.Random, code: str, operation: str, theirs: State, ours: State, *, is_brain: bool) -> None:
    """Fields of the instruction: those of our operation, and the same as the manual has them."""
    op_sel = source.getrandbits(3) if re.search(r"mixed|SCALE_SEL|OP_SEL", operation) else 0
    op_sel_hi = source.getrandbits(3) if "mixed" in operation else 7
    byte = source.getrandbits(2)
    if "BYTE_SEL" in operation:  # its bits are reversed where it is about a source
        op_sel = (byte & 1) << 1 | byte >> 1 if re.search(r"S0\.[bf]p?\w*\[BYTE_SEL", operation) else byte << 2
    if "selected" in operation and "OPSEL[0]" in code:  # the first number alone
        op_sel &= 1
    neg, table = source.getrandbits(2), source.getrandbits(8)
    theirs |= {
        "OPSEL": integer(op_sel, 4), "OPSEL_HI": integer(op_sel_hi, 3),
        "NEG": integer(neg if "signed_or_not" in operation else 0, 3),
        "INST.OMOD": integer(table >> 6, 2), "INST.ABS": integer(table >> 3 & 7, 3), "INST.NEG": integer(table & 7, 3),
    }  # fmt: skip
    ours |= {
        "OP_SEL": Value("b", op_sel, 4), "OP_SEL_HI": Value("b", op_sel_hi, 3), "NEG": Value("b", neg, 3),
        "HALF": Value("bf" if is_brain else "f", 0, 16), "SCALE_SEL": integer(op_sel), "BYTE_SEL": integer(byte),
        "BITOP3": Value("b", table, 8),
    }  # fmt: skip


def _shape(entry: Listed, old: int, theirs: State, ours: State, *, is_short: bool) -> None:
    """Operands under the names that the form of an instruction has for them. is_short: waves have 32 lanes only."""
    code, name = entry.code, entry.name
    if "VCC" in code and not re.search(r"\bS2\b", code):
        ours["S2"] = ours["VCC"]
    if "SOPK" in entry.section and "SIMM16" not in code:
        theirs["S1" if name.startswith("s_cmpk") else "S0"] = theirs["SIMM16"]
    if name.endswith(("mk_f16", "ak_f16")):
        theirs["SIMM16"] = Value("b", raw(theirs["SIMM32"]) & 0xFFFF, 16)
    if "S2" in code and "D0.f, " not in code and entry.section.startswith("VOP2"):
        theirs["S2"] = ours["S2"] = Value("b", old, 64)  # the destination is the third source
    if entry.name.startswith("v_permlane") and is_short:
        theirs |= {"WAVE32": integer(1, 1), "WAVE64": integer(0, 1)}
        ours["lanes"] = integer(32)
    if "_swap_b32" in name and not is_short:  # whatever EXEC is
        theirs["EXEC"] = ours["EXEC"] = Value("b", (1 << 64) - 1, 64)
    if name == "s_set_gpr_idx_on":
        theirs["SRC1"] = Value("b", raw(theirs["S1"]) & 0xFFFF_FFFF, 32)
    if name.startswith("v_perm_pk16"):
        for operand, size in zip(("S0", "S1"), _TABLES[name[12:14]], strict=True):
            ours[operand] = Value("b", raw(ours[operand]) & (1 << size) - 1, size)
    if re.search("[Rr]ound-toward-zero", code):  # in a comment only
        theirs["ROUND_MODE"] = integer(3, 2)


def _drawn(source: random.Random, size: int) -> int:
    if source.random() < 0.5 and size <= 128:
        high = source.choice(_EDGES) << 16 & 0xFFFF_0000 if source.random() < 0.3 else 0
        return source.choice(_EDGES) | high
    return source.getrandbits(size) if source.random() < 0.7 else _near_one(source)


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


def _difference(after: State, before: State, theirs: State, ours: State, name: str, of_wave: bool) -> str:
    """The first result that differs; empty if none does."""
    file, lane = ("SGPR", ()) if name.startswith("s_") else ("VGPR", (LANE,))
    by_number = f"{file}[" in " ".join(theirs) and not of_wave
    if by_number:  # the destination is one of the registers, for both
        for state, operand, old in ((after, "D0", theirs), (before, "D", ours)):
            if state[operand] != old[operand]:
                registers.write(state, file, (*lane, _NUMBERS["D"]), raw(state[operand]), min(old[operand].size, 64))
    found = _of_registers(after, before)
    if found or of_wave:
        return found
    short = 0xFFFF_FFFF if name.endswith("_b32") else (1 << 64) - 1
    for state, old in ((after, theirs), (before, ours)):
        if state["PC"] == old["PC"]:  # where a branch is not taken, code leaves it out or sets it
            state["PC"] = ours["NEXT"]
    for one, mask in (("SCC", 1), ("EXEC", short), ("M0", short), ("PC", (1 << 64) - 1)):
        first, second = raw(after[one]) & mask, raw(before[one]) & mask
        if first != second:
            return f"{one}: theirs {first:#x}, ours {second:#x}"
    return ("" if by_number else _of_destination(after, before)) or _of_carry(after, before, theirs, ours)


def _of_destination(after: State, before: State) -> str:
    kind = after.get("kind of D0") or before.get("kind of D") or Value("b", 0, 0)
    our_kind = before.get("kind of D")
    size = min(kind.size or _WIDE, our_kind.size if our_kind else _WIDE)
    if kind.kind not in values.FLOATS and our_kind and our_kind.kind in values.FLOATS:
        kind = our_kind
    mask = (1 << size) - 1
    first, second = raw(after["D0"]) & mask, raw(before["D"]) & mask
    if values.same(first, second, kind.kind, kind.size) or _same_parts(first, second):
        return ""
    return f"D0: theirs {first:#x}, ours {second:#x}"


def _of_carry(after: State, before: State, theirs: State, ours: State) -> str:
    if "D1" in after:
        bit = raw(before["SDST"]) >> LANE & 1
        return "" if raw(after["D1"]) == bit else f"D1: theirs {raw(after['D1'])}, ours {bit}"
    mine = before["SDST"] if before["SDST"] != ours["SDST"] else before["VCC"]
    is_changed = after["VCC"] != theirs["VCC"] or mine.number != ours["VCC"].number
    if is_changed and raw(after["VCC"]) != raw(mine):
        return f"VCC: theirs {raw(after['VCC']):#x}, ours {raw(mine):#x}"
    return ""


def _of_registers(after: State, before: State) -> str:
    """The first difference of registers by number, of fields, or of memory."""
    names = registers.names(after) | registers.names(before)
    bytes_written = [int(name[4:-1]) for name in names if name.startswith("MEM[")]
    if bytes_written:  # together, for the NaNs among them
        place, size = min(bytes_written), 8 * (max(bytes_written) + 1 - min(bytes_written))
        first, second = (raw(registers.read_memory(state, place, size)) for state in (after, before))
        if not _same_parts(first, second):
            return f"MEM[{place}]: theirs {first:#x}, ours {second:#x}"
    for each in sorted(names):
        first, second = raw(registers.value(after, each)), raw(registers.value(before, each))
        if not each.startswith(("MEM[", "INST.", "TRAPSTS.")) and not _same_parts(first, second):
            return f"{each}: theirs {first:#x}, ours {second:#x}"
    return ""


def _same_parts(a: int, b: int) -> bool:
    """Whether two results differ only in NaNs of 16 or 32 bits, as packed ones do."""

    def same(kind: str, size: int) -> bool:
        mask = (1 << size) - 1
        pairs = ((a >> low & mask, b >> low & mask) for low in range(0, _WIDE, size))
        return all(x == y or all(values.is_nan(Value(kind, each, size)) for each in (x, y)) for x, y in pairs)

    return a == b or any(same(*form) for form in (("f", 16), ("f", 32), ("f", 64), ("bf", 16), ("bf", 8), ("fp", 8)))
