"""The problems of a program: those that its chunks found, and those that only the whole program shows."""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from gcn_lsp.flow import search
from gcn_lsp.instruction.model import Problem
from gcn_lsp.preproc.state import Deferred, SymbolValue
from gcn_lsp.program import declarations
from gcn_lsp.program import layout as layouts
from gcn_lsp.program.chunk import ChunkProblem, Unresolved
from gcn_lsp.program.kernels import judgement
from gcn_lsp.program.program import ExpansionStep, Program
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.directives import CONDITIONS, DIRECTIVES, Directive, Family, assigned_name
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import Location, Text, message, rendered


class PlacedProblem(msgspec.Struct, frozen=True):
    """A problem with its place in this version of the text, and the expansions that lead to it, the outermost first.

    movable: whether the text at `where` belongs to the problem, so that its fixes apply there. said: its message, with
    the places in it as values.
    """

    problem: Problem
    where: Location
    steps: tuple[ExpansionStep, ...]
    movable: bool
    said: Text


def of(program: Program) -> Iterator[PlacedProblem]:
    """All problems, in program order; a mistake in a macro body is reported once."""
    for number, chunk in enumerate(program.chunks):
        for problem in chunk.problems:
            if problem.problem.rule == "undefined-symbol" and _is_build_defined(program, problem):
                continue
            yield _placed_problem(program, number, problem)
    yield from _late_problems(program)


def _placed_problem(program: Program, number: int, found: ChunkProblem, said: Text = "") -> PlacedProblem:
    problem = found.problem
    said = said or problem.said
    where, own = program.locate(number, found.written, found.statement_line, problem.start, problem.end)
    replaced = _replaced_bare(program, found, where)
    if replaced:
        said = message("{}; {}", said, replaced)
    return PlacedProblem(problem, where, program.steps(number, found.written.frame), own, said)


def _replaced_bare(program: Program, found: ChunkProblem, where: Location) -> str:
    """What `.altmacro` replaced in the text at fault though no `\\` is before it, which few expect."""
    frame = found.written.frame
    substitution = frame.substitution if frame is not None else None
    if substitution is None or not substitution.alternate:
        return ""
    line = program.line_text(where.path, where.line)
    for name, value in zip(substitution.names, substitution.values, strict=False):
        bare = re.compile(rb"(?<![\\\w.$])" + re.escape(name) + rb"(?![\w.$])").search(line, where.start, where.end)
        if bare is not None:
            shown, given = name.decode("utf-8", "replace"), value.decode("utf-8", "replace")
            return f"`.altmacro` is on, so `{shown}` is replaced by the argument `{given}` here"
    return ""


def _is_build_defined(program: Program, found: ChunkProblem) -> bool:
    if program.final_state.incomplete:
        return True
    problem = found.problem
    text = found.statement_line[problem.start : problem.end].decode("utf-8", "replace")
    return any(name in text for name in program.build_defined)


def _late_problems(program: Program) -> Iterator[PlacedProblem]:
    """Problems that only the whole program shows: duplicate labels, branches, names defined too late."""
    yield from _duplicate_labels(program)
    for number, linked in enumerate(program.links.by_chunk):
        for problem in linked.problems:
            yield _placed_problem(program, number, problem)
    for number, chunk in enumerate(program.chunks):
        for unresolved in chunk.unresolved:
            if unresolved.name not in program.build_defined:
                yield _placed_problem(program, number, _too_late(unresolved))
    yield from _contradictions(program)
    yield from _circles(program)
    yield from _descriptor_problems(program)
    yield from _open_at_end(program)


def _duplicate_labels(program: Program) -> Iterator[PlacedProblem]:
    for name, label, first in program.layout.repetitions():
        line = program.placed(program.layout.numbers[first.chunk], first.item).where
        yield _label_problem(program, label, message("label `{}` is already defined on {}", name, line))
    variables = program.final_state.symbols
    for name, label in program.layout.known.items():
        if name in variables and name not in program.layout.repeated:
            yield _label_problem(program, label, f"`{name}` is already a symbol with a value and cannot be a label too")


def _contradictions(program: Program) -> Iterator[PlacedProblem]:
    """Declarations that contradict earlier ones."""
    declared = (
        (number, declaration)
        for number, chunk in enumerate(program.chunks)
        if chunk.declarations
        for declaration in chunk.declarations
    )
    for number, found, problem in declarations.contradictions(declared):
        yield _placed_problem(program, number, ChunkProblem(problem, found.written, found.statement.line))


def _circles(program: Program) -> Iterator[PlacedProblem]:
    """Symbols whose final value depends on itself."""
    last = {name: number for number, chunk in enumerate(program.chunks) for name in chunk.late}
    for name, number in sorted(last.items()):
        if not _is_circle(name, program.final_state.symbols):
            continue
        items = (item for item in reversed(program.chunks[number].items) if item.kind == "assignment")
        item = next((item for item in items if assigned_name(item.statement) == name), None)
        if item is not None:
            statement = item.statement
            rule, message = "invalid-expression", f"the value of `{name}` depends on itself"
            value = program.final_state.symbols[name]
            if isinstance(value, Deferred) and name in expressions.names_in(value.expression):
                rule, message = "undefined-symbol", f"`{name}` has no value before this, so it depends on itself"
            problem = Problem(rule, statement.start, statement.end, message)
            yield _placed_problem(program, number, ChunkProblem(problem, item.written, statement.line))


