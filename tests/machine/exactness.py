"""Compares a random sample of vector instructions with exact fractions: mnemonic, modifiers, target, MODE.

    python -m tests.machine.exactness [--count 500] [--seed 1]

The reference knows nothing of the operations of the documentation: it is a table of what mnemonics calculate. Every
instruction is carried out on 64 lanes with values at the ends of ranges, halves, denormals, infinities and NaN.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from gcn_lsp import isa
from gcn_lsp.machine.operation import Inexecutable, bind
from gcn_lsp.machine.registers import Wave
from tests.instruction.support import assemble
from tests.isa.documentation import values
from tests.isa.documentation.values import Value, raw
from tests.machine.surroundings import Surroundings

TARGETS = ("gfx600", "gfx700", "gfx803", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030",
           "gfx1100", "gfx1150", "gfx1200", "gfx1250")  # fmt: skip
FIELDS = {"f16": (5, 10), "f32": (8, 23), "f64": (11, 52)}
LANES = 32
_MODIFIERS = ("", "clamp", "mul:2", "mul:4", "div:2")
_FACTORS = {"mul:2": Fraction(2), "mul:4": Fraction(4), "div:2": Fraction(1, 2)}

Reference = Callable[..., Value]
Integers = Mapping[str, Callable[..., int]]


class Calculation(NamedTuple):
    """What a mnemonic calculates. result, sources: types as `f32`."""

    result: str
    sources: tuple[str, ...]
    of: Reference


def _fixed(size: int, number: int) -> Value:
    return Value("b", number & (1 << size) - 1, size)


def _whole(kind: str, of: Callable[..., int], *sources: str) -> Calculation:
    """A calculation with integers, cut to the size of the result."""
    size = int(kind[1:])
    return Calculation(kind, sources, lambda *given: _fixed(size, of(*(_number(each) for each in given))))


def _number(value: Value) -> int:
    bits = raw(value)
    return bits - (1 << value.size) if value.kind == "i" and bits >> (value.size - 1) else bits


def _to(kind: str, source: str, *, to_zero: bool = False) -> Calculation:
    name, size = kind[0], int(kind[1:])
    return Calculation(kind, (source,), lambda x: values.converted(_kept(x), name, size, to_zero))


def _kept(value: Value) -> Value:
    """A source of a conversion: with its sign if it is an integer; a denormal is 0 where MODE says so."""
    if not values.is_float(value):
        return value._replace(number=_number(value))
    is_lost = values.is_denormal(value) and not values.current_modes().keeps_sources
    return value._replace(number=raw(value) >> (value.size - 1) << (value.size - 1)) if is_lost else value


def _rounding(kind: str, how: str) -> Calculation:
    return Calculation(kind, (kind,), lambda x: values.to_whole(_kept(x), how))


def _table() -> dict[str, Calculation]:
    found: dict[str, Calculation] = {}
    for kind in FIELDS:
        for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
            found[f"v_{name}_{kind}"] = Calculation(
                kind, (kind, kind), lambda a, b, sign=sign: values.calculated(sign, a, b)
            )
        found[f"v_subrev_{kind}"] = Calculation(kind, (kind, kind), lambda a, b: values.calculated("-", b, a))
        found[f"v_fma_{kind}"] = Calculation(kind, (kind,) * 3, values.fused)
        for how, mnemonic in (("floor", "floor"), ("ceil", "ceil"), ("trunc", "trunc"), ("rndne", "rndne")):
            found[f"v_{mnemonic}_{kind}"] = _rounding(kind, how)
    for kind, source in (("f32", "f16"), ("f16", "f32"), ("f32", "f64"), ("f64", "f32")):
        found[f"v_cvt_{kind}_{source}"] = _to(kind, source)
    for number in ("i32", "u32"):
        for kind in ("f32", "f64"):
            found[f"v_cvt_{number}_{kind}"] = _to(number, kind)
            found[f"v_cvt_{kind}_{number}"] = _to(kind, number)
    for number in ("i16", "u16"):
        found[f"v_cvt_{number}_f16"], found[f"v_cvt_f16_{number}"] = _to(number, "f16"), _to("f16", number)
    for place in range(4):
        found[f"v_cvt_f32_ubyte{place}"] = Calculation(
            "f32", ("u32",), lambda x, place=place: values.rounded(Fraction(raw(x) >> 8 * place & 255), "f", 32)
        )
    two, three = ("u32",) * 2, ("u32",) * 3
    of_two: Integers = {
        "add_u32": lambda a, b: a + b, "add_nc_u32": lambda a, b: a + b, "sub_u32": lambda a, b: a - b,
        "subrev_u32": lambda a, b: b - a, "sub_nc_u32": lambda a, b: a - b, "and_b32": lambda a, b: a & b,
        "or_b32": lambda a, b: a | b, "xor_b32": lambda a, b: a ^ b, "xnor_b32": lambda a, b: ~(a ^ b),
        "mul_lo_u32": lambda a, b: a * b, "mul_hi_u32": lambda a, b: a * b >> 32,
        "mul_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF),
        "mul_hi_u32_u24": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 32,
        "lshlrev_b32": lambda a, b: b << (a & 31), "lshrrev_b32": lambda a, b: b >> (a & 31),
        "max_u32": max, "min_u32": min, "bcnt_u32_b32": lambda a, b: a.bit_count() + b,
        "bfm_b32": lambda a, b: ((1 << (a & 31)) - 1) << (b & 31),
    }  # fmt: skip
    for name, of in of_two.items():
        found[f"v_{name}"] = _whole("u32", of, *two)
    of_three: Integers = {
        "add3_u32": lambda a, b, c: a + b + c, "lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
        "add_lshl_u32": lambda a, b, c: (a + b & 0xFFFFFFFF) << (c & 31), "xad_u32": lambda a, b, c: (a ^ b) + c,
        "lshl_or_b32": lambda a, b, c: a << (b & 31) | c, "and_or_b32": lambda a, b, c: a & b | c,
        "or3_b32": lambda a, b, c: a | b | c, "xor3_b32": lambda a, b, c: a ^ b ^ c,
        "bfi_b32": lambda a, b, c: a & b | ~a & c, "alignbit_b32": lambda a, b, c: (a << 32 | b) >> (c & 31),
        "alignbyte_b32": lambda a, b, c: (a << 32 | b) >> 8 * (c & 3), "bfe_u32": _field,
        "max3_u32": max, "min3_u32": min, "med3_u32": lambda *given: sorted(given)[1],
        "mad_u32_u24": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
        "sad_u32": lambda a, b, c: abs(a - b) + c,
        "sad_u16": lambda a, b, c: abs((a & 0xFFFF) - (b & 0xFFFF)) + abs((a >> 16) - (b >> 16)) + c,
        "sad_u8": lambda a, b, c: sum(abs((a >> n & 255) - (b >> n & 255)) for n in (0, 8, 16, 24)) + c,
        "perm_b32": lambda a, b, c: sum(_byte(a << 32 | b, c >> n & 255) << n for n in (0, 8, 16, 24)),
    }  # fmt: skip
    for name, of in of_three.items():
        found[f"v_{name}"] = _whole("u32", of, *three)
    signed: Integers = {"mul_hi_i32": lambda a, b: a * b >> 32, "ashrrev_i32": lambda a, b: b >> (a & 31),
              "max_i32": max, "min_i32": min}  # fmt: skip
    for name, of in signed.items():
        found[f"v_{name}"] = _whole("i32", of, "i32", "i32")
    found["v_mul_i32_i24"] = _whole("i32", lambda a, b: _short(a, 24) * _short(b, 24), *two)
    found["v_mad_i32_i24"] = _whole("i32", lambda a, b, c: _short(a, 24) * _short(b, 24) + c, *three)
    found["v_bfe_i32"] = _whole(
        "i32", lambda a, b, c: _short(a >> (b & 31), c & 31) if c & 31 else 0, "i32", "u32", "u32"
    )
    found["v_med3_i32"] = _whole("i32", lambda *given: sorted(given)[1], "i32", "i32", "i32")
    found["v_not_b32"] = _whole("u32", lambda a: ~a, "u32")
    found["v_bfrev_b32"] = _whole("u32", lambda a: int(f"{a:032b}"[::-1], 2), "u32")
    for name in ("v_ffbh_u32", "v_clz_i32_u32"):
        found[name] = _whole("u32", lambda a: 32 - a.bit_length() if a else -1, "u32")
    for name in ("v_ffbl_b32", "v_ctz_i32_b32"):
        found[name] = _whole("u32", lambda a: (a & -a).bit_length() - 1, "u32")
    found["v_lshlrev_b64"] = _whole("u64", lambda a, b: b << (a & 63), "u32", "u64")
    found["v_lshrrev_b64"] = _whole("u64", lambda a, b: b >> (a & 63), "u32", "u64")
    found["v_ashrrev_i64"] = _whole("i64", lambda a, b: b >> (a & 63), "u32", "i64")
    short: Integers = {"add_u16": lambda a, b: a + b, "add_nc_u16": lambda a, b: a + b, "sub_u16": lambda a, b: a - b,
             "sub_nc_u16": lambda a, b: a - b, "mul_lo_u16": lambda a, b: a * b, "max_u16": max, "min_u16": min,
             "lshlrev_b16": lambda a, b: b << (a & 15), "lshrrev_b16": lambda a, b: b >> (a & 15)}  # fmt: skip
    for name, of in short.items():
        found[f"v_{name}"] = _whole("u16", of, "u16", "u16")
    signed_short: Integers = {"max_i16": max, "min_i16": min, "ashrrev_i16": lambda a, b: b >> (a & 15)}
    for name, of in signed_short.items():
        found[f"v_{name}"] = _whole("i16", of, "i16", "i16")
    found["v_mad_u16"] = _whole("u16", lambda a, b, c: a * b + c, "u16", "u16", "u16")
    halves: Integers = {"pk_add_u16": lambda a, b: a + b, "pk_mul_lo_u16": lambda a, b: a * b, "pk_max_u16": max}
    for name, of in halves.items():
        found[f"v_{name}"] = _whole("u32", lambda a, b, of=of: _halves(of, a, b), *two)
    for name, sign in (("pk_add_f16", "+"), ("pk_mul_f16", "*")):
        found[f"v_{name}"] = _packed(2, lambda a, b, sign=sign: values.calculated(sign, a, b))
    found["v_pk_fma_f16"] = _packed(3, values.fused)
    found["v_cvt_pkrtz_f16_f32"] = Calculation("p16", ("f32", "f32"), _truncated)
    found["v_dot4_i32_i8"] = _whole("i32", lambda a, b, c: _dot(a, b, 8) + c, *three)
    found["v_dot8_i32_i4"] = _whole("i32", lambda a, b, c: _dot(a, b, 4) + c, *three)
    return found


def _field(a: int, low: int, width: int) -> int:
    return a >> (low & 31) & (1 << (width & 31)) - 1


def _short(a: int, bits: int) -> int:
    a &= (1 << bits) - 1
    return a - (1 << bits) if a >> (bits - 1) else a


def _byte(both: int, select: int) -> int:
    if select < 8:
        return both >> 8 * select & 255
    if select < 12:
        return 255 * (both >> (16 * (select - 8) + 15) & 1)
    return 0 if select == 12 else 255


def _halves(of: Callable[..., int], *given: int) -> int:
    return sum((of(*(each >> place & 0xFFFF for each in given)) & 0xFFFF) << place for place in (0, 16))


def _dot(a: int, b: int, bits: int) -> int:
    return sum(_short(a >> place, bits) * _short(b >> place, bits) for place in range(0, 32, bits))


def _packed(count: int, of: Reference) -> Calculation:
    def both(*given: Value) -> Value:
        parts = [of(*(Value("f", raw(each) >> place & 0xFFFF, 16) for each in given)) for place in (0, 16)]
        return _fixed(32, raw(parts[0]) | raw(parts[1]) << 16)

    return Calculation("p16", ("u32",) * count, both)


def _truncated(a: Value, b: Value) -> Value:
    low, high = (raw(values.converted(_kept(each), "f", 16, True)) for each in (a, b))
    return _fixed(32, low | high << 16)


CALCULATIONS: Mapping[str, Calculation] = _table()


class Case(NamedTuple):
    """An instruction of the sample: its line, the signs of its sources, what changes its result, and MODE."""

    target: str
    mnemonic: str
    line: str
    signs: tuple[str, ...]
    modifier: str
    modes: values.Modes

    def __str__(self) -> str:
        return f"{self.target} {self.line} {self.modes}"


def _registers(kind: str, first: int) -> str:
    return f"v[{first}:{first + 1}]" if kind.endswith("64") else f"v{first}"


def sample(count: int, seed: int) -> Iterator[Case]:
    """Cases whose line assembles."""
    source = random.Random(seed)
    names, done = sorted(CALCULATIONS), 0
    while done < count:
        target, mnemonic = source.choice(TARGETS), source.choice(names)
        calculation = CALCULATIONS[mnemonic]
        loaded = isa.load_target(target)
        if not any(form.mnemonic == mnemonic for form in loaded.forms(mnemonic)):
            continue
        is_float = all(kind[0] == "f" for kind in calculation.sources)
        signs = tuple(source.choice(("", "", "-", "||", "-||")) if is_float else "" for _ in calculation.sources)
        kept = (source.random() < 0.6, source.random() < 0.6)
        modifier = source.choice(_MODIFIERS if kept == (False, False) else _MODIFIERS[:2])
        is_ignored = calculation.result not in FIELDS or (target == "gfx1250" and not is_float)
        modifier = "" if is_ignored else modifier  # AMD's document of CDNA5 lists conversions from integers
        operands = [_registers(calculation.result, 0)]
        for place, (kind, sign) in enumerate(zip(calculation.sources, signs, strict=True)):
            name = _registers(kind, 4 + 2 * place)
            name = f"|{name}|" if "||" in sign else name
            operands.append(f"-{name}" if sign.startswith("-") else name)
        line = f"{mnemonic} {', '.join(operands)} {modifier}".strip()
        if not assemble(line, target).code:
            signs, modifier = ("",) * len(signs), ""
            line = f"{mnemonic} {', '.join(map(_plain, operands))}"
            if not assemble(line, target).code:
                continue
        done += 1
        yield Case(target, mnemonic, line, signs, modifier, values.Modes(source.randrange(4), *kept))


def _plain(operand: str) -> str:
    return operand.lstrip("-").strip("|")


def _drawn(source: random.Random, kind: str) -> int:
    if kind not in FIELDS:
        size = int(kind[1:])
        edges = (0, 1, 2, 31, (1 << size) - 1, 1 << (size - 1), (1 << (size - 1)) - 1, source.getrandbits(5))
        return source.choice(edges) if source.random() < 0.4 else source.getrandbits(size)
    exponent, digits = FIELDS[kind]
    bias, most = (1 << (exponent - 1)) - 1, (1 << exponent) - 1
    field = source.choice((source.getrandbits(exponent), source.randrange(2), most - source.randrange(2),
                           bias + source.randrange(-6, 6), bias + source.randrange(-6, 6), bias + 14))  # fmt: skip
    fraction = source.getrandbits(digits) if source.random() < 0.7 else source.choice((0, 1, (1 << digits) - 1))
    return source.getrandbits(1) << (exponent + digits) | field << digits | fraction


def _signed(value: Value, sign: str) -> Value:
    bits, top = raw(value), 1 << (value.size - 1)
    bits = bits & ~top if "||" in sign else bits
    return value._replace(number=bits ^ top if sign.startswith("-") else bits)


def _modified(value: Value, modifier: str) -> Value:
    """A float clamped to 0.0 to 1.0, NaN to 0.0; or scaled, 0.0 in place of a denormal and of -0.0."""
    if not modifier:
        return value
    if modifier != "clamp":
        factor = values.rounded(_FACTORS[modifier], value.kind, value.size)
        found = values.calculated("*", value, factor)
        return found if values.fields(found)[1] else found._replace(number=0)
    if values.is_nan(value) or values.is_negative(value):
        return value._replace(number=0)
    one = raw(values.rounded(Fraction(1), value.kind, value.size))
    return value._replace(number=min(raw(value), one))


def difference(case: Case) -> str | None:
    """How an instruction differs from the exact result in some lane; empty if it does not, None if it cannot run."""
    calculation = CALCULATIONS[case.mnemonic]
    instruction = assemble(case.line, case.target)
    lanes = 32 if isa.load_target(case.target).has_only_wave32 else 64
    wave, source = Wave(lanes, 16), random.Random(str(case))
    given = [[_drawn(source, kind) for _ in range(LANES)] for kind in calculation.sources]
    for place, column in enumerate(given):
        numbers = np.resize(np.array(column, np.uint64), lanes)
        wave.vgprs[4 + 2 * place], wave.vgprs[5 + 2 * place] = numbers & 0xFFFF_FFFF, numbers >> 32
    wave.exec = (1 << lanes) - 1
    modes = case.modes
    kept = 0b0101 * modes.keeps_sources | 0b1010 * modes.keeps_results
    wave.mode = modes.rounding * 0b0101 | kept << 4 | 1 << 8
    bound = bind(instruction, isa.load_target(case.target), lanes=lanes)
    if isinstance(bound, Inexecutable):
        return None
    with np.errstate(all="ignore"):
        bound.execute(wave, Surroundings())
    size = {"p16": 32}.get(calculation.result) or int(calculation.result[1:])
    with values.modes(modes):
        for lane, drawn in enumerate(zip(*given, strict=True)):
            ours = (int(wave.vgprs[0, lane]) | int(wave.vgprs[1, lane]) << 32) & (1 << size) - 1
            exact = [Value(kind[0], bits, int(kind[1:])) for kind, bits in zip(calculation.sources, drawn, strict=True)]
            wanted = _modified(calculation.of(*map(_signed, exact, case.signs)), case.modifier)
            if not _equal(ours, raw(wanted), calculation.result, size):
                return f"{[hex(each) for each in drawn]}: {ours:#x}, exactly {raw(wanted):#x}"
    return ""


def _equal(ours: int, wanted: int, kind: str, size: int) -> bool:
    if kind == "p16":
        return all(values.same(ours >> low & 0xFFFF, wanted >> low & 0xFFFF, "f", 16) for low in (0, 16))
    return values.same(ours, wanted, kind[0], size)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for case in sample(options.count, options.seed):
        found = difference(case)
        counts["does not execute" if found is None else "different" if found else "exact"] += 1
        if found is None or found:
            print(f"{case}: {found or 'does not execute'}", flush=True)
    print(f"{counts['exact']} of {options.count} exact; {dict(counts)}")
    return int(counts["exact"] != options.count)


if __name__ == "__main__":
    sys.exit(main())
