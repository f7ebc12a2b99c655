"""Writing a target or symbols of the build into a configuration file."""

from pathlib import Path

import pytest

from gcn_lsp.project import Files, configuration, writing
from gcn_lsp.project.writing import SettingEdit
from gcn_lsp.text import SourceText


def applied(written: SettingEdit, files: Files) -> str:
    source = files.readable(written.where.path) or SourceText.from_bytes(written.where.path, b"")
    where = written.where
    return source.replace(where.line, where.start, where.line, where.end, written.text.encode()).to_bytes().decode()


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("gcn-lsp.toml", "", 'target = "gfx90a"\n'),
        ("gcn-lsp.toml", '[[files]]\nglob = "a"\n', 'target = "gfx90a"\n[[files]]\nglob = "a"\n'),
        ("gcn-lsp.toml", "target = 'gfx900' # old\n", 'target = "gfx90a" # old\n'),
        ("pyproject.toml", "[tool.gcn-lsp]\nignore = []\n", '[tool.gcn-lsp]\ntarget = "gfx90a"\nignore = []\n'),
    ],
)
def test_a_target(tmp_path: Path, name: str, before: str, after: str) -> None:
    (tmp_path / name).write_text(before)
    files = Files()
    (written,) = writing.target(str(tmp_path / "sub" / "k.s"), "gfx90a", str(tmp_path), files)
    assert (written.scope, written.is_new, applied(written, files)) == (name, False, after)
    found = configuration.read(str(tmp_path / name), after.encode())
    assert found is not None
    assert (found.settings.target, found.findings) == ("gfx90a", ())


def test_a_new_file_in_the_folder_or_the_workspace(tmp_path: Path) -> None:
    found = list(writing.target(str(tmp_path / "sub" / "k.s"), "gfx90a", str(tmp_path), Files()))
    assert [(each.scope, each.where.path, each.is_new) for each in found] == [
        ("this folder", str(tmp_path / "sub" / "gcn-lsp.toml"), True),
        ("the workspace", str(tmp_path / "gcn-lsp.toml"), True),
    ]
    assert len(list(writing.target(str(tmp_path / "k.s"), "gfx90a", str(tmp_path), Files()))) == 1


@pytest.mark.parametrize(
    ("before", "start"),
    [
        ("", "[defines]\n# Values"),
        ('target = "gfx90a"\n', 'target = "gfx90a"\n\n[defines]\n# Values'),
        ('target = "gfx90a"', 'target = "gfx90a"\n\n[defines]\n# Values'),
        ("[defines]\nC = 3\n", "[defines]\n# Values"),
    ],
)
def test_symbols(tmp_path: Path, before: str, start: str) -> None:
    (tmp_path / "gcn-lsp.toml").write_text(before)
    files = Files()
    (written,) = writing.defines(str(tmp_path / "k.s"), ["A", "B"], "", files)
    text = applied(written, files)
    assert text.startswith(start)
    assert "# A = 0\n# B = 0\n" in text
    found = configuration.read("gcn-lsp.toml", text.replace("# A", "A").encode())
    assert found is not None
    assert (found.settings.defines["A"], found.findings) == (0, ())


def test_a_table_on_one_line_stays(tmp_path: Path) -> None:
    (tmp_path / "gcn-lsp.toml").write_text("defines = { A = 1 }\n")
    assert list(writing.defines(str(tmp_path / "k.s"), ["B"], "", Files())) == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("gcn-lsp.toml", "", 'ignore = ["missing-wait"]\n'),
        ("gcn-lsp.toml", "ignore = []\n", 'ignore = ["missing-wait"]\n'),
        ("gcn-lsp.toml", 'ignore = ["unused-symbol"]\n', 'ignore = ["missing-wait", "unused-symbol"]\n'),
        ("gcn-lsp.toml", 'ignore = [\n  "unused-symbol",\n]\n', 'ignore = ["missing-wait", \n  "unused-symbol",\n]\n'),
        ("pyproject.toml", "[tool.gcn-lsp]\nmattr = ''\n", "[tool.gcn-lsp]\nignore = [\"missing-wait\"]\nmattr = ''\n"),
    ],
)
def test_a_rule_to_be_ignored(tmp_path: Path, name: str, before: str, after: str) -> None:
    (tmp_path / name).write_text(before)
    files = Files()
    written = writing.ignore(str(tmp_path / "sub" / "k.s"), "missing-wait", str(tmp_path), files)
    assert (written.scope, written.is_new, applied(written, files)) == (name, False, after)
    found = configuration.read(str(tmp_path / name), after.encode())
    assert found is not None
    assert "missing-wait" in found.settings.ignore
    assert found.findings == ()


def test_a_rule_to_be_ignored_in_a_new_file_of_the_workspace(tmp_path: Path) -> None:
    written = writing.ignore(str(tmp_path / "sub" / "k.s"), "missing-wait", str(tmp_path), Files())
    assert (written.where.path, written.is_new) == (str(tmp_path / "gcn-lsp.toml"), True)
