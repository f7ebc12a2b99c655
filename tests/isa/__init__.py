"""Tests of `gcn_lsp.isa`."""
