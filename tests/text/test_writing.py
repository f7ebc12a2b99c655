"""Files written in one step: the old contents stay until the new ones are on the disk."""

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from gcn_lsp.text import replace_file


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    replace_file(str(tmp_path / "ours"), b"a")
    (tmp_path / "usual").write_bytes(b"a")
    assert (tmp_path / "ours").read_bytes() == b"a"
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_bytes(b"old")
    path.chmod(0o751)
    replace_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


def test_a_reader_of_the_old_file_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old contents")
    with path.open("rb") as reader:
        replace_file(str(path), b"new")
        assert reader.read() == b"old contents"


def test_a_limit_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "object"
    path.write_bytes(b"old")
    code = (
        "import sys\nfrom gcn_lsp.text import replace_file\n"
        "try: replace_file(sys.argv[1], bytes(100_000))\nexcept OSError as error: print(error.strerror)"
    )
    # A limit on the size of files is what a full disk is to a writer.
    result = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert result.stdout == "File too large\n", result.stderr
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["object"]


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    replace_file(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_link_is_replaced_where_none_is_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"old")
    (tmp_path / "index.html").symlink_to("elsewhere")
    replace_file(str(tmp_path / "index.html"), b"new", follows=False)
    assert (tmp_path / "elsewhere").read_bytes() == b"old"
    assert not (tmp_path / "index.html").is_symlink()
    assert (tmp_path / "index.html").read_bytes() == b"new"


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match="leads nowhere"):
        replace_file(str(tmp_path / "link"), b"new")
    assert os.listdir(tmp_path) == ["link"]


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE) as reader:
        replace_file(str(tmp_path / "pipe"), b"through")
        assert reader.communicate()[0] == b"through"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_the_standard_output_gets_the_text(tmp_path: Path) -> None:
    code = "from gcn_lsp.text import replace_file\nreplace_file('/dev/stdout', b'text')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"text"
