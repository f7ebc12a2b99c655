"""`gcn-lsp check --watch`: again after each change of a file or one that it includes."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Queue
from typing import IO

PATIENCE = 60  # seconds; only ever waited if something is broken


def pass_on(output: IO[str], lines: "Queue[str]") -> None:
    for line in output:
        lines.put(line)


def test_a_change_is_checked_again(tmp_path: Path) -> None:
    (tmp_path / "k.s").write_text('; gcn-lsp: target=gfx900\n.include "a.inc"\n')
    (tmp_path / "a.inc").write_text("s_nop 0\n")
    command = [sys.executable, "-m", "gcn_lsp", "check", "--watch", "k.s"]
    lines: Queue[str] = Queue()
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        output = run.stdout
        assert output is not None
        threading.Thread(target=pass_on, args=(output, lines), daemon=True).start()
        try:
            assert "no findings" in lines.get(timeout=PATIENCE)
            time.sleep(0.1)
            (tmp_path / "a.inc").write_text("v_no_such v0\n")
            assert "unknown-mnemonic" in lines.get(timeout=PATIENCE)
        finally:
            run.kill()


def test_standard_input_cannot_be_watched() -> None:
    done = subprocess.run([sys.executable, "-m", "gcn_lsp", "check", "--watch", "-"], capture_output=True, input=b"")
    assert (done.returncode, b"does not change" in done.stderr) == (2, True)
