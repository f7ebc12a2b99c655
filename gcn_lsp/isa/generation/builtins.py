"""Writes `builtins.tsv`: what each builtin of clang becomes on each target, as clang itself compiles it.

    llvm-tblgen -dump-json -I clang/include clang/include/clang/Basic/BuiltinsAMDGPU.td -o builtins.json
    python -m gcn_lsp.isa.generation.builtins 23 builtins.json --clang clang-23

The names and types are those of `BuiltinsAMDGPU.td`. Each builtin is called in kernels of one line: the arguments come
out of empty assembly statements whose comments say in which registers they are, and so does the result, so that
the compiled text says which operand of which instruction holds what. Of several kernels, with arguments in VGPRs, in
SGPRs or mixed, the one with the fewest instructions counts. A builtin that clang refuses on a target has no row for it.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gcn_lsp.isa import conditions, generate, processors
from gcn_lsp.isa.tables.reader import DATA
from gcn_lsp.isa.target import load_target
from gcn_lsp.isa.versions import VERSIONS
from gcn_lsp.records import NamedTuple

PREFIX = "__builtin_amdgcn_"
FILE = "builtins.tsv"
_TOGETHER = 24  # kernels of one call of clang: one that it crashes on costs the others again
NONE = "-"  # operands of an instruction that has none
SEVERAL = "several"  # instructions, or a loop
_LONGEST = 6  # instructions; what becomes more is "several"
_CONSTANTS = ("0", "1", "2", "5", "4", "16", "3", "8")  # tried in turn where clang's message names no range
_NEEDED = {"uicmp": "32", "uicmpl": "32", "sicmp": "32", "sicmpl": "32", "fcmp": "1", "fcmpf": "1"}  # a predicate
_PRELUDE = """template<int n, class T> using Vec = T __attribute__((ext_vector_type(n)));
typedef int int32_t; typedef unsigned uint32_t; typedef long int64_t; typedef unsigned long uint64_t;
"""
_POINTER = re.compile(r"(?P<to>.*?)(?P<const> const)?(?P<volatile> volatile)?(?: address_space<(?P<space>\d)>)? ?\*")
_VECTOR = re.compile(r"_ExtVector<(\d+), (.*?)>")
_ARGUMENT = re.compile(r", (?![^<]*>)")
_BY_PARAMETER = frozenset(("bool", "__amdgpu_buffer_rsrc_t", "__amdgpu_texture_t"))
_ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_CRASH = re.compile(r"on function '@f(\d+)'")
_HOPELESS = re.compile(
    "target feature|undeclared|unknown type|no matching|not supported|arguments to function|is required|"
    "cannot initialize"
)
_RANGE = re.compile(r"outside the valid range \[(-?\d+), ")
_MARK = re.compile(r"\t; (arg|res|end) ?(\d*) ?(.*)")
_SUFFIX = re.compile(r"(?:_e32|_e64_dpp|_e64|_dpp8?|_sdwa)$")
# What surrounds a call: waits, copies between registers, and the arguments of the kernel that come from memory.
_AROUND = re.compile(
    r"s_(?:waitcnt\w*|wait_\w+|delay_alu|nop|load_\w+|mov_\w+|clause|endpgm|branch|cbranch_\w+|and_\w+|andn2_\w+|"
    r"xor_\w+|or_\w+|bitcmp\w+|bfe_\w+|lshr_\w+|lshl_\w+|cselect_\w+|cmp_\w+|set_vgpr_msb|setreg_imm32_b32|add_\w+|"
    r"addc_\w+|pack_\w+|code_end|ashr_\w+|sext_\w+|not_\w+|bitset\w+)|"
    r"v_(?:mov_\w+|pk_mov_b32|dual_mov_\w+|readfirstlane_b32|accvgpr_\w+|cndmask_\w+|and_b32|bfe_\w+|lshl\w+|lshr\w+|perm_b32|"
    r"cmp_\w+|or_b32|and_or_b32|bfi_b32|add_\w+|addc_\w+)"
)
# Values that some instructions compute of what a kernel finds at its start.
_COMPUTED = re.compile(r"make_buffer_rsrc|workgroup_(?:id|size)|cluster_(?:id|workgroup)|grid_size")
_NEVER = re.compile(r"s_(?:waitcnt\w*|wait_\w+|delay_alu|nop|endpgm|clause|set_vgpr_msb|code_end)|global_wb|v_nop")


class Builtin(NamedTuple):
    """A builtin as `BuiltinsAMDGPU.td` has it: types as written there; features with `,` for "and", `|` for "or"."""

    name: str
    result: str
    arguments: tuple[str, ...]
    features: str = ""

    def is_on(self, features: frozenset[str]) -> bool:
        """Whether a target with these features has it."""
        clauses = filter(None, self.features.replace("(", "").replace(")", "").split(","))
        return all(any(each in features for each in clause.split("|")) for clause in clauses)


class Kernel(NamedTuple):
    """A call: the class of the register of each argument, `v`, `s`, or `p` for a parameter; and that of the result."""

    builtin: Builtin
    classes: str
    result: str


class Compiled(NamedTuple):
    """What a call became: the instructions that are its own, and how the operands of the only one correspond.

    operands: as `_operands` writes them; empty if there are several instructions. around: how many others there are.
    """

    mnemonics: tuple[str, ...]
    operands: str
    around: int


def main() -> None:
    """Parse the command line and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", type=int, choices=VERSIONS, help="LLVM's major number")
    parser.add_argument("dump", type=Path, help="BuiltinsAMDGPU.td as JSON")
    parser.add_argument("--clang", default="clang", help="clang of that version")
    options = parser.parse_args()
    builtins = read(json.loads(options.dump.read_text()))
    targets = [row[0] for row in _processors(options.version)]
    found = {}
    for target in targets:
        known = load_target(target, f"+llvm{options.version}")
        found[target] = {
            name: compiled
            for name, compiled in on_target(options.clang, target, builtins).items()
            if all(each == SEVERAL or known.has_forms(each) for each in compiled.mnemonics)  # LLVM makes some it lacks
        }
        print(target, len(found[target]), flush=True)
    lines = rows(builtins, found)
    (DATA / str(options.version) / FILE).write_text(generate.text(FILE, lines), encoding="utf-8", newline="\n")
    pairs = sum(map(len, found.values()))
    with_one = sum(len(each.mnemonics) == 1 for each_target in found.values() for each in each_target.values())
    names = {name for each in found.values() for name in each}
    print(
        f"{len(names)} of {len(builtins)} builtins; compiled for {pairs} pairs with a target, {with_one} of them to one"
    )


