"""The same C on two machines: generated kernels, compiled for a GPU and for this processor, have bit-equal results.

    python -m tests.machine.two_machines --count 200 --seed 1 [--target gfx900] [--level O0] [--batch 16]

A kernel is a few functions on the state of a work-item, with a barrier between them. Its C is that of both machines: on
this processor a loop over the work-items calls each function in turn. What C or OpenCL leaves open is not generated:
overflow of signed integers, wide shifts, division by 0, values out of range in conversions; NaN are made alike.
Kernels for one target and level are compiled together, in batches. Seeds follow each other, so a campaign goes on with
the seed after its last one.
"""

import argparse
import ctypes
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gcn_lsp.machine import kernels
from gcn_lsp.machine.image import Image
from gcn_lsp.machine.launch import Launch, prepare
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.run import Machine
from tests.machine.programs import image

CLANG, NEWER = "clang-22", "clang-23"
TARGETS = (
    "gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
    "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250", "gfx1310",
)  # fmt: skip
LEVELS = ("O0", "O2")
WITHOUT_GENERIC = ("gfx600", "gfx700", "gfx803")
"""Targets without apertures in registers: at O0, LLVM 22 reads them through a null pointer in functions."""
ONLY_OPTIMISED = ("gfx1310",)
"""Targets for which LLVM 23 emits waits at O0 that its assembler does not know."""
BLOCK, WORDS, COUNTERS = 64, 64, 16
BATCH = 16
_COST = 4
"""How many times as long kernels run that are not optimised: batches of them have as many times fewer."""

PRELUDE = """
typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef short i16;
typedef unsigned int u32; typedef int i32; typedef unsigned long u64; typedef long i64;
typedef float f32; typedef double f64;
typedef u32 u32x4 __attribute__((ext_vector_type(4))); typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2))); typedef f32 f32x2 __attribute__((ext_vector_type(2)));
#ifdef __OPENCL_C_VERSION__
#define GLOBAL __global
#define LOCAL __local
#define ADD(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define XOR(p, v) __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define OR(p, v) __scoped_atomic_fetch_or(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define BARRIER __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); \\
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
#define MAX(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#else
#define GLOBAL
#define LOCAL
#define ADD(p, v) (*(p) += (v))
#define XOR(p, v) (*(p) ^= (v))
#define OR(p, v) (*(p) |= (v))
#define MAX(p, v) (*(p) = *(p) > (v) ? *(p) : (v))
#endif
static u32 bits32(f32 x) { union { f32 f; u32 u; } v; v.f = x; return x != x ? 0x7fc00000u : v.u; }
static u64 bits64(f64 x) { union { f64 f; u64 u; } v; v.f = x; return x != x ? 0x7ff8000000000000ul : v.u; }
static f32 float32(u32 x) { union { f32 f; u32 u; } v; v.u = x; return v.f; }
static f64 float64(u64 x) { union { f64 f; u64 u; } v; v.u = x; return v.f; }
static f32 tame32(u32 x) { return float32((x & 0x83ffffffu) | 0x3c000000u); }
static f64 tame64(u64 x) { return float64((x & 0x803ffffffffffffful) | 0x3fc0000000000000ul); }
static f32 near32(f32 x) { return x > -1e6f && x < 1e6f ? x : 1.0f; }
static f64 near64(f64 x) { return x > -1e9 && x < 1e9 ? x : 1.0; }
"""

KERNEL = """
#ifdef __OPENCL_C_VERSION__
__kernel void k{seed}(__global const u32 *in, __global u32 *out, __global u32 *acc) {{
  __local u32 lds[{block}];
  State{seed} s = {{0}};
  u32 lid = __builtin_amdgcn_workitem_id_x(), gid = __builtin_amdgcn_workgroup_id_x() * {block}u + lid;
  {calls}
}}
#else
void k{seed}(const u32 *in, u32 *out, u32 *acc) {{
  for (u32 group = 0; group < {groups}u; group++) {{
    u32 lds[{block}]; State{seed} all[{block}] = {{0}};
    {loops}
  }}
}}
#endif
"""


