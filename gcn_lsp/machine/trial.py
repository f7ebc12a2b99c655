"""One instruction on a wave that is made up for it: `run("v_add_f32 v0, v1, v2", "gfx900", ("v1=1.5",))`."""

import re
import struct
from collections.abc import Iterator

import numpy as np

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa import documentation
from gcn_lsp.machine.environment import Stop
from gcn_lsp.machine.nothing import Nothing
from gcn_lsp.machine.operation import Inexecutable, bind
from gcn_lsp.machine.registers import VCC, Wave
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import StatementKind

_REGISTER = re.compile(r"(?P<file>[vsa]|ttmp)(?:(?P<one>\d+)|\[(?P<first>\d+):(?P<last>\d+)\])$")
_RESULT = re.compile(r"\bD\.(?P<kind>bf|fp|[uifb])(?P<size>\d+)(?P<element>\[)?")
_STATE = ("exec", "vcc", "scc", "m0", "mode")
_VGPRS = 512
_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
_WORD = 0xFFFF_FFFF
_MODE = 0x3F0
"""Rounding to nearest, all denormals kept, DX10_CLAMP and IEEE set."""


class WrongTrial(Exception):
    """A line, a register or a value that cannot be; the text says which."""


def run(text: str, target_name: str, registers: tuple[str, ...], lanes: int = 0, shown: str = "0") -> Iterator[str]:
    """What the instruction writes, as lines. Raises WrongTrial.

    registers: `NAME=VALUE`. lanes: of the wave, 0 for the target's usual size. shown: the lanes that are printed.
    """
    target = isa.load_target(target_name)
    instruction = _assembled(text, target)
    size = lanes or (32 if target.has_wave32 else 64)
    if (size == 32 and not target.has_wave32) or (size == 64 and target.has_only_wave32):
        raise WrongTrial(f"{target.name} has no waves of {size} lanes.")
    bound = bind(instruction, target, lanes=size)
    if isinstance(bound, Inexecutable):
        raise WrongTrial(bound.reason)
    wave = Wave(size, _VGPRS, _VGPRS, m0_number=target.registers["m0"].number)
    wave.mode = _MODE
    for each in registers:
        _set(wave, target, each)
    first, last = _lanes(shown, size)
    before = _Snapshot(wave)
    try:
        bound.execute(wave, Nothing())
    except Stop as stop:
        raise WrongTrial(str(stop)) from stop
    return _printed(wave, before, instruction, target, range(first, last + 1), bound.is_approximate)


def _assembled(text: str, target: isa.Target) -> Instruction:
    statements = [each for each in parse_line(text.encode()).statements if each.kind is StatementKind.COMMAND]
    if len(statements) != 1:
        raise WrongTrial(f"{text!r} is not one instruction.")
    instruction = assembler.assemble(target, statements[0], {})
    if instruction.problems and not instruction.code:
        raise WrongTrial(f"{target.name}: {instruction.problems[0].message}.")
    if instruction.form is None or not instruction.code:
        raise WrongTrial(f"{text!r} is no instruction of {target.name} with known values.")
    return instruction


def _lanes(shown: str, lanes: int) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", shown)
    first, last = (int(found[1]), int(found[2] or found[1])) if found is not None else (1, 0)
    if not first <= last < lanes:
        raise WrongTrial(f"{shown!r} is no lane, or range of lanes, of {lanes}.")
    return first, last


# Values


def _set(wave: Wave, target: isa.Target, text: str) -> None:
    name, sign, value = text.partition("=")
    if not sign:
        raise WrongTrial(f"{text!r} is not REGISTER=VALUE.")
    if name in _STATE:
        setattr(wave, name, _bits(value, 64 if name in ("exec", "vcc") else 32))
        return
    found = _REGISTER.match(name)
    if found is None:
        raise WrongTrial(f"{name!r} is no register such as v1, s[2:3], vcc, exec, scc, m0 or mode.")
    first = int(found["one"] or found["first"])
    last = int(found["one"] or found["last"])
    limit = target.file_sizes.get(found["file"], 0) if found["file"] != "v" else _VGPRS
    if not first <= last < limit:
        raise WrongTrial(f"{target.name} has no register {name}.")
    count = last - first + 1
    if found["file"] in ("s", "ttmp"):
        base = target.ttmp_base if found["file"] == "ttmp" else 0
        bits = _bits(value, 32 * count)
        wave.set_scalars(base + first, [bits >> 32 * place & _WORD for place in range(count)])
        return
    file, written = (wave.vgprs, wave.written_vgprs) if found["file"] == "v" else (wave.accvgprs, wave.written_accvgprs)
    each = [_bits(part, 32 * count) for part in value.split(",")]
    if len(each) > wave.lanes:
        raise WrongTrial(f"{name} has {wave.lanes} lanes, not {len(each)}.")
    for place in range(count):
        words = [bits >> 32 * place & _WORD for bits in each]
        if len(each) == 1:
            file[first + place] = words[0]
        else:
            file[first + place, : len(words)] = words
        written[first + place] = True


def _bits(text: str, size: int) -> int:
    """The bits of a number as it is written."""
    kind, colon, rest = text.partition(":")
    number = rest if colon else text
    try:
        if colon:
            return _typed(kind, number)
        if re.search(r"[.]|^[-+]?\d+e|inf|nan", number) and not number.startswith("0x"):
            return _float(float(number), min(size, 64))
        return int(number, 0) & (1 << size) - 1
    except ValueError as error:
        raise WrongTrial(f"{text!r} is no number.") from error