def read(dump: Mapping[str, object]) -> list[Builtin]:
    """The builtins of a dump, by name."""
    instances: dict[str, list[str]] = dump["!instanceof"]  # type: ignore[assignment]
    found = []
    for record in sorted(instances["AMDGPUBuiltin"]):
        prototype: str = dump[record]["Prototype"]  # type: ignore[index]
        result, _, rest = prototype.partition("(")
        arguments = tuple(filter(None, _ARGUMENT.split(rest.removesuffix(")"))))
        if (
            record.startswith(PREFIX)
            and "..." not in arguments
            and not result.startswith("_Vector")
            and "predicate_t" not in result
        ):
            found.append(Builtin(record, result.strip(), arguments, dump[record]["Features"]))  # type: ignore[index]
    return found


def rows(builtins: Iterable[Builtin], found: Mapping[str, Mapping[str, Compiled]]) -> list[str]:
    """The lines of the table: one for each builtin and what it becomes."""
    generations = processors.by_generation(found)
    lines = []
    for builtin in builtins:
        having: dict[tuple[tuple[str, ...], str], list[str]] = {}
        for target, compiled in found.items():
            if builtin.name in compiled:
                each = compiled[builtin.name]
                having.setdefault((each.mnemonics, each.operands), []).append(target)
        for (mnemonics, operands), members in sorted(having.items()):
            prototype = f"{builtin.result}({', '.join(builtin.arguments)})"
            condition = conditions.of_targets(members, generations)
            short = builtin.name.removeprefix(PREFIX)
            cells = (
                short,
                " ".join(mnemonics),
                condition,
                prototype,
                operands,
                constants_of(builtin) if operands else "",
            )
            lines.append("\t".join(cells).rstrip("\t"))
    return lines


