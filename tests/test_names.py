"""One noun, one meaning: no name of a class stands for more than two things."""

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "gcn_lsp"


def class_names() -> Counter[str]:
    """How many classes have each name; a private class counts with its name's underscore left out."""
    trees = (ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py"))
    return Counter(node.name.lstrip("_") for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def test_no_class_name_stands_for_more_than_two_things() -> None:
    assert {name: count for name, count in class_names().items() if count > 2} == {}


def test_classes_are_counted() -> None:
    assert class_names()["Program"] == 1