def _typed(kind: str, number: str) -> int:
    found = re.fullmatch(r"(f|bf|u|i)(16|32|64)", kind)
    if found is None:
        raise WrongTrial(f"{kind!r} is no type such as f16, bf16, f32, f64, u32 or i32.")
    size = int(found[2])
    if found[1] == "bf":
        return _float(float(number), 32) >> 16
    return _float(float(number), size) if found[1] == "f" else int(number, 0) & (1 << size) - 1


def _float(value: float, size: int) -> int:
    if size not in _FORMATS:
        raise WrongTrial(f"a float of {size} bits is not known.")
    form, whole = _FORMATS[size]
    with np.errstate(over="ignore"):
        if size == 32:
            return int(np.float32(value).view(np.uint32))
    return int(struct.unpack(whole, struct.pack(form, value))[0])


# Results


class _Snapshot:
    """The registers of a wave before."""

    def __init__(self, wave: Wave) -> None:
        self.sgprs, self.written = wave.sgprs.copy(), wave.written_sgprs.copy()
        self.scc, self.mode, self.pc = wave.scc, wave.mode, wave.pc
        self.files = [
            (name, file, file.copy(), written, written.copy())
            for name, file, written in (
                ("v", wave.vgprs, wave.written_vgprs),
                ("a", wave.accvgprs, wave.written_accvgprs),
            )
        ]
        for _, _, _, written, _ in self.files:
            written[:] = False
        wave.written_sgprs[:] = False


def _printed(
    wave: Wave, before: _Snapshot, instruction: Instruction, target: isa.Target, lanes: range, is_approximate: bool
) -> Iterator[str]:
    form = instruction.form
    assert form is not None
    entry = documentation.entry(form.mnemonic, target)
    found = _RESULT.search(entry.operation) if entry is not None else None
    kind, size = (found["kind"], int(found["size"])) if found is not None else ("b", 32)
    said = False
    for name, file, _, written, _ in before.files:
        numbers = [int(each) for each in np.flatnonzero(written.any(axis=1))]
        for number in _tuples(numbers, size):
            count = 2 if size == 64 and number + 1 in numbers else 1
            label = f"{name}{number}" if count == 1 else f"{name}[{number}:{number + 1}]"
            for lane in lanes:
                if written[number, lane]:
                    bits = sum(int(file[number + place, lane]) << 32 * place for place in range(count))
                    yield f"{label}[{lane}] = {_shown(bits, kind, size, 32 * count)}"
                    said = True
    for line in _of_scalars(wave, before, target, kind, size):
        yield line
        said = True
    step = wave.pc - before.pc
    if step != len(instruction.code):
        yield f"pc = {before.pc + step:#x}, a jump"
        said = True
    if not said:
        yield "nothing is written"
    if is_approximate:
        yield "hardware only comes near this result; `gcn-lsp explain` says how near"


def _tuples(numbers: list[int], size: int) -> Iterator[int]:
    skipped = -1
    for number in numbers:
        if number == skipped:
            continue
        yield number
        skipped = number + 1 if size == 64 else -1


def _of_scalars(wave: Wave, before: _Snapshot, target: isa.Target, kind: str, size: int) -> Iterator[str]:
    names = {register.number: name for name, register in target.registers.items() if register.dwords == 1}
    written = [int(each) for each in np.flatnonzero(wave.written_sgprs)]
    done: set[int] = set()
    for number in written:
        if number in done:
            continue
        is_mask = number in (VCC, VCC + 20)
        count = 2 if number + 1 in written and (is_mask or number % 2 == 0) else 1
        done.update(range(number, number + count))
        name = names.get(number, f"s{number}" if count == 1 else f"s[{number}:{number + 1}]")
        if count == 2 and number in names:
            name = names[number].removesuffix("_lo")
        bits = wave.scalars(number, count)
        yield f"{name} = {_shown(bits, 'b' if is_mask else kind, size, 32 * count)}"
    if wave.scc != before.scc:
        yield f"scc = {wave.scc}"
    if wave.mode != before.mode:
        yield f"mode = {wave.mode:#x}"


def _shown(bits: int, kind: str, size: int, width: int) -> str:
    """A value by its type, and its bits."""
    plain = f"{bits:#0{width // 4 + 2}x}"
    low = bits & (1 << size) - 1
    if kind == "f" and size in _FORMATS:
        if size < width:
            halves = [bits >> place & (1 << size) - 1 for place in range(0, width, size)]
            return f"{' '.join(_decimal(each, size) for each in halves)} (f{size}, {plain})"
        return f"{_decimal(low, size)} (f{size}, {plain})"
    if kind == "bf" and size == 16:
        return f"{_decimal(low << 16, 32)} (bf16, {plain})"
    if kind == "i" and size == width:
        return f"{low - (1 << size) if low >> (size - 1) else low} (i{size}, {plain})"
    if kind == "u" and size == width:
        return f"{low} (u{size}, {plain})"
    return plain


def _decimal(bits: int, size: int) -> str:
    form, whole = _FORMATS[size]
    value = struct.unpack(form, struct.pack(whole, bits))[0]
    if size == 32:
        return str(np.float32(value))
    return str(np.float16(value)) if size == 16 else repr(value)