def on_target(clang: str, target: str, builtins: Iterable[Builtin]) -> dict[str, Compiled]:
    """What the builtins become on a target, those that it has; in waves of 64 where they need them."""
    found = _on_target(clang, (f"-mcpu={target}",), builtins)
    rest = [each for each in builtins if each.name not in found and "w64" in each.name]
    if rest and int(processors.generation(target)[3:]) >= 10:
        found |= _on_target(clang, (f"-mcpu={target}", "-mwavefrontsize64"), rest)
    return found


def _on_target(clang: str, options: tuple[str, ...], builtins: Iterable[Builtin]) -> dict[str, Compiled]:
    compiler = _Compiler(clang, options)
    having = compiler.having(builtins)
    names = frozenset(each.name for each in having)
    alike = _ALIKE.get(names)
    if alike is not None:
        found = dict(compiler.compiled([_BEST[name] for name in alike], together=1000))
        return {kernel.builtin.name: compiled for kernel, compiled in found.items()}
    wanted = compiler.accepted(having)
    best: dict[str, Compiled] = {}
    for kernels in (_known, _in_vectors, _in_scalars, _mixed):
        left = [
            each
            for each in wanted
            if each.name not in compiler.impossible and not _is_settled(each.name, best.get(each.name))
        ]
        _keep_best(best, compiler.compiled([kernel for each in left for kernel in kernels(each)]))
    _LEAST.update(best)
    _ALIKE[names] = tuple(best)
    return best


def _is_settled(name: str, found: Compiled | None) -> bool:
    """Whether no other kernel can give a builtin fewer instructions, as far as the targets before say."""
    if found is None:
        return False
    if found.mnemonics and not found.around:
        return True
    known = _LEAST.get(name)
    return known is not None and (not found.mnemonics, found.around) <= (not known.mnemonics, known.around)


_ALIKE: dict[frozenset[str], tuple[str, ...]] = {}
"""The builtins of the targets before, by the features of these: on one with the same, only their kernels are tried."""
_BEST: dict[str, Kernel] = {}
"""The kernels that were best on the targets before: most are on the next one too."""
_LEAST: dict[str, Compiled] = {}
"""What these became."""


def _known(builtin: Builtin) -> list[Kernel]:
    return [_BEST[builtin.name]] if builtin.name in _BEST else []


def _in_vectors(builtin: Builtin) -> list[Kernel]:
    return [Kernel(builtin, "v" * len(builtin.arguments), "v")]


def _in_scalars(builtin: Builtin) -> list[Kernel]:
    count = len(builtin.arguments)
    classes = (("v", "s"),) if _is_of_lanes(builtin) else (("v", "s"), ("s", "s"), ("s", "v"), ("p", "p"))
    return [Kernel(builtin, of_arguments * count, result) for of_arguments, result in classes]


def _is_of_lanes(builtin: Builtin) -> bool:
    """Whether values which are the same in all lanes let clang do without the instruction."""
    return "wave_reduce" in builtin.name


def _mixed(builtin: Builtin) -> list[Kernel]:
    count = len(builtin.arguments)
    return [
        Kernel(builtin, "".join(one if at == number else other for at in range(count)), "v")
        for number in range(count)
        for one, other in (("v", "s"), ("s", "v"))
        if count > 1 and not _is_of_lanes(builtin) and not builtin.arguments[number].startswith("_Constant")
    ]


