"""A file's setup: reading it, its settings from all sources together, its included files."""

import json
from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.program import program
from gcn_lsp.project import Files, Settings
from gcn_lsp.text import SourceText


def test_a_version_that_does_not_have_the_target_gives_way(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("; gcn-lsp: target=gfx1310\ns_nop 0\n")
    (finding,) = project.load(str(path), project.Settings(llvm=22)).findings
    assert finding.rule == "configuration-error"
    assert finding.message == "the setting `llvm` is 22, which does not have gfx1310; LLVM 23 decides"
    assert project.load(str(path), project.Settings(llvm=23)).findings == ()
    assert project.load(str(path)).findings == ()
    path.write_text("; gcn-lsp: target=gfx1200\ns_nop 0\n")
    assert project.load(str(path), project.Settings(llvm=22)).findings == ()


def test_assembly_for_another_processor_is_refused_unless_somebody_names_a_target(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("main:\n\tpushq %rbp\n\tretq\n")
    refused = project.load(str(path))
    (finding,) = refused.findings
    assert refused.source is None
    assert finding.rule == "unreadable-file"
    assert "is assembly for another processor" in finding.message
    assert project.load(str(path), Settings(target="gfx900")).source is not None
    (tmp_path / "gcn-lsp.toml").write_text("target = 'gfx900'")
    assert project.load(str(path)).source is not None


def test_defines_and_include_paths_are_joined(tmp_path: Path) -> None:
    kernel = tmp_path / "src" / "k.s"
    kernel.parent.mkdir()
    kernel.write_text("; gcn-lsp: target=gfx900")
    entry = {"directory": str(tmp_path), "file": "src/k.s", "arguments": ["clang", "-Wa,-defsym,C=3", "-Icommands"]}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    (tmp_path / "gcn-lsp.toml").write_text("include-paths = ['config']\ndefines = { B = 2, A = 9 }")
    found = project.load(str(kernel), Settings(defines={"A": 1}, include_paths=("/option",)))
    assert dict(found.options.defines) == {"A": 1, "B": 2, "C": 3}
    assert found.settings.include_paths == ("/option", str(tmp_path / "config"), str(tmp_path / "commands"))
    assert found.findings == ()


def test_a_mistaken_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text('[\n{"file": 5}]')
    (tmp_path / "k.s").write_text("; gcn-lsp: target=gfx900")
    finding = project.load(str(tmp_path / "k.s")).findings[0]
    assert finding.rule == "configuration-error"
    assert finding.message.startswith("not a list of compile commands: ")


@pytest.mark.parametrize("name", ["missing.s", "", "folder", "nul\0name", "x" * 5000])
def test_unreadable_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    found = project.load(str(tmp_path / name) if name else "")
    assert found.source is None
    assert [finding.rule for finding in found.findings] == ["unreadable-file"]


def test_includes_are_found_beside_the_includer_then_in_the_paths(tmp_path: Path) -> None:
    for folder, text in (("a", "one"), ("b", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.inc").write_text(text)
    (tmp_path / "b" / "y.inc").write_text("three")
    kernel = tmp_path / "a" / "k.s"
    kernel.write_text("")
    include = project.load(str(kernel), Settings(include_paths=(str(tmp_path / "b"),))).options.include
    beside = include(str(kernel), "x.inc")
    assert beside is not None
    assert (beside.path, beside.lines) == (str(tmp_path / "a" / "x.inc"), (b"one",))
    elsewhere = include(str(kernel), "y.inc")
    assert elsewhere is not None
    assert elsewhere.lines == (b"three",)
    absolute = include(str(kernel), str(tmp_path / "b" / "x.inc"))
    assert absolute is not None
    assert absolute.lines == (b"two",)
    assert include(str(kernel), "z.inc") is None
    assert include(str(kernel), "../b") is None


def test_open_buffers_count_before_the_disk(tmp_path: Path) -> None:
    path = str(tmp_path / "x.inc")
    Path(path).write_text("disk")
    files = Files()
    assert files.source(path) is files.source(path)
    files.open_buffer(path, SourceText(path, (b"buffer",)))
    found = files.source(path)
    assert found is not None
    assert found.lines == (b"buffer",)
    files.close_buffer(path)
    found = files.source(path)
    assert found is not None
    assert found.lines == (b"disk",)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "x.inc"
    path.write_text("one")
    files = Files()
    assert files.source(str(path)) is not None
    path.write_text("other")
    found = files.source(str(path))
    assert found is not None
    assert found.lines == (b"other",)


def test_what_was_looked_for_is_known(tmp_path: Path) -> None:
    kernel = tmp_path / "k.s"
    kernel.write_text('; gcn-lsp: target=gfx900\n.include "x.inc"\n.include "missing.inc"')
    (tmp_path / "x.inc").write_text("s_nop 0")
    around = project.surroundings(str(kernel), Settings(), Files())
    source = Files().source(str(kernel))
    assert source is not None
    program.build(source, project.set_up(source, around).options)
    assert around.includes(str(tmp_path / "x.inc"))
    assert around.includes(str(tmp_path / "missing.inc"))
    assert not around.includes(str(kernel))
