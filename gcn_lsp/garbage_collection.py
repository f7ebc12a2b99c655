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


_MUCH = 30_000  # objects, as of a kernel of some thousand instructions


def free_kernel(most: int) -> None:
    """Free what a kernel leaves behind, if that is much, in a process that goes on to another one.

    Chunks and their labels refer to each other. most: of the results kept by value; where there are more, all go. What
    remains is not visited again.
    """
    if gc.get_count()[0] > _MUCH:
        from gcn_lsp.flow import kept  # late: every command imports this module, and `--help` keeps nothing

        kept.forget(most)
        gc.collect()
        gc.freeze()
