"""Which files of a folder are looked at, what is found in them, and what includes what."""

from pathlib import Path

import pytest

from gcn_lsp.ide import workspace_symbol
from gcn_lsp.project import workspace as module
from gcn_lsp.project.workspace import Workspace

KERNEL = """\
.include "sizes.inc"
.macro LOAD dst
.endm
.set count, 4
limit = 5
.set count, 6
.amdhsa_kernel gemm
.end_amdhsa_kernel
.type helper,@function
gemm:
  s_endpgm
\thelper: v_mov_b32 v0, v1
inner:
1: s_nop 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gemm.s").write_text(KERNEL)
    (tmp_path / "sizes.inc").write_text('.set size, 1\n.include "more.inc"')
    (tmp_path / "more.inc").write_text(".set more, 1")
    (tmp_path / "unused.inc").write_text(".set unused, 1")
    (tmp_path / "x86.s").write_text("main:\n  movl %eax, %ebx\n  ret\n")
    (tmp_path / "notes.txt").write_text("gemm_notes:\n s_endpgm")
    (tmp_path / "binary.s").write_bytes(b"s_nop 0\n\0\1\2gemm_binary:")
    for name in (".git", "node_modules", "deep/er"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "k.S").write_text(f"in_{name.rpartition('/')[2].strip('.')}: s_nop 0")
    return tmp_path


def indexed(*folders: Path) -> Workspace:
    workspace = Workspace()
    for folder in folders:
        for _ in workspace.steps(str(folder)):
            pass
    return workspace


def names(workspace: Workspace, query: str = "") -> list[str]:
    return [found.name for found in workspace.search(query, {})]


def test_kinds_and_places(folder: Path) -> None:
    found = {each.name: each for each in indexed(folder).search("", {}) if each.path.endswith("gemm.s")}
    kinds = workspace_symbol
    assert {name: (each.kind, each.line, each.start) for name, each in found.items()} == {
        "gemm": (kinds.KERNEL, 9, 0),
        "helper": (kinds.FUNCTION, 11, 1),
        "LOAD": (kinds.MACRO, 1, 7),
        "count": (kinds.SYMBOL, 3, 5),
        "limit": (kinds.SYMBOL, 4, 0),
        "inner": (kinds.LABEL, 12, 0),
    }


def test_only_assembly_and_what_it_includes(folder: Path) -> None:
    assert set(names(indexed(folder))) == {
        *("gemm", "helper", "LOAD", "count", "limit", "inner", "size", "more", "in_er"),
    }


def test_other_files_are_not_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    text = module._text

    def spy(path: str) -> bytes | None:
        opened.append(Path(path).name)
        return text(path)

    monkeypatch.setattr(module, "_text", spy)
    indexed(folder)
    assert sorted(opened) == ["binary.s", "gemm.s", "k.S", "more.inc", "sizes.inc", "unused.inc", "x86.s"]


def test_the_best_come_first(tmp_path: Path) -> None:
    (tmp_path / "k.s").write_text("xgemm:\ns_nop 0\ngemm_b:\nGEMM:\n.macro gemm_a\n.endm")
    assert names(indexed(tmp_path), "gemm") == ["GEMM", "gemm_a", "gemm_b", "xgemm"]
    assert names(indexed(tmp_path), "M_") == ["gemm_a", "gemm_b"]
    assert names(indexed(tmp_path), "nothing") == []


def test_changes_and_open_files(folder: Path) -> None:
    workspace = indexed(folder)
    path = folder / "gemm.s"
    path.write_text("renamed: s_nop 0")
    for _ in workspace.update(str(path)):
        pass
    assert names(workspace, "gemm") == []
    assert names(workspace, "size") == []  # nothing includes it any more
    assert names(workspace, "renamed") == ["renamed"]
    buffer = workspace_symbol.scan(b"in_buffer: s_nop 0")
    assert sorted(found.name for found in workspace.search("", {str(path): buffer})) == ["in_buffer", "in_er"]
    path.unlink()
    for _ in workspace.update(str(path)):
        pass
    assert names(workspace) == ["in_er"]
    workspace.remove(str(folder))
    assert names(workspace) == []


def test_including(folder: Path) -> None:
    workspace = indexed(folder)
    paths = {name: str(folder / name) for name in ("gemm.s", "sizes.inc", "more.inc", "unused.inc")}
    everything = {paths["gemm.s"], paths["sizes.inc"], paths["more.inc"]}
    assert workspace.including([paths["more.inc"]]) == everything
    assert workspace.including([paths["sizes.inc"]]) == everything
    assert workspace.including([paths["unused.inc"]]) == set()
    (folder / "deep" / "user.s").write_text('.include "unused.inc"\ns_nop 0')
    for _ in workspace.update(str(folder / "deep" / "user.s")):
        pass
    assert workspace.including([paths["unused.inc"]]) == set()
    found = workspace.including([paths["unused.inc"]], [str(folder)])
    assert found == {str(folder / "deep" / "user.s"), paths["unused.inc"]}


def test_a_large_file_takes_many_steps(tmp_path: Path) -> None:
    (tmp_path / "k.s").write_text("".join(f"label_{number}: s_nop 0\n" for number in range(20_000)))
    workspace = Workspace()
    steps = list(workspace.steps(str(tmp_path)))
    assert len(steps) > 5
    assert steps[-1].done == steps[-1].total == 1
    (last,) = (found for found in workspace.search("label_19999", {}))
    assert (last.line, last.start, last.end) == (19_999, 0, 11)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert names(indexed(tmp_path / "missing")) == []


def test_a_file_that_only_the_signs_of_the_clients_tell(tmp_path: Path) -> None:
    (tmp_path / "winograd.s").write_text("kernel:\n  s_cbranch_scc1 1f\n  s_getpc_b64 s[0:1]\n1:\n")
    (tmp_path / "dump.isa").write_text("in_dump:\n  s_endpgm\n")
    assert names(indexed(tmp_path), "k") == ["kernel"]
    assert names(indexed(tmp_path), "dump") == ["in_dump"]
