"""Reads YAML into a tree of values with their places.

The YAML library only divides the text into events; tags are not executed and nothing is constructed from them.
"""

from collections.abc import Iterable, Iterator

from gcn_lsp import patterns
from gcn_lsp.patterns import regex
from gcn_lsp.program.kernels.metadata_tree import MetadataMistake, Node, Refused

patterns.load("yaml")  # it has expressions for the values of all kinds, which nothing here asks for

import yaml  # noqa: E402

# As the assembler's lexer reads a line: a quote that nothing closes takes the rest of it.
_QUOTED_OR_COMMENT = regex(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*(?:'|$)|(;|//)""")
MAX_DEPTH = 32  # metadata nests five deep
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader, if the library was built with it


def tree(lines: tuple[bytes, ...]) -> Node | None:
    """The first document in the lines of a block; None if they are empty. Raises Refused."""
    texts = [line.decode("utf-8", "replace") for line in lines]
    builder = _Builder(texts)
    texts = list(_without_comments(texts))
    try:
        for event in yaml.parse("\n".join(texts) + "\n", Loader=_LOADER):
            if isinstance(event, yaml.DocumentEndEvent):
                break
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark is not None else (0, 0)
        message = error.problem or error.context or "syntax error"
        raise Refused(builder.mistake(line, column, f"not valid YAML: {message}")) from error
    except yaml.reader.ReaderError as error:
        line = "\n".join(texts)[: error.position].count("\n")
        raise Refused(builder.mistake(line, 0, "not valid YAML: a character is not allowed")) from error
    except yaml.YAMLError as error:
        raise Refused(builder.mistake(0, 0, "not valid YAML")) from error
    return builder.root


def _without_comments(texts: Iterable[str]) -> Iterator[str]:
    """The lines without the assembler's comments, which LLVM takes away before it reads the YAML."""
    is_inside = False
    for text in texts:
        if is_inside or text.lstrip().startswith("/*"):
            before, end, rest = text.partition("*/")
            is_inside = not end
            yield rest if not rest.strip() else " " * (len(before) + len(end)) + rest
            continue
        comment = next((found.start() for found in _QUOTED_OR_COMMENT.finditer(text) if found[1]), None)
        yield text[:comment]


class _Builder:
    """Builds nodes from events, without recursion."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self.root: Node | None = None
        self._open: list[tuple[Node, Node | None]] = []  # open containers, maps with the key that needs a value

    def mistake(self, line: int, column: int, message: str) -> MetadataMistake:
        """A mistake from a column to the end of its line; a line after the end counts as the last."""
        line = max(0, min(line, len(self._texts) - 1))
        text = self._texts[line] if self._texts else ""
        start = self._byte(line, column)
        end = len(text.rstrip().encode())
        if start >= end:
            start = len(text.encode()) - len(text.lstrip().encode())
        return MetadataMistake(line, min(start, end), end, message)

    def _byte(self, line: int, column: int) -> int:
        return len(self._texts[line][:column].encode()) if line < len(self._texts) else 0

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            line, column = _start(event)
            end = event.end_mark
            last = end.column if end is not None and end.line == line else len(self._texts[line])
            node = Node(line, self._byte(line, column), self._byte(line, last), event.value)
            node.is_plain = not event.style
            self._add(node)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            line, column = _start(event)
            start = self._byte(line, column)
            node = Node(line, start, start)
            if isinstance(event, yaml.SequenceStartEvent):
                node.items = []
            else:
                node.entries = []
            self._add(node)
            self._open.append((node, None))
            if len(self._open) > MAX_DEPTH:
                raise Refused(self.mistake(line, column, f"lists and maps nest more than {MAX_DEPTH} deep"))
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.AliasEvent):
            message = f"`*{event.anchor}` repeats a value, which the assembler does not read"
            raise Refused(self.mistake(*_start(event), message))

    def _add(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        parent, key = self._open[-1]
        if parent.items is not None:
            parent.items.append(node)
        elif key is None:
            self._open[-1] = (parent, node)
        else:
            assert parent.entries is not None
            parent.entries.append((key, node))
            self._open[-1] = (parent, None)


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line, mark.column) if mark is not None else (0, 0)
