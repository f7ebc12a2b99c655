"""Lets `python -m gcn_lsp` do what the command `gcn-lsp` does."""

from gcn_lsp.cli.start import run

run("python -m gcn_lsp")
