"""Runs kernels of files: opens them as the commands do, launches them on `gcn_lsp.machine`, and says what a run found.

The commands `run` and `test`, the debugger and `gcn_lsp.run` share this. Modules here import numpy; who only checks or
edits never loads them.
"""
