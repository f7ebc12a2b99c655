"""The places of values and mistakes in metadata written as YAML."""

import pytest

from gcn_lsp.program.kernels import metadata_yaml
from gcn_lsp.program.kernels.metadata_tree import Node, Refused


def value(*lines: str) -> Node:
    """The value of the first key of a map."""
    root = metadata_yaml.tree(tuple(line.encode() for line in lines))
    assert root is not None
    assert root.entries
    return root.entries[0][1]


@pytest.mark.parametrize(
    ("lines", "text", "place"),
    [
        (("a: 12",), "12", (0, 3, 5)),
        (("a:", "  é: 1", "b: 2"), None, (1, 2, 2)),
        (("é: 'x'",), "x", (0, 4, 7)),  # columns count bytes
        (("a: 1  ; comment",), "1", (0, 3, 4)),
        (("a: |", "  of two", "  lines"), "of two\nlines\n", (0, 3, 4)),
    ],
)
def test_places_of_values(lines: tuple[str, ...], text: str | None, place: tuple[int, int, int]) -> None:
    node = value(*lines)
    assert (node.line, node.start, node.end) == place
    assert node.text == text


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (("a: [1, 2",), (0, 0, 8)),  # the end of the text, where the bracket is missing, is on no line
        (("é: [", "  é: }"), (1, 6, 7)),
        (("a: *b",), (0, 3, 5)),
        (("a: \x00",), (0, 0, 4)),
        (("", "  \x01"), (1, 0, 3)),
    ],
)
def test_places_of_mistakes(lines: tuple[str, ...], place: tuple[int, int, int]) -> None:
    with pytest.raises(Refused) as refused:
        metadata_yaml.tree(tuple(line.encode() for line in lines))
    found = refused.value.mistake
    assert (found.line, found.start, found.end) == place
