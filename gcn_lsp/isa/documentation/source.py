"""Reads a documentation source: families of entries as text, in which one block can define many names.

A source consists of lines. `#` starts a comment line. A line without indentation opens a block:

    family TITLE                    the title of the entries that follow; fields under it belong to all of them
    choice NAME  COLUMN  ...        a table: each indented line is a row, `KEY  TEXT  ...`, two spaces between
    shared NAME                     fields which entries include by `use NAME`; the name may contain parameters
    PATTERN PATTERN ...             an entry for every name that the patterns produce
    PATTERN ... [CONDITION]         the same, on the targets that the condition of `conditions.py` covers

The indented lines of a shared block and of an entry are fields: a keyword and a text. A keyword may occur more than
once; with a condition (`note[gfx10+] TEXT`) it counts only for the covered targets. The reader of the fields
(`library.py`) decides which keywords exist; only `use` is known here.

A pattern has parameters in angle brackets. `<cond>` takes each row of the choice `cond`, `<cond:eq,lt>` those two rows
only, `<size=type:u32,u64>` names the parameter `size`, and `<w=32|64>` lists its values. `<op@new>` takes the name's
part from the column `new` instead of the key. A row or value `-` is empty at that place of the name. In a field
`{cond}` is the value and `{cond.word}` the row's column `word`; columns may use other parameters in turn, and a column
`-` is empty. A field without text after that is left out.
"""

import itertools
import re
from collections.abc import Iterator, Mapping

import msgspec

from gcn_lsp.isa import conditions
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple

_PARAMETER = regex(r"<(\w+)(?:=(?:([a-z_][\w-]*)(?=[:@>])|([^:@>]*)))?(?:@(\w+))?(?::([^>]*))?>")
_KEYWORD = regex(r"(\w+)(?:\[([^\]]*)\])?(?: (.*))?$")
_CONDITION = regex(r"(.*?)\s*\[([^\]]*)\]$")
_REFERENCE = regex(r"\{(\w+)(?:\.(\w+))?\}")
_GAP = regex(" {2,}")
_NESTING = 4

Row = Mapping[str, str]
"""A row of a choice: its columns by name; its key under the empty name."""

Binding = Mapping[str, Row]
"""The row of each parameter of a pattern."""

Field = tuple[str, str]
"""A keyword and its text."""


class FieldLine(NamedTuple):
    """A field as written, with its condition, empty for always."""

    keyword: str
    text: str
    condition: str = ""


class SourceError(ValueError):
    """A mistake in a documentation source, with its file and line."""


class WrittenEntry(msgspec.Struct, frozen=True):
    """An entry as written: its patterns, its family's title, its fields with `use` still in place."""

    where: str
    patterns: tuple[str, ...]
    condition: str
    family: str
    fields: tuple[FieldLine, ...]


class Source(msgspec.Struct, frozen=True):
    """A parsed source; `base` is another one whose choices and shared fields it may use."""

    blocks: tuple[WrittenEntry, ...]
    choices: Mapping[str, Mapping[str, Row]]
    shared: Mapping[str, tuple[FieldLine, ...]]

    def names(self) -> Iterator[tuple[str, WrittenEntry, Binding]]:
        """Every documented name, with its block and the parameters that give the name."""
        for block in self.blocks:
            for pattern in block.patterns:
                for name, binding in _expand(pattern, self.choices, block.where):
                    yield name, block, binding

    def fields(
        self, block: WrittenEntry, binding: Binding, target: str | None = None, keyword: str | None = None
    ) -> Iterator[Field]:
        """The fields of one name, with shared ones included, parameters replaced and empty ones dropped.

        Fields whose condition does not cover the target are left out; without a target all are there. keyword: of the
        fields that are wanted, all by default.
        """
        yield from _filled(block.fields, self.shared, binding, target, block.where, keyword)


def parse(text: str, file: str, base: "Source | None" = None) -> Source:
    """The source in `text`. Errors name `file`."""
    blocks: list[WrittenEntry] = []
    choices: dict[str, Mapping[str, Row]] = dict(base.choices) if base else {}
    shared: dict[str, tuple[FieldLine, ...]] = dict(base.shared) if base else {}
    family = ""
    of_family: tuple[FieldLine, ...] = ()
    for where, head, body in _paragraphs(text, file):
        keyword, _, rest = head.partition(" ")
        if keyword == "family":
            family, of_family = rest.strip(), _fields(body, where)
        elif keyword == "choice":
            name, *columns = _cells(rest)
            choices[name] = _rows(body, columns, where)
        elif keyword == "shared":
            shared[rest.strip()] = _fields(body, where)
        else:
            patterns, condition = _conditional(head, where)
            fields = _fields(body, where) + of_family
            blocks.append(WrittenEntry(where, tuple(patterns.split()), condition, family, fields))
    return Source(tuple(blocks), choices, shared)