def _keep_best(best: dict[str, Compiled], found: Iterable[tuple[Kernel, Compiled]]) -> None:
    for kernel, compiled in found:
        name = kernel.builtin.name
        known = best.get(name)
        if known is None or _rank(compiled) < _rank(known):
            best[name] = compiled
            _BEST[name] = kernel


def _rank(compiled: Compiled) -> tuple[bool, int, int]:
    """Lower is better: an instruction, few of them, and operands of which it is known which arguments they are."""
    count = compiled.around + len(compiled.mnemonics)
    return not compiled.mnemonics, count, -len(re.findall("[%#=]", compiled.operands))


class _Compiler:
    """Clang for one target, and the constants that it takes for the arguments which have to be constant."""

    constants: dict[str, list[str]] = {}

    def __init__(self, clang: str, options: tuple[str, ...]) -> None:
        self.impossible: set[str] = set()
        self._command = [
            clang, "-x", "c++", "--target=amdgcn-amd-amdhsa", *options, "-nogpulib", "-nostdinc", "-std=c++20", "-O2",
            "-w", "-ferror-limit=0", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-",
        ]  # fmt: skip

    def accepted(self, builtins: Iterable[Builtin]) -> list[Builtin]:
        """The builtins that clang takes; their constants are found on the way."""
        left, found = list(builtins), []
        for _ in range(len(_CONSTANTS) + 2):
            kernels = [Kernel(each, "p" * len(each.arguments), "p") for each in left]
            errors = self._errors(self._run(kernels, "-fsyntax-only")[1])
            again = []
            for number, builtin in enumerate(left):
                said = errors.get(number)
                if said is None:
                    found.append(builtin)
                elif self._try_other(builtin, said):
                    again.append(builtin)
            left = again
            if not left:
                break
        return found

    def having(self, builtins: Iterable[Builtin]) -> list[Builtin]:
        """The builtins whose features the target has."""
        text, _ = self._run([Kernel(Builtin("[]{}", "void", ()), "", "v")], "-S", "-emit-llvm", "-o", "-")
        listed = re.search(r'"target-features"="([^"]*)"', text)
        if listed is not None:  # until clang 22
            features = frozenset(each[1:] for each in listed[1].split(",") if each[0] == "+")
            return [each for each in builtins if each.is_on(features)]
        every = list(builtins)
        asked = "".join(
            f"if (__builtin_amdgcn_is_invocable({each.name})) *out = {number};" for number, each in enumerate(every)
        )
        source = f"void ask(volatile int *out) {{ {asked} }}"
        found = re.findall(r"store volatile i32 (\d+)", self._compile(source, "-S", "-emit-llvm", "-o", "-")[0])
        return [every[int(number)] for number in found]

    def _try_other(self, builtin: Builtin, said: str) -> bool:
        """Choose other constants after an error; False if no constant can help."""
        if _HOPELESS.search(said):
            return False
        constants = self.constants.setdefault(builtin.name, [_CONSTANTS[0]] * len(builtin.arguments))
        used = next(
            (each for each, type_ in zip(constants, builtin.arguments, strict=True) if "_Constant" in type_), ""
        )
        least = _RANGE.search(said)
        if least is not None and used != least[1]:
            constants[:] = [least[1]] * len(constants)
            return True
        at = _CONSTANTS.index(used) + 1 if used in _CONSTANTS else len(_CONSTANTS)
        if not used or at >= len(_CONSTANTS):
            return False
        constants[:] = [_CONSTANTS[at]] * len(constants)
        return True

    def compiled(self, kernels: list[Kernel], together: int = _TOGETHER) -> Iterator[tuple[Kernel, Compiled]]:
        """What each kernel becomes; nothing for one that does not compile. together: how many clang gets at once."""
        for start in range(0, len(kernels), together):
            yield from self._together(kernels[start : start + together])

    def _together(self, kernels: list[Kernel]) -> Iterator[tuple[Kernel, Compiled]]:
        kernels = [each for each in kernels if each.builtin.name not in self.impossible]
        if not kernels:
            return
        text, errors = self._run(kernels, "-S", "-o", "-")
        if not errors:
            for number, body in re.findall(r"^f(\d+):.*?\n(.*?)^\.Lfunc_end", text, re.MULTILINE | re.DOTALL):
                kernel = kernels[int(number)]
                yield kernel, judged(kernel, body)
            return
        wrong = self._errors(errors)
        if "Cannot select: intrinsic" in errors or "cannot compile this builtin" in errors:
            self.impossible.update(kernels[number].builtin.name for number in wrong)
        if wrong:
            yield from self._together([each for number, each in enumerate(kernels) if number not in wrong])
        elif len(kernels) > 1:
            half = len(kernels) // 2
            yield from self._together(kernels[:half])
            yield from self._together(kernels[half:])

    def _errors(self, errors: str) -> dict[int, str]:
        first = _PRELUDE.count("\n") + 1
        found = {int(line) - first: said for line, said in reversed(_ERROR.findall(errors)) if int(line) >= first}
        return found | {int(number): "no instruction" for number in _CRASH.findall(errors)}

    def _run(self, kernels: Iterable[Kernel], *options: str) -> tuple[str, str]:
        return self._compile("".join(f"{self.source(number, each)}\n" for number, each in enumerate(kernels)), *options)

    def _compile(self, text: str, *options: str) -> tuple[str, str]:
        source = _PRELUDE + text
        done = subprocess.run([*self._command, *options], input=source, capture_output=True, text=True, check=False)
        return done.stdout, "" if done.returncode == 0 else done.stderr or "failed"

    def source(self, number: int, kernel: Kernel) -> str:
        """A kernel of one line."""
        builtin = kernel.builtin
        parameters, before, passed = [], [], []
        for at, (type_, class_) in enumerate(zip(builtin.arguments, kernel.classes, strict=True)):
            if type_.startswith("_Constant "):
                passed.append(f"({c_type(type_)}){constant(builtin, at)}")
            elif type_ == "char const *":
                passed.append('"agent"')
            elif class_ == "p" or type_ in _BY_PARAMETER:
                parameters.append(f"{c_type(type_)} a{at}")
                passed.append(f"a{at}")
            else:
                before.append(f'{c_type(type_)} a{at}; asm volatile("; arg {at} %0" : "={class_}"(a{at}));')
                passed.append(f"a{at}")
        call = f"{builtin.name}({', '.join(passed)});"
        if builtin.result == "void":
            after = f'{call} asm volatile("; end");'
        elif kernel.result == "p":
            parameters.append(f"__attribute__((address_space(1))) {c_type(builtin.result)} *out")
            after = f"auto r = {call} *out = r;"
        else:
            after = f'auto r = {call} asm volatile("; res %0" :: "{kernel.result}"(r));'
        head = f'extern "C" __attribute__((amdgpu_kernel)) void f{number}({", ".join(parameters)})'
        return f"{head} {{ {' '.join(before)} {after} }}"


