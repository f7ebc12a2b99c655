"""Configuration of a hostile repository: each file is read in bounded time and memory, and reported at its place."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.project.hostile import FILES
from tests.support import limited

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits for processes")

_SECONDS = 60  # for all files, of which each takes at most 3 s
_READ = """
import json, os, sys
from gcn_lsp.project import Files, Settings, surroundings
found = {}
for folder in sorted(os.listdir()):
    path = os.path.join(os.getcwd(), folder, *["a" * 80] * 40, "k.s")
    around = surroundings(path, Settings(), Files())
    found[folder] = [(each.where.path, each.where.line, each.where.start, each.message) for each in around.findings]
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The findings in each file, of a process with limits that looks for the configuration of a file far below."""
    top = tmp_path_factory.mktemp("hostile")
    for name, hostile in FILES.items():
        (top / name).mkdir()
        (top / name / hostile.name).write_text(hostile.text)
    done = limited.run(["-c", _READ], top, _SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, list[Any]] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_reported_at_its_place(name: str, found: dict[str, list[Any]]) -> None:
    hostile = FILES[name]
    if not hostile.message:
        assert all(message.startswith(("unknown target", "there are more")) for *_, message in found[name])
        return
    path, line, start, message = found[name][0]
    assert (os.path.basename(path), line, start) == (hostile.name, hostile.line, hostile.start)
    assert message.startswith(hostile.message)
    assert len(found[name]) <= 51
    assert all(len(message) < 1000 for *_, message in found[name])


def test_the_rest_of_the_file_is_used(tmp_path: Path) -> None:
    hostile = FILES["arrays on lines"]
    (tmp_path / "gcn-lsp.toml").write_text(f"mattr = '+xnack'\n{hostile.text}\ntarget = 'gfx900'\n")
    (tmp_path / "k.s").write_text("s_nop 0\nv_bad v0\n")
    done = limited.run(["-m", "gcn_lsp", "check", "--format", "json", "."], tmp_path)
    assert done.returncode == 1, done.stderr
    found = {(each["rule"], each["line"]) for each in json.loads(done.stdout)}
    assert {("configuration-error", 34), ("unknown-mnemonic", 2)} <= found
    assert "gfx900" in done.stdout
