"""The features of an editor, one module each; positions are (line, byte column).

Nothing here knows the language server protocol: the features take a `Program` and a place and return small frozen
values, which `gcn_lsp.server` converts for the wire and `gcn_lsp.cli` prints.
"""