def constant(builtin: Builtin, at: int) -> str:
    """The value for an argument that has to be constant."""
    needed = _NEEDED.get(builtin.name.removeprefix(PREFIX))
    known = _Compiler.constants.get(builtin.name)
    return needed or (known[at] if known else _CONSTANTS[0])


def constants_of(builtin: Builtin) -> str:
    """The values of all arguments that have to be constant."""
    return " ".join(constant(builtin, at) for at, type_ in enumerate(builtin.arguments) if "_Constant" in type_)


def c_type(written: str) -> str:
    """A type of the prototypes as C++ spells it."""
    written = written.removeprefix("_Constant ").strip()
    pointer = _POINTER.fullmatch(written)
    if pointer is not None:
        space = f"__attribute__((address_space({pointer['space']})))" if pointer["space"] else ""
        qualifiers = f"{pointer['const'] or ''}{pointer['volatile'] or ''}"
        return f"{space} {c_type(pointer['to'])}{qualifiers} *"
    vector = _VECTOR.fullmatch(written)
    return f"Vec<{vector[1]}, {c_type(vector[2])}>" if vector is not None else written


def judged(kernel: Kernel, body: str) -> Compiled:
    """What the text of a compiled kernel says about its call."""
    registers, instructions, result = _between_marks(body)
    real = [each for each in instructions if not _NEVER.fullmatch(each[0]) or _is_named(kernel.builtin, each[0])]
    own = [each for each in real if not _is_around(kernel.builtin, _SUFFIX.sub("", each[0]))]
    own = own or [each for each in real if _is_named(kernel.builtin, each[0]) or each[0].endswith(("_dpp", "_sdwa"))]
    if _COMPUTED.match(kernel.builtin.name, len(PREFIX)):
        return Compiled((), "", len(real))
    names = tuple(dict.fromkeys(_SUFFIX.sub("", mnemonic) for mnemonic, _ in own))
    around = len(real) - len(own)
    if (
        len(names) > _LONGEST
        or _is_of_lanes(kernel.builtin)
        or any(mnemonic.startswith("s_cbranch") for mnemonic, _ in real)
    ):
        return Compiled((SEVERAL,), "", around)
    exact = len(real) == 1 == len(own)
    return Compiled(names, _operands(own[0][1], registers, result, _only_constant(kernel)) if exact else "", around)


