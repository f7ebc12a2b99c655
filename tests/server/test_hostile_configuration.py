"""A repository whose configuration is hostile: every file that is open has its findings, and answers are given."""

from pathlib import Path

from tests.benchmarks.client import Client
from tests.project.hostile import FILES

KERNEL = '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\nv_bad v0, v1\ns_endpgm\n'


def test_nothing_stops_what_is_open(tmp_path: Path) -> None:
    client = Client()
    client.initialize(tmp_path)
    for name, hostile in FILES.items():
        folder = tmp_path.joinpath(name, *["a" * 80] * 20)
        folder.mkdir(parents=True)
        (tmp_path / name / hostile.name).write_text(hostile.text)
        path = folder / "k.s"
        found = client.open(path.as_uri(), KERNEL)[1]
        assert "unknown-mnemonic" in {each["code"] for each in found}, name
    changed = [{"uri": (tmp_path / name / file.name).as_uri(), "type": 2} for name, file in FILES.items()]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changed})
    assert client.ask("textDocument/hover", path.as_uri(), 2, 1)[1] is not None
    assert client.close() == 0
