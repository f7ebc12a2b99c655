"""Every process of ours sets the garbage collector's thresholds."""

import subprocess
import sys

import pytest

from gcn_lsp import garbage


@pytest.mark.parametrize("module", ["gcn_lsp.cli.main", "gcn_lsp.server.main", "gcn_lsp.server.project_process"])
def test_the_thresholds_are_set(module: str) -> None:
    program = f"import gc, {module}; print(gc.get_threshold())"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == str(garbage.THRESHOLDS)
