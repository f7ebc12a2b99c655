"""The syntax tree of a whole file, kept up to date edit by edit: for editor features that ask about structure.

`SyntaxTree.of(source)` parses, `tree.replace(...)` reparses what an edit touched; both are snapshots that do not
change. The grammar is in `grammar/`. Nothing here interprets: macros are not expanded, and the statements that the
assembler's eye reads come from `gcn_lsp.syntax.lines`.
"""

from collections.abc import Iterator

import msgspec
import tree_sitter

from gcn_lsp import _tree_sitter_gcn, text
from gcn_lsp.text.source import split_lines

LANGUAGE = tree_sitter.Language(_tree_sitter_gcn.language())

# The nodes whose lines an editor can fold away.
_FOLDED = frozenset(
    ("macro_definition", "repetition", "conditional", "elseif_clause", "else_clause", "kernel_descriptor", "metadata")
)


class Extent(msgspec.Struct, frozen=True, order=True, gc=False):
    """Half-open range of a file from (`line`, `column`) to (`end_line`, `end_column`), columns in bytes, all from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


class Fold(msgspec.Struct, frozen=True, order=True, gc=False):
    """Lines `first` to `last`, both counted in; `kind` is the type of the node, or `comment` for a run of comments."""

    first: int
    last: int
    kind: str


class Flaw(msgspec.Struct, frozen=True, order=True, gc=False):
    """Text that fits nowhere, or, where `missing` names a token, the place at which that token should stand."""

    extent: Extent
    missing: str | None


def parse(source: bytes, old_tree: tree_sitter.Tree | None = None) -> tree_sitter.Tree:
    """The tree of `source`; what `old_tree` (to which the edit has been told, see `edit`) still holds is reused."""
    # A parser keeps state between calls, so it is not shared between threads; making one costs a microsecond.
    parser = tree_sitter.Parser(LANGUAGE)
    return parser.parse(source) if old_tree is None else parser.parse(source, old_tree)


def edit(tree: tree_sitter.Tree, source: text.SourceText, replaced: Extent, new: bytes) -> tree_sitter.Tree:
    """A copy of `tree`, which is that of `source`, moved as replacing `replaced` by `new` moves its text."""
    start = _offset(source, replaced.line) + replaced.column
    end = _offset(source, replaced.end_line) + replaced.end_column
    new_lines = split_lines(new)
    end_line = replaced.line + len(new_lines) - 1
    end_column = len(new_lines[-1]) + (replaced.column if len(new_lines) == 1 else 0)
    copy = tree.copy()
    copy.edit(
        start_byte=start,
        old_end_byte=end,
        new_end_byte=start + sum(map(len, new_lines)) + len(new_lines) - 1,
        start_point=(replaced.line, replaced.column),
        old_end_point=(replaced.end_line, replaced.end_column),
        new_end_point=(end_line, end_column),
    )
    return copy


def flaws(node: tree_sitter.Node) -> Iterator[Flaw]:
    """The places at which the text below `node` has not the shape of assembly, in the order of the text."""
    pending = [node]
    while pending:
        node = pending.pop()
        if node.is_missing:
            yield Flaw(_extent(node), node.type)
        elif node.is_error:
            yield Flaw(_extent(node), None)
        elif node.has_error:
            pending.extend(reversed(node.children))


class SyntaxTree:
    """A file's text and its tree; immutable, an edit makes a new one."""

    __slots__ = ("source", "tree")

    def __init__(self, source: text.SourceText, tree: tree_sitter.Tree) -> None:
        self.source = source
        self.tree = tree

    @staticmethod
    def of(source: text.SourceText) -> "SyntaxTree":
        """Parse the whole file."""
        return SyntaxTree(source, parse(source.to_bytes()))

    def replace(self, replaced: Extent, new: bytes) -> "SyntaxTree":
        """The tree after the bytes of `replaced` became `new`; the arguments are those of `SourceText.replace`."""
        moved = edit(self.tree, self.source, replaced, new)
        source = self.source.replace(replaced.line, replaced.column, replaced.end_line, replaced.end_column, new)
        return SyntaxTree(source, parse(source.to_bytes(), moved))

    def flaws(self) -> Iterator[Flaw]:
        """What has not the shape of assembly, in the order of the text."""
        return flaws(self.tree.root_node)

    def node_at(self, line: int, column: int) -> tree_sitter.Node:
        """The smallest named node around a place; between two that touch there, the right one."""
        point = (line, column)
        node = self.tree.root_node.named_descendant_for_point_range(point, point)
        return node if node is not None else self.tree.root_node

    def selection(self, line: int, column: int) -> list[Extent]:
        """What to select around a place, ever wider: the name, the operand, the statement, the block, the file."""
        found: list[Extent] = []
        node: tree_sitter.Node | None = self.node_at(line, column)
        while node is not None:
            extent = self._trimmed(node)
            if not found or extent != found[-1]:
                found.append(extent)
            node = node.parent
        return found

    def folds(self) -> list[Fold]:
        """The blocks, each branch of a conditional by itself, and the runs of comment lines that can be folded."""
        found: list[Fold] = []
        for node in _walk(self.tree.root_node):
            if node.type == "comment":
                found.append(Fold(node.start_point.row, node.end_point.row, "comment"))
            else:
                found.append(Fold(node.start_point.row, _last_line(node), node.type))
        return sorted(fold for fold in _joined_comments(found, self.source) if fold.last > fold.first)

    def _trimmed(self, node: tree_sitter.Node) -> Extent:
        """The node's extent without the line ends at its sides: a block starts with one."""
        extent = _extent(node)
        line, column = extent.line, extent.column
        while line < extent.end_line and column == len(self.source.lines[line]):
            line, column = line + 1, 0
        end_line, end_column = extent.end_line, extent.end_column
        while end_line > line and end_column == 0:
            end_line, end_column = end_line - 1, len(self.source.lines[end_line - 1])
        return Extent(line, column, end_line, end_column)


def _offset(source: text.SourceText, line: int) -> int:
    """Bytes before `line` when the lines are joined by LF."""
    return sum(map(len, source.lines[:line])) + line


def _extent(node: tree_sitter.Node) -> Extent:
    start, end = node.start_point, node.end_point
    return Extent(start.row, start.column, end.row, end.column)


def _walk(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The nodes at and below `root` that can be folded; statements are not entered."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "comment" or node.type in _FOLDED:
            yield node
        if node.type in _FOLDED or node.type in ("source_file", "block", "ERROR"):
            pending.extend(reversed(node.named_children))


def _last_line(node: tree_sitter.Node) -> int:
    """The last line to hide: the branch of a conditional leaves the line that ends it in sight."""
    if node.type == "conditional":
        alternative = node.child_by_field_name("alternative")
        end = alternative or node.child_by_field_name("end")
        return end.start_point.row - 1 if end is not None else node.end_point.row
    end_point = node.end_point
    return end_point.row - 1 if end_point.column == 0 and end_point.row > node.start_point.row else end_point.row


def _joined_comments(folds: list[Fold], source: text.SourceText) -> Iterator[Fold]:
    """`folds` with comments that fill adjacent lines made one."""
    run: Fold | None = None
    for fold in folds:
        if fold.kind != "comment":
            yield fold
            continue
        if not source.lines[fold.first].lstrip().startswith((b";", b"/", b"#")):
            continue
        if run is not None and fold.first == run.last + 1:
            run = Fold(run.first, fold.last, "comment")
            continue
        if run is not None:
            yield run
        run = fold
    if run is not None:
        yield run
