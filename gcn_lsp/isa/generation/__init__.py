"""Turns LLVM's TableGen dump into the tables under `data/`, for `python -m gcn_lsp.isa.generate`."""
