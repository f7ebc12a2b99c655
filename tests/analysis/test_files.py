"""The sweep over files: what it counts, and that a file that cannot be checked does not end it."""

from pathlib import Path

import pytest

from gcn_lsp.cli import kernel
from tests.analysis import files

EARLY = '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nk:\n v_mov_b32 v1, v2\n v_readfirstlane_b32 s0, v1\n s_endpgm\n'


def test_what_is_counted(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a.s").write_text(EARLY)
    (tmp_path / "below" / "b.asm").write_text(EARLY.replace("s_endpgm", "v_mov_b33 v0, v1\n s_endpgm"))
    (tmp_path / "notes.txt").write_text("no assembly")
    checked = list(files.in_processes(files.below([str(tmp_path)])))
    first, second, *others, end = files.table(checked)
    assert first.split()[:6] == ["error", "unknown-mnemonic", "1", "in", "1", "files,"]
    assert second.split()[:7] == ["warning", "missing-wait-states", "S-22c", "2", "in", "2", "files,"]
    assert second.endswith("a.s:4")
    assert all(line.startswith("hint") for line in others)
    assert end.startswith("2 files, 13 lines, ")


def test_a_file_named_twice_is_checked_once(tmp_path: Path) -> None:
    path = tmp_path / "a.s"
    path.write_text(EARLY)
    assert files.below([str(path), str(tmp_path)]) == [path]


def test_what_raises_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("of no use")

    monkeypatch.setattr(kernel, "open_kernel", fail)
    checked = files.check("k.s")
    assert "ValueError: of no use" in checked.trouble
    assert next(files.table([checked])).startswith("TROUBLE k.s: Traceback")


def test_what_does_not_come_back_is_told(tmp_path: Path) -> None:
    (checked,) = files.in_processes([tmp_path / "k.s"], limit=0.0)
    assert checked.trouble == "no answer in 0 s"


def test_what_takes_long_is_told() -> None:
    slow, end = files.table([files.Checked("k.s", 4, 11.25)])
    assert slow == "SLOW k.s: 11.2 s for 4 lines"
    assert end == "1 files, 4 lines, 2812500 us a line"
