"""From LLVM's TableGen dump to the tables under `data/`; run by `python -m gcn_lsp.isa.generate`, not at run time."""
