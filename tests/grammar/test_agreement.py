"""The tree of a file holds the statements that interpretation reads from the trees of its lines, one by one.

Compared are, on each line, the kinds, names and places of the statements, and of instructions the number and the
places of the operands. Metadata is text in a file, and the arguments of macros are text to interpretation.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
import tree_sitter

from gcn_lsp.syntax import language, lines, nodes, statement, tree
from tests.grammar.sources import CORPUS, OWN_KERNELS, corpus_parameters, own_parameters

_BLOCKS = frozenset(
    (
        *("macro_definition", "repetition", "conditional", "elseif_clause", "else_clause"),
        *("kernel_descriptor", "metadata", "stray_directive"),
    )
)
_MACRO_ARGUMENTS = frozenset(("named_argument", "angle_string", "percent_expression"))


class Written(msgspec.Struct, frozen=True, order=True):
    """A statement as either reading has it: where its name is, and the operands' places where those are compared."""

    line: int
    start: int
    end: int
    kind: str
    operands: tuple[tuple[int, int], ...] | None = None


@pytest.mark.parametrize("path", [*own_parameters(), *corpus_parameters()])
def test_a_file_and_its_lines_have_the_same_statements(path: Path) -> None:
    source = path.read_bytes().replace(b"\r\n", b"\n")
    root = tree.parse(source).root_node
    text = source.split(b"\n")
    by_tree = sorted(_from_tree(root))
    by_line = sorted(_from_lines(text, _metadata_lines(root)))
    assert [_without_operands(written) for written in by_tree] == [_without_operands(written) for written in by_line]
    macros = _macro_names()
    for one, other in zip(by_tree, by_line, strict=True):
        name = text[one.line][one.start : one.end]
        if one.kind == "instruction" and one.operands is not None and name.lower() not in macros:
            assert other.operands is not None
            place = f"line {one.line + 1}: {text[one.line]!r}"
            assert len(one.operands) == len(other.operands), place
            for outer, inner in zip(one.operands, other.operands, strict=True):
                assert _bare(text[one.line], outer) == _bare(text[one.line], inner), place


def _from_tree(root: tree_sitter.Node) -> Iterator[Written]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in ("source_file", "block", "dual_instruction"):
            pending.extend(node.named_children)
        elif node.type == "label":
            yield _named(node.child_by_field_name("name"), "label")
        elif node.type == "instruction":
            operands = node.children_by_field_name("operand")
            spans = tuple((operand.start_point.column, operand.end_point.column) for operand in operands)
            compared = not any(operand.type in _MACRO_ARGUMENTS for operand in operands)
            yield _named(node.child_by_field_name("mnemonic"), "instruction", spans if compared else None)
        elif node.type == "directive":
            yield _named(node.child_by_field_name("name"), "directive")
        elif node.type == "assignment":
            directive = node.child_by_field_name("directive")
            if directive is not None:
                yield _named(directive, "directive")
            else:
                yield _named(node.child_by_field_name("name"), "assignment")
        elif node.type in _BLOCKS:
            yield _named(node.child_by_field_name("directive"), "directive")
            end = node.child_by_field_name("end")
            if end is not None:
                yield _named(end, "directive")
            pending.extend(child for child in node.named_children if child.type == "block" or child.type in _BLOCKS)


def _named(node: tree_sitter.Node | None, kind: str, operands: tuple[tuple[int, int], ...] | None = None) -> Written:
    assert node is not None
    return Written(node.start_point.row, node.start_point.column, node.end_point.column, kind, operands)


def _from_lines(text: list[bytes], metadata: frozenset[int]) -> Iterator[Written]:
    comment_open = False
    for number, content in enumerate(text):
        if number in metadata:
            continue
        line = lines.parse_line(content, comment_open)
        comment_open = line.comment_open
        for found in line.statements:
            yield Written(number, found.name_start, found.name_end, _kind(found), _operands(found))


def _kind(found: statement.Statement) -> str:
    if found.kind is statement.StatementKind.COMMAND:
        return "directive" if found.name.startswith(".") else "instruction"
    return str(found.kind.value)


def _operands(found: statement.Statement) -> tuple[tuple[int, int], ...] | None:
    if found.kind is not statement.StatementKind.COMMAND:
        return None
    written = (node for node in found.operands if not isinstance(node, nodes.Malformed) or node.end > node.start)
    return tuple((node.start, node.end) for node in written)


def _metadata_lines(root: tree_sitter.Node) -> frozenset[int]:
    query = tree_sitter.Query(language.LANGUAGE, "(metadata_text) @text")
    found = tree_sitter.QueryCursor(query).captures(root).get("text", ())
    return frozenset(line for node in found for line in range(node.start_point.row, node.end_point.row))


@cache
def _macro_names() -> frozenset[bytes]:
    """The macros of all files, because a file calls those of the files that it includes."""
    query = tree_sitter.Query(language.LANGUAGE, "(macro_definition name: (_) @name)")
    names: set[bytes] = set()
    for path in (*OWN_KERNELS, *CORPUS):
        root = tree.parse(path.read_bytes()).root_node
        found = tree_sitter.QueryCursor(query).captures(root).get("name", ())
        names.update(node.text.lower() for node in found if node.text is not None)
    return frozenset(names)


def _bare(line: bytes, span: tuple[int, int]) -> tuple[int, int]:
    """The place without parentheses at its ends, and without the `UL` of a number: only the grammar counts them in."""
    start, end = span
    while start < end and line[start : start + 1] in b"( \t":
        start += 1
    while end > start and line[end - 1 : end] in b") \t":
        end -= 1
    if line[start : start + 1].isdigit():
        end = start + len(line[start:end].rstrip(b"uUlL"))
    return start, end


def _without_operands(written: Written) -> Written:
    return msgspec.structs.replace(written, operands=None)
