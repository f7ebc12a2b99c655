"""`python -m gcn_lsp.server`: serve one editor over standard input and output."""

from gcn_lsp.server.main import serve_stdio

serve_stdio()
