"""The command line: one module for each command, one for each output format in `output`."""

import gc

_COLLECTION = (100_000, 20, 100)
"""The garbage collector's thresholds. With the usual ones, or 10,000, collections take a tenth of the time of opening a
kernel, and free little; the server collects when it is idle. They are set before the libraries are loaded."""

gc.set_threshold(*_COLLECTION)
