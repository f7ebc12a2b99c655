"""Deletes single waits and wait states from compiled kernels, and says which deletions must be reported.

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
    needs what is gone, as far as the compiler's habits tell. what: `vmcnt(0) removed` and the like.
    is_full: the wait is for one less than the counter can count, so that a full counter makes the hardware wait too.
    """

    line: int
    expected: int
    what: str
    new_line: str
    is_full: bool = False

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
            yield Mutation(
                number, expected, f"{counter}({count}) removed", _written(mnemonic, left, target), count + 1 == most
            )
            if count + 1 < most:
                more = {**parts, counter: count + 1}
                what = f"{counter}({count}) weakened"
                yield Mutation(number, expected, what, _written(mnemonic, more, target))


def of_barriers(text: str, target: str) -> Iterator[Mutation]:
    """The mutations of the waits directly before a barrier."""
    lines = text.split("\n")
    for mutation in of_waits(text, target):
        if mutation.what.endswith("removed") and _ARRIVAL.match(lines[mutation.expected]):
            yield mutation


def of_calls(text: str, target: str) -> Iterator[Mutation]:
    """The mutations of the waits at the entries and the returns of functions."""
    lines = text.split("\n")
    for mutation in of_waits(text, target):
        if mutation.what.endswith("removed") and (
            _RETURN.match(lines[mutation.expected]) or _instruction_before(lines, mutation.line) is None
        ):
            yield mutation


def excuse_of_calls(text: str, mutation: Mutation) -> "str | None":
    """Why a wait at an entry or a return need not be missed; None if the text shows no reason."""
    counter = mutation.what.partition("(")[0]
    lines = text.split("\n")
    if counter in ("expcnt", "vscnt", "storecnt", "xcnt", "asynccnt", "tensorcnt"):
        return "a counter of stores, exports or translations"
    function = _function_around(lines, mutation.line)
    if f".amdhsa_kernel {function}" in text:
        return "a kernel"
    counted = (name for name, _ in _in_flight(lines, mutation.line, counter) if _may_count(counter, name))
    if _RETURN.match(lines[mutation.expected]) and next(counted, None) is None:
        return "nothing is in flight"
    if not _RETURN.match(lines[mutation.expected]) and f"\t.globl\t{function} " not in text:
        return "a function of this file, which is called with nothing in flight"
    body = "\n".join(lines[mutation.line :]).partition(".Lfunc_end")[0]
    if _waits_again(lines, mutation.line, counter):
        return "another wait follows before any register is named"
    if "\ts_endpgm" in body and not _RETURN.search(body):
        return "a kernel"
    if not _RETURN.match(lines[mutation.expected]) and not _registers(body) - _RETURN_ADDRESS:
        return "a function that names no register its caller may be loading"
    return None


_RETURN = re.compile(r"\ts_set_?pc_[bi]64 s\[30:31\]")
_RETURN_ADDRESS = frozenset(("s30", "s31"))


def of_orders(text: str, target: str) -> Iterator[Mutation]:
    """Every wait for memory before a store, a barrier or an invalidation, and every instruction for caches."""
    lines = text.split("\n")
    for mutation in of_waits(text, target):
        counter = mutation.what.partition("(")[0]
        if mutation.what.endswith("removed") and counter in _OF_MEMORY and _ORDERED.match(lines[mutation.expected]):
            yield mutation
    for number, mnemonic, _ in _instructions(lines):
        if _CACHES.match(mnemonic):
            yield Mutation(number, needing(lines, number), f"{mnemonic} removed", "")


def of_wait_states(text: str) -> Iterator[Mutation]:
    """Every `s_nop` gone, and one state shorter."""
    lines = text.split("\n")
    for number, mnemonic, operands in _instructions(lines):
        if mnemonic == "s_nop":
            states = int(operands, 0)
            expected = needing(lines, number)
            yield Mutation(number, expected, f"s_nop {states} removed", "")
            if states:
                yield Mutation(number, expected, f"s_nop {states} shortened", f"\ts_nop {states - 1}")


def of_mitigations(text: str) -> Iterator[Mutation]:
    """Every wait for the arithmetic pipelines without each of its fields."""
    lines = text.split("\n")
    for number, mnemonic, operands in _instructions(lines):
        if mnemonic in _DEPCTR:
            fields = dict(_PART.findall(operands))
            for field, count in fields.items():
                left = " ".join(f"{other}({value})" for other, value in fields.items() if other != field)
                new_line = f"\t{mnemonic} {left}" if left else ""
                yield Mutation(number, needing(lines, number), f"{field}({count}) removed", new_line)


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


