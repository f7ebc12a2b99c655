"""Describes a directive, or a field of a kernel descriptor: its syntax, its effect, its values."""

import itertools

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown, targets
from gcn_lsp.isa import documentation
from gcn_lsp.isa.kernels import allocation, descriptor, kernel_code
from gcn_lsp.syntax import directives as assembler


class Directive(msgspec.Struct, frozen=True):
    """A directive: its `name` in the documentation, its syntax with arguments, and its effect."""

    name: str
    syntax: str
    text: str


def describe(word: str, target: "isa.Target | None") -> str | None:
    """The page of a directive as written, as Markdown; None if none has that name."""
    row = lookup(word)
    if row is None:
        return None
    missing = ""
    if target is not None and documentation.descriptor_field(row.name) is not None:
        known = descriptor.directives(target.features)
        missing = f"{target.name} does not have it." if row.name.removeprefix(descriptor.PREFIX) not in known else ""
    return markdown.join(markdown.block(row.syntax), row.text, values(word, target), missing)


def lookup(name: str) -> Directive | None:
    """The directive or descriptor field of that name; None if there is none."""
    key = name.lower()
    row = documentation.directive(key)
    if row is not None:
        text = " ".join(filter(None, (row.summary, _known_by(row.name))))
        return Directive(row.name, f"{row.name} {row.syntax}".rstrip(), text)
    field = documentation.descriptor_field(key)
    if field is None:
        return None
    known = targets.summary(_targets_knowing(field.name.removeprefix(descriptor.PREFIX)))
    text = f"Kernel descriptor field. {field.summary} {_default(field)} Targets: {known}."
    return Directive(field.name, f"{field.name} value", text)


def _targets_knowing(name: str) -> tuple[str, ...]:
    """The targets that know a descriptor field, named without its prefix."""
    found = map(isa.targets_meeting, descriptor.conditions_of(name))
    return tuple(dict.fromkeys(itertools.chain.from_iterable(found)))


def _default(field: documentation.FieldEntry) -> str:
    """The default of a descriptor field, as a sentence."""
    default = field.default or descriptor.default(field.name.removeprefix(descriptor.PREFIX))
    return "It has no default and must be given." if default is None else f"Default: {default}."


def values(name: str, target: "isa.Target | None") -> str:
    """The values of a directive and its default, as sentences; for a descriptor field those on `target`."""
    key = name.lower()
    field = _field_on(key, target)
    if field is not None and target is not None:
        default = None if _is_sum(key) else field.default_on(target.features)
        if field.name == "reserve_xnack_mask":  # the assembler accepts no other value
            default = int(allocation.reserves_xnack(target))
        takes = _TAKES.get(field.name, f"0 to {field.maximum}")
        text = f"On {target.name}: {takes}" + (f"; the default is {default}." if default is not None else ".")
        return text + _shared_out(field.name, target)
    row = documentation.directive(key)
    return row.values if row is not None else ""


def header_field(name: str, target: "isa.Target | None") -> str | None:
    """The values of a field of an `.amd_kernel_code_t` block, as sentences; None if there is none of that name."""
    field = kernel_code.FIELDS.get(name)
    if field is None:
        return None
    bits = field.bits or 8 * field.size
    where = f"bit {field.shift}" if bits == 1 else f"bits {field.shift + bits - 1}:{field.shift}"
    place = f"bytes {field.offset} to {field.offset + field.size - 1}" + (f", {where}" if field.bits else "")
    default = kernel_code.defaults(target).get(name, 0)
    most = (1 << bits) - 1
    return f"Field of the kernel header: {place}. It takes 0 to {most}; the default is {default}."


def _shared_out(name: str, target: "isa.Target") -> str:
    """How a target rounds the value of a descriptor field to the blocks that it allocates; empty for most."""
    features = target.features
    if name == "reserve_xnack_mask":
        return " It must agree with the target's xnack setting."
    if name == "group_segment_fixed_size":
        most, unit = allocation.lds_limit(features), allocation.lds_unit(features)
        other = allocation.lds_unit_of_llvm(features)
        said = f" (LLVM counts blocks of {other})" if other is not None else ""
        return f" A work-group has {most} bytes at most, in blocks of {unit}{said}."
    limits = {lanes: allocation.units(features, wave32=lanes == _SMALL_WAVE) for lanes in _wave_sizes(target)}
    if name == "next_free_vgpr":
        blocks = (f"{each.vgpr} in waves of {lanes} lanes" for lanes, each in limits.items())
        return f" VGPRs come in blocks of {' and '.join(blocks)}."
    if name == "next_free_sgpr":
        one = next(iter(limits.values()))
        return f" SGPRs come in blocks of {one.sgpr}." if one.sgpr else " Every wave has all SGPRs, whatever the value."
    return ""


_SMALL_WAVE, _LARGE_WAVE = 32, 64


def _wave_sizes(target: "isa.Target") -> tuple[int, ...]:
    """The numbers of lanes that waves of a target may have."""
    if not target.has_wave32:
        return (_LARGE_WAVE,)
    return (_SMALL_WAVE,) if target.has_only_wave32 else (_SMALL_WAVE, _LARGE_WAVE)


def _field_on(name: str, target: "isa.Target | None") -> "descriptor.DescriptorDirective | None":
    if target is None or not name.startswith(descriptor.PREFIX):
        return None
    return descriptor.directives(target.features).get(name.removeprefix(descriptor.PREFIX))


_TAKES = {
    "accum_offset": "a multiple of 4 from 4 to 256",
    "next_free_vgpr": "0 to the VGPRs of a wave",
    "next_free_sgpr": "0 to the SGPRs of a wave",
}


def _is_sum(name: str) -> bool:
    """Whether the default of a descriptor field is computed from other fields."""
    field = documentation.descriptor_field(name)
    return field is not None and field.default.startswith("the sum")


def _known_by(name: str) -> str:
    """The assemblers that know a directive, unless it is in today's for `amdhsa`."""
    former = assembler.FORMER.get(name)
    if former is not None:
        return f"LLVM {former.until} dropped it." if former.until else "LLVM no longer knows it."
    return next((said for names, said in _KNOWN_BY if name in names), "")


_KNOWN_BY = (
    (assembler.OTHER_SYSTEMS, "LLVM knows it only for operating systems other than `amdhsa`."),
    (assembler.NEWER, "LLVM knows it from version 23."),
)
