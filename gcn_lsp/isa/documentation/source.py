"""Read a documentation source: families of entries as text in which one block stands for many names.

A source is lines. `#` starts a comment line. A line that is not indented opens a block:

    family TITLE                    the title of the entries that follow
    choice NAME  COLUMN  ...        a table: each indented line is a row, `KEY  TEXT  ...`, two spaces between
    shared NAME                     fields which entries take over with `use NAME`; the name may have parameters in it
    PATTERN PATTERN ...             an entry for every name that the patterns stand for

The indented lines of a shared block and of an entry are fields: a keyword and a text. A keyword may come more than
once. Which keywords there are is for the reader of the fields to say (`library.py`); only `use` is known here.

A pattern has parameters in angle brackets. `<cond>` runs through the rows of the choice `cond`, `<cond:eq,lt>` through
those two rows only, `<size=type:u32,u64>` names the parameter `size`, and `<w=32|64>` gives values on the spot.
A row or value `-` stands for nothing at that place of the name. In a field `{cond}` is the value and `{cond.word}` the
row's column `word`; columns may use other parameters in turn, and a column `-` is empty. A field that ends up without
text says nothing and is left out.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

_PARAMETER = re.compile(r"<(\w+)(?:=(?:([\w-]+)(?=[:>])|([^:>]*)))?(?::([^>]*))?>")
_REFERENCE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_GAP = re.compile(" {2,}")
_NESTING = 4

Row = Mapping[str, str]
"""A row of a choice: its columns by name; its key under the empty name."""

Binding = Mapping[str, Row]
"""The row that each parameter of a pattern has taken."""

Field = tuple[str, str]
"""A keyword and its text."""


class SourceError(ValueError):
    """A mistake in a documentation source, with its file and line."""


class Block(msgspec.Struct, frozen=True):
    """An entry as it is written: its patterns, the title it stands under, its fields with `use` still in place."""

    where: str
    patterns: tuple[str, ...]
    family: str
    fields: tuple[Field, ...]


class Source(msgspec.Struct, frozen=True):
    """A parsed source; `base` is the one whose choices and shared fields it may use too."""

    blocks: tuple[Block, ...]
    choices: Mapping[str, Mapping[str, Row]]
    shared: Mapping[str, tuple[Field, ...]]

    def names(self) -> Iterator[tuple[str, Block, Binding]]:
        """Every name that the source documents, with its block and the parameters that give the name."""
        for block in self.blocks:
            for pattern in block.patterns:
                for name, binding in _expand(pattern, self.choices, block.where):
                    yield name, block, binding

    def fields(self, block: Block, binding: Binding) -> Iterator[Field]:
        """The fields of one name: shared ones taken in where they are used, parameters replaced, empty ones dropped."""
        yield from _filled(block.fields, self.shared, binding, block.where)


def parse(text: str, file: str, base: "Source | None" = None) -> Source:
    """The source that `text` holds. `file` names it in errors."""
    blocks: list[Block] = []
    choices: dict[str, Mapping[str, Row]] = dict(base.choices) if base else {}
    shared: dict[str, tuple[Field, ...]] = dict(base.shared) if base else {}
    family = ""
    for where, head, body in _paragraphs(text, file):
        keyword, _, rest = head.partition(" ")
        if keyword == "family":
            family = rest.strip()
        elif keyword == "choice":
            name, *columns = _cells(rest)
            choices[name] = _rows(body, columns, where)
        elif keyword == "shared":
            shared[rest.strip()] = _fields(body)
        else:
            blocks.append(Block(where, tuple(head.split()), family, _fields(body)))
    return Source(tuple(blocks), choices, shared)


def _paragraphs(text: str, file: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each line that is not indented with the indented ones below it, and where it stands."""
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


def _fields(body: list[str]) -> tuple[Field, ...]:
    fields = []
    for line in body:
        keyword, _, text = line.strip().partition(" ")
        # The indentation of an operation's lines is part of it; any other field is one sentence or one word.
        fields.append((keyword, text.rstrip() if keyword == "op" else text.strip()))
    return tuple(fields)


def _filled(
    fields: tuple[Field, ...], shared: Mapping[str, tuple[Field, ...]], binding: Binding, where: str
) -> Iterator[Field]:
    for keyword, text in fields:
        filled = _fill(text, binding, where)
        if not filled:
            continue
        if keyword == "op":
            yield keyword, filled
        elif keyword != "use":
            # A parameter that says nothing leaves a gap.
            yield keyword, _GAP.sub(" ", filled).replace(" ,", ",").replace(" ;", ";")
        elif filled in shared:
            yield from _filled(shared[filled], shared, binding, where)
        else:
            raise SourceError(f"{where}: nothing shared is called {filled!r}")


def _expand(pattern: str, choices: Mapping[str, Mapping[str, Row]], where: str) -> Iterator[tuple[str, Binding]]:
    """The names that `pattern` stands for."""
    # split() gives a text, then for each parameter its four groups and the text after it.
    pieces = _PARAMETER.split(pattern)
    first, *texts = pieces[0::5]
    names = pieces[1::5]
    options = [_options(_Parameter(*pieces[start : start + 4]), choices, where) for start in range(1, len(pieces), 5)]
    for rows in itertools.product(*options):
        name = first + "".join(row[""] + text for row, text in zip(rows, texts, strict=True))
        yield name, dict(zip(names, rows, strict=True))


class _Parameter(NamedTuple):
    """A parameter as it is written: `<name=table:keys>` or `<name=values>`."""

    name: str
    table: str | None
    values: str | None
    keys: str | None


def _options(parameter: _Parameter, choices: Mapping[str, Mapping[str, Row]], where: str) -> list[Row]:
    """The rows that a parameter runs through."""
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
