"""The language server: `app` assembles it, `documents` has the texts, and one module answers each request.

It is the only package that imports pygls and lsprotocol. An adapter takes a snapshot, converts in, calls the function
of `gcn_lsp.ide` with the same name, and converts out; it knows no assembly.
"""

from gcn_lsp.garbage_collection import collect_rarely

collect_rarely()