class Variable(NamedTuple):
    """A field of the state."""

    name: str
    type: str


def groups(seed: int) -> int:
    """The work-groups of a kernel: one, which is half the work, or two."""
    return 2 if seed % 4 == 0 else 1


class Generator:
    """The C of one kernel, to which `PRELUDE` belongs. `seed` decides everything."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = random.Random(seed)
        types = ["u32", "u32", "u32", "u64", "u64", "u16", "u8", "f32", "f32", "f64"]
        self._variables = [Variable(f"{kind}_{place}", kind) for place, kind in enumerate(types)]
        self._depth = 0
        self._loops = 0

    def text(self) -> str:
        """The source."""
        phases = self._random.randint(1, 3)
        fields = " ".join(f"{each.type} {each.name};" for each in self._variables)
        state = f"State{self._seed}"
        inner = f"typedef struct {{ u16 a; u8 b; u64 c; }} Inner{self._seed};"
        fields += f" u32 window[4]; Inner{self._seed} inner;"
        lines = [inner, f"typedef struct {{ {fields} u32x4 vector; u16x2 halves; f32x2 pair; }} {state};"]
        parameters = (
            f"{state} *s, GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *acc, LOCAL u32 *lds, u32 gid, u32 lid"
        )
        for phase in range(phases):
            body = "\n".join(self._phase(phase, is_last=phase == phases - 1))
            lines.append(f"static void phase{phase}_{self._seed}({parameters}) {{\n{body}\n}}")
        given = "in, out, acc, lds, gid, lid"
        calls = " BARRIER; ".join(f"phase{phase}_{self._seed}(&s, {given});" for phase in range(phases))
        each = f"for (u32 lid = 0; lid < {BLOCK}u; lid++) {{ u32 gid = group * {BLOCK}u + lid; "
        loops = "\n    ".join(f"{each}phase{phase}_{self._seed}(&all[lid], {given}); }}" for phase in range(phases))
        made = KERNEL.format(seed=self._seed, block=BLOCK, groups=groups(self._seed), calls=calls, loops=loops)
        lines.append(made)
        return "\n".join(lines) + "\n"

    def _phase(self, phase: int, *, is_last: bool) -> Iterator[str]:
        if phase == 0:
            for place, each in enumerate(self._variables):
                yield f"  s->{each.name} = {self._loaded(each.type, place)};"
            yield "  s->vector = (u32x4){in[lid], gid, in[gid & 63], lid * 3u};"
            yield "  s->halves = (u16x2){(u16)in[lid], (u16)(in[lid] >> 16)};"
            yield "  s->pair = (f32x2){tame32(in[lid]), tame32(in[(lid + 7) & 63])};"
            yield f"  for (u32 n = 0; n < 4u; n++) s->window[n] = in[(lid + n * {self._random.randint(1, 60)}u) & 63];"
            yield f"  s->inner = (Inner{self._seed}){{(u16)in[lid], (u8)in[gid & 63], (u64)in[lid] * 3ul}};"
        else:
            place = self._random.randint(1, 63)
            yield f"  s->u32_0 ^= lds[(lid * {self._random.choice((1, 3, 5, 7))}u + {place}u) & {BLOCK - 1}];"
        if phase and not is_last:
            yield "  /* another item may still read */"
        for _ in range(self._random.randint(3, 7)):
            yield from self._statement("  ")
        if not is_last:
            yield from self._between(phase)
        else:
            yield from self._stored()

    def _between(self, phase: int) -> Iterator[str]:
        """LDS is written in the first phase only: later ones read it."""
        if phase == 0:
            yield f"  lds[lid] = {self._integer('u32')};"
        yield f"  {self._random.choice(('ADD', 'XOR', 'OR', 'MAX'))}(&acc[{phase}], {self._integer('u32')});"
        yield f"  ADD(&acc[4u + ({self._integer('u32')} & 7u)], 1u);"

    def _stored(self) -> Iterator[str]:
        yield "  u32 h = 0;"
        for each in self._variables:
            if each.type == "f32":
                yield f"  h = h * 31u + bits32(s->{each.name});"
            elif each.type in ("f64", "u64"):
                value = f"bits64(s->{each.name})" if each.type == "f64" else f"s->{each.name}"
                yield f"  h = h * 31u + (u32)({value}); h = h * 31u + (u32)({value} >> 32);"
            else:
                yield f"  h = h * 31u + s->{each.name};"
        yield "  for (u32 n = 0; n < 4u; n++) h = h * 31u + s->window[n];"
        yield "  h = h * 31u + s->inner.a + s->inner.b; h = h * 31u + (u32)(s->inner.c >> 7);"
        yield "  h = h * 31u + (s->vector.x ^ s->vector.y) + (s->vector.z ^ s->vector.w);"
        yield "  h = h * 31u + s->halves.x + ((u32)s->halves.y << 16);"
        yield "  h = h * 31u + (bits32(s->pair.x) ^ bits32(s->pair.y));"
        yield "  out[gid * 4u] = h; out[gid * 4u + 1u] = s->u32_0; out[gid * 4u + 2u] = bits32(s->f32_7);"
        yield "  out[gid * 4u + 3u] = (u32)s->u64_3 ^ (u32)(bits64(s->f64_9) >> 20);"

    def _loaded(self, kind: str, place: int) -> str:
        word = f"in[(lid + {place * 5}u) & {WORDS - 1}u]"
        if kind == "f32":
            return f"tame32({word})"
        wide = f"((u64){word} << 32 | in[(gid + {place}u) & {WORDS - 1}u])"
        return f"tame64({wide})" if kind == "f64" else f"({kind}){wide}" if kind == "u64" else f"({kind}){word}"

    # Statements

    def _statement(self, indent: str) -> Iterator[str]:
        choice = self._random.random()
        if choice < 0.55 or self._depth >= 2:
            yield from self._assignment(indent)
        elif choice < 0.75:
            yield f"{indent}if ({self._condition()}) {{"
            yield from self._block(indent)
            if self._random.random() < 0.6:
                yield f"{indent}}} else {{"
                yield from self._block(indent)
            yield f"{indent}}}"
        elif choice < 0.9:
            self._loops += 1
            name = f"n{self._loops}"
            limit = self._random.choice(("2u", "3u", f"({self._integer('u32')} & 3u)"))
            yield f"{indent}for (u32 {name} = 0, end = {limit}; {name} < end; {name}++) {{"
            yield f"{indent}  s->u32_1 += {name} * {self._random.randint(1, 99)}u;"
            yield from self._block(indent)
            if self._random.random() < 0.3:
                yield f"{indent}  if ({self._condition()}) break;"
            yield f"{indent}}}"
        else:
            yield f"{indent}switch ({self._integer('u32')} & 3u) {{"
            for case in range(3):
                yield f"{indent}case {case}:"
                yield from self._assignment(indent + "  ")
                yield f"{indent}  break;"
            yield f"{indent}default:"
            yield from self._assignment(indent + "  ")
            yield f"{indent}}}"

    def _block(self, indent: str) -> Iterator[str]:
        self._depth += 1
        for _ in range(self._random.randint(1, 3)):
            yield from self._statement(indent + "  ")
        self._depth -= 1

    def _assignment(self, indent: str) -> Iterator[str]:
        choice = self._random.random()
        if choice < 0.1:
            lane = self._random.choice("xyzw")
            order = "".join(self._random.sample("xyzw", 4))
            yield f"{indent}s->vector = s->vector {self._random.choice('+-*^&|')} s->vector.{order};"
            yield f"{indent}s->vector.{lane} += {self._integer('u32')};"
        elif choice < 0.15:
            yield f"{indent}s->halves = s->halves {self._random.choice('+-*^')} (u16x2){{{self._integer('u16')}, 77}};"
        elif choice < 0.2:
            place = f"{self._integer('u32')} & 3u"
            yield f"{indent}s->window[{place}] {self._random.choice(('', '+', '^', '-'))}= {self._integer('u32')};"
        elif choice < 0.24:
            before, after = f"Inner{self._seed} before = s->inner;", f"s->inner.c += before.c ^ {self._integer('u64')};"
            yield f"{indent}{{ {before} s->inner.a = (u16)(before.b + {self._integer('u16')}); {after} }}"
        elif choice < 0.29:
            yield f"{indent}s->pair = s->pair {self._random.choice('+-*')} (f32x2){{{self._float('f32')}, 1.5f}};"
        else:
            each = self._random.choice(self._variables)
            value = self._float(each.type) if each.type[0] == "f" else self._integer(each.type)
            yield f"{indent}s->{each.name} = {value};"

    # Expressions

    def _of(self, kind: str) -> str:
        return "s->" + self._random.choice([each.name for each in self._variables if each.type == kind])

    def _condition(self) -> str:
        choice = self._random.random()
        sign = self._random.choice(("<", ">", "<=", ">=", "==", "!="))
        if choice < 0.3:
            kind = self._random.choice(("f32", "f64"))
            return f"{self._of(kind)} {sign} {self._of(kind)}"
        kind = self._random.choice(("u32", "u64", "u16"))
        signed = f"(i{kind[1:]})" if self._random.random() < 0.5 else ""
        return f"{signed}{self._integer(kind)} {sign} {signed}{self._integer(kind)}"

    def _integer(self, kind: str, depth: int = 0) -> str:
        bits = int(kind[1:])
        choice = self._random.random()
        if depth > 2 or choice < 0.2:
            if bits == 32 and self._random.random() < 0.12:
                return f"s->window[{self._of('u32')} & 3u]"
            if self._random.random() < 0.25:
                known = self._random.choice((0, 1, 2, 3, 7, 31, 64, 0xFF, 0x7FFF, self._random.getrandbits(bits)))
                return f"({kind}){known & (1 << bits) - 1}{'ul' if bits == 64 else 'u'}"
            return self._of(kind)
        a = self._integer(kind, depth + 1)
        if choice < 0.62:
            b = self._integer(kind, depth + 1)
            return f"({kind})({a} {self._random.choice('+-*&|^+*')} {b})"
        if choice < 0.74:
            amount = f"({self._integer('u32', depth + 1)} & {bits - 1}u)"
            if self._random.random() < 0.35:
                return f"({kind})((i{bits}){a} >> {amount})"
            return f"({kind})({a} {self._random.choice(('<<', '>>'))} {amount})"
        if choice < 0.8:
            b = self._integer(kind, depth + 1)
            return f"({kind})({a} {self._random.choice('/%')} ({kind})({b} | 1u))"
        if choice < 0.86:
            other = self._random.choice([each for each in ("u32", "u64", "u16", "u8") if each != kind])
            signed = self._random.random() < 0.4
            inner = self._integer(other, depth + 1)
            return f"({kind})(i{other[1:]})({inner})" if signed else f"({kind})({inner})"
        if choice < 0.91:
            if bits == 64:
                a = self._of(kind)  # LLVM 22 loses the upper half of `~(c ? 2ul : 95ul)` in `(... | x) == x`.
            return f"({self._condition()} ? {a} : {self._integer(kind, depth + 1)})"
        if choice < 0.95 and bits >= 32:
            suffix = "l" if bits == 64 else ""
            name = self._random.choice(("popcount", "clz", "ctz"))
            inner = a if name == "popcount" else f"({kind})({a} | 1u)"
            return f"({kind})__builtin_{name}{suffix}({inner})"
        return f"({kind})(i32)near32({self._of('f32')})" if bits <= 32 else f"(u64)(i64)near64({self._of('f64')})"

    def _float(self, kind: str, depth: int = 0) -> str:
        choice = self._random.random()
        suffix = "f" if kind == "f32" else ""
        if depth > 2 or choice < 0.25:
            if self._random.random() < 0.25:
                return f"{self._random.choice(('0.5', '1.0', '-2.0', '3.25', '1e-3', '0.1', '7.0'))}{suffix}"
            return self._of(kind)
        a, b = self._float(kind, depth + 1), self._float(kind, depth + 1)
        if choice < 0.6:
            return f"({a} {self._random.choice('+-*')} {b})"
        if choice < 0.68:
            return f"__builtin_fma{suffix}({a}, {b}, {self._float(kind, depth + 1)})"
        if choice < 0.74:
            return f"({a} / {b})"
        if choice < 0.78:
            return f"__builtin_sqrt{suffix}(__builtin_fabs{suffix}({a}))"
        if choice < 0.84:
            return f"({kind})({self._random.choice(('', '(i32)', '(u16)'))}{self._integer('u32', depth + 1)})"
        if choice < 0.88:
            other = "f64" if kind == "f32" else "f32"
            return f"({kind})({self._float(other, depth + 1)})"
        if choice < 0.92:
            whole = f"__builtin_{self._random.choice(('floor', 'ceil', 'trunc', 'rint'))}{suffix}({a})"
            # What LLVM makes of rint for gfx6, which has no such instruction, loses the sign of zero.
            return f"({whole} + 0.0)" if kind == "f64" else whole
        if choice < 0.96:
            return f"(-({a}))"
        return f"({self._condition()} ? {a} : {b})"


class Difference(Exception):
    """The two machines differ, or one of them failed; the text says how."""


def inputs(seed: int) -> np.ndarray:
    """The words that a kernel reads."""
    return np.random.default_rng(seed).integers(0, 1 << 32, WORDS, dtype=np.uint32)


def compiler(target: str) -> str:
    """The clang that knows the target."""
    return NEWER if target in ("gfx1250", "gfx1251", "gfx1310") else CLANG


class Batch(NamedTuple):
    """Kernels that are compiled together."""

    seeds: range
    target: str
    level: str

    @property
    def source(self) -> str:
        """The C of all kernels."""
        return PRELUDE + "".join(Generator(seed).text() for seed in self.seeds)


def assembly(batch: Batch, folder: Path) -> str:
    """The assembly of a batch."""
    path = folder / "kernel.cl"
    path.write_text(batch.source)
    version = "CL1.2" if batch.target in WITHOUT_GENERIC else "CL2.0"
    command = [
        compiler(batch.target), "-x", "cl", f"-cl-std={version}", "-target", "amdgcn-amd-amdhsa",
        f"-mcpu={batch.target}", f"-{batch.level}", "-nogpulib", "-cl-no-stdinc", "-S", "-o", "-", "-ffp-contract=off",
        "-w", "-cl-fp32-correctly-rounded-divide-sqrt", "-Xclang", "-fdenormal-fp-math-f32=ieee", str(path),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Difference(f"{compiler(batch.target)} fails: {done.stderr[:2000]}")
    return done.stdout


def library(batch: Batch, folder: Path) -> ctypes.CDLL:
    """The batch for this processor."""
    path, made = folder / "host.c", folder / "host.so"
    path.write_text(batch.source)
    command = [CLANG, "-O1", "-shared", "-fPIC", "-ffp-contract=off", "-w", "-o", str(made), str(path), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Difference(f"{CLANG} fails for this processor: {done.stderr[:2000]}")
    return ctypes.CDLL(str(made))


def expected(loaded: ctypes.CDLL, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """What this processor computes."""
    out, acc = np.zeros(groups(seed) * BLOCK * 4, np.uint32), np.zeros(COUNTERS, np.uint32)
    given = inputs(seed)
    getattr(loaded, f"k{seed}")(*(ctypes.c_void_p(each.ctypes.data) for each in (given, out, acc)))
    return out, acc


def found(built: Image, kernel: kernels.Kernel, seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """What the machine computes, and its instructions."""
    memory = Memory()
    built.load(memory)
    items = groups(seed) * BLOCK
    arrays = {"in": inputs(seed), "out": np.zeros(items * 4, np.uint32), "acc": np.zeros(COUNTERS, np.uint32)}
    prepared = prepare(built, memory, kernel, Launch((items, 1, 1), (BLOCK, 1, 1), arrays))
    result = Machine(prepared).run()
    if not result.is_complete:
        raise Difference("; ".join(each.said for each in result.log.found.values() if each.ends) or "it stopped")
    data = [np.frombuffer(bytes(prepared.buffers[name].data), np.uint32) for name in ("out", "acc")]
    return data[0][: items * 4], data[1][:COUNTERS], result.executed


def compare(batch: Batch) -> Iterator[tuple[int, int, str]]:
    """Compares each kernel of a batch: its seed, the number of its wave instructions, and a difference if there is one.

    Raises Difference if the batch cannot be compiled.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loaded, text = library(batch, folder), assembly(batch, folder)
    built = image(text, batch.target, "+llvm22" if compiler(batch.target) == CLANG else "")
    by_name = {each.name: each for each in kernels.of(built)}
    for seed in batch.seeds:
        try:
            executed, difference = _compared(loaded, built, by_name[f"k{seed}"], seed)
        except Exception as error:
            if os.environ.get("TWO_MACHINES_RAISE"):
                raise
            executed, difference = (
                0,
                str(error) if isinstance(error, Difference) else f"{type(error).__name__}: {error}",
            )
        yield seed, executed, difference


