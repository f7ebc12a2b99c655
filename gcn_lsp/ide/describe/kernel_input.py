"""What a kernel is started with: the inputs that registers hold, the arguments that a load reads."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.values import kernel_inputs, reaching
from gcn_lsp.analysis.values.kernel_inputs import Held
from gcn_lsp.ide.describe import markdown
from gcn_lsp.instruction.model import Operand
from gcn_lsp.instruction.registers import tuple_text
from gcn_lsp.isa import documentation
from gcn_lsp.isa.kernels import calling_convention, dispatch_packet, implicit_arguments
from gcn_lsp.isa.kernels.calling_convention import EntryRegister
from gcn_lsp.patterns import regex
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.inputs import DISPATCH_POINTER, KERNARG_POINTER, PRELOADED
from gcn_lsp.program.kernels.metadata_tree import Node

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_SCALAR_LOAD = "s_load_"
_DWORD = 4
_BY_VALUE = "by_value"


def of_register(program: "Program", line: int, operand: Operand) -> str:
    """The inputs that an operand's registers still hold before the instruction on a line; empty if not known."""
    found: dict[str, list[str]] = {}
    for each in kernel_inputs.held(program, line, operand):
        for text in _preloaded(program, each, operand) or [_said(each)]:
            found.setdefault(text, []).append(each.kernel)
    names = {name for kernels in found.values() for name in kernels}
    rows = [
        text if len(names) == len(kernels) else f"{text}, in {markdown.listing(kernels)}"
        for text, kernels in found.items()
    ]
    return markdown.section("Holds what the kernel started with:", rows) or _of_function(program, line, operand)


def of_loaded(program: "Program", line: int, operand: Operand) -> str:
    """The arguments, or fields of the dispatch packet, that an operand's registers hold since a scalar load."""
    loaded = kernel_inputs.loaded(program, line, operand)
    access = _access(loaded.load) if loaded is not None else None
    if loaded is None or access is None:
        return ""
    base, offset, size, result = access
    skipped = (loaded.first - result.first) * _DWORD
    length = min(operand.count * _DWORD, size - skipped)
    added = f", plus {loaded.added} bytes" if loaded.added else ""
    rows: list[str] = [
        f"{text}{added}"
        for each in kernel_inputs.held_at(program, loaded.graph, loaded.load, base)
        if (each.input.first, each.input.count) == (each.first, base.count)
        for _, _, text, _ in _overlapping(_parts(program, each), each.added + offset + skipped, length)
    ]
    return markdown.section("Holds what was loaded:", list(dict.fromkeys(rows)))


def _of_function(program: "Program", line: int, operand: Operand) -> str:
    """What an operand's registers still hold since the entry of a function."""
    rows: list[str] = []
    for _, each in kernel_inputs.held_in_function(program, line, operand):
        bits = f", bits {each.bits}" if each.bits else ""
        rows.append(f"{each.meaning} (in {markdown.code(tuple_text(each.file, each.first, each.dwords))}{bits})")
    head = "Holds what the function was called with, by LLVM's calling convention:"
    return markdown.section(head, list(dict.fromkeys(rows)))


def short_titles(program: "Program", line: int, operand: Operand) -> tuple[str, ...]:
    """The names of the inputs that an operand's registers still hold, in a few words each."""
    titles: dict[str, None] = {}
    for each in kernel_inputs.held(program, line, operand):
        names = [name for _, _, _, name in _preloaded_parts(program, each, operand)] or [each.input.title]
        titles |= dict.fromkeys(f"{name}{f' + {each.added}' if each.added else ''}" for name in names)
    return tuple(titles)


def names_read(program: "Program", line: int) -> tuple[str, ...]:
    """The names of what the scalar load on a line reads: of arguments, or of fields of the dispatch packet."""
    return tuple(dict.fromkeys(name for _, name in _of_load(program, line)))


