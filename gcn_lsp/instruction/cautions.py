"""Checks for what LLVM assembles silently although bits are lost or the hardware's behaviour is undefined.

A caution is a check like a constraint, but the instruction keeps its bytes.
"""

from collections.abc import Iterator, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction import immediates, operands
from gcn_lsp.instruction.bound import Bound, Check
from gcn_lsp.instruction.check_rows import FormHere, Rows, chosen
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.isa import versions
from gcn_lsp.isa.machine import matrix_layouts, roles
from gcn_lsp.isa.modifiers import cache_policy
from gcn_lsp.isa.operands import formats, hwreg, limits, manual_limits, operand_types, sendmsg
from gcn_lsp.isa.operands.manual_limits import ManualLimit
from gcn_lsp.isa.tables import features
from gcn_lsp.syntax import nodes
from gcn_lsp.text import OfTarget, message

_SENDS = roles.mnemonics("send message")
_SETS_CONSTANTS = roles.mnemonics("set constant state")
_SETS = _SETS_CONSTANTS | roles.mnemonics("set state")
_STATE = _SETS | roles.mnemonics("get state")
_SMALLER_THAN_DWORDS = ("8", "16")


def cautions_for(form: isa.Form, target: isa.Target, numbers: Mapping[str, str]) -> tuple[Check, ...]:
    """The cautions that may apply to the form. numbers: its operands that are plain numbers, with their classes."""
    return chosen(_ROWS, FormHere(form, target, frozenset(slot.name for slot in form.slots), numbers))


_BOTH_SIGNED = 0b11


def _signed_dot(bound: Bound) -> Problem | None:
    """The versions of LLVM do not agree whether the sources are signed, unless neg_lo says so."""
    if bound.values.get("neg_lo", 0) & _BOTH_SIGNED == _BOTH_SIGNED or not bound.word.startswith(limits.SIGNED_DOTS):
        return None
    written, last = bound.arguments.get("neg_lo"), bound.arguments["src2"].node.end
    start, end = (written.node.start, written.node.end) if written is not None else (last, last)
    text = "neg_lo:[1,1,0]"
    fix = LineFix(f"Write `{text}`", start, end, text if written is not None else f" {text}")
    if bound.target.has(versions.SIGNED_DOTS):
        rule, subject = "version-dependent", "LLVM 22 and older read"
    else:
        rule, subject = "unsigned-dot-product", "LLVM 22 reads"
    message = f"{subject} the sources of {bound.word} as unsigned; with {text} they are signed in every version"
    return bound.problem(rule, message, fixes=(fix,))


def _half_sources(form: isa.Form) -> tuple[str, ...]:
    """The sources of 16 bits for which LLVM makes a literal of 32."""
    names = (name for name in _SOURCES if operand_types.source_type(form.mnemonic, name) == "FP16")
    return tuple(name for name in names if any(slot.name == name for slot in form.slots))


def _long_half(names: tuple[str, ...]) -> Check:
    def check(bound: Bound) -> Problem | None:
        for name in names:
            argument, number = bound.arguments.get(name), bound.numbers.get(name)
            if argument is None or number is None or number.literal is None or not argument.is_float:
                continue
            half, node = immediates.half_of_single(number.literal), argument.node
            fix = LineFix(f"Change to `{half:#x}`", node.start, node.end, f"{half:#x}", is_certain=False)
            literal = f"a 32-bit float, {number.literal:#x}"
            message = f"the literal is {literal}; {bound.word} reads its low 16 bits, {number.literal & 0xFFFF:#x}"
            return bound.problem("silently-truncated", message, name, fixes=(fix,))
        return None

    return check


def _width(form: isa.Form, name: str) -> int:
    """The number of bits of a value that the encoding holds."""
    field = form.field(name)
    return max(piece.source + piece.width for piece in field.pieces) if field is not None else 0


# A negative number may be written as its 32 bits.
_WHOLE = 1 << 32
_WRITTEN_AS_BITS = range(_WHOLE >> 1, _WHOLE)


def _truncation(narrow: tuple[tuple[str, int], ...]) -> Check:
    def check(bound: Bound) -> Problem | None:
        for name, width in narrow:
            value = bound.values.get(name, 0)
            negative = value - _WHOLE if value in _WRITTEN_AS_BITS else value
            if -(1 << width - 1) <= negative < 1 << width or name not in bound.arguments:
                continue
            kept = value & ((1 << width) - 1)
            message = f"{name} is {value}, but its field has {width} bits: it becomes {kept}"
            return bound.problem("silently-truncated", message, name)
        return None

    return check