def _between_marks(body: str) -> tuple[dict[str, str], list[tuple[str, str]], str]:
    """The arguments by their registers, the instructions after the last of them, and the result's register."""
    registers: dict[str, str] = {}
    instructions: list[tuple[str, str]] = []
    for line in body.splitlines():
        mark = _MARK.match(line)
        if mark is not None:
            if mark[1] != "arg":
                return registers, instructions, mark[3].strip() if mark[1] == "res" else ""
            registers[mark[3].strip()] = mark[2]
            instructions.clear()
        elif re.match(r"\t[a-z]", line):
            mnemonic, _, operands = line.partition(";")[0].strip().partition(" ")
            instructions.append((mnemonic, operands.strip()))
    return registers, instructions, ""


def _only_constant(kernel: Kernel) -> str:
    """The value of the only argument if it is a constant; a character that no operand is otherwise."""
    builtin = kernel.builtin
    if len(builtin.arguments) != 1 or "_Constant" not in builtin.arguments[0]:
        return "?"
    return constant(builtin, 0)


def _is_around(builtin: Builtin, mnemonic: str) -> bool:
    """Whether an instruction surrounds calls; stores do, of results and through pointers that are arguments."""
    return ("_store_" in mnemonic and "store" not in builtin.name) or _AROUND.fullmatch(mnemonic) is not None


def _is_named(builtin: Builtin, mnemonic: str) -> bool:
    """Whether a builtin is called after an instruction that otherwise surrounds calls."""
    words = re.findall(r"[a-z]{3,}", _SUFFIX.sub("", mnemonic).partition("_")[2])
    return any(word in builtin.name.removeprefix(PREFIX) for word in words)


def _operands(written: str, registers: Mapping[str, str], result: str, constant: str) -> str:
    """`= %0 %1`: the operands of an instruction as result and numbers of arguments, others as they are written.

    `=2` is a result in the register of argument 2, which is not written itself, `#` the one constant.
    """
    found: list[str] = []
    for operand in re.split(r", (?![^\[(]*[\])])", written) if written else ():
        register, *modifiers = operand.split()
        if not found and register == result:
            found.append("=")
        elif register in registers:
            found.append(f"%{registers[register]}")
        else:
            found.append("#" if register == constant else register)
        found += modifiers
    if found and found[0] == "=" and result in registers and f"%{registers[result]}" not in found:
        found[0] += registers[result]
    return " ".join(found) or NONE


def _processors(version: int) -> list[list[str]]:
    text = (DATA / str(version) / "processors.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[2:]]


if __name__ == "__main__":
    main()
