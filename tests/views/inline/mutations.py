"""Statements with one mistake each: `python -m tests.views.inline.mutations [--generated N] FOLDER...`.

Every statement that is accepted loses an early clobber, a clobber, its last wait, or has the file of one operand
changed. Whether that is a mistake is decided by the text alone, by clang or by how the statement was made, never by the
rules under test. What no finding notices is printed, and what is found in a statement that was made without a mistake.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.findings import inline_run
from gcn_lsp.isa import versions
from gcn_lsp.rules import RULES
from gcn_lsp.views.inline import constraints, template
from gcn_lsp.views.inline.statement import Statement, TemplatePiece
from gcn_lsp.views.inline.targets import Targets
from tests.views.inline import clang, generated

GENERATED_FOR = "gfx90a"
OF_PLACES = frozenset(("exposed-hazard",))  # depends on the code around a statement
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
            if not _compiles(changed, target):
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
        pieces = (TemplatePiece(text[: last.start()], statement.pieces[0].span),)
        yield "last wait", msgspec.structs.replace(statement, pieces=pieces)


def mutants_of(made: generated.Made, target: str) -> Iterator[tuple[str, Statement]]:
    """Wrong versions of a generated statement."""
    statement = made.statement
    for number in sorted(made.early):
        yield "early clobber", _with(statement, number, statement.operands[number].constraint.replace("&", ""))
    for clobber in statement.clobbers:
        if clobber.name in made.needed:
            fewer = tuple(each for each in statement.clobbers if each is not clobber)
            yield "clobber", msgspec.structs.replace(statement, clobbers=fewer)
    if made.is_waited:
        text = statement.template
        piece = TemplatePiece(text[: text.rindex(b"\n")], statement.pieces[0].span)
        yield "last wait", msgspec.structs.replace(statement, pieces=(piece,))
    for number, operand in enumerate(statement.operands):
        other = {"v": "s", "s": "v"}[operand.constraint[-1]]
        changed = _with(statement, number, operand.constraint[:-1] + other)
        if not _compiles(changed, target):
            yield "constraint", changed


def _compiles(statement: Statement, target: str) -> bool:
    found = inline_run.of(statement, (target, _features(target)))
    source = clang.module(found) if statement.dialect == "llvm" else clang.function(found)
    return clang.compiles(source, target, _version(target))[0]


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


class Counts:
    """What was made and what of it was noticed, by kind."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.noticed: Counter[str] = Counter()

    def judge(self, place: str, statement: Statement, wrong: Iterable[tuple[str, Statement]], target: str) -> None:
        before = found(statement, target)
        for what, changed in wrong:
            self.made[what] += 1
            is_noticed = bool(found(changed, target) - before)
            self.noticed[what] += is_noticed
            if not is_noticed:
                print(f"not noticed: {what} at {place} for {target}\n{changed.template.decode()}", flush=True)

    def show(self, title: str) -> None:
        for what, count in sorted(self.made.items()):
            print(f"{title}, {what}: {self.noticed[what]} of {count}")
        print(f"{title}: {self.noticed.total()} of {self.made.total()} noticed")


def found(statement: Statement, target: str) -> set[tuple[str, str]]:
    """The rule and the message of each finding in a statement."""
    return {(each.rule, each.message) for each in inline_run.judged(RULES, "", statement, (target, _features(target)))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--every", type=int, default=1, help="Every how many statements are changed.")
    parser.add_argument("--generated", type=int, default=0, help="So many statements are made and changed.")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    ours = Counts()
    wrongly = 0
    for made in generated.statements(arguments.generated, arguments.seed):
        wrong = {each for each in found(made.statement, GENERATED_FOR) if each[0] not in OF_PLACES}
        if wrong:
            wrongly += 1
            print(f"found in a correct statement: {wrong}\n{made.statement.template.decode()}", flush=True)
        ours.judge("generated", made.statement, mutants_of(made, GENERATED_FOR), GENERATED_FOR)
    theirs = Counts()
    for place, statement in list(clang.statements(arguments.folders))[:: arguments.every]:
        text = inline_run.taken_for(statement, Targets())
        if text is not None and text.accepted:
            theirs.judge(place, statement, mutants(statement, text.target), text.target)
    if arguments.generated:
        ours.show("generated")
        print(f"generated: {wrongly} of {arguments.generated} correct statements with a finding")
    if arguments.folders:
        theirs.show("sources")


if __name__ == "__main__":
    main()