def _label_problem(program: Program, label: layouts.Label, said: Text) -> PlacedProblem:
    item = label.chunk.items[label.item]
    statement = item.statement
    problem = Problem("duplicate-label", statement.name_start, statement.name_end, rendered(said, ""))
    found = ChunkProblem(problem, item.written, statement.line)
    return _placed_problem(program, program.layout.numbers[label.chunk], found, said)


def _open_at_end(program: Program) -> Iterator[PlacedProblem]:
    """Blocks still open at the end of the file, each at the line that opens it."""
    state = program.final_state
    if state.ended or (state.block is None and not state.conditions and state.descriptor is None):
        return
    blocks = list(_open_blocks(program))
    for line, start, end, word in blocks:
        yield _open_block(program, line, start, end, f"`{word}` has no `{DIRECTIVES[word].other}`")
    call = _opening_call(program) if not blocks else None
    if not blocks and call is None and state.conditions:  # hidden in a macro that is not assembled
        yield from _last_conditional(program)
    if call is not None:
        line, statement = call
        message = f"the expansion of `{statement.name}` opens an `.if` that has no `.endif`"
        yield _open_block(program, line, statement.start, statement.end, message)


def _last_conditional(program: Program) -> Iterator[PlacedProblem]:
    for line in reversed(range(len(program.source.lines))):
        for statement in program.line(line).statements if b"." in program.source.lines[line] else ():
            if statement.word in CONDITIONS:
                message = f"`{statement.word}` has no `.endif`"
                yield _open_block(program, line, statement.start, statement.end, message)
                return


def _open_block(program: Program, line: int, start: int, end: int, message: str) -> PlacedProblem:
    where = Location(program.path, line, start, end)
    return PlacedProblem(Problem("unterminated-block", start, end, message), where, (), True, message)


def _descriptor_problems(program: Program) -> Iterator[PlacedProblem]:
    """Problems of blocks as a whole."""
    for problem in judgement.problems(program.kernel_blocks, program.target, program.final_state.symbols):
        yield _placed_problem(program, program.layout.numbers[problem[0]], problem[1])


def _open_blocks(program: Program) -> Iterator[tuple[int, int, int, str]]:
    """The statements (line, start, end, word) of blocks that are still open at the end of the file.

    A closing word closes the innermost block of its kind, and all blocks left open inside it.
    """
    stack: list[tuple[int, int, int, str]] = []
    for number, text in enumerate(program.source.lines):
        if b"." not in text:
            continue
        line = program.line(number)
        for statement in line.statements:
            word = statement.word
            row = DIRECTIVES.get(word)
            if row is None or row.family not in (Family.OPENS, Family.CLOSES):
                continue
            if row.family is Family.OPENS:
                stack.append((number, statement.start, statement.end, word))
                continue
            closes = [index for index, block in enumerate(stack) if _closed_alike(block[3], row)]
            if closes:
                del stack[closes[-1] :]
    yield from stack


def _closed_alike(opener: str, closer: Directive) -> bool:
    """Whether the block of `opener` ends at `closer`."""
    return DIRECTIVES[opener].other == DIRECTIVES[closer.other].other


def _opening_call(program: Program) -> "tuple[int, Statement] | None":
    """The last call, with its line, that opened a conditional which nothing in the file closes."""
    openers = {condition.opener for condition in program.final_state.conditions if condition.opener}
    for number in reversed(range(len(program.chunks) if openers else 0)):
        for item in reversed(program.chunks[number].items):
            if item.kind == "expansion" and item.written.frame is None and item.statement.name in openers:
                return program.bases[number] + item.written.line, item.statement
    return None


def _is_circle(name: str, symbols: "Mapping[str, SymbolValue]") -> bool:
    """Whether the value of a symbol depends on itself."""

    def after(each: str) -> Iterable[str]:
        value = symbols.get(each)
        return expressions.names_in(value.expression) if isinstance(value, Deferred) else ()

    return name in search.reached(after(name), after)


def _too_late(unresolved: Unresolved) -> ChunkProblem:
    """The problem of a name that is defined only after the place where its value was needed."""
    statement = unresolved.statement
    if unresolved.problem is not None:
        return ChunkProblem(unresolved.problem, unresolved.written, statement.line)
    name = unresolved.name.encode("utf-8", "surrogateescape")
    start = statement.line.find(name, statement.rest_start)
    start = statement.start if start < 0 else start
    message = f"`{unresolved.name}` has no value yet; it is defined on a later line"
    problem = Problem("undefined-symbol", start, start + len(name), message)
    return ChunkProblem(problem, unresolved.written, statement.line)
