"""The immediates of function-like operands, decoded: `vmcnt(0)`, `hwreg(...)`, `sendmsg(...)`."""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown, numbers
from gcn_lsp.instruction.special import hwreg, sendmsg, waitcnt
from gcn_lsp.isa import documentation
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.machine import vgpr_selectors as vgpr_selectors_of
from gcn_lsp.isa.operands import float_classes as classes
from gcn_lsp.isa.operands import limits
from gcn_lsp.isa.operands.hwreg import Fields
from gcn_lsp.isa.waits import wait_events, wait_text
from gcn_lsp.isa.waits import waitcnt as counters

# The operations that the counters of wait instructions count.
COUNTERS = {
    "vmcnt": "vector memory operations",
    "expcnt": "exports and the reads of store data",
    "lgkmcnt": "LDS, GDS, scalar memory operations and messages",
    "vscnt": "vector memory stores",
    "loadcnt": "vector memory loads",
    "storecnt": "vector memory stores",
    "samplecnt": "image samples",
    "bvhcnt": "ray tests",
    "dscnt": "LDS operations",
    "kmcnt": "scalar memory operations and messages",
}


# The same for a counter of one kind of operation.
_ONE = {text: text.removesuffix("s") for text in COUNTERS.values() if " and " not in text}


def wait_counts(target: isa.Target, immediate: int) -> str:
    """The counts in the immediate of `s_waitcnt` as a table; a count at its maximum waits for nothing."""
    highest = waitcnt.decode(target, waitcnt.everything(target))
    rows = [
        (markdown.code(name), str(value), _wait(name, value, highest[name]))
        for name, value in waitcnt.decode(target, immediate).items()
    ]
    both = f"Immediate {immediate:#x} is {markdown.code(waitcnt.render(target, immediate))}"
    return markdown.join(both, markdown.table(("counter", "value", "waits until"), rows))


def own_wait(target: isa.Target, mnemonic: str, immediate: int) -> str:
    """The count or counts in the immediate of a counter's own wait instruction, such as `s_wait_loadcnt_dscnt`."""
    row = next((each for each in wait_events.WAITS if each.mnemonic == mnemonic), None)
    if row is None:
        return ""
    rows = []
    for name, shift, width in row.counters:
        count = immediate >> shift & (1 << width) - 1
        meaning = _wait(name, count, (1 << width) - 1)
        rows.append((markdown.code(name), f"{shift + width - 1}:{shift}", str(count), meaning))
    return markdown.join(f"Immediate {immediate:#x}", markdown.table(("counter", "bits", "value", "waits until"), rows))


def depctr(target: isa.Target, immediate: int) -> str:
    """The fields of `s_waitcnt_depctr` and `s_wait_alu`; those at their maximum wait for nothing."""
    fields = counters.depctr_fields(target.features)
    values = {name: field.taken(immediate) for name, field in fields.items()}
    written = " ".join(f"{name}({value})" for name, value in values.items() if value != fields[name].maximum)
    rows = [
        (
            markdown.code(name),
            str(value),
            "(no wait)" if value == fields[name].maximum else f"at most {value} outstanding",
        )
        for name, value in values.items()
    ]
    both = f"Immediate {immediate:#x} is {markdown.code(written or 'no wait')}"
    return markdown.join(both, markdown.table(("field", "value", "waits until"), rows))


def delay(target: isa.Target, immediate: int) -> str:
    """The fields of `s_delay_alu`: which results will be late, and how far ahead the second one is used."""
    names = {
        "instid0": counters.DELAY_INSTRUCTIONS,
        "instskip": counters.DELAY_SKIPS,
        "instid1": counters.DELAY_INSTRUCTIONS,
    }
    rows = []
    for field, words in names.items():
        value = counters.DELAY_FIELDS[field].taken(immediate)
        word = next((word for word, number in words.items() if number == value), "reserved")
        rows.append((markdown.code(field), str(value), word))
    written = " | ".join(f"{name[1:-1]}({word})" for name, value, word in rows if value != "0")
    both = f"Immediate {immediate:#x} is {markdown.code(written or 'no delay')}"
    return markdown.join(both, markdown.table(("field", "value", ""), rows))


def vgpr_selectors(target: isa.Target, immediate: int) -> str:
    """The VGPRs that the operands of the instructions after `s_set_vgpr_msb` refer to."""
    rows = []
    for place, low in vgpr_selectors_of.PLACES:
        part = immediate >> low & 3
        rows.append((place, f"{low + 1}:{low}", str(part), f"v{part * 256} to v{part * 256 + 255}"))
    return markdown.table(("operand", "bits", "value", "means"), rows)


def decoded(target: isa.Target, mnemonic: str, immediate: int) -> str:
    """The meaning of an instruction's 16-bit immediate; empty for a plain number."""
    decode = IMMEDIATES.get(mnemonic)
    return decode(target, immediate) if decode is not None else own_wait(target, mnemonic, immediate)


