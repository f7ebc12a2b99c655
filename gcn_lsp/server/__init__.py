"""The language server: `app` puts it together, `documents` holds the texts, one module answers each request.

The only package that imports pygls and lsprotocol. An adapter takes a snapshot, converts in, calls the function
of `gcn_lsp.ide` of the same name, and converts out; it knows nothing of assembly.
"""
