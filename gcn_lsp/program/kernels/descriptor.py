"""Checks and encodes kernel descriptors: turns the fields of an `.amdhsa_kernel` block into problems and 64 bytes."""

import difflib
from collections.abc import Iterator, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.isa.kernels import allocation, descriptor
from gcn_lsp.syntax.statement import Statement

RULE = "descriptor-field"
REQUIRED = ("next_free_vgpr", "next_free_sgpr", "accum_offset")
ACCUM_STEP, ACCUM_LIMIT = 4, 256

_VGPR_BLOCKS, _SGPR_BLOCKS = 63, 15  # the maximum of their fields in compute_pgm_rsrc1
_PRELOAD_STEP = 4  # bytes of the kernarg segment that a preloaded SGPR holds

Values = Mapping[str, "int | None"]


class DescriptorMistake(msgspec.Struct, frozen=True):
    """A problem of a block, at the value of field `field`, or at the block's opening line if that is empty."""

    field: str
    message: str


def field_problems(target: "isa.Target | None", statement: Statement, value: "int | None") -> Iterator[Problem]:
    """The problems of one field: its name, its presence on `target`, or its value (None: not known)."""
    name = statement.word.removeprefix(descriptor.PREFIX)
    start, end = statement.name_start, statement.name_end
    if name not in descriptor.all_names():
        near = difflib.get_close_matches(name, descriptor.all_names(), 1, 0.7)
        spelling = descriptor.PREFIX + near[0] if near else ""
        message = f"`{statement.name}` is not a kernel descriptor field"
        if not near:
            yield Problem(RULE, start, end, message)
            return
        fix = LineFix(f"Change to `{spelling}`", start, end, spelling)
        yield Problem(RULE, start, end, f"{message}; did you mean `{spelling}`?", (fix,))
        return
    if target is None:
        return
    field = descriptor.directives(target.features).get(name)
    if field is None:
        reason = _reason(name)
        yield Problem(RULE, start, end, f"{target.name} has no descriptor field `{statement.name}`{reason}")
        return
    message = "" if value is None else _value_mistake(target, field, value)
    if message:
        yield Problem(RULE, statement.rest_start, statement.end, f"`{statement.name}` is {value}; {message}")


def _reason(name: str) -> str:
    reason = descriptor.REASONS.get(descriptor.condition(name), "")
    return f": {reason}" if reason else ""


def _value_mistake(target: isa.Target, field: descriptor.DescriptorDirective, value: int) -> str:
    if field.name == "accum_offset":
        if value % ACCUM_STEP or not ACCUM_STEP <= value <= ACCUM_LIMIT:
            return f"the range is {ACCUM_STEP} to {ACCUM_LIMIT} in steps of {ACCUM_STEP}"
    elif value < 0 or value > field.maximum:
        return "it must not be negative" if field.width == 64 else f"the range is 0 to {field.maximum}"
    if field.name == "reserve_xnack_mask" and bool(value) != allocation.reserves_xnack(target):
        return f"XNACK is {'off or absent' if value else 'on or unspecified'} on {target.name} here"
    return ""


def decode(target: isa.Target, data: bytes) -> dict[str, int]:
    """The fields of a descriptor's 64 bytes, without the numbers of registers: the bytes count blocks."""
    values = {}
    for name, field in descriptor.directives(target.features).items():
        if field.word:
            offset, size = descriptor.WORDS[field.word]
            word = int.from_bytes(data[offset : offset + size], "little")
            values[name] = word >> field.shift & (1 << field.bits) - 1
    if "accum_offset" in values:
        values["accum_offset"] = (values["accum_offset"] + 1) * ACCUM_STEP
    return values


