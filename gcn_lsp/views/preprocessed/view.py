"""The view of a file behind the C preprocessor, and whether a file is one."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import immutables
import msgspec

from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.c.lex import NAME, comment_after, tokens
from gcn_lsp.views.c.macros import Macro
from gcn_lsp.views.map import Derived, Mistake, Translated
from gcn_lsp.views.preprocessed import preprocessor
from gcn_lsp.views.preprocessed.preprocessor import Include, PreprocessorState, Run, Step


class Inactive(msgspec.Struct, frozen=True):
    """Lines `first` to `last` that are not assembled, and the condition that leaves them out."""

    first: int
    last: int
    condition: str


class Preprocessed(Derived, frozen=True, dict=True):
    """The derived text, and what the preprocessor knows at each line. start: the state before the first line."""

    start: PreprocessorState
    include: Include
    steps: tuple[Step, ...] = ()

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Those of the lines, and the `#if` that is never closed."""
        found = super().mistakes
        last = self.steps[-1].after if self.steps else None
        if last is None or not last.conditions:
            return found
        depth = len(last.conditions)
        for step, first in zip(reversed(self.steps), reversed(self._first_taken), strict=True):
            before = step.after
            if before is not None and len(before.conditions) < depth:
                break
            opening = first
        line = self.original.lines[opening]
        where = Location(self.original.path, opening, len(line) - len(line.lstrip()), len(line.rstrip()))
        return (*found, Mistake("unterminated-block", where, "`#if` lacks an `#endif`"))

    @cached_property
    def inactive(self) -> tuple[Inactive, ...]:
        """The lines that are not assembled."""
        found: list[Inactive] = []
        for step, first in zip(self.steps, self._first_taken, strict=True):
            if step.inactive and step.after is not None:
                outermost = next((each.text for each in step.after.conditions if not each.active), b"")
                text = outermost.decode("utf-8", "replace")
                if found and found[-1].last == first - 1:
                    found[-1] = Inactive(found[-1].first, first + step.taken - 1, found[-1].condition)
                else:
                    found.append(Inactive(first, first + step.taken - 1, text))
        return tuple(found)

    def macros_at(self, line: int) -> "immutables.Map[bytes, Macro]":
        """The macros that are defined before a line of the original."""
        state = self.start
        for step, first in zip(self.steps, self._first_taken, strict=True):
            if first + step.taken > line or step.after is None:
                break
            state = step.after
        return state.macros

    def macro(self, line: int, column: int) -> tuple[Macro, Location] | None:
        """The macro whose name is at a place of the original, and the place of the name."""
        if not 0 <= line < len(self.original.lines):
            return None
        text = self.original.lines[line]
        found = next((each for each in NAME.finditer(text) if each.start() <= column <= each.end()), None)
        if found is None:
            return None
        code = tokens(text)
        is_code = any(token.start == found.start() and token.end == found.end() for token in code)
        known = self.macros_at(line)
        macro = known.get(found[0])
        if macro is None and text.lstrip()[:1] == b"#":
            macro = self.macros_at(line + 1).get(found[0])  # its own definition
        if macro is None or not is_code:
            return None
        return macro, Location(self.original.path, line, found.start(), found.end())

    def definition(self, name: bytes, line: int) -> Location | None:
        """The place of the definition that holds at a line of the original; None if the build defines it."""
        found = None
        for step, first in zip(self.steps, self._first_taken, strict=True):
            if first > line:
                break
            for each in step.defined:
                if each.name == name:
                    where = each.where
                    found = (
                        where
                        if where.path
                        else Location(self.original.path, first + where.line, where.start, where.end)
                    )
        return found

    def expansion(self, line: int, column: int) -> bytes:
        """The derived text of the use at a derived place; empty for text that is copied."""
        pieces = self.origin(line).pieces or ()
        use = next((each for each in pieces if each.start <= column < each.end and not each.copied), None)
        if use is None:
            return b""
        inside = [
            each
            for each in pieces
            if each.line == use.line and use.source_start <= each.source_start and each.source_end <= use.source_end
        ]
        return self.source.lines[line][inside[0].start : inside[-1].end]

    def included(self, line: int) -> str:
        """The file that a line of the original includes; empty for none."""
        index = bisect_right(self._first_taken, line) - 1
        return self.steps[index].includes if 0 <= index < len(self.steps) else ""

    def uses(self, name: bytes) -> Iterator[Location]:
        """The places of a name in the original, outside of comments and strings."""
        in_comment = False
        for number, text in enumerate(self.original.lines):
            if name in text and not in_comment:
                for token in tokens(text):
                    if token.text == name:
                        yield Location(self.original.path, number, token.start, token.end)
            in_comment = comment_after(text, in_comment)


def of(
    source: SourceText,
    include: Include,
    predefined: Mapping[str, str],
    line_limit: int,
    previous: Derived | None = None,
) -> Preprocessed:
    """What the preprocessor makes of a file.

    predefined: macros of the build and the target. previous: a text derived from an earlier version; the steps behind
    it are reused as long as the same `include` reads the same files.
    """
    start = PreprocessorState(preprocessor.definitions(predefined))
    run = Run(include, source.path, line_limit)
    known = previous.behind if isinstance(previous, Translated) else previous
    if isinstance(known, Preprocessed) and known.include is include and known.start == start:
        steps = _resumed(run, source.lines, known)
    else:
        steps = tuple(run.steps(source.lines, start))
    return Preprocessed(source, steps, start, include, steps)


def _resumed(run: Run, lines: Sequence[bytes], previous: Preprocessed) -> tuple[Step, ...]:
    """The steps of a text of which an earlier version is known."""
    old, firsts = previous.original.lines, previous._first_taken
    kept = 0
    while kept < len(previous.steps):
        first, taken = firsts[kept], previous.steps[kept].taken
        # A step looks at the line after it too: a call may go on there.
        if first + taken >= len(lines) or old[first : first + taken + 1] != lines[first : first + taken + 1]:
            break
        kept += 1
    moved = len(lines) - len(old)
    same_end = 0
    most = min(len(lines), len(old)) - (firsts[kept] if kept < len(firsts) else len(old))
    while same_end < most and lines[-1 - same_end] == old[-1 - same_end]:
        same_end += 1
    by_first = {first: number for number, first in enumerate(firsts)}
    steps = list(previous.steps[:kept])
    state = steps[-1].after if steps else previous.start
    assert state is not None
    index = firsts[kept] if kept < len(firsts) else sum(step.taken for step in steps)
    for step in run.steps(lines, state, index):
        number = by_first.get(index - moved) if index >= len(lines) - same_end else None
        if number is not None:
            before = previous.steps[number - 1].after if number else previous.start
            rest = previous.steps[number:]
            if before == state and not (moved and any(each.shows_line for each in rest)):
                return (*steps, *rest)
        steps.append(step)
        assert step.after is not None
        state = step.after
        index += step.taken
    return tuple(steps)