def _compared(loaded: ctypes.CDLL, built: Image, kernel: kernels.Kernel, seed: int) -> tuple[int, str]:
    *ours, executed = found(built, kernel, seed)
    for what, one, other in zip(("out", "acc"), expected(loaded, seed), ours, strict=True):
        wrong = np.flatnonzero(one != other)
        if len(wrong):
            place = int(wrong[0])
            return executed, f"{what}[{place}] is {one[place]:#x} here, {other[place]:#x} there; {len(wrong)} differ"
    return executed, ""


def batches(
    seed: int, count: int, size: int = BATCH, targets: tuple[str, ...] = TARGETS, levels: tuple[str, ...] = LEVELS
) -> Iterator[Batch]:
    """`count` kernels from a seed, each once; targets and levels change in turn."""
    number, end = 0, seed + count
    while seed < end:
        target = targets[number % len(targets)]
        level = "O2" if target in ONLY_OPTIMISED else levels[number // len(targets) % len(levels)]
        stop = min(end, seed + (size if level != "O0" else max(1, size // _COST)))
        yield Batch(range(seed, stop), target, level)
        number, seed = number + 1, stop


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=BATCH, help="kernels that are compiled together")
    parser.add_argument("--target", action="append")
    parser.add_argument("--level", action="append")
    options = parser.parse_args()
    if shutil.which(CLANG) is None:
        sys.exit(f"{CLANG} is not installed")
    failed = executed = done = 0
    equal: Counter[str] = Counter()
    began = time.process_time()
    targets, levels = tuple(options.target or TARGETS), tuple(options.level or LEVELS)
    for batch in batches(options.seed, options.count, options.batch, targets, levels):
        name = f"{batch.target} -{batch.level}"
        try:
            for seed, instructions, difference in compare(batch):
                executed, done = executed + instructions, done + 1
                if difference:
                    failed += 1
                    print(f"seed {seed} {name}: {difference}", flush=True)
                else:
                    equal[name] += 1
        except Difference as error:
            failed, done = failed + len(batch.seeds), done + len(batch.seeds)
            print(f"seeds {batch.seeds.start} to {batch.seeds.stop - 1} {name}: {error}", flush=True)
        print(f"to seed {batch.seeds.stop - 1}: {done} kernels, {failed} differ, {executed} instructions", flush=True)
    spent = time.process_time() - began
    print("equal: " + ", ".join(f"{name} {count}" for name, count in sorted(equal.items())))
    print(f"{done} kernels, {failed} differ, {executed} wave instructions in {spent:.0f} s of this process")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
