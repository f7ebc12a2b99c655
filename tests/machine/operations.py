"""Carries out an operation of the documentation with the machine's evaluator, on a state that a test makes up:
`run("D.f32 = S0.f32 + S1.f32", {"S0": Value("b", 0, 32), ...})`.

`gcn_lsp.machine.translation` compiles it, with entries of the state as operands in place of those of an instruction.
The result of a vector operation is that of lane `lane`. What is outside of a wave raises `Unsupported`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from gcn_lsp.isa.documentation.operation import As, Assign, Expression, Name, NotAnOperation, Statement, Type, parse
from gcn_lsp.machine import integers
from gcn_lsp.machine.accesses import statements
from gcn_lsp.machine.environment import Addresses, MemoryAccess
from gcn_lsp.machine.operands import Operands
from gcn_lsp.machine.operation import names_for
from gcn_lsp.machine.registers import Mask, Wave, Words, mask_of
from gcn_lsp.machine.terms import FLOAT, M32, M64, U32, U64, UNIFORM, WORDS, Compiler, Term, Untranslatable, number
from gcn_lsp.machine.translation import Translator
from tests.isa.documentation import registers, values
from tests.isa.documentation.values import Unsupported, Value, integer, raw

State = dict[str, Value]

_CONSTANTS = ("OP_SEL", "OP_SEL_HI", "NEG", "HALF", "SCALE_SEL", "BYTE_SEL", "BITOP3", "RETURN", "lane", "lanes")
_VECTORS = re.compile(r"S\d|D|ADDR|DATA\d?|A|B|C|INDEX|SCALE\d")
_VGPRS, _SGPRS, _TTMPS, _DWORDS = 320, 100, 108, 32
_LANES = 64


def run(
    operation: str, state: Mapping[str, Value], *, is_scalar: bool = False, by_lane: "Mapping[str, int] | None" = None
) -> State:
    """The state after an operation.

    is_scalar: whether it happens once for the wave. by_lane: operands that are VGPRs with a value of their own in each
    lane, by number; such an operation happens in all active lanes, and its results are in the VGPRs.
    """
    shape = tuple((name, each.kind, each.size) for name, each in state.items())
    constants = tuple((name, each) for name, each in state.items() if name in _CONSTANTS)
    made = _compiled(operation, shape, constants, is_scalar)
    return _Run(state, by_lane or {}).of(made)


class _Made(NamedTuple):
    """A compiled operation. kinds: the types of what is assigned as a whole, and of what whatever conditions say.

    vectors: entries it takes as dwords.
    """

    run: Any
    kinds: Mapping[str, Type]
    certain: frozenset[str]
    vectors: frozenset[str]


@lru_cache(maxsize=1 << 12)
def _compiled(
    operation: str, shape: tuple[tuple[str, str, int], ...], constants: tuple[tuple[str, Value], ...], is_scalar: bool
) -> _Made:
    known = dict(constants)
    lanes = int(known["lanes"].number) if "lanes" in known else _LANES
    operands = _Named({name: (kind, size) for name, kind, size in shape}, known, operation, lanes, is_scalar=is_scalar)
    translator = Translator(operands, lanes, wraps="saturate(" not in operation)
    try:
        body = parse(operation)
        lines, end = translator.parts(body)
        source = "\n".join(["def run(w, e, S, am, m, out):", *lines, *end(), "        return out"])
    except (NotAnOperation, Untranslatable) as error:
        raise Unsupported(str(error)) from error
    names = {
        **names_for(lanes), "ACCESS": None,
        "hwreg": lambda wave, environment, place: environment.hwreg(wave, place),
        "set_hwreg": lambda wave, environment, place, value: environment.set_hwreg(wave, place, value),
    }  # fmt: skip
    exec(compile(source, "<operation>", "exec"), names)
    vectors = frozenset(name for name, _, _ in shape if not operands.is_scalar_place(name))
    kinds, certain = dict(_kinds(statements(body))), frozenset(name for name, _ in _kinds(body))
    return _Made(names["run"], kinds, certain, vectors)


def _kinds(body: Iterable[Statement]) -> Iterator[tuple[str, Type]]:
    for each in body:
        match each:
            case Assign(As(Name(name), kind)):
                yield name, kind


class _Named(Operands):
    """Operands that are entries of a state: of a vector operation as dwords of lanes, others as integers."""

    ttmp_base, is_permuted, suffix = _TTMPS, False, ""

    def __init__(
        self, entries: Mapping[str, tuple[str, int]], known: Mapping[str, Value], operation: str, lanes: int,
        *, is_scalar: bool,
    ) -> None:  # fmt: skip
        self._entries, self._known, self.lanes = entries, known, lanes
        self.is_scalar = is_scalar
        self._masks = frozenset(re.findall(r"\b(\w+)\[lane\]", operation))

    def size(self, name: str) -> int:
        """The bits of an entry."""
        return self._entries.get(name, ("", 32))[1]

    def is_scalar_place(self, name: str) -> bool:
        """Whether an entry is an integer."""
        return self.is_scalar or name in self._masks or not _VECTORS.fullmatch(name)

    def is_filled_in_parts(self, name: str) -> bool:
        """Whether a name is a vector destination, whose parts have no meaning of their own."""
        return self.is_destination(name) and not self.is_scalar_place(name)

    def number(self, name: str) -> Term:
        """The number of a register."""
        return self._integer(f"number of {name}")

    def is_signed(self, name: str) -> bool:
        """Whether NEG makes a source signed."""
        return bool(raw(self._known["NEG"]) >> int(name[1:]) & 1)

    def state(self, translator: Compiler, name: str) -> Term | None:
        """An entry that is an integer, or a field of a register."""
        if "." in name:
            return Term(translator.named(f"e.field({name!r})"), UNIFORM, "b", 32, 0, M32)
        is_operand = self.is_destination(name) or _VECTORS.fullmatch(name)
        return self._integer(name) if name in self._entries and not is_operand else None

    def _integer(self, name: str) -> Term:
        if name in self._known and name != "HALF":
            each = self._known[name]
            return number(int(each.number), "b" if each.size else "", each.size)
        if name not in self._entries:
            raise Untranslatable(f"the name {name}")
        kind, size = self._entries[name]
        bounds = (0, (1 << size) - 1) if size else (-1 << 31, M32)
        return Term(f"S[{name!r}]", UNIFORM, kind if kind == "u" else "b" if size else "", size, *bounds)

    def read(self, translator: Compiler, name: str, kind: Type | None) -> Term:
        """An entry as a type, or its bits."""
        if name not in self._entries:
            raise Untranslatable(f"the name {name}")
        bits = self._entry(translator, name, kind.size if kind is not None else self.size(name))
        return translator.reread(bits, kind) if kind is not None else bits

    def _entry(self, translator: Compiler, name: str, size: int) -> Term:
        if self.is_scalar_place(name):
            return self._integer(name)
        if size > 64:
            return Term(f"S[{name!r}]", WORDS, "b", 32 * _DWORDS)
        code = f"S[{name!r}][0]" if size <= 32 else f"paired(S[{name!r}])"
        return Term(translator.named(code), U32 if size <= 32 else U64, "b", size, 0, (1 << max(size, 32)) - 1)

    def element(self, translator: Compiler, name: str, kind: Type, place: Term) -> Term:
        """An element of an entry."""
        bits = self._entry(translator, name, 32 * _DWORDS)
        part = integers.part(translator, bits, integers.scaled(translator, place, kind.size), kind.size)
        return translator.reread(part._replace(kind="b", size=kind.size), kind)

    def mixed(self, translator: Compiler, name: str) -> Term:
        """A source as a float of 32 bits, as OP_SEL_HI and OP_SEL say; HALF has the kind of its halves."""
        place = int(name[1:])
        if not raw(self._known["OP_SEL_HI"]) >> place & 1:
            return self.read(translator, name, Type("f", 32))
        half = number(raw(self._known["OP_SEL"]) >> place & 1)
        short = self.element(translator, name, Type(self._known["HALF"].kind, 16), half)
        return Term(translator.named(translator.as_float(short, "f", 32)), FLOAT, "f", 32)

    def row(self, translator: Compiler, index: Expression, register: Term) -> str | None:
        """The expression of a VGPR."""
        return f"w.vgprs[{register.code}]"

    def old(self, translator: Compiler, name: str, place: int, size: int) -> Term:
        """What is in a dword, or two, of a destination."""
        if self.is_scalar_place(name):
            return self._integer(name)
        code = f"S[{name!r}][{place}]" if size <= 32 else f"paired(S[{name!r}][{place}:])"
        return Term(
            translator.named(code), U32 if size <= 32 else U64, "b", max(size, 32), 0, M32 if size <= 32 else M64
        )

    def address(self, translator: Compiler, function: str) -> Term:
        """The address of a memory instruction."""
        return self._integer("address")

    def scalar_load(self, where: str, size: int) -> str:
        """The expression of a scalar load."""
        return f"e.scalar_load(w, ACCESS, {where}, {size})"

    def first_bit(self, name: str) -> int:
        """An entry begins where it begins."""
        return 0

    def keep_sources(self, translator: Compiler, env: dict[str, Term], views: set[str]) -> None:
        """Nothing: results are written after all of them are known."""

    def finish(self, translator: Compiler, env: dict[str, Term]) -> None:
        """Keeps what was assigned: names, bits, values, and which dword it is, `lane` or nothing."""
        for key, term in env.items():
            name, sign, place = key.partition("#")
            name, is_bit, _ = name.partition("@")
            if sign or is_bit or name in ("EXEC", "VCC", "SCC", "M0", "PC") or "." in name:
                bits = translator.bits(term, term.size) if term.size else term
                translator.emit(f"out.append(({name!r}, {term.size or 32}, {bits.code}, {place or repr(is_bit)}))")


class _Run:
    """A run of a compiled operation, which is its environment, too: memory and registers are those of the state."""

    def __init__(self, state: Mapping[str, Value], by_lane: Mapping[str, int]) -> None:
        self.state: State = dict(state)
        self._by_lane = by_lane
        self._lane = int(state["lane"].number) if "lane" in state else 0
        self._wave = wave = Wave(int(state["lanes"].number) if "lanes" in state else _LANES, 0)
        wave.sgprs[:_SGPRS] = _registers("SGPR", 1)[:, 0]
        wave.sgprs[_TTMPS : _TTMPS + 16] = _registers("TTMP", 1)[:16, 0]
        wave.vgprs = _registers("VGPR", wave.lanes).copy()
        wave.written_vgprs = np.zeros(wave.vgprs.shape, np.bool_)
        for name in registers.names(self.state):
            file, *index = re.findall(r"\w+", name)
            if file == "VGPR" and int(index[0]) < wave.lanes:
                wave.vgprs[int(index[1]), int(index[0])] = raw(state[name])
            elif file in ("SGPR", "TTMP"):
                wave.sgprs[int(index[0]) + (_TTMPS if file == "TTMP" else 0)] = raw(state[name])
        for name in {"EXEC", "VCC", "M0"} & set(state):
            setattr(wave, name.lower(), raw(state[name]))
        modes = values.current_modes()
        kept = 0b0101 * modes.keeps_sources | 0b1010 * modes.keeps_results
        wave.mode = modes.rounding * 0b101 | kept << 4 | raw(state.get("MODE.IEEE", integer(0))) << 9

    def of(self, made: _Made) -> State:
        """The state after it."""
        wave, before = self._wave, (self._wave.vgprs.copy(), self._wave.sgprs.copy())
        active = wave.exec_mask if self._by_lane else mask_of(1 << self._lane, wave.lanes)
        sources = {name: self._source(name, each, made.vectors) for name, each in self.state.items()}
        modal = names_for(wave.lanes)["modal"]
        with np.errstate(all="ignore"):
            out = made.run(wave, self, sources, active, modal(wave.mode & 0x2FF, True, False), [])
        for name in dict.fromkeys(each[0] for each in out):
            self._put(name, [each[1:] for each in out if each[0] == name], made, active)
        for lane, place in np.argwhere((wave.vgprs != before[0]).T).tolist():
            registers.write(self.state, "VGPR", (lane, place), int(wave.vgprs[place, lane]))
        for place in np.flatnonzero(wave.sgprs[: _TTMPS + 16] != before[1][: _TTMPS + 16]).tolist():
            file, first = ("TTMP", _TTMPS) if place >= _TTMPS else ("SGPR", 0)
            registers.write(self.state, file, (place - first,), int(wave.sgprs[place]))
        return self.state

    def _source(self, name: str, value: Value, vectors: frozenset[str]) -> Any:
        if name in self._by_lane:
            return self._wave.vgprs[self._by_lane[name] :][:_DWORDS].copy()
        bits = raw(value) if value.size else int(value.number)
        return np.broadcast_to(_words(bits, _DWORDS)[:, None], (_DWORDS, self._wave.lanes)) if name in vectors else bits

    def _put(self, name: str, found: list[tuple[int, Any, Any]], made: _Made, active: Mask) -> None:
        """Puts what was assigned into the state."""
        if name in self._by_lane:
            np.copyto(self._wave.vgprs[self._by_lane[name]], found[0][1], casting="unsafe", where=active)
            return
        old = self.state.get(name, Value("b", 0, 32))
        bits, covered = raw(old), 0
        for size, value, place in found:
            first = self._lane if place == "@" else 32 * place if place != "" else 0
            mask = (1 << (size if place != "" else old.size)) - 1 << first
            bits, covered = bits & ~mask | self._of_lane(value) << first & mask, covered | mask
        kind = made.kinds.get(name)
        if kind is not None:
            bits = bits & covered if name in made.certain or bits != raw(old) else bits
            self.state["kind of " + name] = Value(kind.kind, 0, kind.size)
        self.state[name] = Value("b", bits, max(old.size, covered.bit_length()))

    def _of_lane(self, value: Any) -> int:
        each = np.asarray(value).reshape(-1)
        return int(each[self._lane] if len(each) > 1 else each[0])

    # The environment

    def field(self, name: str) -> int:
        """A field of a register."""
        return raw(registers.value(self.state, name))

    def hwreg(self, wave: Wave, place: int) -> int:
        """A hardware register."""
        return raw(registers.value(self.state, f"HWREG[{place}]"))

    def set_hwreg(self, wave: Wave, place: int, value: int) -> None:
        """Writes a hardware register."""
        registers.write(self.state, "HWREG", (place,), value)

    def load(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int
    ) -> Words:
        """Reads the bytes of the lane."""
        bits = self.scalar_load(wave, access, int(addresses[self._lane]), size)
        return np.broadcast_to(_words(bits, -(-size // 4))[:, None], (-(-size // 4), wave.lanes))

    def store(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int, data: Words
    ) -> None:
        """Writes the bytes of the lane."""
        if active[self._lane]:
            bits = sum(int(word) << 32 * place for place, word in enumerate(data[:, self._lane]))
            self.scalar_store(wave, access, int(addresses[self._lane]), size, bits)

    def scalar_load(self, wave: Wave, access: MemoryAccess, address: int, size: int) -> int:
        """Reads bytes."""
        return raw(registers.read_memory(self.state, address, 8 * size))

    def scalar_store(self, wave: Wave, access: MemoryAccess, address: int, size: int, data: int) -> None:
        """Writes bytes."""
        registers.write_memory(self.state, address, data, 8 * size)

    def load_component(
        self, wave: Wave, access: MemoryAccess, addresses: Addresses, active: Mask, component: int, bits: int
    ) -> Words:
        """A component, which has 32 bits and is not converted."""
        return self.load(wave, access, "", addresses + np.uint64(4 * component), active, 4)[0] & np.uint32(
            (1 << bits) - 1
        )

    def store_component(
        self, wave: Wave, access: MemoryAccess, addresses: Addresses, active: Mask, component: int, bits: int,
        data: Words,
    ) -> None:  # fmt: skip
        """A component, which has 32 bits and is not converted."""
        self.store(wave, access, "", addresses + np.uint64(4 * component), active, 4, data.reshape(1, -1))

    def signal(self, *values: object, **named: object) -> Any:
        """What is outside of the wave is not here."""
        raise Unsupported("something outside of the wave")

    answer = barrier = wait = sleep = clock = constant = signal


def _words(bits: int, count: int) -> Words:
    return np.frombuffer(bits.to_bytes(4 * count, "little"), np.uint32)


@cache
def _registers(file: str, lanes: int) -> Words:
    """A file as it is where nothing was written: of vectors [number][lane]."""
    index = np.ndindex(_VGPRS, lanes) if file == "VGPR" else np.ndindex(_SGPRS, 1)
    found = [raw(registers.read({}, file, each[::-1] if file == "VGPR" else each[:1])) for each in index]
    return np.array(found, np.uint32).reshape(-1, lanes)
