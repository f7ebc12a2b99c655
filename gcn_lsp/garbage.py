"""How often Python's garbage collector runs in our processes.

A check makes few cycles, so a collection in its middle takes time and frees little: with a first threshold of 100,000,
a tenth of the time of opening a kernel of 11,000 lines. The server collects between tasks and when it is idle
(`server.worker`).
"""

import gc

THRESHOLDS = (1_000_000, 20, 100)


def collect_rarely() -> None:
    """Set the thresholds of this process; before the libraries are loaded, since that would already collect."""
    gc.set_threshold(*THRESHOLDS)
