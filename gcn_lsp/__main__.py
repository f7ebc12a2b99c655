"""Lets `python -m gcn_lsp` do what the command `gcn-lsp` does."""

from gcn_lsp.cli.main import run

run()
