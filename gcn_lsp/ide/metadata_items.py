"""Completes the YAML of `.amdgpu_metadata`: keys that the map around the line lacks, and the values that are known.

The lines are read one by one: while one is written the block is seldom valid YAML.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gcn_lsp.ide import completion_list
from gcn_lsp.ide.completion_list import CompletionItem, Completions
from gcn_lsp.ide.reading import scope
from gcn_lsp.isa import documentation
from gcn_lsp.patterns import regex
from gcn_lsp.program.kernels import metadata
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_END = ".end_amdgpu_metadata"


def complete(program: "Program", line: int, column: int) -> Completions | None:
    """The entries for byte `column` of a line in metadata; None where that is complete, or nothing is known."""
    lines = program.source.lines
    opening = next((number for number in range(line - 1, -1, -1) if not scope.in_metadata(program, number)), -1)
    if opening < 0 or metadata.WORD.encode() not in lines[opening]:
        return None  # metadata of another kind
    at = _KeyLine.of(lines[line])
    if at is None or at.key.startswith(".."):  # the end of the YAML
        return None
    is_value = at.has_colon and column > at.end + 1
    start, end = at.value if is_value else (at.start, at.end)
    if not start <= column <= end:
        return None
    typed = lines[line][start:column].decode("utf-8", "replace")
    around = _map_around(program, lines, opening, line, at)
    if is_value:
        items = [*_values(program, around, at.key)]
    else:
        items = [*_keys(around, has_colon=at.has_colon)]
        if typed and _END.startswith(typed) and not at.is_item and not _is_closed(lines, line):
            items.append(CompletionItem(_END, "directive", "Ends the metadata.", sort="2"))
    found = completion_list.completions(Location(program.path, line, start, end), items, typed)
    if found is None or any(item.text == typed for item in found.items):
        return None
    # An editor that filters a list by itself would not see that the word has become complete.
    return Completions(found.where, found.items, True, found.is_cut)


def describe(name: str) -> str:
    """What a key or a value means; empty if nothing is said of it."""
    return documentation.metadata_key(name) or documentation.value_kind(name) or ""


class _KeyLine(NamedTuple):
    """A line as a key with a value. dash: the column of the first hyphen, -1 without one; start, end: of the key.

    value: the start and the end of its value, which is a plain word.
    """

    dash: int
    start: int
    end: int
    key: str
    has_colon: bool
    value: tuple[int, int]
    is_empty: bool

    @property
    def is_item(self) -> bool:
        """Whether a map in a list begins here."""
        return self.dash >= 0

    @staticmethod
    def of(text: bytes) -> "_KeyLine | None":
        """The parts of a line; None of one that has other things, or nothing, in the place of a key."""
        match = _LINE.match(text)
        if match is None:
            return None
        dash = match.start(2) if match[2] else -1
        return _KeyLine(dash, *match.span(3), match[3].decode(), match[4] is not None, match.span(5), not match[5])


# Blanks, hyphens, a key, its colon, and a value without quotes, brackets or a comment.
_LINE = regex(rb"([ \t]*)((?:-[ \t]+)*)([\w.]*)(?:(:)(?:[ \t]+|$)([\w.+-]*(?: [\w.+-]+)*))?[ \t]*(?:[#;/\[{\"'].*)?$")


class _Map(NamedTuple):
    """A map in the lines: what it may have, and what it has."""

    keys: metadata.Keys
    present: frozenset[str]


def _map_around(program: "Program", lines: Sequence[bytes], opening: int, line: int, at: _KeyLine) -> _Map:
    """The map that the key of a line belongs to; one without keys if it is not known."""
    present: set[str] = set()
    column, dash, owner = at.start, at.dash, ""
    for number in range(line - 1, opening, -1):
        each = _KeyLine.of(lines[number])
        if each is None or not each.has_colon:
            continue
        if dash < 0:
            if each.start > column:
                continue  # of a map inside
            if each.start == column:
                present.add(each.key)
                dash = each.dash
                continue
        elif each.start > dash or each.dash == dash:
            continue  # of another item
        owner = each.key if each.is_empty else "?"
        break
    for number in range(line + 1, len(lines)):
        if not scope.in_metadata(program, number):
            break
        each = _KeyLine.of(lines[number])
        if each is None or not each.has_colon or each.start > column:
            continue
        if each.start < column or each.is_item:
            break
        present.add(each.key)
    return _Map(_KEYS.get((owner, dash >= 0), {}), frozenset(present))


_KEYS: dict[tuple[str, bool], metadata.Keys] = {
    ("", False): metadata.ROOT,
    (metadata.KERNELS, True): metadata.KERNEL,
    (".args", True): metadata.ARGUMENT,
}
"""What the maps have: by the key that a map is the value of, and whether it is in a list."""


def _keys(found: _Map, *, has_colon: bool) -> Iterator[CompletionItem]:
    """The keys that a map lacks, those that it must have first."""
    for number, (key, (is_required, kind)) in enumerate(found.keys.items()):
        if key not in found.present:
            end = "" if has_colon else ":" if kind.is_list else ": "
            sort = f"{0 if is_required else 1}{number:02}"
            has_values = not has_colon and (bool(kind.choices) or key in _OF_KERNELS)
            detail = documentation.metadata_key(key) or ""
            yield CompletionItem(key, "modifier", detail, key + end, sort, asks_again=has_values)


def _is_closed(lines: Sequence[bytes], line: int) -> bool:
    """Whether the end of the block is below a line."""
    return any(_END.encode() in lines[number] for number in range(line + 1, len(lines)))


def _values(program: "Program", around: _Map, key: str) -> Iterator[CompletionItem]:
    """The values of a key: all that it may have, or the names of the file's kernels."""
    _, kind = around.keys.get(key, (False, None))
    # The first is taken with Enter, and a target may have waves of one size only.
    usual = str(program.target.wavefront_size) if program.target is not None else ""
    for number, choice in enumerate(kind.choices if kind is not None else ()):
        sort = f"{0 if choice == usual else 1}{number:02}"
        yield CompletionItem(choice, "value", documentation.value_kind(choice) or "", sort=sort)
    suffix = _OF_KERNELS.get(key) if around.keys is metadata.KERNEL else None
    if suffix is not None:
        for block in program.kernel_blocks:
            yield CompletionItem(block.name + suffix, "symbol", sort=block.name)


_OF_KERNELS = {".name": "", ".symbol": ".kd"}  # what follows a kernel's name in the value
