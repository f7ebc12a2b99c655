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


# What the grammar puts where a line ends too early.
_MISSING = tree_sitter.Query(LANGUAGE, "(missing) @missing")


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
    """Text that fits nowhere; or, where `is_missing`, the place where a line or a word ends too early."""

    extent: Extent
    is_missing: bool


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


def flaws(node: tree_sitter.Node) -> list[Flaw]:
    """The places at which the text below `node` has not the shape of assembly, in the order of the text."""
    missing = tree_sitter.QueryCursor(_MISSING).captures(node).get("missing", [])
    found = [Flaw(_extent(place), True) for place in missing]
    # tree-sitter's own error nodes; a query for them would look at every node, and does not see one at the very start.
    pending = [node] if node.has_error else []
    while pending:
        place = pending.pop()
        if place.is_missing or place.is_error:
            found.append(Flaw(_extent(place), place.is_missing))
        else:
            pending.extend(child for child in place.children if child.has_error)
    return sorted(found)


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

    def flaws(self) -> list[Flaw]:
        """What has not the shape of assembly, in the order of the text."""
        return flaws(self.tree.root_node)

    def node_at(self, line: int, column: int) -> tree_sitter.Node:
        """The smallest named node around the character at a place; at the end of a line, around the last character."""
        return self._path(line, column)[-1]

    def selection(self, line: int, column: int) -> list[Extent]:
        """What to select around a place, ever wider: the name, the operand, the statement, the block, the file."""
        found: list[Extent] = []
        for node in reversed(self._path(line, column)):
            extent = self._trimmed(node)
            if not found or extent != found[-1]:
                found.append(extent)
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

    def _path(self, line: int, column: int) -> list[tree_sitter.Node]:
        """The named nodes around a place, from the file to the smallest."""
        length = len(self.source.lines[line])
        point = tree_sitter.Point(line, column if column < length else max(length - 1, 0))
        cursor = self.tree.walk()
        found = [self.tree.root_node]
        # From the root down: asking each node for its parent would start at the root every time.
        while cursor.goto_first_child_for_point(point) is not None and cursor.node is not None:
            if cursor.node.start_point > point:
                break
            if cursor.node.is_named:
                found.append(cursor.node)
        return found

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
