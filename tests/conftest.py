"""Options of the test run."""

import os

import hypothesis
import pytest

# No test answers from what an earlier run kept, nor writes into the cache directory of whoever runs the tests.
os.environ["GCN_LSP_CACHE_DIR"] = ""

# An example takes as long as a loaded machine lets it.
hypothesis.settings.register_profile("own", deadline=None)
hypothesis.settings.load_profile("own")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-drawings", action="store_true", help="write the drawings in tests/analysis/drawings anew"
    )