# Waits for these counters order memory and serve no register: stores write none.
_STORES = frozenset(("vscnt", "storecnt", "asynccnt", "tensorcnt"))
_MEMORY = re.compile(
    r"(global|flat|scratch|t?buffer|image|ds|lds|cluster|s_(load|buffer|atomic|scratch|store|mem|sendmsg_rtn))_|exp$|"
    r"s_memtime|s_memrealtime|s_get_barrier_state|s_barrier_(signal_isfirst|leave)"
)
_REGISTER = re.compile(r"\b([vsa])(\d+)\b|\b([vsa])\[(\d+):(\d+)\]|\b(vcc|exec)(?:_lo|_hi)?\b")
# What the counters of vector memory count, and what the others do not.
_VECTOR = frozenset(("vmcnt", "loadcnt", "samplecnt", "bvhcnt"))
_DRAINS = re.compile(r"s_(c?branch|barrier_|sendmsg|set_?pc|swap_?pc|call)")
_VECTOR_MEMORY = re.compile(r"(global|flat|scratch|t?buffer|image|cluster)_")
# What separate counters count.
_COUNTED = {
    "dscnt": re.compile(r"ds_|flat_|lds_"), "kmcnt": re.compile(r"s_"),
    "samplecnt": re.compile(r"image_(sample|gather|msaa)"), "bvhcnt": re.compile(r"image_bvh"),
}  # fmt: skip
_OTHER = frozenset(("lgkmcnt", "dscnt", "kmcnt"))
_BUFFERS = re.compile(r"(global|scratch|t?buffer|image|cluster)_")
_FLAT_IS_GLOBAL = re.compile(r'\.amdgcn_target ".*-gfx[78]')
_ARRIVAL = re.compile(r"\ts_barrier(_signal\w*)?\b")
_OF_MEMORY = frozenset(("vmcnt", "vscnt", "loadcnt", "storecnt"))
_CACHES = re.compile(r"buffer_(wb|inv|gl[01]_inv)|global_(inv|wb)")
_ORDERED = re.compile(rf"\t({_CACHES.pattern}|s_barrier(_signal\w*)?\b|(global|flat|buffer)_(store|atomic)_)")
_LDS_ACCESS = re.compile(r"ds_(?!permute|bpermute|swizzle|nop)")
_LDS_READ = re.compile(r"\tds_(read|load|\w*rtn|consume|append)|_from_lds|\tflat_load|\tflat_atomic.* (glc|sc0)")
_END = re.compile(r"\.Lfunc_end|\.section")
_FLAG = re.compile(r"s_barrier_(signal_isfirst|leave)")
_TO_LDS = re.compile(r"\t(global_load_lds|(global|buffer)_load.* lds\b)")
_LABEL = re.compile(r"([\w.$]+):")
_CLAUSE = re.compile(r"\ts_clause (0x[0-9a-f]+|\d+)")


def excuse(text: str, mutation: Mutation) -> "str | None":
    """Why a mutation of a wait need not be reported; None if the text shows no reason.

    The compiler puts a wait for a register right before the instruction that names it. So where that one names none
    that a memory operation of the function has to do with, the wait orders memory, or comes early on purpose. The
    reasons look at the text alone, not at what is in flight: they explain what was not noticed, and say nothing of what
    was.
    """
    lines = text.split("\n")
    counter = mutation.what.partition("(")[0]
    before = _instruction_before(lines, mutation.line)
    if before is None:
        return "function entry"
    behind = _INSTRUCTION.match(lines[mutation.expected])
    mnemonic = behind[1] if behind else ""
    if mnemonic in ("s_setpc_b64", "s_set_pc_i64"):
        return "return"
    if mutation.is_full:
        return "the counter is full: the hardware waits by itself"
    if _waits_for_less(lines, mutation.line, counter):
        return "a wait for more of the same follows"
    if before.startswith("ds_gws_"):
        return "the global wave sync, whose result is in TRAPSTS"
    if counter in _STORES:
        return "memory order: stores write no register"
    if counter == "xcnt" and _drained(lines, mutation):
        return "the hardware waits for translations there by itself"
    if counter == "xcnt" and _translated_already(lines, mutation.line):
        return "what was loaded or stored has arrived, so its address is translated"
    if counter == "xcnt" and _VECTOR_MEMORY.match(mnemonic):
        return "memory order: an access that must not be replayed"
    held: set[str] = set()
    through_flat: set[str] = set()
    for name, operands in _in_flight(lines, mutation.line, counter):
        if not _may_count(counter, name):
            continue
        if counter in _COUNTED and not _COUNTED[counter].match(name):
            continue
        if counter == "lgkmcnt" and name.startswith("flat_") and _FLAT_IS_GLOBAL.search(text):
            through_flat |= _registers(operands.partition(",")[0])
            continue
        if _FLAG.match(name):
            return None  # the flag is nowhere named
        if counter in ("xcnt", "expcnt"):
            held |= {"exec"}
        if counter == "xcnt" or (counter == "expcnt" and _is_locked(name, operands)):
            held |= _registers(operands)
        elif counter == "expcnt":
            continue
        elif _writes_register(name, operands):
            held |= _registers(operands.partition(",")[0])
    if not held & _named(lines, mutation.expected):
        if through_flat & _named(lines, mutation.expected):
            return "FLAT before gfx9, which is taken for an access of global memory"
        if mnemonic.startswith("ds_") and any(map(_TO_LDS.match, lines)):
            return "LDS that a load fills, beside LDS that others write"
        return f"memory order: `{mnemonic}` names no register that memory operations have to do with"
    if behind is not None and counter == "lgkmcnt" and mnemonic.startswith("ds_read"):
        _, _, sources = behind[2].partition(",")
        if not held & _registers(sources):
            return "reads of LDS into one register, which come back in order"
    return None


