"""Corrects the sizes of a kernel, in its descriptor and its metadata at once: registers, LDS, arguments."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.findings import descriptor_places, run
from gcn_lsp.findings.rule import Stage
from gcn_lsp.ide.reading import kernel_places
from gcn_lsp.ide.refactor.model import REWRITE, Edit, Refactoring, Selection
from gcn_lsp.program import program as programs
from gcn_lsp.program.kernels import metadata, metadata_text
from gcn_lsp.rules import RULES
from gcn_lsp.text import TextEdit, edited
from gcn_lsp.text.unchanged import UnchangedLines

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

# What the code needs comes before what the metadata repeat.
_OF_CODE = frozenset(("register-beyond-descriptor", "kernarg-beyond-segment", "lds-beyond-segment", "unrequested-lds"))
_OF_METADATA = frozenset(("metadata-contradicts-descriptor",))
_ROUNDS = 3  # a size may raise another one once


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """For the descriptor, the metadata or the label on the selection's first line."""
    name = kernel_places.kernel_at(program, selection.first)
    if not any(block.name == name and block.is_closed for block in program.kernel_blocks):
        return
    corrected = _corrected(program, name)
    if corrected is not program:
        yield Refactoring(f"Correct the sizes of `{name}`", REWRITE, tuple(_difference(program, corrected)))


def _corrected(program: "Program", name: str) -> "Program":
    """The program with the sizes of a kernel as its code needs them; the same one where all are right."""
    for _ in range(_ROUNDS):
        edits = tuple(_edits(program, name, _OF_CODE)) or tuple(_edits(program, name, _OF_METADATA))
        if not edits:
            break
        program = programs.build(edited(program.source, edits), program.options, program)
        edits = tuple(_counts(program, name))
        program = programs.build(edited(program.source, edits), program.options, program) if edits else program
    return program


def _counts(program: "Program", name: str) -> "Iterator[TextEdit]":
    """The edits that raise the counts of registers in a kernel's metadata to what the descriptor requests."""
    block = next(each for each in program.kernel_blocks if each.name == name)
    judgement = program.judgement(block)
    right = metadata_text.counts(judgement.resources) or {} if judgement is not None else {}
    for described, kernel, named in metadata.described(program.metadata):
        for key, count in right.items() if named == name else ():
            value = kernel.get(key)
            if value is not None and value.number is not None and value.number < count:
                where, is_own = descriptor_places.in_metadata(program, described, value.line, value.start, value.end)
                if is_own and where.path == program.path:
                    yield TextEdit(where, str(count))


def _edits(program: "Program", name: str, rules: frozenset[str]) -> "Iterator[TextEdit]":
    """The edits of the first fix of each finding to a kernel's descriptor and metadata, each place once."""
    taken: set[tuple[int, int]] = set()
    for finding in run.found_by(RULES, program, rules, Stage.HINTS):
        edits = finding.fixes[0].edits if finding.rule in rules and finding.fixes else ()
        for edit in edits:
            where = edit.where
            is_own = where.path == program.path and kernel_places.described_at(program, where.line) == name
            if is_own and (where.line, where.start) not in taken:
                taken.add((where.line, where.start))
                yield edit


def _difference(before: "Program", after: "Program") -> Iterator[Edit]:
    """The edits between two versions: of single lines where there are as many."""
    old, new = before.source.lines, after.source.lines
    same = UnchangedLines.of(old, new)
    if same.shift:
        text = b"\n".join(new[same.front : same.back + same.shift]).decode("utf-8", "surrogateescape")
        last = same.back - 1
        yield Edit(same.front, 0, last, len(old[last]), text)
        return
    for line in range(same.front, same.back):
        if old[line] != new[line]:
            yield Edit(line, 0, line, len(old[line]), new[line].decode("utf-8", "surrogateescape"))
