"""Adds to the finding of a rejected line the targets on which it is legal: for reports, not for every keystroke.

In an editor, hover says it (`ide.describe.elsewhere`).
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from gcn_lsp.analysis import bounds
from gcn_lsp.findings.model import Finding
from gcn_lsp.instruction.rejection import elsewhere
from gcn_lsp.program.chunk import Item
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, message

_Key = tuple[Location, str, str]


def with_targets(program: Program, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """`findings`, with the accepting targets added to those of rejected instructions."""
    known = dict(_legal(program))
    found = []
    for finding in findings:
        where = known.get((finding.where, finding.rule, finding.message))
        if where:
            said = message("{}; as written it is legal on {}", finding.said, where)
            found.append(msgspec.structs.replace(finding, said=said))
        else:
            found.append(finding)
    return tuple(found)


def _legal(program: Program) -> Iterator[tuple[_Key, str]]:
    """The problems of instructions that other targets accept, with these targets in words."""
    asked = list(islice(_asked(program), bounds.TRIED_ELSEWHERE))
    legal = elsewhere.legal_on(
        program.assembler, (item.instruction for _, item in asked if item.instruction is not None)
    )
    for number, item in asked:
        instruction = item.instruction
        names = legal.get(id(instruction), ())
        if instruction is None or not names:
            continue
        for problem in instruction.problems:
            where, _ = program.locate(number, item.written, item.statement.line, problem.start, problem.end)
            yield (where, problem.rule, problem.message), elsewhere.words(names)


def _asked(program: Program) -> Iterator[tuple[int, Item]]:
    """The rejected instructions that another target may accept, with their chunks."""
    for number, chunk in enumerate(program.chunks):
        for item in chunk.items:
            instruction = item.instruction
            if instruction is None or instruction.code or not instruction.problems:
                continue
            if any(elsewhere.is_asked(problem, item.statement) for problem in instruction.problems):
                yield number, item
