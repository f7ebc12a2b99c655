"""One instruction as a function of the state of a wave: `bind(instruction, target).execute(wave, environment)`.

The operation of the documentation is compiled once for each shape of an instruction: mnemonic, encoding, kinds of
operands and modifiers. Instructions that differ only in the numbers of registers and in immediates share the code.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Protocol

import numpy as np

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa import conditions, documentation
from gcn_lsp.isa.documentation import result_modifiers
from gcn_lsp.isa.documentation.operation import parse
from gcn_lsp.isa.machine import register_results, roles
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.isa.modifiers.cache_policy import SCALAR_FAMILIES
from gcn_lsp.machine import lanes as permutations
from gcn_lsp.machine import matrices, reasons, runtime
from gcn_lsp.machine.environment import Environment, MemoryAccess, Stop
from gcn_lsp.machine.operands import Operands
from gcn_lsp.machine.registers import Wave
from gcn_lsp.machine.terms import Untranslatable
from gcn_lsp.machine.translation import Translator
from gcn_lsp.records import NamedTuple

_WITHOUT_IEEE = "gfx117|gfx12+"
_FNUZ = "gfx94"
_FETCHES_INACTIVE = (0xE9, 0xEA)


class Bound(Protocol):
    """An instruction that can be carried out. size: its bytes. is_approximate: whether hardware only comes near."""

    size: int
    is_approximate: bool

    def execute(self, wave: Wave, environment: Environment) -> None:
        """Carries it out in all lanes."""


class Inexecutable(NamedTuple):
    """An instruction that cannot be carried out. reason: a sentence."""

    reason: str


class Compiled(NamedTuple):
    """The code of a shape. make: the function from its parameters; recipe: which these are; source: its text."""

    make: Callable[..., Callable[[Wave, Environment], None]]
    recipe: tuple[tuple[str, str], ...]
    is_approximate: bool
    uses_floats: bool
    source: str


class BoundInstruction:
    """An instruction with its compiled operation for waves of either size."""

    __slots__ = ("size", "is_approximate", "execute", "_parts")

    def __init__(self, size: int, made: Compiled, run: Callable[[Wave, Environment], None]) -> None:
        self.size = size
        self.is_approximate = made.is_approximate
        self.execute = run


_QUIET = np.errstate(all="ignore")
"""Floats that overflow, and NaN, are results and no reason for a warning."""

_SHAPES: ByValue[object, "Compiled | Inexecutable"] = ByValue(50_000)


def bind(instruction: Instruction, target: isa.Target, code: bytes = b"", *, lanes: int = 0) -> "Bound | Inexecutable":
    """The instruction as a function of a wave.

    code: its bytes with the addresses filled in, where `instruction.code` still has fixups. lanes: of the wave, if it
    is known; otherwise each size is bound when a wave of that size comes.
    """
    if instruction.form is None or not (code or instruction.code):
        return Inexecutable("It is not an instruction of this target; gcn-lsp check says why.")
    code = code or instruction.code
    if lanes:
        return _bound(instruction, target, code, lanes)
    first = 32 if target.has_only_wave32 else 64
    made = _bound(instruction, target, code, first)
    if isinstance(made, Inexecutable) or not target.has_wave32 or target.has_only_wave32:
        return made
    return EitherSize(made, lambda: _bound(instruction, target, code, 32))


class EitherSize:
    """An instruction for waves of 64 lanes, and of 32 when one comes."""

    __slots__ = ("size", "is_approximate", "_long", "_make", "_short")

    def __init__(self, long: Bound, make: Callable[[], "Bound | Inexecutable"]) -> None:
        self.size, self.is_approximate = long.size, long.is_approximate
        self._long, self._make, self._short = long, make, None

    _short: "Bound | None"

    def execute(self, wave: Wave, environment: Environment) -> None:
        """Carries it out in all lanes."""
        if wave.lanes != 32:
            self._long.execute(wave, environment)
            return
        if self._short is None:
            made = self._make()
            assert not isinstance(made, Inexecutable)
            self._short = made
        self._short.execute(wave, environment)


def _bound(instruction: Instruction, target: isa.Target, code: bytes, lanes: int) -> "Bound | Inexecutable":
    parts = _parts(instruction, target, code, lanes)
    if _MATRIX.search(_text(parts[0].mnemonic, target)):
        return _matrix(parts[0], target, len(code), lanes)
    key = (parts[0].form.name, target.name, target.features, lanes, tuple(_shape(part) for part in parts))
    made = _SHAPES.get(key)
    if made is None:
        made = _SHAPES.keep(key, _compiled(parts, instruction, target, code, lanes))
    if isinstance(made, Inexecutable):
        return made
    by_suffix = {part.suffix: part for part in parts}
    values = [by_suffix[suffix].parameter(name) for suffix, name in made.recipe]
    run = made.make(_access(instruction, parts[0]), *values)
    return BoundInstruction(len(code), made, _QUIET(run) if made.uses_floats else run)


_MATRIX = re.compile(r"\bA\[")


def _matrix(part: Operands, target: isa.Target, size: int, lanes: int) -> "Bound | Inexecutable":
    """A matrix instruction, which is not compiled: its sums go over all elements at once."""
    fields = tuple(part.fields.items())
    try:
        code = _matrix_code(part.form, target, lanes, fields)
        sources = (part.fetched("A"), part.fetched("B"), part.fetched("D" if code.is_sparse else "C"))
        index = part.fetched("C") if code.is_sparse else None
    except Untranslatable as error:
        return Inexecutable(str(error))
    result = part.reference("D")
    first = part.parameter(f"register:{result.slot}")
    assert isinstance(first, int)
    run = matrices.runner(code, sources, index, result.file, first, size)
    return BoundInstruction(size, Compiled(lambda: run, (), False, True, ""), _QUIET(run))


@lru_cache(maxsize=1 << 12)
def _matrix_code(
    form: isa.Form, target: isa.Target, lanes: int, fields: tuple[tuple[str, int], ...]
) -> matrices.MatrixCode:
    return matrices.MatrixCode(form, target, lanes, dict(fields))


def _parts(instruction: Instruction, target: isa.Target, code: bytes, lanes: int) -> list[Operands]:
    """The operands of the instruction, or of both halves of a pair."""
    form = instruction.form
    assert form is not None
    if form.family != "VOPD":
        return [Operands(instruction, target, lanes, _text(form.mnemonic, target), code=code)]
    second = next(operand.slot for operand in instruction.operands if operand.slot.startswith(roles.HALF))
    made = []
    for mnemonic, suffix in ((form.mnemonic, "X"), (second, "Y")):
        part = Operands(instruction, target, lanes, _text(mnemonic, target), code=code, suffix=suffix)
        part.mnemonic = mnemonic
        made.append(part)
    return made


def _text(mnemonic: str, target: isa.Target) -> str:
    entry = documentation.entry(mnemonic, target)
    return entry.operation if entry is not None else ""


# Fields with numbers of registers or immediates, which are parameters.
_PARAMETERS = frozenset(("simm16", "offset", "offset0", "offset1", "imm", "immX", "immY", "cpol", "swz"))


def _shape(part: Operands) -> object:
    """What the compiled code depends on, besides the form."""
    names = {operand.name for operand in part.form.operands if operand.kind.registers is not None}
    written = part._written
    references = tuple(
        (name, part.reference(name)._replace(code=0) if part.reference(name).file == "s" else part.reference(name))
        for name in _REFERENCES
        if part.slot(name)
    )
    immediates = tuple(
        (name, value) for name, value in part.fields.items() if name not in names and name not in _PARAMETERS
    )
    kinds = tuple((slot, operand.kind if operand.kind in _KINDS else "") for slot, operand in written.items())
    return part.mnemonic, references, immediates, kinds, part.scales_offset


_KINDS = ("register", "token")  # of operands that decide what the code is; of others, that they are written


_REFERENCES = ("D", "SDST", "S0", "S1", "S2", "S3", "ADDR", "DATA", "DATA0", "DATA1", "SADDR", "SBASE", "SRSRC",
               "SOFFSET", "A", "B", "C", "INDEX", "SCALE0", "SCALE1")  # fmt: skip


def _access(instruction: Instruction, part: Operands) -> MemoryAccess:
    form = part.form
    fields = {**part.fields, **{slot: 1 for slot in part._written if slot in _FLAGS}}
    fields.update((name, part.immediate(name)) for name in ("offset", "offset0", "offset1") if name in fields)
    is_atomic = form.may_load and form.may_store and not lds_accesses.loads_to_lds(form)
    space = _SPACES.get(form.family, "scalar" if form.family in SCALAR_FAMILIES else "")
    returns = any(operand.is_def for operand in form.operands)
    return MemoryAccess(form.mnemonic, form, fields, space, is_atomic, returns)


_FLAGS = frozenset(("idxen", "offen", "addr64", "lds", "tfe", "glc", "slc", "dlc"))
_SPACES = {
    "MUBUF": "buffer", "MTBUF": "buffer", "FLAT": "flat", "GLOBAL": "global", "SCRATCH": "scratch", "DS": "lds",
}  # fmt: skip


def _compiled(
    parts: list[Operands], instruction: Instruction, target: isa.Target, code: bytes, lanes: int
) -> "Compiled | Inexecutable":
    translators = []
    for part in parts:
        operation = operation_of(part, target)
        if operation is None:
            return Inexecutable(f"{part.mnemonic} has no documented operation.")
        reason = reasons.of(operation)
        if reason:
            return Inexecutable(reason)
        translators.append((part, Translator(part, lanes, wraps="saturate(" not in operation), operation))
    try:
        return _assembled(translators, target, lanes)
    except Untranslatable as error:
        return Inexecutable(f"The operation of {parts[0].mnemonic} is not executed: {error}.")


def operation_of(part: Operands, target: isa.Target) -> str | None:
    """The operation with the output modifiers that are written, or with LDS in place of the register."""
    entry = documentation.entry(part.mnemonic, target)
    if entry is None:
        return None
    if lds_accesses.loads_to_lds(part.form):
        return _RESULT.sub(_place_in_lds(part.mnemonic), entry.operation)
    omod, clamp = part.fields.get("omod", 0), bool(part.fields.get("clamp", 0))
    if not omod and not clamp:
        return entry.operation
    changed = result_modifiers.modified(entry.operation, entry.mnemonic, target.name, omod, clamp)
    return changed.operation or entry.operation


_RESULT = re.compile(r"^D\.(\w+) =", re.M)


def _place_in_lds(mnemonic: str) -> str:
    """Where a load of a buffer to LDS puts its data: those of the lanes side by side."""
    return rf"LDS.\1[M0[15:0] + OFFSET + {lds_accesses.copy_stride(mnemonic)} * lane] ="


def _assembled(translators: list[tuple[Operands, Translator, str]], target: isa.Target, lanes: int) -> Compiled:
    names: Mapping[str, Any] = names_for(lanes)
    body: list[str] = []
    is_pair = len(translators) == 2
    ends = []
    for part, translator, operation in translators:
        if is_pair:
            translator.prefix = f"t{part.suffix}"
        lines, end = translator.parts(parse(operation))
        body += lines
        ends.append(end)
    for end in ends:
        body += end()
    recipe = tuple((part.suffix, key) for part, _, _ in translators for key in part.recipe)
    arguments = [f"n{part.suffix}{place}" for part, _, _ in translators for place in range(len(part.recipe))]
    part = translators[0][0]
    head = ["pc = w.pc", "w.pc = pc + SIZE"]
    if not part.is_scalar:
        head.append("full = am = w.exec_mask" if not _ignores_exec(part) else "full = am = ALL")
    elif any("am" in line for line in body):
        head.append("am = ALL")
    uses_floats = any(translator.uses_floats for _, translator, _ in translators)
    if uses_floats:
        head.append(f"m = modal(w.mode & {0x2FF}, {not conditions.covers(_WITHOUT_IEEE, target.name)}, "
                    f"{conditions.covers(_FNUZ, target.name)})")  # fmt: skip
    lines = ["def make(ACCESS" + "".join(f", {name}" for name in arguments) + "):"]
    lines.append("    def run(w, e):")
    lines += ["        " + line for line in head]
    lines += body
    lines.append("    return run")
    size = part.form.size + (len(part._code) - part.form.size)
    namespace = {**names, "SIZE": size, "DPP": _permutation(part, lanes)}
    source = "\n".join(lines)
    exec(_code_of(source), namespace)
    make = namespace["make"]
    if any(translator.computes_registers for _, translator, _ in translators):
        make = partial(_within_registers, make)
    is_approximate = any(translator.is_approximate for _, translator, _ in translators)
    return Compiled(make, recipe, is_approximate, uses_floats, source)


def _within_registers(make: Callable[..., Callable[[Wave, Environment], None]], *values: object) -> Any:
    """The function of an operation that finds its registers by numbers in others: Stop if there is no such register."""
    run = make(*values)

    def checked(wave: Wave, environment: Environment) -> None:
        try:
            run(wave, environment)
        except IndexError as error:
            numbers = re.findall(r"\d+", str(error))
            which = f"register {numbers[0]}" if numbers else "a register"
            raise Stop(f"It uses {which} by its number, which is beyond the registers of the wave.") from None

    return checked


@lru_cache(maxsize=1 << 14)
def _code_of(source: str) -> Any:
    return compile(source, "<operation>", "exec")


def _ignores_exec(part: Operands) -> bool:
    return register_results.is_in_all_lanes(part.form) or "exec" not in part.form.uses


def _permutation(part: Operands, lanes: int) -> object:
    fields = part.fields
    if "dpp8" in fields:
        return permutations.dpp8(fields["dpp8"], lanes, fields.get("fi") == _FETCHES_INACTIVE[1])
    if "dpp_ctrl" not in fields:
        return None
    return permutations.dpp(
        fields["dpp_ctrl"],
        lanes,
        fields.get("row_mask", 15),
        fields.get("bank_mask", 15),
        bool(fields.get("bound_ctrl", 0)),
        bool(fields.get("fi", 0)),
    )


@lru_cache(maxsize=4)
def names_for(lanes: int) -> Mapping[str, Any]:
    """What compiled code may name."""
    every = np.ones(lanes, np.bool_)
    every.setflags(write=False)
    lane = np.arange(lanes, dtype=np.uint32)
    lane.setflags(write=False)
    names = {name: getattr(runtime, name) for name in runtime.__all__}
    return {**names, "np": np, "LANE": lane, "ALL": every}