_FOR_LDS = frozenset(("lgkmcnt", "dscnt", "asynccnt", "tensorcnt"))


def excuse_of_barriers(text: str, mutation: Mutation) -> "str | None":
    """Why a wait before a barrier need not be missed; None if the text shows no reason."""
    lines = text.split("\n")
    counter = mutation.what.partition("(")[0]
    names = [name for name, _ in _in_flight(lines, mutation.line, counter)]
    if counter not in _FOR_LDS and not any("lds" in name for name in names):
        return "memory beside LDS"
    if counter in _OTHER and not any(_LDS_ACCESS.match(name) and not name.startswith("ds_read") for name in names):
        return "nothing but FLAT, which may be for memory, has accessed LDS"
    function = _function_around(lines, mutation.line)
    if counter not in _OTHER and f".amdhsa_kernel {function}" not in text:
        return "a function, which may read what its caller has put into LDS"
    if counter not in _OTHER and _is_in_loop(lines, mutation.line):
        return "a loop, which may read what an earlier round has put into LDS"
    first = next((line for line in lines[mutation.expected + 1 :] if _LDS_READ.search(line) or _END.match(line)), "")
    if "flat_" in first or _END.match(first):
        return "nothing but FLAT, which may be for memory, reads LDS"
    return None


def excuse_with_calls(text: str, mutation: Mutation) -> "str | None":
    """As `excuse`, for the rules about entries and returns of functions too: those have no excuse of their own."""
    lines = text.split("\n")
    counter = mutation.what.partition("(")[0]
    if _instruction_before(lines, mutation.line) is None:
        if f".amdhsa_kernel {_function_around(lines, mutation.line)}" in text:
            return "the entry of a kernel, where nothing is in flight"
        if counter == "expcnt":
            return "the entry of a function: expcnt is for exports and GDS, which compute code has not in flight"
        return None
    if _RETURN.match(lines[mutation.expected]):
        if counter in _STORES:
            return "memory order: a store or a copy before a return, which may leave it in flight"
        return None if any(_in_flight(lines, mutation.line, counter)) else "nothing is in flight at the return"
    return excuse(text, mutation)


def _function_around(lines: list[str], number: int) -> str:
    return next((match[1] for line in reversed(lines[:number]) if (match := _FUNCTION.match(line))), "")


def _in_flight(lines: list[str], number: int, counter: str) -> Iterator[tuple[str, str]]:
    """The memory operations that a wait may be for: those since the last wait for all, and those of loops around it."""
    block = True
    labels: set[str] = set()
    for line in range(number - 1, -1, -1):
        match = _INSTRUCTION.match(lines[line])
        if match:
            name, operands = match[1], match[2].strip()
            if block and _parts(name, operands).get(counter) == 0:
                return  # whatever came before, from wherever
            if name.startswith(("s_swappc", "s_swap_pc")):
                break  # the function has waited
            if _MEMORY.match(name):
                yield name, operands
        elif label := _LABEL.match(lines[line]):
            block = False
            labels.add(label[1])
            if not label[1].startswith(".L"):
                break
    # Behind the wait: what comes round again by a branch back.
    behind: list[tuple[str, str]] = []
    for line in range(number + 1, len(lines)):
        if lines[line].startswith(".Lfunc_end"):
            break
        match = _INSTRUCTION.match(lines[line])
        if match and _MEMORY.match(match[1]):
            behind.append((match[1], match[2].strip()))
        elif match and "branch" in match[1] and match[2].strip() in labels:
            yield from behind
            behind = []


