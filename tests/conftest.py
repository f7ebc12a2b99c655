"""Options of the test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-drawings", action="store_true", help="write the drawings in tests/analysis/drawings anew"
    )
