"""Asks clang whether it does what `missing-early-clobber` warns of: `python -m tests.views.inline.witnesses FOLDER...`.

Each statement with a finding is compiled alone, a few times with its operands in other orders, and clang is asked which
registers it gave them. A finding has a witness if an output has a register of an input that a later instruction reads.
"""

import argparse
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from gcn_lsp.findings import inline_run
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.rules import RULES
from gcn_lsp.views.inline import constraints
from gcn_lsp.views.inline.document import StatementAssembly
from gcn_lsp.views.inline.statement import Statement, TemplatePiece
from gcn_lsp.views.inline.targets import Targets
from tests.views.inline import clang

RULE = "missing-early-clobber"
MARK = b"; registers "
REGISTERS = re.compile(r"([vsa])(?:(\d+)|\[(\d+):(\d+)\])$")
TRIES = 6


def marked(statement: Statement) -> Statement:
    """A statement that first names the registers of all its operands in a comment."""
    sign = b"%" if statement.dialect == "gnu" else b"$"
    names = b"|".join(sign + b"%d" % number for number in range(len(statement.operands)))
    first = TemplatePiece(MARK + names + b"\n", statement.pieces[0].span, exact=False)
    return msgspec.structs.replace(statement, pieces=(first, *statement.pieces))


def given(text: StatementAssembly, rotation: int, version: int) -> list[frozenset[tuple[str, int]]]:
    """The registers that clang gives the operands; nothing if it does not compile the statement."""
    changed = msgspec.structs.replace(text, statement=marked(text.statement))
    source = clang.module(changed) if text.statement.dialect == "llvm" else rotated(clang.function(changed), rotation)
    with TemporaryDirectory() as folder:
        file, listing = Path(folder, "f.ll" if source.startswith("define") else "f.cpp"), Path(folder, "f.s")
        file.write_text(source)
        command = [f"clang-{version}", "--target=amdgcn-amd-amdhsa", f"-mcpu={text.target}", "-nogpulib", "-w", "-O2"]
        subprocess.run([*command, "-S", "-o", str(listing), str(file)], capture_output=True)
        shown = listing.read_text() if listing.exists() else ""
    line = next((line for line in shown.splitlines() if MARK.decode() in line), "")
    return [registers(name) for name in line.partition(MARK.decode())[2].split("|")] if line else []


def rotated(source: str, by: int) -> str:
    """A source with the parameters of its function in another order, which leads clang to other registers."""
    head = re.search(r"void f\(([^)]*)\)", source)
    assert head is not None
    parameters = head[1].split(", ")
    turned = parameters[by % len(parameters) :] + parameters[: by % len(parameters)]
    if by >= len(parameters):
        turned.reverse()
    return source.replace(head[0], f"void f({', '.join(turned)})")


def registers(name: str) -> frozenset[tuple[str, int]]:
    found = REGISTERS.match(name.strip())
    if found is None:
        return frozenset()
    first, last = (int(found[2]), int(found[2])) if found[2] else (int(found[3]), int(found[4]))
    return frozenset((found[1], number) for number in range(first, last + 1))


def shared(text: StatementAssembly, given_: list[frozenset[tuple[str, int]]]) -> Iterator[tuple[int, int]]:
    """The outputs, each with an input that is read after the output is written and has a register of it."""
    about = Judged("", text)
    for number, operand in about.operands():
        if not operand.is_output or constraints.read(operand.constraint).is_early:
            continue
        mask = about.masks[number]
        written = next((at for at, site in enumerate(about.sites) if site.effects.writes & mask), None)
        if written is None:
            continue
        for other in about.inputs():
            later = any(site.effects.reads & about.masks[other] for site in about.sites[written + 1 :])
            if later and given_[number] & given_[other]:
                yield number, other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    witnessed = total = 0
    for place, statement in clang.statements(parser.parse_args().folders):
        text = inline_run.taken_for(statement, Targets())
        if text is None or not text.accepted:
            continue
        target = (text.target, text.mattr)
        found = [each for each in inline_run.judged(RULES, "", statement, target) if each.rule == RULE]
        if not found:
            continue
        total += 1
        pairs: list[tuple[int, int]] = []
        for rotation in range(TRIES):
            answer = given(text, rotation, 23 if text.target in clang.ONLY_23 else 22)
            pairs = list(shared(text, answer)) if answer else []
            if pairs:
                break
        witnessed += bool(pairs)
        shown = ", ".join(f"{text.name(output)} is {text.name(other)}" for output, other in pairs)
        print(f"{place} {text.target}: {shown or 'no witness'}", flush=True)
    print(f"{witnessed} of {total} statements with {RULE}: clang gives an output the register of an input read later")


if __name__ == "__main__":
    main()