def counter(name: str, value: int | None, target: isa.Target | None) -> str:
    """One count of a wait as written: `vmcnt(3)`."""
    plain = name.removesuffix("_sat")
    title = f"**counter** {markdown.code(plain)}: outstanding {COUNTERS.get(plain, 'operations')}"
    highest = None
    if target is not None and plain in waitcnt.layout(target):
        highest = waitcnt.decode(target, waitcnt.everything(target))[plain]
    meaning = ""
    if value is not None:
        meaning = f"{markdown.code(f'{name}({value})')} waits until {_wait(plain, value, highest)}."
        if highest is not None and value == highest:
            meaning = f"{markdown.code(f'{name}({value})')} is the maximum and waits for nothing."
    limit = f"On {target.name} the range is 0 to {highest}." if highest is not None and target else ""
    return markdown.join(title, meaning, limit)


def _wait(name: str, value: int, highest: int | None) -> str:
    what = COUNTERS.get(name, "operations")
    if highest is not None and value >= highest:
        return "(no wait)"
    if value == 0:
        return f"all {what} have completed"
    if value == 1 and what in _ONE:
        return f"at most 1 {_ONE[what]} is outstanding"
    return f"at most {value} {what} are outstanding"


def hardware_register(target: isa.Target, immediate: int) -> str:
    """The register and bits that an immediate of `s_getreg_b32` and `s_setreg_b32` names."""
    register, offset, size = Fields.unpack(immediate)
    name = next((name for name, value in hwreg.names(target).items() if value == register), f"register {register}")
    text = markdown.code(hwreg.render(target, immediate))
    first = f"{text}: bits {offset + size - 1} to {offset} of {markdown.code(name)}"
    entry = documentation.hwreg(name, target)
    if entry is None:
        return first
    rows = [
        (markdown.code(field.name), numbers.bit_range(field.high, field.low), field.meaning)
        for field in entry.fields
        if field.low < offset + size and field.high >= offset
    ]
    return markdown.join(first, entry.summary, markdown.table(("field", "bits", "meaning"), rows))


def assigned(target: isa.Target, immediate: int, value: int) -> str:
    """The values that `s_setreg_imm32_b32` writes to the fields of a hardware register: `Sets FP_DENORM_32 to 3.`"""
    register, offset, size = Fields.unpack(immediate)
    name = next((name for name, code in hwreg.names(target).items() if code == register), "")
    entry = documentation.hwreg(name, target) if name else None
    parts = []
    for field in entry.fields if entry is not None else ():
        low, high = max(field.low, offset), min(field.high, offset + size - 1)
        if low <= high:
            whole = (low, high) == (field.low, field.high)
            part = "" if whole else f"[{numbers.bit_range(high - field.low, low - field.low)}]"
            parts.append(f"{markdown.code(field.name + part)} to {value >> low - offset & (1 << high - low + 1) - 1}")
    return f"Sets {', '.join(parts)}." if parts else ""


def message(target: isa.Target, immediate: int) -> str:
    """The message in an immediate of `s_sendmsg`."""
    text = sendmsg.render(target, immediate)
    return markdown.join(f"Immediate {immediate:#x} is {markdown.code(text)}")


def priority(target: isa.Target, immediate: int) -> str:
    """The priority that `s_setprio` sets."""
    level = immediate & _HIGHEST_PRIORITY
    said = {0: ", the lowest", _HIGHEST_PRIORITY: ", the highest"}.get(level, f" of 0 to {_HIGHEST_PRIORITY}")
    return f"Priority {level}{said}."


_HIGHEST_PRIORITY = 3


def clause(target: isa.Target, immediate: int) -> str:
    """The instructions that `s_clause` announces."""
    if not limits.SHORTEST_CLAUSE <= limits.clause_length(immediate) - 1 <= limits.LONGEST_CLAUSE:
        return ""  # a finding says that no clause has this length
    return f"The next {limits.clause_length(immediate)} instructions are one clause."


def float_classes(mnemonic: str, slot: str, mask: int | float) -> str:
    """The classes of floats that a mask of `v_cmp_class` asks for; empty for other operands."""
    if slot != classes.MASK_SLOT or not mnemonic.startswith(classes.MNEMONICS) or not isinstance(mask, int):
        return ""
    found = [name for bit, name in enumerate(classes.NAMES) if mask >> bit & 1]
    return f"Tests for: {', '.join(found)}." if found else "Tests for nothing."


# The instructions whose 16-bit immediate has a special format.
IMMEDIATES: Mapping[str, Callable[[isa.Target, int], str]] = {
    wait_text.WAITCNT: wait_counts,
    **dict.fromkeys(roles.mnemonics("get state", "set state", "set constant state"), hardware_register),
    **dict.fromkeys(roles.mnemonics("send message"), message),
    "s_waitcnt_depctr": depctr,
    "s_wait_alu": depctr,
    roles.DELAY: delay,
    roles.CLAUSE: clause,
    "s_setprio": priority,
    vgpr_selectors_of.SETTER: vgpr_selectors,
}
