"""The server loads the classes of the protocol without comparisons, and leaves attrs as it was."""

import subprocess
import sys

_PROGRAM = """
import attrs
define = attrs.define
from gcn_lsp.server import protocol_types
protocol_types.load()
from lsprotocol import types
assert attrs.define is define
assert types.Hover.__eq__ is object.__eq__ and types.Hover.__repr__ is object.__repr__
first, second = types.Position(1, 2), types.Position(1, 3)
assert first < second and first == types.Position(1, 2)  # which lsprotocol writes itself
assert types.Hover("text").contents == "text"
"""


def test_classes_are_neither_compared_nor_printed() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True)
