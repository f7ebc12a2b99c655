"""Where the files of a project are looked for."""

import os
from pathlib import Path

from gcn_lsp.project.files import upwards


def test_the_folders_above_a_file_come_after_its_own(tmp_path: Path) -> None:
    found = list(upwards(str(tmp_path / "a" / "k.s"), ("one", "two")))
    root = os.path.abspath(os.sep)
    assert found[:4] == [str(folder / name) for folder in (tmp_path / "a", tmp_path) for name in ("one", "two")]
    assert found[-2:] == [os.path.join(root, "one"), os.path.join(root, "two")]
    assert found.count(os.path.join(root, "one")) == 1
