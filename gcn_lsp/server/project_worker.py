"""`python -m gcn_lsp.server.project_worker`: the process that checks files of a project (`project_process`).

It reads its input ahead, also during its imports: the end of the input ends it at once, in the middle of a file, since
the server is gone, however that ended.
"""

import os
import queue
import sys
import threading


def main() -> None:
    """Answer until the input ends."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    from gcn_lsp.server import project_process  # late: it takes a second

    project_process.answer(lines.get)


if __name__ == "__main__":
    main()