def _may_count(counter: str, name: str) -> bool:
    """Whether a counter may count an operation with this name."""
    if counter in _APART:
        return re.match(_APART[counter], name) is not None
    if counter in _VECTOR:
        return _VECTOR_MEMORY.match(name) is not None
    return counter not in _OTHER or not _BUFFERS.match(name)


# Counters that have one kind of operation, by the names of these.
_APART = {
    "dscnt": "ds_|flat_|lds_",
    "kmcnt": "s_",
    "samplecnt": "image_(sample|gather|get_lod|msaa)",
    "bvhcnt": "image_bvh",
}


def _translated_already(lines: list[str], number: int) -> bool:
    """Whether what was loaded or stored before a line has been waited for since the last access of memory."""
    for earlier in range(number - 1, -1, -1):
        match = _INSTRUCTION.match(lines[earlier])
        if match and _MEMORY.match(match[1]) and not match[1].startswith("ds_"):
            return False
        if match and 0 in (_parts(match[1], match[2].strip()).get(name) for name in ("loadcnt", "storecnt", "kmcnt")):
            return True
        if _FUNCTION.match(lines[earlier]):
            return False
    return False


def _waits_for_less(lines: list[str], number: int, counter: str) -> bool:
    """Whether another wait for a counter follows, before anything else, for a lower count."""
    asked = _parts_of(lines[number]).get(counter, 0)
    return any(_parts_of(line).get(counter, asked) < asked for line in lines[number + 1 : needing(lines, number)])


def _parts_of(line: str) -> dict[str, int]:
    match = _INSTRUCTION.match(line)
    return _parts(match[1], match[2].strip()) if match else {}


def _waits_again(lines: list[str], number: int, counter: str) -> bool:
    """Whether another wait for nothing of a counter in flight follows before an instruction that names a register."""
    for _, mnemonic, operands in _instructions(lines[number + 1 :]):
        if _parts(mnemonic, operands).get(counter) == 0:
            return True
        if _registers(operands):
            return False
    return False


def _is_locked(name: str, operands: str) -> bool:
    """Whether registers that an operation names have to stay until expcnt says so: what it reads, or writes from LDS.

    A returning atomic has read its data when its result is there, which the wait for that covers.
    """
    return not _writes_register(name, operands) or name.startswith(("lds_", "ds_"))


def _writes_register(name: str, operands: str) -> bool:
    if _TO_LDS.match(f"\t{name} {operands}"):
        return False
    if "atomic" in name or re.match(r"image_atomic|s_atomic", name):
        return bool(re.search(r"\b(glc|sc0|TH_ATOMIC_RETURN|TH_ATOMIC_CASCADE_RT|TH_ATOMIC_RT_RETURN)\b", operands))
    if name.startswith("ds_"):
        return bool(re.search(r"read|load|rtn|permute|swizzle|consume|append|condxchg|ordered|bvh", name))
    return "store" not in name and name != "exp"


def _named(lines: list[str], number: int) -> set[str]:
    """The registers that an instruction names; for the start of a clause those of all instructions in it."""
    clause = _CLAUSE.match(lines[number])
    count = int(clause[1], 0) + 2 if clause else 1
    found: set[str] = set()
    for _, _, operands in list(_instructions(lines[number : number + 3 * count]))[:count]:
        found |= _registers(operands)
    return found


def _registers(operands: str) -> set[str]:
    """The registers in a text, one by one."""
    found: set[str] = set()
    for file, number, files, first, last, name in _REGISTER.findall(operands):
        if name:
            found.add(name)
        elif file:
            found.add(f"{file}{number}")
        else:
            found.update(f"{files}{each}" for each in range(int(first), int(last) + 1))
    return found


def _drained(lines: list[str], mutation: Mutation) -> bool:
    """Whether the hardware waits for translations between any memory instruction that matters and a wait."""
    named = _named(lines, mutation.expected)
    for earlier in range(mutation.line - 1, -1, -1):
        if _LABEL.match(lines[earlier]):
            return True
        match = _INSTRUCTION.match(lines[earlier])
        if match and _DRAINS.match(match[1]):
            return True
        if match and _MEMORY.match(match[1]) and ({"exec"} | _registers(match[2])) & named:
            return False
    return False


