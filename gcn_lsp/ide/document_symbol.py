"""The outline of a file: kernels and functions with their labels, macros, descriptors, symbols."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.flow.kept import once
from gcn_lsp.ide.reading.blocks import BlockKind, LineBlock, blocks
from gcn_lsp.ide.reading.lines import lines_of
from gcn_lsp.syntax.directives import SETTERS
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk
    from gcn_lsp.program.program import Program


SymbolKind = Literal["kernel", "function", "label", "macro", "symbol", "symbols", "descriptor", "metadata"]


class DocumentSymbol(msgspec.Struct, frozen=True):
    """One entry of the outline.

    kind: `symbols` are several. where: its name; the entry covers whole lines `first` to `last`. detail: what the
    outline shows beside the name.
    """

    name: str
    kind: SymbolKind
    detail: str
    where: Location
    first: int
    last: int
    children: tuple["DocumentSymbol", ...] = ()


_KERNELS = frozenset((".amdhsa_kernel", ".amdgpu_hsa_kernel"))
_NAMING = SETTERS | _KERNELS | {".type", ".size"}
_BLOCK_KINDS: Mapping[BlockKind, SymbolKind] = {
    "macro": "macro",
    "descriptor": "descriptor",
    "header": "descriptor",
    "metadata": "metadata",
}
_BLOCK_DETAILS = {"descriptor": "kernel descriptor", "metadata": "code object metadata", "header": "kernel header"}


def document_symbols(program: "Program") -> list[DocumentSymbol]:
    """The outline of the main file, with labels under their kernel or function.

    Kernels, functions and macros come first: editors show a list in this order, and its first screen is read. Editors
    that keep the order of the file sort by themselves.
    """
    structure = blocks(program)
    scan = _scan(program, _hidden_lines(structure))
    entries = [_block_symbol(program.path, block) for block in structure if block.kind in _BLOCK_KINDS]
    entries += scan.symbols
    entries += _functions(scan, len(program.source.lines))
    in_order = _grouped(sorted(entries, key=lambda entry: (entry.first, entry.where.start)))
    return sorted(in_order, key=lambda entry: _RANKS.get(entry.kind, len(_RANKS)))


def _grouped(entries: Iterable[DocumentSymbol]) -> Iterator[DocumentSymbol]:
    """`entries` with each long run of symbols under one entry, so that kernels are not lost among them."""
    for kind, run in groupby(entries, key=lambda entry: entry.kind):
        found = tuple(run)
        if kind != "symbol" or len(found) < _RUN:
            yield from found
            continue
        first = found[0]
        detail = f"{first.name} to {found[-1].name}"
        # Not the lines of all: an editor that keeps the scope in view above the text would show the first symbol.
        yield DocumentSymbol(f"{len(found)} symbols", "symbols", detail, first.where, first.first, first.last, found)


_RUN = 4
_RANKS = {"kernel": 0, "function": 0, "macro": 1}


@once
def _naming_of(chunk: "Chunk") -> tuple[tuple[int, Statement], ...]:
    """The statements of a chunk that define a name, with their lines in it."""
    return tuple(
        (number, statement)
        for number, line in enumerate(lines_of(chunk))
        for statement in line.statements
        if statement.word in _NAMING or statement.kind is StatementKind.ASSIGNMENT or _is_named_label(statement)
    )


def _is_named_label(statement: Statement) -> bool:
    if statement.kind is not StatementKind.LABEL or statement.name.isdigit():
        return False
    return _OF_DEBUGGERS.match(statement.name) is None


# The labels that compilers put in for tables of debuggers, of no use to a reader of the code.
_OF_DEBUGGERS = re.compile(
    r"\.L(?:debug|tmp\d|func_(?:begin|end)|sec_end|info_string|cu_begin|line_table|str_off|addr_table|rnglists|loclists)"
)


class _Scan:
    """The result of one walk over the lines."""

    __slots__ = ("labels", "functions", "kernels", "sizes", "symbols")

    def __init__(self) -> None:
        self.labels: list[DocumentSymbol] = []
        self.functions: set[str] = set()  # of `.type name,@function`
        self.kernels: set[str] = set()  # of `.amdhsa_kernel name` and its predecessor
        self.sizes: dict[str, int] = {}  # the line of `.size name`
        self.symbols: list[DocumentSymbol] = []


def _scan(program: "Program", hidden: Iterable[range]) -> _Scan:
    found = _Scan()
    seen: set[str] = set()
    path = program.path
    skip = {number for lines in hidden for number in lines}
    for base, chunk in zip(program.bases, program.chunks, strict=True):
        for offset, statement in _naming_of(chunk):
            number = base + offset
            if number in skip:
                continue
            if statement.kind is StatementKind.LABEL:
                where = Location(path, number, statement.name_start, statement.name_end)
                found.labels.append(DocumentSymbol(statement.name, "label", "", where, number, number))
            elif statement.kind is StatementKind.ASSIGNMENT:
                if statement.name not in seen:
                    seen.add(statement.name)
                    found.symbols.append(_assigned(path, number, statement))
            else:
                _directive(found, seen, path, number, statement)
    return found


def _directive(found: _Scan, seen: set[str], path: str, number: int, statement: Statement) -> None:
    word = statement.word
    if word in SETTERS:
        name, _, value = statement.rest.partition(b",")
        text = name.strip().decode("utf-8", "replace")
        if text and text not in seen:
            seen.add(text)
            start = statement.rest_start
            where = Location(path, number, start, start + len(name.rstrip()))
            detail = value.strip().decode("utf-8", "replace")
            found.symbols.append(DocumentSymbol(text, "symbol", detail, where, number, number))
    elif word in (".type", ".size"):
        name, _, value = statement.rest.partition(b",")
        text = name.strip().decode("utf-8", "replace")
        if word == ".size":
            found.sizes[text] = number
        elif value.strip().endswith(b"function"):
            found.functions.add(text)
    elif word in _KERNELS:
        found.kernels.add(statement.rest.strip().decode("utf-8", "replace"))


def _assigned(path: str, number: int, statement: Statement) -> DocumentSymbol:
    where = Location(path, number, statement.name_start, statement.name_end)
    detail = statement.rest.strip().decode("utf-8", "replace")
    return DocumentSymbol(statement.name, "symbol", detail, where, number, number)


def _functions(scan: _Scan, line_count: int) -> list[DocumentSymbol]:
    """The labels; those between a function's label and its end are its children.

    A function ends at its `.size`, or else where the next one begins.
    """
    top: list[DocumentSymbol] = []
    heads = [
        (label.first, label) for label in scan.labels if label.name in scan.kernels or label.name in scan.functions
    ]
    ends: dict[str, int] = {}
    for index, (first, head) in enumerate(heads):
        following = heads[index + 1][0] if index + 1 < len(heads) else line_count
        size = scan.sizes.get(head.name, -1)
        ends[head.name] = size if first <= size < following else following - 1
    owner: DocumentSymbol | None = None
    children: list[DocumentSymbol] = []

    def close() -> None:
        if owner is not None:
            top.append(msgspec.structs.replace(owner, last=ends[owner.name], children=tuple(children)))
            children.clear()

    for label in scan.labels:
        if label.name in ends:
            close()
            kind = "kernel" if label.name in scan.kernels else "function"
            owner = msgspec.structs.replace(label, kind=kind)
        elif owner is not None and label.first <= ends[owner.name]:
            children.append(label)
        else:
            top.append(label)
    close()
    return top


def _block_symbol(path: str, block: LineBlock) -> DocumentSymbol:
    where = Location(path, block.first, block.start, block.end)
    name = block.name or _BLOCK_DETAILS.get(block.kind, block.kind)
    kind = _BLOCK_KINDS[block.kind]
    return DocumentSymbol(name, kind, _BLOCK_DETAILS.get(block.kind, ""), where, block.first, block.last)


def _hidden_lines(structure: Iterable[LineBlock]) -> list[range]:
    """Lines without symbols of the file: metadata are not assembly, a macro's body has its own labels."""
    return [range(block.first + 1, block.last) for block in structure if block.kind in ("macro", "metadata", "header")]
