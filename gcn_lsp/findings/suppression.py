"""Comments that switch rules off: `; gcn-lsp: disable=RULE,RULE` for a line, `disable-file=RULE` for the file."""

from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.findings.model import Finding
from gcn_lsp.flow.kept import once
from gcn_lsp.patterns import regex
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import Location, SourceText

_MARK = b"gcn-lsp:"
_JOINED = 1 << 16  # lines
_COMMENT = regex(rb"gcn-lsp:\s*(disable(?:-file)?)\s*=\s*([^\s,;*/]+(?:\s*,\s*[^\s,;*/]+)*)")
_NAME = regex(rb"[^\s,]+")


class Suppression(msgspec.Struct, frozen=True, gc=False):
    """One rule's name in a suppression comment and the place of that name."""

    rule: str
    where: Location
    whole_file: bool

    def covers(self, finding: Finding) -> bool:
        """Whether it switches off `finding`, which is of its rule, at its own place or at a call that leads there."""
        places = (finding.where, *(related.where for related in finding.related))
        return any(
            place.path == self.where.path and (self.whole_file or place.line == self.where.line) for place in places
        )


class Suppressions(msgspec.Struct, frozen=True):
    """All suppression comments of a program: `own` in the main file, `included` in the others."""

    own: tuple[Suppression, ...]
    included: tuple[Suppression, ...]

    def __bool__(self) -> bool:
        return bool(self.own or self.included)

    def apply(self, findings: Iterable[Finding]) -> tuple[list[Finding], set[Suppression]]:
        """The findings that are left, and the comments that switched some off."""
        kept = []
        used: set[Suppression] = set()
        by_rule: dict[str, list[Suppression]] = {}
        for comment in (*self.own, *self.included):
            by_rule.setdefault(comment.rule, []).append(comment)
        for finding in findings:
            covering = [comment for comment in by_rule.get(finding.rule, ()) if comment.covers(finding)]
            used.update(covering)
            if not covering:
                kept.append(finding)
        return kept, used


def of(program: Program) -> Suppressions:
    """The suppression comments in the files of `program`."""
    own: list[Suppression] = []
    for number, chunk in enumerate(program.chunks):
        mentions = _in_chunk(chunk)
        if mentions:
            base = program.bases[number]
            own += (_located(mention, program.path, base) for mention in mentions)
    included: list[Suppression] = []
    for source in program.included.values():
        included += (_located(mention, source.path, 0) for mention in _mentions(source.lines, comment_open=False))
    return Suppressions(tuple(own), tuple(included))


def in_source(source: SourceText) -> Suppressions:
    """The suppression comments of a source in another language."""
    own = []
    for number, line in enumerate(source.lines):
        if _MARK in line:
            for found in _COMMENT.finditer(line):
                for name in _NAME.finditer(found[2].replace(b",", b" ")):
                    at = found.start(2)
                    where = Location(source.path, number, at + name.start(), at + name.end())
                    own.append(Suppression(name[0].decode("latin-1"), where, found[1] != b"disable"))
    return Suppressions(tuple(own), ())


def switches_off(text: bytes, rule: str) -> bool:
    """Whether a comment on a line switches a rule off there."""
    return any(mention.rule == rule for mention in _mentions((text,), comment_open=False))


class _Mention(NamedTuple):
    """A rule's name in a comment; `line` counts from the first searched line."""

    rule: str
    line: int
    start: int
    end: int
    whole_file: bool


def _located(mention: _Mention, path: str, base: int) -> Suppression:
    where = Location(path, base + mention.line, mention.start, mention.end)
    return Suppression(mention.rule, where, mention.whole_file)


@once
def _in_chunk(chunk: Chunk) -> tuple[_Mention, ...]:
    return tuple(_mentions(chunk.lines, chunk.before.comment_open))


def _mentions(lines: tuple[bytes, ...], comment_open: bool) -> Iterator[_Mention]:
    # Joined, a file without any costs next to nothing; not as a whole, since joining takes 80 bytes for each line.
    if not any(_MARK in b"\n".join(lines[start : start + _JOINED]) for start in range(0, len(lines), _JOINED)):
        return
    for number, text in enumerate(lines):
        line = parse_line(text, comment_open)
        comment_open = line.comment_open
        if _MARK in text:
            yield from _on_line(number, text, line.comment_start)


def _on_line(number: int, text: bytes, comment_start: int | None) -> Iterator[_Mention]:
    for match in _COMMENT.finditer(text):
        if comment_start is None or match.start() < comment_start:
            continue  # in a string
        for name in _NAME.finditer(match[2]):
            start = match.start(2)
            rule = name[0].decode("utf-8", "replace")
            yield _Mention(rule, number, start + name.start(), start + name.end(), match[1] == b"disable-file")