def _instruction_before(lines: list[str], number: int) -> "str | None":
    """The mnemonic of the last instruction before a line that is not a wait; None where a function begins."""
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
    """The counters that an instruction waits for, with their counts; empty if it is not such a wait."""
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
    """Why a mutation of wait states need not be reported; None if the text shows no reason."""
    lines = text.split("\n")
    behind = _INSTRUCTION.match(lines[mutation.expected]) if mutation.expected != mutation.line else None
    if behind is None:
        return "nothing behind it"
    before = next((match for line in reversed(lines[: mutation.line]) if (match := _INSTRUCTION.match(line))), None)
    if before is not None:
        first, second = before[1], behind[1]
        if first.startswith(_IN_RUNS) and second.startswith(_IN_RUNS):
            return "ends a run of memory instructions because of operands that LLVM does not print"
        if first.startswith("v_fma_mix"):
            return "LLVM takes op_sel_hi of a mixed multiply-add for the selection of the half to write"
        written = before[2].split(",")[0].strip()
        if first.startswith("s_") and written in re.split(r"[ ,]+", behind[2]):
            return "LLVM waits for what the VALU wrote into an SGPR, though the SALU has written it since"
    return None


_IN_RUNS = ("buffer_", "tbuffer_", "global_", "flat_", "scratch_", "image_")


def excuse_of_orders(text: str, mutation: Mutation) -> "str | None":
    """Why a part of a release or an acquire need not be missed; None if the text shows no reason.

    What is left must differ from what a relaxed access, or a sequence of a smaller scope, looks like.
    """
    lines = text.split("\n")
    before = _access_before(lines, mutation.line)
    behind = lines[mutation.expected]
    if mutation.what.startswith(("buffer_inv", "buffer_wbinv", "buffer_gl", "global_inv")):
        is_polled = _POLL.search(before) and _is_in_loop(lines, mutation.line)
        if mutation.what.startswith(("buffer_gl1", "buffer_invl2")):
            return "an acquire without the invalidation of the far cache looks like one of a smaller scope"
        return None if is_polled else "an acquire without its invalidation looks like a relaxed load"
    if mutation.what.startswith(("buffer_wb", "global_wb")):
        is_flag = bool(_STORE.match(behind) and _BEYOND_GROUP.search(behind))
        is_data = _STORE.match(before) and not _SCOPED.search(before)
        return None if is_flag and is_data else "a release without its write-back looks like one of a smaller scope"
    if _CACHES.match(behind.strip()):
        is_flag = bool(_SCOPED.search(before)) and not _STORE.match(before) and not _CACHES.match(before.strip())
        return None if is_flag else "no flag is in flight at the invalidation"
    written_back = _CACHES.match(before.strip())
    if _ARRIVAL.match(behind):
        return "memory beside LDS"
    if not written_back or (mutation.what.startswith("loadcnt") and "global_wb" in before):
        return "a store without its wait looks like a relaxed one"
    data = _access_before(lines, _number_before(lines, mutation.line))
    return None if _STORE.match(data) or "global_wb" in before else "there is nothing to write back"


_STORE = re.compile(r"\t(global|flat|buffer)_store_")
_SCOPED = re.compile(r" (glc|sc0|sc1)\b|scope:")
_BEYOND_GROUP = re.compile(r" sc1\b|scope:SCOPE_(DEV|SYS)")
_POLL = re.compile(r"\t(global|flat|buffer)_load_.*( (glc|sc0|sc1)\b|scope:)")
_ACCESS = re.compile(rf"\t({_MEMORY.pattern}|{_CACHES.pattern})")


def _access_before(lines: list[str], number: int) -> str:
    """The line of the last access of memory, or instruction for caches, before a line; empty where the code begins."""
    return lines[_number_before(lines, number)]


def _number_before(lines: list[str], number: int) -> int:
    for earlier in range(number - 1, 0, -1):
        if _FUNCTION.match(lines[earlier]):
            break
        if _ACCESS.match(lines[earlier]):
            return earlier
    return 0


def _is_in_loop(lines: list[str], number: int) -> bool:
    """Whether a branch back to the label before a line follows it, before any other label."""
    label = next((match[1] for line in reversed(lines[:number]) if (match := _LABEL.match(line))), "")
    for line in lines[number:]:
        if _LABEL.match(line):
            return False
        if "s_cbranch" in line and line.split()[-1] == label:
            return True
    return False
