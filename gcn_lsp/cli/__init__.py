"""The command line: one module for each command, one for each output format in `output`."""

import gc

_COLLECTION = (1_000_000, 20, 100)
"""The garbage collector's thresholds. A check makes few cycles, so a collection in its middle takes time and frees
little: with a first threshold of 100,000, a tenth of the time of opening a kernel of 11,000 lines. The server collects
between tasks and when it is idle (`server.worker`). They are set before the libraries are loaded."""

gc.set_threshold(*_COLLECTION)
