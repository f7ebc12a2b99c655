"""Compares accepted and rejected statements with clang: `python -m tests.views.inline.clang FOLDER... [--targets T,T]`.

Each distinct statement of the sources in the folders becomes a function of its own, with variables of the widths and
constants of the values that the view chose, and clang compiles it. Where the view found no choice that is right, clang
gets others too: one that it accepts is a false rejection.
"""

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

from gcn_lsp.findings.model import Finding
from gcn_lsp.isa import versions
from gcn_lsp.views.inline import conditions, constraints, document, languages, sources, template
from gcn_lsp.views.inline.document import StatementAssembly
from gcn_lsp.views.inline.statement import Statement

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200", "gfx1250")
WIDTHS = (1, 2, 4, 8, 16)
TRIES = 40  # widths that clang gets for a statement that we reject
ONLY_23 = ("gfx1250", "gfx1251")


def statements(folders: Sequence[str]) -> Iterator[tuple[str, Statement]]:
    """Each distinct AMD statement of the sources in some folders, with its place."""
    seen = set()
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix.lower() not in languages.SUFFIXES or not path.is_file():
                continue
            for each in sources.statements(str(path), path.read_bytes()):
                key = (
                    each.template,
                    tuple((one.constraint, one.width, one.value, one.symbol) for one in each.operands),
                )
                if template.is_amd(each) and each.is_complete and key not in seen:
                    seen.add(key)
                    yield f"{path}:{each.span.line + 1}", each


def function(text: StatementAssembly, widths: "dict[int, int] | None" = None) -> str:
    """A C++ source with the statement as a kernel: inputs are arguments, outputs are stored."""
    statement = text.statement
    parameters, locals_, after = [], [], []
    outputs, inputs = [], []
    kinds = set()
    for number, operand in enumerate(statement.operands):
        read = constraints.read(operand.constraint)
        register = text.registers[number]
        name = f"[{operand.name}] " if operand.name else ""
        quoted = f'{name}"{operand.constraint}"'
        if read.is_immediate:
            inputs.append(f"{quoted}({value(text, number)})")
            continue
        width = (widths or {}).get(number) or (register.count if register is not None else 1)
        kinds.add(width)
        kind = "int" if width == 1 else f"i{width}"
        if register is not None and register.half:
            kind = "short"
        if operand.is_output:
            initial = f" = a{number}" if read.is_inout else ""
            locals_.append(f"{kind} o{number}{initial};")
            after.append(f"*p{number} = o{number};")
            parameters.append(f"{kind}* p{number}")
            if read.is_inout:
                parameters.append(f"{kind} a{number}")
            outputs.append(f"{quoted}(o{number})")
        else:
            parameters.append(f"{kind} a{number}")
            inputs.append(f"{quoted}(a{number})")
    types = "".join(
        f"typedef int i{width} __attribute__((ext_vector_type({width})));\n" for width in kinds if width > 1
    )
    clobbers = ", ".join(f'"{clobber.name}"' for clobber in statement.clobbers)
    body = f"asm volatile({literal(statement.template)} : {', '.join(outputs)} : {', '.join(inputs)} : {clobbers});"
    if statement.labels:
        body = body.replace("volatile", "goto").removesuffix(");") + f" : {', '.join(statement.labels)});"
        body += "".join(f" {label}:;" for label in statement.labels)
    listed = ", ".join(parameters)
    kernel = "__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64)))"
    inner = " ".join((*locals_, body, *after))
    return f"{types}{kernel} void f({listed}) {{ {inner} }}\n"


