"""Regular expressions are compiled at their first use."""

import re
from unittest.mock import patch

from gcn_lsp.patterns import regex


def test_a_pattern_is_compiled_once_and_late() -> None:
    with patch("re.compile", wraps=re.compile) as compiled:
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
