"""Reads of buffers in a run that nothing has written."""

from pathlib import Path

import numpy as np
import pytest

from gcn_lsp.machine.arguments import parse
from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome

CODE = """k:
  v_lshlrev_b32 v1, 2, v0
  global_store_dword v1, v0, s[0:1]
  s_waitcnt vmcnt(0)
  {}
  s_waitcnt vmcnt(0) lgkmcnt(0)
  {}
  s_endpgm
"""
STORE = "global_store_dword v1, v2, s[0:1]"


def run(folder: Path, load: str, given: object, use: str = STORE) -> Outcome:
    path = folder / "k.s"
    path.write_text(CODE.format(load, use))
    registers = {"s[0:1]": "x", "v0": "item_x"}
    return api.run(path, kernel="k", target="gfx900", grid=64, arguments={"x": given}, registers=registers, check=False)


@pytest.mark.parametrize(
    ("load", "use", "said"),
    [
        (
            "global_load_dword v2, v1, s[0:1] offset:4",
            STORE,
            "lane 63 reads 4 bytes at 256 of x, which nothing has written",
        ),
        (
            "s_load_dword s4, s[0:1], 0x110",
            f"v_mov_b32 v2, s4\n{STORE}",
            "reads 4 bytes at 272 of x, which nothing has written",
        ),
    ],
)
def test_a_read_of_what_nothing_wrote(load: str, use: str, said: str, tmp_path: Path) -> None:
    assert run(tmp_path, load, parse("empty:f32:128"), "").findings == (), "no result depends on it"
    (finding,) = run(tmp_path, load, parse("empty:f32:128"), use).findings
    assert finding.rule == "unwritten-memory-read"
    assert said in finding.message
    assert finding.where.line == 4


def test_a_read_of_what_was_written_or_came_with_the_launch(tmp_path: Path) -> None:
    load = "global_load_dword v2, v1, s[0:1]"
    assert run(tmp_path, load, parse("empty:f32:128")).findings == ()
    assert run(tmp_path, load + " offset:4", np.zeros(128, np.float32)).findings == ()