def module(text: StatementAssembly, widths: "dict[int, int] | None" = None) -> str:
    """A module of LLVM's IR with a statement in LLVM's own dialect."""
    statement = text.statement
    parameters, results, given, listed = [], [], [], []
    for number, operand in enumerate(statement.operands):
        read = constraints.read(operand.constraint)
        register = text.registers[number]
        listed.append(operand.constraint)
        if read.is_immediate:
            given.append(f"i32 {value(text, number)}")
            continue
        width = (widths or {}).get(number) or (register.count if register is not None else 1)
        kind = "i32" if width == 1 else f"<{width} x i32>"
        if register is not None and register.half:
            kind = "i16"
        if operand.is_output:
            results.append(kind)
        else:
            parameters.append(f"{kind} %a{number}")
            given.append(f"{kind} %a{number}")
    result = "void" if not results else results[0] if len(results) == 1 else f"{{ {', '.join(results)} }}"
    kept = "" if not results else "%r = "
    listed += [f"~{{{clobber.name}}}" for clobber in statement.clobbers]
    escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in statement.template)
    call = f'{kept}call {result} asm sideeffect "{escaped}", "{",".join(listed)}"({", ".join(given)})'
    return f"define amdgpu_kernel void @f({', '.join(parameters)}) {{\n  {call}\n  ret void\n}}\n"


def value(text: StatementAssembly, number: int) -> int:
    """The constant that was chosen for an operand, read from the text of the statement."""
    operand = text.statement.operands[number]
    if operand.value is not None:
        return operand.value
    for segment in text.segments:
        if segment.number == number:
            return int(text.text[segment.start : segment.end])
    return 0


def literal(text: bytes) -> str:
    """A C string with a text."""
    escaped = text.decode("latin-1").replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if " " <= c <= "~" else f"\\{ord(c):03o}" for c in escaped) + '"'


def compiles(source: str, target: str, version: int) -> tuple[bool, str]:
    """Whether clang makes code of a source, and what it says."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "f.ll" if source.startswith("define") else "f.cpp")
        file.write_text(source)
        command = [f"clang-{version}", "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib", "-w", "-O1", "-c"]
        ran = subprocess.run([*command, "-o", os.devnull, str(file)], capture_output=True, text=True)
    return ran.returncode == 0, next((line for line in ran.stderr.splitlines() if "error" in line), "")


def others(text: StatementAssembly) -> Iterator[dict[int, int]]:
    """Other widths for the operands whose width was chosen."""
    free = [number for number in text.chosen if text.registers[number] is not None]
    yield from (dict(zip(free, each, strict=True)) for each in islice(product(WIDTHS, repeat=len(free)), TRIES))


def compare(place: str, statement: Statement, target: str) -> tuple[str, str]:
    """The result for a statement on a target: `equal`, or which of the two accepts it alone, with the reasons."""
    if conditions.holds(statement.guard, target) is False:
        return "guarded", ""
    version = 23 if target in ONLY_23 else 22
    mattr = versions.with_switch("", version)
    text = document.of(statement, target, mattr)
    known = all(constraints.read(each.constraint).known for each in statement.operands)
    accepted = (
        text.accepted
        and known
        and not any(each.severity.value == "error" for each in _findings(statement, target, mattr))
    )
    source = module(text) if statement.dialect == "llvm" else function(text)
    theirs, said = compiles(source, target, version)
    if accepted == theirs:
        return ("equal, accepted" if accepted else "equal, rejected"), ""
    if not accepted:
        return "only clang", f"{place} {target}\n{text.text.decode()}"
    return "only gcn-lsp", f"{place} {target}: {said}\n{text.text.decode()}"


def _findings(statement: Statement, target: str, mattr: str) -> "Sequence[Finding]":
    from gcn_lsp.findings import inline_run
    from gcn_lsp.rules import RULES

    return inline_run.judged(RULES, "", statement, (target, mattr))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--every", type=int, default=1, help="Every how many statements are compared.")
    arguments = parser.parse_args()
    found = list(statements(arguments.folders))[:: arguments.every]
    jobs = [(place, statement, target) for place, statement in found for target in arguments.targets.split(",")]
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(2) as pool:
        for result, why in pool.map(lambda job: compare(*job), jobs):
            counts[result] += 1
            if why:
                print(result, why, flush=True)
    print(len(found), "statements;", dict(counts))
    judged = sum(count for name, count in counts.items() if name != "guarded")
    equal = counts["equal, accepted"] + counts["equal, rejected"]
    print(f"equal: {equal} of {judged}, {100 * equal / max(judged, 1):.2f} %")
    sys.exit(equal < judged)


if __name__ == "__main__":
    main()
