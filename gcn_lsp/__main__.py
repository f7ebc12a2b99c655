"""Lets `python -m gcn_lsp` do what the command `gcn-lsp` does."""

import sys

from gcn_lsp.cli.start import run

try:
    run("python -m gcn_lsp")
except ModuleNotFoundError as missing:  # a checkout runs before anything is installed
    if missing.name is None or missing.name.partition(".")[0] == __package__:
        raise
    said = f"the package {missing.name} is not installed; `pip install gcn-lsp` installs all it needs"
    sys.stderr.write(f"Error: {said}\n")
    sys.exit(2)