def _said(each: Held) -> str:
    """`s[4:5]`: kernarg segment pointer, plus 16 bytes."""
    place = each.input
    last = place.first + place.count - 1
    register = f"{place.file}{place.first}" if place.count == 1 else f"{place.file}[{place.first}:{last}]"
    bits = f", bits {place.bits}" if place.bits else ""
    added = f", plus {each.added} bytes" if each.added else ""
    return f"{place.title} (in {markdown.code(register)}{bits}){added}"


def _preloaded(program: "Program", each: Held, operand: Operand) -> list[str]:
    """The preloaded arguments in an operand's registers; empty if the input is another one."""
    added = f", plus {each.added} bytes" if each.added else ""
    return [f"{text}, preloaded{added}" for _, _, text, _ in _preloaded_parts(program, each, operand)]


def _preloaded_parts(program: "Program", each: Held, operand: Operand) -> "list[_Part]":
    if each.input.title != PRELOADED:
        return []
    skipped = kernel_inputs.preload_offset(program, each.kernel) + each.first - each.input.first
    return list(_overlapping(_kernel_arguments(program, each.kernel), skipped * _DWORD, operand.count * _DWORD))


def of_load(program: "Program", line: int) -> str:
    """The arguments, or fields of the dispatch packet, that the scalar load on a line reads; empty if not known."""
    return "\n".join(f"- {row}" for row in dict.fromkeys(row for row, _ in _of_load(program, line)))


def _of_load(program: "Program", line: int) -> Iterator[tuple[str, str]]:
    """What the scalar load on a line reads: a row of text for each part, and its name."""
    at = reaching.on_line(program, line)
    access = _access(at.site) if at is not None else None
    if at is None or access is None:
        return
    base, offset, size, result = access
    for each in kernel_inputs.held_at(program, at.graph, at.site, base):
        if (each.input.first, each.input.count) == (each.first, base.count):
            yield from _read(_parts(program, each), each.added + offset, size, result)
    for _, place in kernel_inputs.held_in_function(program, line, base):
        if (place.first, place.dwords) == (base.first, base.count):
            yield from _read(_parts_of_function(program, place), offset, size, result)


def _access(site: Site) -> "tuple[Operand, int, int, Operand] | None":
    """The address of a scalar load, its constant offset and its size in bytes, and what it writes."""
    operands = {operand.slot: operand for operand in site.operands}
    base, offset, result = operands.get("sbase"), operands.get("offset"), operands.get("sdst")
    other = operands.get("soffset")
    if not site.mnemonic.startswith(_SCALAR_LOAD) or base is None or result is None:
        return None
    if (other is not None and other.file != "null") or (offset is not None and type(offset.value) is not int):
        return None
    form = site.item.instruction.form if site.item.instruction is not None else None
    unit = _DWORD if form is not None and form.family == "SMRD" else 1
    number = offset.value * unit if offset is not None and type(offset.value) is int else 0
    part = _NARROW.search(site.mnemonic)
    return base, number, int(part[1]) // 8 if part else result.count * _DWORD, result


_NARROW = regex(r"_[iu](8|16)$")  # a load of less than a dword


_Part = tuple[int, int, str, str]  # offset and size in bytes, what it is, and its name


