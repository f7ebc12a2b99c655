"""Statements with one mistake each: `python -m tests.views.inline.mutations FOLDER...`.

Every statement that is accepted loses an early clobber, a clobber, its last wait, or has the file of one operand
changed. Whether that is a mistake is decided by the text alone or by clang, never by the rules under test. What no
finding notices is printed.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from gcn_lsp.findings import inline_run
from gcn_lsp.isa import versions
from gcn_lsp.rules import RULES
from gcn_lsp.views.inline import constraints, template
from gcn_lsp.views.inline.statement import Piece, Statement
from gcn_lsp.views.inline.targets import Targets
from tests.views.inline import clang

STORES = re.compile(rb"_store|ds_write|_atomic|ds_add|ds_append")
SETS_SCC = re.compile(
    rb"(?m)^\s*s_(?:add|sub|and|or|xor|lshl|lshr|cmp|not|min|max|bcnt|ashr|bfe|absdiff|addc|subb)_?\w*"
)
LOADS = re.compile(rb"_load|ds_read")
WAIT = re.compile(rb"\n[ \t]*s_wait\w*[^\n]*\s*$")


def mutants(statement: Statement, target: str) -> Iterator[tuple[str, Statement]]:
    """Wrong versions of a statement, each with what was done."""
    for number, operand in enumerate(statement.operands):
        read = constraints.read(operand.constraint)
        if read.is_early and not read.is_inout and _is_read_later(statement, number):
            yield "early clobber", _with(statement, number, operand.constraint.replace("&", ""))
        other = {"v": "s", "s": "v"}.get(operand.constraint.lstrip("=+&"))
        if other is not None:
            changed = _with(statement, number, operand.constraint[:-1] + other)
            found = inline_run.of(changed, (target, _features(target)))
            if not clang.compiles(clang.function(found), target, _version(target))[0]:
                yield "constraint", changed
    text = statement.template
    for clobber in statement.clobbers:
        fewer = tuple(each for each in statement.clobbers if each is not clobber)
        register = constraints.register(clobber.name)
        written = rb"(?m)^\s*\w+\s+" + re.escape(clobber.name.encode()) + rb"\b"
        if clobber.name == "memory":
            needed = STORES.search(text) is not None and b" lds" not in text
        elif clobber.name == "scc":
            needed = SETS_SCC.search(text) is not None
        elif clobber.name == "vcc":
            needed = re.search(rb"(?m)^\s*v_(?:cmp|add_co|sub_co)\w*\s+(?:%\S+,\s*)?vcc", text) is not None
        elif clobber.name == "m0":
            needed = False  # the compiler sets it before each use and ignores the clobber
        else:
            needed = register is not None and re.search(written, text) is not None
        if needed:
            yield "clobber", msgspec.structs.replace(statement, clobbers=fewer)
    last = WAIT.search(text)
    if last is not None and LOADS.search(text) and any(each.is_output for each in statement.operands):
        pieces = (Piece(text[: last.start()], statement.pieces[0].span),)
        yield "last wait", msgspec.structs.replace(statement, pieces=pieces)


def _is_read_later(statement: Statement, number: int) -> bool:
    """Whether a line after the first with an output has an input of the same file that is tied to nothing."""
    lines: list[list[int]] = [[]]
    for part in template.of(statement).parts:
        if part.number == -1:
            lines += [[] for _ in range(part.text.count(b"\n"))]
        elif part.number is not None:
            lines[-1].append(part.number)
    first = next((at for at, line in enumerate(lines) if line[:1] == [number]), None)
    if first is None:
        return False
    files = constraints.read(statement.operands[number].constraint).files
    reads = {each for line in lines[first + 1 :] for each in line}
    return any(
        not statement.operands[each].is_output and constraints.read(statement.operands[each].constraint).files == files
        for each in reads
        if each < len(statement.operands)
    )


def _with(statement: Statement, number: int, constraint: str) -> Statement:
    operands = list(statement.operands)
    operands[number] = msgspec.structs.replace(operands[number], constraint=constraint)
    return msgspec.structs.replace(statement, operands=tuple(operands))


def _version(target: str) -> int:
    return 23 if target in clang.ONLY_23 else 22


def _features(target: str) -> str:
    return versions.with_switch("", _version(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="Every how many statements are changed.")
    arguments = parser.parse_args()
    made: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    for place, statement in list(clang.statements(arguments.folders))[:: arguments.every]:
        text = inline_run.taken_for(statement, Targets())
        if text is None or not text.accepted:
            continue
        target = (text.target, _features(text.target))
        before = {(each.rule, each.message) for each in inline_run.judged(RULES, "", statement, target)}
        for what, changed in mutants(statement, text.target):
            made[what] += 1
            after = {(each.rule, each.message) for each in inline_run.judged(RULES, "", changed, target)}
            noticed[what] += bool(after - before)
            if not after - before:
                print(f"not noticed: {what} at {place} for {text.target}\n{changed.template.decode()}", flush=True)
    for what, count in made.items():
        print(f"{what}: {noticed[what]} of {count}")
    print(f"noticed: {sum(noticed.values())} of {sum(made.values())}")


if __name__ == "__main__":
    main()
