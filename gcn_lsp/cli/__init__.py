"""The command line: one module for each command, one for each output format in `output`."""

from gcn_lsp.garbage_collection import collect_rarely

collect_rarely()
