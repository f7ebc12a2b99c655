"""Ends the server when the process that started it is gone, though the pipe to it may stay open: `watch`."""

import asyncio
import contextlib
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

GRACE = 30.0
"""Seconds that the server has to end by itself."""
_PAUSE = 1.0  # seconds between two looks at a process, where the system has no way to wait for it


def watch(process: int | None, loop: asyncio.AbstractEventLoop, stop: Callable[[], object]) -> None:
    """Call `stop` on the loop once a process has ended, and end this one if that does not.

    A process that does not exist now is one of another machine or container: its end cannot be seen.
    """
    if process is None or not _is_there(process):
        if process is not None:
            log.info("the client's process %s is not on this system", process)
        return

    def wait() -> None:
        wait_for_end(process)
        log.info("the client's process has ended")
        end(loop, stop)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def end(loop: asyncio.AbstractEventLoop, stop: Callable[[], object]) -> None:
    """Call `stop` on the loop, and end this process if it goes on: nobody waits any more for what it does.

    For a thread of its own that keeps no program alive.
    """
    with contextlib.suppress(RuntimeError):  # the loop is closed: the program ends
        loop.call_soon_threadsafe(stop)
    time.sleep(GRACE)
    os._exit(1)


def wait_for_end(process: int) -> None:
    """Return once a process has ended."""
    if hasattr(os, "pidfd_open"):  # Linux
        try:
            found = os.pidfd_open(process)
        except ProcessLookupError:
            return
        except OSError:  # a kernel before 5.3, or a sandbox
            pass
        else:
            poll = select.poll()
            poll.register(found, select.POLLIN)
            poll.poll()
            os.close(found)
            return
    while _is_there(process):
        time.sleep(_PAUSE)


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE, _TIMEOUT = 0x0010_0000, 0x102

    def _is_there(process: int) -> bool:
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, process)
        if not handle:
            return False
        runs = kernel.WaitForSingleObject(handle, 0) == _TIMEOUT
        kernel.CloseHandle(handle)
        return bool(runs)

else:

    def _is_there(process: int) -> bool:
        if process <= 0:  # means a group of processes
            return False
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        return True