def mistakes(target: isa.Target, written: Values) -> Iterator[DescriptorMistake]:
    """The problems of the fields of a block taken together; `field_problems` has those of single fields."""
    fields = descriptor.directives(target.features)
    for name in REQUIRED:
        if name in fields and name not in written:
            yield DescriptorMistake("", f"`{descriptor.PREFIX}{name}` is required on {target.name}")
    if any(_is_wrong(target, fields.get(name), value) for name, value in written.items()):
        return  # consequences of a wrong value say nothing more
    values = all_values(target, written)
    yield from _user_sgpr_mistakes(target, written)
    yield from _register_mistakes(target, written, values)


def _is_wrong(target: isa.Target, field: "descriptor.DescriptorDirective | None", value: "int | None") -> bool:
    return field is None or (value is not None and bool(_value_mistake(target, field, value)))


def _user_sgpr_mistakes(target: isa.Target, written: Values) -> Iterator[DescriptorMistake]:
    implied = implied_user_sgprs(target, written)
    explicit = written.get("user_sgpr_count")
    if implied is None:
        return
    if explicit is not None and explicit < implied:
        message = f"`.amdhsa_user_sgpr_count` is {explicit}, but the enabled inputs take {implied} SGPRs"
        yield DescriptorMistake("user_sgpr_count", message)
    most = descriptor.directives(target.features)["user_sgpr_count"].maximum
    if explicit is None and implied > most:
        yield DescriptorMistake("", f"the enabled inputs take {implied} user SGPRs, but there are at most {most}")
    length = written.get("user_sgpr_kernarg_preload_length") or 0
    size = written.get("kernarg_size") or 0
    last = _PRELOAD_STEP * (length + (written.get("user_sgpr_kernarg_preload_offset") or 0))
    if length and size and last > size:
        message = f"the preload reaches to byte {last} of the kernarg segment, which has {size} bytes"
        yield DescriptorMistake("user_sgpr_kernarg_preload_length", message)