def _read(parts: Iterable[_Part], first: int, size: int, result: Operand) -> Iterator[tuple[str, str]]:
    """What the bytes that a load reads are: a text for each argument or field, and its name."""
    for offset, length, text, title in _overlapping(parts, first, size):
        register = result.first + max(offset - first, 0) // _DWORD
        last = min(register + max(-(-length // _DWORD), 1), result.first + result.count) - 1
        name = f"{result.file}{register}" if last == register else f"{result.file}[{register}:{last}]"
        yield f"{markdown.code(name)}: {text}", title


def _overlapping(parts: Iterable[_Part], first: int, size: int) -> Iterator[_Part]:
    """The parts that overlap the `size` bytes from `first`."""
    return (part for part in parts if part[0] < first + size and first < part[0] + part[1])


def _parts(program: "Program", each: Held) -> list[_Part]:
    """The parts of what an input of a kernel points to."""
    if each.input.title == DISPATCH_POINTER:
        return [(field.offset, field.size, field.meaning, field.meaning) for field in dispatch_packet.FIELDS]
    return _kernel_arguments(program, each.kernel) if each.input.title == KERNARG_POINTER else []


def _kernel_arguments(program: "Program", name: str) -> list[_Part]:
    """The arguments of a kernel, and the hidden ones after them where the metadata has none of these."""
    found = list(_arguments(program, name))
    if not found or any(name.startswith(_HIDDEN) for _, _, _, name in found):
        return found
    end = max(offset + size for offset, size, _, _ in found)
    alignment = implicit_arguments.ALIGNMENT
    return [*found, *_hidden(program, -(-end // alignment) * alignment)]


def _parts_of_function(program: "Program", place: EntryRegister) -> list[_Part]:
    """The parts of what a register points to at the entry of a function."""
    if place.meaning == calling_convention.DISPATCH_PACKET:
        return [(field.offset, field.size, field.meaning, field.meaning) for field in dispatch_packet.FIELDS]
    return _hidden(program, 0) if place.meaning == calling_convention.HIDDEN_ARGUMENTS else []


def _hidden(program: "Program", first: int) -> list[_Part]:
    """The hidden arguments that begin at an offset, by the version of the code object."""
    rows = implicit_arguments.offsets(_version(program))
    return [
        (first + offset, size, f"{markdown.code(name)}: {_sentence(documentation.value_kind(name) or '')}", name)
        for offset, size, name in rows
    ]


_HIDDEN = "hidden_"
_VERSION = regex(rb"\s*\.amdhsa_code_object_version\s+(\d+)")
_METADATA_VERSION = regex(rb"amdhsa\.version:\s*(?:\[\s*1\s*,\s*(\d+)|$)")
_OF_METADATA = 3  # version 1.0 of the metadata is that of code object version 3
_USUAL_VERSION = 6


def _version(program: "Program") -> int:
    """The version of the code object that a file names."""
    for line in program.source.lines:
        if b"version" in line:
            named, described = _VERSION.match(line), _METADATA_VERSION.match(line)
            if named:
                return int(named[1])
            if described and described[1]:
                return _OF_METADATA + int(described[1])
    return _USUAL_VERSION


def _arguments(program: "Program", name: str) -> Iterator[tuple[int, int, str, str]]:
    """The arguments of a kernel by its metadata: offset, size, what each is, and its name."""
    for offset, size, number, node in metadata.arguments(program.metadata, name):
        yield offset, size, _argument(number, node), _name(number, node)


def _argument(number: int, argument: Node) -> str:
    """Argument 1 `x`, `float*`: a 64-bit pointer to global memory."""
    kind, name, spelled = (_text(argument, key) for key in (".value_kind", ".name", ".type_name"))
    meaning = documentation.value_kind(kind) or "" if kind != _BY_VALUE else ""
    named = f" {markdown.code(name)}" if name else ""
    typed = f", {markdown.code(spelled)}" if spelled else ""
    hidden = f" {markdown.code(kind)}" if kind.startswith("hidden_") else ""
    return f"argument {number}{named}{typed}{hidden}: {_sentence(meaning)}".rstrip(": ")


def _sentence(text: str) -> str:
    """A sentence as a part of another one."""
    return f"{text[:1].lower()}{text[1:].rstrip('.')}"


def _name(number: int, argument: Node) -> str:
    """The name of an argument; `argument 1` without one, and the kind of a hidden one."""
    kind = _text(argument, ".value_kind")
    return _text(argument, ".name") or (kind if kind.startswith("hidden_") else f"argument {number}")


def _text(argument: Node, key: str) -> str:
    value = argument.get(key)
    return value.text or "" if value is not None else ""