def _insignificant(bits: int) -> Check:
    def check(bound: Bound) -> Problem | None:
        value = bound.values.get("simm16", 0)
        if 0 <= value < 1 << bits:
            return None
        kept = value & ((1 << bits) - 1)
        words = "{} reads {} bits of its operand on {}: {} becomes {}"
        said = message(words, bound.word, bits, OfTarget(bound.target.name), value, kept)
        return bound.problem("silently-truncated", said, "simm16")

    return check


def _lane_select(bound: Bound) -> Problem | None:
    """A lane that waves do not have. Negative numbers are taken for what they become, the last lanes."""
    number = bound.numbers.get("src1")
    lanes = limits.MOST_LANES if bound.target.has(features.ANY_WAVE) else bound.target.wavefront_size
    if number is None or number.pattern < lanes or number.pattern in _WRITTEN_AS_BITS:
        return None
    words = "waves of {} lanes have no lane {}: {} ignores the upper bits and takes lane {}"
    said = message(words, lanes, number.pattern, bound.word, number.pattern % lanes)
    return bound.problem("silently-truncated", said, "src1")


def _clause(bound: Bound) -> Problem | None:
    length = bound.values.get("simm16", 0) & ((1 << limits.CLAUSE_BITS) - 1)
    if limits.SHORTEST_CLAUSE <= length <= limits.LONGEST_CLAUSE:
        return None
    message = f"a clause length of {length} is undefined; the range is 1 to {limits.LONGEST_CLAUSE}"
    return bound.problem("undefined-by-hardware", message, "simm16")


def _bit_field(name: str) -> Check:
    def check(bound: Bound) -> Problem | None:
        value = bound.values.get(name, 0)
        fields = hwreg.Fields.unpack(value)
        if fields.offset + fields.size <= hwreg.REGISTER_BITS:
            return None
        message = (
            f"{fields.size} bits from bit {fields.offset} end beyond the {hwreg.REGISTER_BITS} bits of the register"
        )
        return bound.problem("undefined-by-hardware", message, name)

    return check


def _byte_offset(bound: Bound) -> Problem | None:
    value = bound.values.get("offset", 0)
    if value % limits.ADDRESS_UNIT == 0 or "offset" not in bound.arguments:
        return None
    kept = value - value % limits.ADDRESS_UNIT
    message = f"the offset {value} is not a multiple of {limits.ADDRESS_UNIT}; {bound.word} accesses {kept}"
    node = bound.arguments["offset"].node
    fixes: tuple[LineFix, ...] = ()
    if isinstance(node, nodes.Integer):  # the same access, said as it is; the author may mean another
        fixes = (LineFix(f"Change to `{kept:#x}`", node.start, node.end, f"{kept:#x}", is_certain=False),)
    return bound.problem("silently-truncated", message, "offset", fixes=fixes)


def _aligned_offset(unit: int) -> Check:
    def check(bound: Bound) -> Problem | None:
        value = bound.values.get("offset", 0)
        if value % unit == 0 or "offset" not in bound.arguments:
            return None
        message = f"the address of {bound.word} is a multiple of {unit}: the registers must make up for the offset"
        return bound.problem("misaligned-offset", message, "offset")

    return check