def _paragraphs(text: str, file: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each line without indentation with the indented ones below it, and its place."""
    where, head = "", ""
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0] == " ":
            if not head:
                raise SourceError(f"{file}:{number}: a field before any entry")
            body.append(line)
            continue
        if head:
            yield where, head, body
        where, head, body = f"{file}:{number}", line.rstrip(), []
    if head:
        yield where, head, body


def _cells(line: str) -> list[str]:
    return _GAP.split(line.strip())


def _rows(body: list[str], columns: list[str], where: str) -> Mapping[str, Row]:
    rows: dict[str, Row] = {}
    for line in body:
        key, *cells = _cells(line)
        if key in rows:
            raise SourceError(f"{where}: row {key!r} is there twice")
        if len(cells) != len(columns):
            raise SourceError(f"{where}: row {key!r} has {len(cells)} columns instead of {len(columns)}")
        texts = zip(("", *columns), (key, *cells), strict=True)
        rows[key] = {column: "" if text == "-" else text for column, text in texts}
    return rows


def _fields(body: list[str], where: str) -> tuple[FieldLine, ...]:
    fields = []
    for line in body:
        head = _KEYWORD.match(line.strip())
        if head is None:
            raise SourceError(f"{where}: no keyword in {line.strip()!r}")
        keyword, condition, text = head[1], head[2] or "", head[3] or ""
        _check_condition(condition, where)
        # The indentation of an operation's lines is significant; any other field is one sentence or one word.
        fields.append(FieldLine(keyword, text.rstrip() if keyword == "op" else text.strip(), condition))
    return tuple(fields)


def _conditional(head: str, where: str) -> tuple[str, str]:
    """The patterns of a block and its condition."""
    match = _CONDITION.fullmatch(head)
    if match is None:
        return head, ""
    _check_condition(match[2], where)
    return match[1], match[2]


def _check_condition(condition: str, where: str) -> None:
    if "{" in condition:
        return
    try:
        conditions.check(condition)
    except ValueError as error:
        raise SourceError(f"{where}: {error}") from None


def _filled(
    fields: tuple[FieldLine, ...],
    shared: Mapping[str, tuple[FieldLine, ...]],
    binding: Binding,
    target: str | None,
    where: str,
    wanted: str | None,
) -> Iterator[Field]:
    for keyword, text, condition in fields:
        if wanted is not None and keyword not in (wanted, "use"):
            continue
        if condition and target is not None and not conditions.covers(_fill(condition, binding, where), target):
            continue
        filled = _fill(text, binding, where)
        if not filled:
            continue
        if keyword == "op":
            yield keyword, filled
        elif keyword != "use":
            # An empty parameter leaves a gap.
            yield keyword, _GAP.sub(" ", filled).replace(" ,", ",").replace(" ;", ";")
        elif filled in shared:
            yield from _filled(shared[filled], shared, binding, target, where, wanted)
        else:
            raise SourceError(f"{where}: nothing shared is called {filled!r}")


def _expand(pattern: str, choices: Mapping[str, Mapping[str, Row]], where: str) -> Iterator[tuple[str, Binding]]:
    """The names that `pattern` produces."""
    # split() gives a text, then for each parameter its five groups and the text after it.
    pieces = _PARAMETER.split(pattern)
    first, *texts = pieces[0::6]
    parameters = [_Parameter(*pieces[start : start + 5]) for start in range(1, len(pieces), 6)]
    options = [_options(parameter, choices, where) for parameter in parameters]
    columns = [parameter.column or "" for parameter in parameters]
    for rows in itertools.product(*options):
        parts = zip(rows, columns, texts, strict=True)
        name = first + "".join(_part(row, column, where) + text for row, column, text in parts)
        yield name, {parameter.name: row for parameter, row in zip(parameters, rows, strict=True)}


def _part(row: Row, column: str, where: str) -> str:
    if column not in row:
        raise SourceError(f"{where}: there is no column {column!r}")
    return row[column]


class _Parameter(NamedTuple):
    """A parameter as written: `<name=table@column:keys>` or `<name=values>`."""

    name: str
    table: str | None
    values: str | None
    column: str | None
    keys: str | None


def _options(parameter: _Parameter, choices: Mapping[str, Mapping[str, Row]], where: str) -> list[Row]:
    """The rows of a parameter."""
    if parameter.values is not None:
        return [{"": "" if value == "-" else value} for value in parameter.values.split("|")]
    table = parameter.table or parameter.name
    rows = choices.get(table)
    if rows is None:
        raise SourceError(f"{where}: there is no choice {table!r}")
    keys = list(rows) if parameter.keys is None else parameter.keys.split(",")
    for key in keys:
        if key not in rows:
            raise SourceError(f"{where}: the choice {table!r} has no row {key!r}")
    return [rows[key] for key in keys]


def _fill(text: str, binding: Binding, where: str) -> str:
    """`text` with its parameters replaced."""

    def value(match: "re.Match[str]") -> str:
        name, column = match[1], match[2] or ""
        row = binding.get(name)
        if row is None or column not in row:
            raise SourceError(f"{where}: {match[0]} is not known here")
        return row[column]

    for _ in range(_NESTING):
        if "{" not in text:
            break
        filled = _REFERENCE.sub(value, text)
        if filled == text:
            break
        text = filled
    return text
