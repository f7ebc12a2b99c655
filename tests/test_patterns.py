"""Regular expressions are compiled at their first use."""

import re
import subprocess
import sys
from unittest.mock import patch

from gcn_lsp.patterns import regex


def test_a_pattern_is_compiled_once_and_late() -> None:
    with patch("gcn_lsp.patterns._compiled", wraps=re.compile) as compiled:
        number = regex(r"(?P<sign>-?)(\d+)", re.ASCII)
        compiled.assert_not_called()
        for _ in range(3):
            found = number.fullmatch("-12")
            assert found is not None
            assert found["sign"] == "-"
        compiled.assert_called_once_with(r"(?P<sign>-?)(\d+)", re.ASCII)
    assert number.sub("n", "1 2") == "n n"
    assert number.groups == 2
    assert number.pattern == r"(?P<sign>-?)(\d+)"


_LOADING = """
import re
from gcn_lsp import patterns
compiled = re.compile
patterns.load("yaml")
assert re.compile is compiled
import yaml
assert isinstance(yaml.reader.Reader.NON_PRINTABLE, patterns.regex)
assert yaml.safe_load("[1, 0x10, 1.5, yes, 2001-12-14, text]")[:4] == [1, 16, 1.5, True]
try:
    yaml.load("\\x07", yaml.SafeLoader)
except yaml.YAMLError:
    pass
else:
    raise AssertionError("a character that YAML forbids")
try:
    patterns.load("no_such_library")
except ImportError:
    assert re.compile is compiled
"""


def test_a_library_is_loaded_without_compiling_its_patterns() -> None:
    subprocess.run([sys.executable, "-c", _LOADING], check=True)