def _store_offset(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("soffset")
    if argument is None or argument.register is None or argument.register.text == "m0":
        return None
    words = "the only offset register of a scalar store on {} is m0, not `{}`"
    said = message(words, OfTarget(bound.target.name), argument.register.text)
    return bound.problem("undefined-by-hardware", said, "soffset")


def _buffer_format(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("format")
    if argument is None or not argument.parts:
        return None
    is_store = "mayStore" in bound.form.flags
    defect = formats.defect(bound.target.features, bound.values["format"], is_store)
    return bound.problem("undefined-by-hardware", defect, "format") if defect else None


def _implicit_format(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("format")
    if argument is not None and argument.parts:
        return None
    return bound.problem("implicit-format", f"{bound.word} without a format reads memory as 8-bit UNORM")


def _disputed_store_offset(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("soffset")
    if argument is None or argument.register is None or argument.register.text == "m0":
        return None
    message = f"the manuals allow scalar stores and atomics only m0 as offset register, not `{argument.register.text}`"
    return bound.problem("scalar-offset-register", message, "soffset")


def _may_replay(target: isa.Target) -> bool:
    """Whether accesses may be replayed after a page fault: on all targets with XNACK unless it is switched off."""
    return target.may_replay and "-xnack" not in target.mattr.split(",")


def _overwritten_address(bound: Bound) -> Problem | None:
    data, base = bound.arguments.get("sdst"), bound.arguments.get("sbase")
    if data is None or base is None:
        return None
    loaded, address = data.register, base.register
    if loaded is None or address is None or loaded.count == 1 or loaded.file != address.file:
        return None
    if loaded.first + loaded.count <= address.first or address.first + address.count <= loaded.first:
        return None
    if _is_within_page(loaded.count * 4, bound):
        return None
    message = f"`{loaded.text}` overwrites the address `{address.text}`, which a replay after a page fault reads again"
    return bound.problem("unreplayable-clause" if bound.target.replays else "overwritten-address", message, "sdst")


def _is_within_page(size: int, bound: Bound) -> bool:
    """Whether a scalar load is likely to fault as a whole or not at all: `size` is in bytes.

    LLVM lets such a load overwrite its address too (`needsConstrainedOpcode` in SILoadStoreOptimizer.cpp). What a
    register adds to the address is taken for a multiple of the size.
    """
    whole = 1 << (size - 1).bit_length()
    return whole <= limits.REPLAYED_WHOLE and bound.values.get("offset", 0) % whole == 0


def _negative_offset(bound: Bound) -> Problem | None:
    """A negative offset to which no register is added: the ISA documents call a negative sum illegal and undefined."""
    value, added = bound.values.get("offset", 0), bound.arguments.get("soffset")
    if value >= 0 or "offset" not in bound.arguments:
        return None
    if added is not None and added.register is not None and added.register.file != "null":
        return None
    message = f"the offset is {value} and no register is added to it; a negative sum of offsets is undefined"
    return bound.problem("undefined-by-hardware", message, "offset")


def _discarded_line(bound: Bound) -> Problem | None:
    value = bound.values.get("offset", 0)
    if value % limits.SCALAR_CACHE_LINE == 0 or "offset" not in bound.arguments:
        return None
    first = value - value % limits.SCALAR_CACHE_LINE
    message = f"the offset {value} is inside a line; all {limits.SCALAR_CACHE_LINE} bytes from {first} are discarded"
    return bound.problem("silently-truncated", message, "offset")


def _dropped_policies(form: isa.Form, target: isa.Target) -> dict[str, int]:
    """The policies, with their bits, that the target has but the form has no bits for."""
    field = form.field("cpol")
    held = cache_policy.GLC  # the form says whether an atomic returns
    for piece in field.pieces if field is not None else ():
        held |= ((1 << piece.width) - 1) << piece.source
    return {name: bit for name, bit in cache_policy.flags(target.features, False).items() if not bit & held}


def _dropped_policy(names: dict[str, int]) -> Check:
    def check(bound: Bound) -> Problem | None:
        value = bound.values.get("cpol", 0)
        for name, bit in names.items():
            if value & bit:
                words = "{} has no bit for `{}` on {}: it is dropped"
                said = message(words, bound.word, name, OfTarget(bound.target.name))
                return bound.problem("silently-truncated", said, "cpol")
        return None

    return check


def _without_function(reason: str) -> Check:
    def check(bound: Bound) -> Problem | None:
        return bound.problem("undefined-by-hardware", f"{bound.word}: {reason}")

    return check


def _geometry_message(bound: Bound) -> Problem | None:
    fields = sendmsg.Fields.unpack(bound.values.get("simm16", 0))
    if fields.message not in limits.GEOMETRY_MESSAGES or not fields.operation:
        return None
    said = message("{} has no geometry pipeline: EMIT and CUT must not be sent", OfTarget(bound.target.name))
    return bound.problem("undefined-by-hardware", said, "simm16")


def _is_privileged(bound: Bound) -> bool:
    """Whether an operand is a register that only trap handlers can write, or nothing says where the value is from."""
    if bound.form.mnemonic in _SETS_CONSTANTS:
        return True
    registers = (argument.register for argument in bound.arguments.values())
    return any(register is not None and register.file == "ttmp" for register in registers)


def _reserved_register(bound: Bound) -> Problem | None:
    number, register, place = _hardware_register(bound)
    if number in limits.RESERVED_HARDWARE_REGISTERS:
        return bound.problem("undefined-by-hardware", f"{register} is reserved", place)
    return None


def _read_only(row: limits.ReadOnly) -> Check:
    def caution(bound: Bound) -> Problem | None:
        number, register, place = _hardware_register(bound)
        if number not in row.numbers or (number in row.by_trap_handlers and _is_privileged(bound)):
            return None
        return bound.problem("undefined-by-hardware", f"{register} can only be read", place)

    return caution


def _hardware_register(bound: Bound) -> tuple[int, str, str]:
    """The number of the register that is read or written, its name, and its operand."""
    name = "simm16" if "simm16" in bound.values else "imm"
    number = hwreg.Fields.unpack(bound.values.get(name, 0)).register
    called = next((word for word, each in hwreg.names(bound.target.features).items() if each == number), "")
    return number, f"`{called}`" if called else f"hardware register {number}", name


def _normalised_store(bound: Bound) -> Problem | None:
    if bound.values.get("unorm"):
        return None
    message = f"{bound.word} needs `unorm`: addresses of stores and atomics are not normalised"
    return bound.problem("undefined-by-hardware", message)


_SOURCES = ("src0", "src1", "src2")


def _result_apart(bound: Bound) -> Problem | None:
    result = bound.arguments["vdst"].register
    for name in _SOURCES:
        source = bound.arguments[name].register if name in bound.arguments else None
        if source is not None and result is not None and source.overlaps(result):
            message = f"the result `{result.text}` of {bound.word} must not overlap its source `{source.text}`"
            return bound.problem("undefined-by-hardware", message, "vdst")
    return None


def _shared_matrix(blocks: int) -> Check:
    """blocks: of A; one of each `1 << cbsz` of them is shared, the one with number `abid`."""

    def check(bound: Bound) -> Problem | None:
        shared, block = 1 << bound.values.get("cbsz", 0), bound.values.get("abid", 0)
        if shared > blocks:
            has = "one matrix" if blocks == 1 else f"{blocks} matrices"
            message = f"cbsz:{bound.values['cbsz']} shares one A among {shared} matrices; {bound.word} has {has}"
            return bound.problem("undefined-by-hardware", message, "cbsz")
        if block >= shared:
            most = f"0 to {shared - 1}" if shared > 1 else "0"
            message = f"abid:{block} names no matrix: with cbsz:{bound.values.get('cbsz', 0)} it is {most}"
            return bound.problem("undefined-by-hardware", message, "abid")
        return None

    return check


def _forbidden(limit: ManualLimit, names: tuple[str, ...]) -> Check:
    def check(bound: Bound) -> Problem | None:
        for name in names:
            if (limit.is_needed or name in bound.arguments) and _is_forbidden(bound, limit, name):
                if not limit.is_compiled:
                    return bound.problem("forbidden-operand", f"{bound.word} {limit.said} ({limit.source})", name)
                message = f"{bound.word} {limit.said} ({limit.source}); LLVM's compiler does it all the same"
                return bound.problem("disputed-operand", message, name)
        return None

    return check


def _is_forbidden(bound: Bound, limit: ManualLimit, name: str) -> bool:
    """Whether the documents forbid the operand in a slot."""
    if limit.forbidden == "values":
        value = _value(bound, name)
        return value is not None and value & limit.mask not in limit.allowed
    if limit.forbidden == "no address":
        return not any(slot.name in limit.names for slot in bound.form.slots)
    argument, number = bound.arguments[name], bound.numbers.get(name)
    register = argument.register
    match limit.forbidden:
        case "all but VGPRs":
            return register is None or register.file != "v"
        case "SGPRs and literals":
            return register.file != "v" if register is not None else number is None or number.literal is not None
        case "inline constants":
            return register is None and number is not None and number.literal is None
        case "signs":
            return bool(argument.modifiers)
        case "absolute values":
            return bool(argument.modifiers & operands.ABS)
        case "own result":
            results = (bound.arguments[each].register for each in _RESULTS if each in bound.arguments)
            return register is not None and any(each is not None and register.overlaps(each) for each in results)
        case "registers":
            return register is not None and register.text in limit.names
        case "keyword":
            return bool(bound.values.get(name))


_RESULTS = ("vdst", "sdst")


def _value(bound: Bound, name: str) -> int | None:
    """The number in a slot; None for a register or a float."""
    argument = bound.arguments.get(name)
    if argument is None or name not in (*_SOURCES, "ssrc0"):
        return bound.values.get(name, 0)
    return argument.value if argument.register is None and not argument.is_float else None


def _truncations(here: FormHere) -> Iterator[Check]:
    narrow = tuple((name, width) for name in here.numbers if (width := _width(here.form, name)))
    if narrow:
        yield _truncation(narrow)


def _insignificants(here: FormHere) -> Iterator[Check]:
    bits = limits.significant_bits(here.form.mnemonic, here.target.features)
    if bits:
        yield _insignificant(bits)


def _bit_fields(here: FormHere) -> Iterator[Check]:
    yield from (_bit_field(name) for name, match in tuple(here.numbers.items()) if match == "Hwreg")


def _alignments(here: FormHere) -> Iterator[Check]:
    unit = limits.offset_unit(here.form, here.target.features)
    if unit > 1:
        yield _aligned_offset(unit)


def _dropped(here: FormHere) -> Iterator[Check]:
    policies = _dropped_policies(here.form, here.target)
    if policies:
        yield _dropped_policy(policies)


def _forbidden_operands(here: FormHere) -> Iterator[Check]:
    found = manual_limits.of(here.form, here.target.features)
    return (_forbidden(limit, names) for limit, names in found)


def _without_functions(here: FormHere) -> Iterator[Check]:
    reason = limits.without_function(here.form.mnemonic, here.target.features)
    if reason:
        yield _without_function(reason)


def _read_only_registers(here: FormHere) -> Iterator[Check]:
    rows = limits.READ_ONLY_HARDWARE_REGISTERS
    return (_read_only(row) for row in rows if here.target.has(row.targets))


def _shared_matrices(here: FormHere) -> Iterator[Check]:
    blocks = matrix_layouts.shared_blocks(here.form)
    if blocks:
        yield _shared_matrix(blocks)


def _long_halves(here: FormHere) -> Iterator[Check]:
    halves = _half_sources(here.form)
    if halves:
        yield _long_half(halves)


def _is_scalar_memory(here: FormHere) -> bool:
    return here.has("SMRD") and here.target.has_byte_offsets_in_scalar_memory


def _stores_at_m0(here: FormHere) -> bool:
    return here.target.stores_scalars_at_m0 and here.has("mayStore") and not here.has("mayLoad")


def _stores_scalars(here: FormHere) -> bool:
    return here.has("mayStore") and not here.is_for(limits.SCALAR_PREFETCHES)


def _always(_here: FormHere) -> bool:
    return True


# fmt: off
_ROWS: Rows = (
    (_always, _truncations),
    (_always, _insignificants),
    (lambda here: here.form.mnemonic in limits.LANE_SELECTS, (_lane_select,)),
    (lambda here: here.form.mnemonic == roles.CLAUSE, (_clause,)),
    (_always, _bit_fields),
    (lambda here: (_is_scalar_memory(here) and here.is_for(*limits.SCALAR_ACCESSES)
                   and not here.form.mnemonic.endswith(_SMALLER_THAN_DWORDS)), (_byte_offset,)),
    (lambda here: _is_scalar_memory(here) and _stores_at_m0(here), (_store_offset,)),
    (lambda here: _is_scalar_memory(here) and not _stores_at_m0(here) and _stores_scalars(here),
     (_disputed_store_offset,)),
    (lambda here: (_is_scalar_memory(here) and not _stores_at_m0(here) and not _stores_scalars(here)
                   and here.is_for(*limits.SCALAR_LOADS) and _may_replay(here.target)), (_overwritten_address,)),
    (lambda here: _is_scalar_memory(here) and here.is_for(limits.SCALAR_DISCARDS), (_discarded_line,)),
    (lambda here: _is_scalar_memory(here) and here.is_for(*limits.BY_ADDRESS), (_negative_offset,)),
    (_always, _alignments),
    (lambda here: here.has("MTBUF"), (_buffer_format, _implicit_format)),
    (lambda here: here.takes("cpol") and not here.has("MIMG"), _dropped),
    (_always, _without_functions),
    (_always, _forbidden_operands),
    (lambda here: here.form.mnemonic in _SENDS and here.target.has(limits.WITHOUT_GEOMETRY), (_geometry_message,)),
    (lambda here: here.form.mnemonic in _STATE and here.target.has_reserved_hardware_registers,
     (_reserved_register,)),
    (lambda here: here.form.mnemonic in _SETS, _read_only_registers),
    (lambda here: here.has("MIMG") and here.has("mayStore") and here.target.normalises_stores, (_normalised_store,)),
    (lambda here: limits.has_result_apart(here.form.mnemonic, here.target.features), (_result_apart,)),
    (lambda here: here.has("IsMAI") and here.takes("cbsz"), _shared_matrices),
    (_always, _long_halves),
    (lambda here: here.form.mnemonic in (*limits.SIGNED_DOTS, *limits.DOTS_OF_BOTH) and here.target.has_signs_in_neg_lo,
     (_signed_dot,)),
)
