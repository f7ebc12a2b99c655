"""The database of a build: which entry is a file's, what headers get, and where the database is found."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from gcn_lsp.project import compile_commands
from gcn_lsp.project.compile_commands import CompileCommands, nearest, read
from gcn_lsp.project.files import Files


def database(*entries: Mapping[str, object]) -> CompileCommands:
    return read("/p/build/compile_commands.json", json.dumps(entries).encode())


def test_the_first_of_several_entries_counts() -> None:
    found = database(
        {"directory": "/p", "file": "a.s", "command": "clang -mcpu=gfx900 a.s"},
        {"directory": "/p", "file": "a.s", "command": "clang -mcpu=gfx906 a.s"},
    )
    settings = found.for_file("/p/a.s")
    assert settings is not None
    assert settings.target == "gfx900"


def test_a_file_without_an_entry_has_no_settings() -> None:
    found = database({"directory": "/p", "file": "a.s", "command": "clang -mcpu=gfx900 a.s"})
    assert found.for_file("/p/b.s") is None
    assert found.command("/p/b.s") is None


def test_folders_are_relative_to_the_database_and_include_paths_to_the_folder() -> None:
    found = database({"directory": "sub", "file": "../a.s", "arguments": ["clang", "-I", "../inc", "-I/abs", "a.s"]})
    settings = found.for_file("/p/build/a.s")
    assert settings is not None
    assert settings.include_paths == ("/p/build/inc", "/abs")


def test_the_list_of_arguments_counts_and_not_the_command() -> None:
    entry = {"directory": "/p", "file": "a.s", "arguments": ["clang", "x y.s"], "command": "gcc b.s"}
    assert database(entry).command("/p/a.s") == ("/p", ("clang", "x y.s"))


def test_a_command_is_split_as_a_shell_does() -> None:
    found = database({"directory": "/p", "file": "a.s", "command": 'clang "x y.s" -c'})
    assert found.command("/p/a.s") == ("/p", ("clang", "x y.s", "-c"))


def test_a_link_to_a_file_has_its_entry(tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text("")
    (tmp_path / "link.s").symlink_to(tmp_path / "a.s")
    found = database({"directory": str(tmp_path), "file": "a.s", "command": "clang -mcpu=gfx900 a.s"})
    assert found.for_file(str(tmp_path / "link.s")) == found.for_file(str(tmp_path / "a.s")) is not None


def test_the_entry_of_a_link_is_found_too(tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text("")
    (tmp_path / "link.s").symlink_to(tmp_path / "a.s")
    found = database({"directory": str(tmp_path), "file": "link.s", "command": "clang -mcpu=gfx900 link.s"})
    assert found.for_file(str(tmp_path / "link.s")) is not None
    assert found.for_file(str(tmp_path / "a.s")) is None


@pytest.mark.parametrize("name", ["k.h", "k.hpp", "k.INL", "k.cuh"])
def test_a_header_has_the_targets_of_all_entries(name: str) -> None:
    found = database(
        *({"directory": "/p", "file": f"{cpu}.cpp", "command": f"clang -mcpu={cpu}"} for cpu in ("gfx900", "gfx90a"))
    )
    settings = found.for_file(f"/p/{name}")
    assert settings is not None
    assert (settings.target, settings.targets) == ("gfx900", ("gfx900", "gfx90a"))


def test_a_header_has_one_target_if_all_entries_have_it() -> None:
    found = database(*({"directory": "/p", "file": name, "command": "clang -mcpu=gfx900"} for name in "ab"))
    settings = found.for_file("/p/k.h")
    assert settings is not None
    assert (settings.target, settings.targets) == ("gfx900", ())


def test_a_header_has_no_settings_if_no_entry_names_a_target() -> None:
    assert database({"directory": "/p", "file": "a.cpp", "command": "clang a.cpp"}).for_file("/p/k.h") is None


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b'[\n{"file": 5}]', 0, "not a list of compile commands: expected `str`, got `int` - at `$[0].file`"),
        (b"[\n{}\n,}", 2, "not a list of compile commands: JSON is malformed: "),
        (b"\xff", 0, "not a list of compile commands: "),
    ],
)
def test_a_file_of_another_form_is_a_finding(data: bytes, line: int, message: str) -> None:
    found = read("c.json", data)
    assert found.commands == {}
    (finding,) = found.findings
    assert (finding.where.path, finding.where.line) == ("c.json", line)
    assert finding.message.startswith(message)
    assert "(byte" not in finding.message


@pytest.mark.parametrize("name", compile_commands.FILE_NAMES)
def test_the_nearest_database_counts(tmp_path: Path, name: str) -> None:
    for folder in (tmp_path, tmp_path / "near"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("[]")
    found = nearest(str(tmp_path / "near" / "deep" / "k.s"), Files())
    assert found is not None
    assert found.path == str(tmp_path / "near" / name)


def test_a_folder_of_that_name_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text("[]")
    (tmp_path / "near" / "compile_commands.json").mkdir(parents=True)
    found = nearest(str(tmp_path / "near" / "k.s"), Files())
    assert found is not None
    assert found.path == str(tmp_path / "compile_commands.json")