def _register_mistakes(target: isa.Target, written: Values, values: Values) -> Iterator[DescriptorMistake]:
    features = target.features
    limits = allocation.units(features, wave32=is_wave32(target, values))
    vgprs, accum = values.get("next_free_vgpr"), values.get("accum_offset")
    if vgprs is not None and blocks(vgprs, limits.vgpr_encoding) > _VGPR_BLOCKS:
        most = (_VGPR_BLOCKS + 1) * limits.vgpr_encoding
        yield DescriptorMistake("next_free_vgpr", f"`.amdhsa_next_free_vgpr` is {vgprs}; the range is 0 to {most}")
        return
    sgprs, most_sgprs = values.get("next_free_sgpr"), _most_sgprs(target, values)
    if sgprs is not None and most_sgprs is not None and sgprs > most_sgprs:
        reserved = f" besides {reserved_sgprs(target, values)} reserved ones" if most_sgprs < limits.sgprs else ""
        message = f"`.amdhsa_next_free_sgpr` is {sgprs}; the range is 0 to {most_sgprs}{reserved}"
        yield DescriptorMistake("next_free_sgpr", message)
    if vgprs is not None and accum is not None and accum > -(-max(1, vgprs) // ACCUM_STEP) * ACCUM_STEP:
        yield DescriptorMistake(
            "accum_offset", f"`.amdhsa_accum_offset` is {accum}, beyond the {vgprs} VGPRs of the kernel"
        )
    shared = written.get("shared_vgpr_count")
    if shared and target.has_shared_vgprs:
        if written.get("wavefront_size32"):
            message = "`.amdhsa_shared_vgpr_count` must be 0 for waves of 32 lanes"
            yield DescriptorMistake("shared_vgpr_count", message)
        elif vgprs is not None and 2 * shared + blocks(vgprs, limits.vgpr_encoding) > _VGPR_BLOCKS:
            message = f"{shared} blocks of shared VGPRs and {vgprs} VGPRs are more than a wave can have"
            yield DescriptorMistake("shared_vgpr_count", message)


def _most_sgprs(target: isa.Target, values: Values) -> "int | None":
    """The maximum of `.amdhsa_next_free_sgpr`; None if there is none."""
    features = target.features
    limits = allocation.units(features, wave32=False)
    if not limits.sgpr:
        return None
    if not target.has_reserved_sgprs_in_limit:
        return limits.sgprs
    reserved = reserved_sgprs(target, values)
    return None if reserved is None else limits.sgprs - reserved


def all_values(target: isa.Target, written: Values) -> Values:
    """The values of all fields that the target's descriptors have: as written, else the default (None: not known)."""
    features = target.features
    fields = descriptor.directives(features)
    values = {name: field.default_on(features) for name, field in fields.items()}
    values |= {name: value for name, value in written.items() if name in fields}
    values["reserve_xnack_mask"] = int(allocation.reserves_xnack(target))
    if "user_sgpr_count" not in written:
        values["user_sgpr_count"] = implied_user_sgprs(target, written)
    return values


def implied_user_sgprs(target: isa.Target, written: Values) -> "int | None":
    """How many SGPRs the enabled inputs take; None if one of the values is not known."""
    fields = descriptor.directives(target.features)
    count = 0
    for name, value in written.items():
        field = fields.get(name)
        if field is None or not field.user_sgprs:
            continue
        if value is None:
            return None
        count += value if field.user_sgprs < 0 else field.user_sgprs if value else 0
    return count


def reserved_sgprs(target: isa.Target, values: Values) -> "int | None":
    """How many SGPRs VCC, FLAT_SCRATCH and XNACK_MASK take; None if one of the values is not known."""
    vcc, flat_scratch = values.get("reserve_vcc"), values.get("reserve_flat_scratch", 1)
    if vcc is None or flat_scratch is None:
        return None
    return allocation.reserved_sgprs(
        target.features, vcc=bool(vcc), flat_scratch=bool(flat_scratch), xnack=allocation.reserves_xnack(target)
    )


def is_wave32(target: isa.Target, values: Values) -> bool:
    """Whether the kernel's waves have 32 lanes."""
    value = values.get("wavefront_size32")
    return target.wavefront_size == 32 if value is None else bool(value)


def blocks(count: int, unit: int) -> int:
    """The value of a field for `count` registers in blocks of `unit`: the blocks less one."""
    return -(-max(1, count) // unit) - 1


def encode(target: isa.Target, written: Values) -> bytes:
    """The 64 bytes, with an entry point of zero; a value that is not known counts as its field's default or 0."""
    features = target.features
    values = all_values(target, written)
    words = dict.fromkeys(descriptor.WORDS, 0)
    for name, field in descriptor.directives(features).items():
        value = values[name]
        if value is None:
            value = field.default_on(features) or 0
        if not field.word:
            continue
        if name == "accum_offset":
            value = value // ACCUM_STEP - 1
        words[field.word] |= (value & ((1 << field.bits) - 1)) << field.shift
    limits = allocation.units(features, wave32=is_wave32(target, values))
    vgprs = blocks(values["next_free_vgpr"] or 0, limits.vgpr_encoding)
    sgprs = blocks(encoded_sgprs(target, values), limits.sgpr_encoding) if limits.sgpr else 0
    words["compute_pgm_rsrc1"] |= (vgprs & _VGPR_BLOCKS) | (sgprs & _SGPR_BLOCKS) << 6
    code = bytearray(descriptor.SIZE)
    for name, (offset, size) in descriptor.WORDS.items():
        code[offset : offset + size] = words[name].to_bytes(size, "little")
    return bytes(code)


def encoded_sgprs(target: isa.Target, values: Values) -> int:
    """The SGPRs that the descriptor requests, including the reserved ones."""
    if target.initializes_all_sgprs_wrongly:
        return allocation.units(target.features, wave32=False).sgprs
    count = values.get("next_free_sgpr") or 0
    if values.get("user_sgpr_kernarg_preload_length"):
        count = max(count, values.get("user_sgpr_count") or 0)  # preloaded ones may follow the named ones
    return count + (reserved_sgprs(target, values) or 0)
