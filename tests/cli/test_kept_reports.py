"""`gcn-lsp check` answers from the reports that an earlier call kept, and only if nothing has changed."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli import kept_reports, kernel
from gcn_lsp.cli.main import main
from gcn_lsp.project import states, store
from gcn_lsp.project.report import Report

KERNEL = """; gcn-lsp: target=gfx900
.include "a.inc"
s_load_dwordx2 s[1:2], s[4:5], 0x0
"""


class Project:
    """A folder with kernels, and how many of them were checked rather than answered from what is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checked: list[str] = []

    def check(self, *arguments: str) -> Result:
        self.checked.clear()
        return CliRunner().invoke(main, ["check", *arguments])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    folder = tmp_path / "project" / "kernels"
    folder.mkdir(parents=True)
    (folder / "k.s").write_text(KERNEL)
    (folder / "a.inc").write_text("s_nop 0\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "cache"))
    made = Project(folder)
    opened = kernel.open_kernels

    def counted(name: str, *rest: object, **named: object) -> object:
        made.checked.append(name)
        return opened(name, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(kernel, "open_kernels", counted)
    return made


CALLS = [
    *(("--format", form) for form in ("text", "json", "sarif", "github", "gitlab", "junit")),
    ("-v", "--severity", "hint"),
    ("--statistics", "--severity", "error"),
]


@pytest.mark.parametrize("arguments", CALLS)
def test_a_hit_prints_what_a_miss_prints(project: Project, arguments: tuple[str, ...]) -> None:
    (project.folder / "l.s").write_text("; gcn-lsp: target=gfx900\ns_mov_b32 s0, v1\nv_mov_b32 v1, v0\ns_nop 0\n")
    call = (*arguments, "k.s", "l.s", "absent.s")
    without = project.check("--no-cache", *call, "-j1")
    miss = project.check(*call, "-j1")
    assert sorted(project.checked) == ["absent.s", "k.s", "l.s"]
    hit = project.check(*call, "-j1")
    assert project.checked == []
    for other in (miss, hit):
        assert (other.exit_code, other.stdout_bytes, other.stderr_bytes) == (
            without.exit_code,
            without.stdout_bytes,
            without.stderr_bytes,
        )


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


CHANGES: dict[str, Callable[[Path], object]] = {
    "the file": write("k.s", KERNEL + "s_nop 1\n"),
    "an included file": write("a.inc", "s_nop 2\n"),
    "an included file that is gone": lambda folder: (folder / "a.inc").unlink(),
    "an include that comes first now": write("a.inc", 'v_nop\n.include "b.inc"\n'),
    "a configuration file": write("gcn-lsp.toml", 'ignore = ["misaligned-register"]\n'),
    "a configuration file above": write("../gcn-lsp.toml", 'ignore = ["misaligned-register"]\n'),
    "a configuration file of Python": write("pyproject.toml", "[tool.gcn-lsp]\nignore = ['misaligned-register']\n"),
    "the build's commands": write("compile_commands.json", "[]"),
    "the build's commands in a folder above": write("../compile_commands.json", "[]"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_what_a_report_was_made_of_changes(project: Project, change: Callable[[Path], object]) -> None:
    project.check("k.s")
    assert project.check("k.s").exit_code == 1
    assert project.checked == []
    change(project.folder)
    fresh = project.check("--no-cache", "k.s")
    found = project.check("k.s")
    assert project.checked == ["k.s"]
    assert (found.exit_code, found.stdout) == (fresh.exit_code, fresh.stdout)


def test_a_configuration_file_that_changes_or_goes(project: Project) -> None:
    config = project.folder / "gcn-lsp.toml"
    for text in ('include-paths = ["x"]\n', 'severity = { "misaligned-register" = "hint" }\n', None):
        config.unlink() if text is None else config.write_text(text)
        project.check("k.s")
        assert project.checked == ["k.s"]
        project.check("k.s")
        assert project.checked == []


def test_a_file_that_an_include_path_finds_first(project: Project) -> None:
    (project.folder / "first").mkdir()
    (project.folder / "second").mkdir()
    (project.folder / "k.s").write_text('; gcn-lsp: target=gfx900\n.include "far.inc"\n')
    (project.folder / "second" / "far.inc").write_text("s_nop 0\n")
    call = ("-I", "first", "-I", "second", "k.s")
    assert [project.check(*call).exit_code, *project.checked] == [0, "k.s"]
    assert [project.check(*call).exit_code, *project.checked] == [0]
    (project.folder / "first" / "far.inc").write_text("v_no_such v0\n")
    assert [project.check(*call).exit_code, *project.checked] == [1, "k.s"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--target", "gfx906"),
        ("--mattr", "-xnack"),
        ("--llvm", "22"),
        ("--severity", "error"),
        ("--ignore", "misaligned-register"),
        ("--select", "unknown-mnemonic"),
        ("--defsym", "unroll=4"),
        ("-D", "MACRO=1"),
        ("-I", "include"),
        ("--targets", "gfx900,gfx906"),
        ("--at", "source"),
    ],
)
def test_other_arguments_ask_for_another_report(project: Project, arguments: tuple[str, ...]) -> None:
    project.check("k.s")
    found = project.check(*arguments, "k.s")
    assert found.exception is None or isinstance(found.exception, SystemExit)
    assert project.checked == ["k.s"], found.output
    project.check(*arguments, "k.s")
    assert project.checked == []


def test_another_name_of_the_same_file_is_another_report(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project.check("k.s")
    project.check(str(project.folder / "k.s"))
    assert len(project.checked) == 1
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.s").write_text(KERNEL)
    project.check("k.s")
    assert project.checked == ["k.s"]


def test_another_program_asks_for_another_report(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.check("k.s")
    monkeypatch.setattr(store, "__version__", "99.0")
    project.check("k.s")
    assert project.checked == ["k.s"]
    monkeypatch.setattr(store, "_program", lambda: ("another", 1))
    project.check("k.s")
    assert project.checked == ["k.s"]


def test_a_program_that_is_in_no_directory_keeps_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_program", lambda: None)
    for _ in range(2):
        project.check("k.s")
        assert project.checked == ["k.s"]


def test_a_baseline_is_read_anew(project: Project) -> None:
    assert project.check("--write-baseline", "known", "k.s").exit_code == 0
    assert project.check("--baseline", "known", "k.s").exit_code == 0
    assert project.checked == []
    (project.folder / "known").write_text("")
    assert project.check("--baseline", "known", "k.s").exit_code == 1
    assert project.checked == []


def test_without_the_cache_nothing_is_kept_or_found(project: Project, tmp_path: Path) -> None:
    for _ in range(2):
        project.check("--no-cache", "k.s")
        assert project.checked == ["k.s"]
    assert not (tmp_path / "cache").exists()


def test_the_standard_input_is_checked_each_time(project: Project) -> None:
    for _ in range(2):
        project.checked.clear()
        CliRunner().invoke(main, ["check", "-"], input="s_nop 0\n")
        assert project.checked == ["-"]


def kept_files(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 400, None])
def test_damage_is_as_if_nothing_were_kept(project: Project, tmp_path: Path, damage: bytes | None) -> None:
    first = project.check("k.s")
    (path,) = kept_files(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if damage is None else damage)
    again = project.check("k.s")
    assert project.checked == ["k.s"]
    assert again.output == first.output
    project.check("k.s")
    assert project.checked == []


def test_what_is_kept_makes_no_other_object(project: Project, tmp_path: Path) -> None:
    project.check("k.s")
    (path,) = kept_files(tmp_path)
    import pickle
    import zlib

    body = zlib.compress(pickle.dumps(({}, os.system)))
    path.write_bytes(states.of_content(body) + body)
    assert project.check("k.s").exit_code == 1
    assert project.checked == ["k.s"]


def test_a_cache_that_cannot_be_written_is_no_failure(project: Project, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    for _ in range(2):
        found = project.check("k.s")
        assert (found.exit_code, found.stderr, project.checked) == (1, "", ["k.s"])


def test_what_cannot_be_read_is_looked_at_again(project: Project) -> None:
    (project.folder / "gcn-lsp.toml").mkdir()
    for _ in range(2):
        project.check("k.s")
        assert project.checked == ["k.s"]


def test_a_failure_of_ours_is_not_kept(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as broken:
        broken.setattr(kernel, "open_kernels", fail)
        assert "broken" in project.check("k.s").output
    assert "broken" not in project.check("k.s").output


def test_what_is_kept_is_bounded(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 2000)
    kept = kept_reports.KeptReports(str(tmp_path / "cache"), b"about")
    monkeypatch.setattr(kept_reports.KeptReports, "_path", lambda self, name: f"{self.folder}/ab/{name}")
    found = Report("k.s", (), {("k.s", 0): os.urandom(700)})
    folder = tmp_path / "cache" / "ab"
    for number in range(5):
        kept.keep(f"{number}", found, {})
        os.utime(folder / f"{number}", (number, number))
    assert sorted(path.name for path in folder.iterdir()) == ["3", "4"]
    left_over = folder / ".5.unfinished"
    left_over.write_bytes(b"")
    os.utime(left_over, (0, 0))
    kept.find("3")  # what is in use stays
    kept.keep("6", found, {})
    assert sorted(path.name for path in folder.iterdir()) == ["3", "6"]
    kept.keep("7", Report("k.s", (), {("k.s", 0): os.urandom(2000)}), {})
    assert sorted(path.name for path in folder.iterdir()) == ["3", "6"]


def test_clean_removes_what_is_kept_and_nothing_else(project: Project, tmp_path: Path) -> None:
    project.check("k.s")
    (tmp_path / "cache" / "notes").write_text("mine")
    done = CliRunner().invoke(main, ["clean"])
    assert (done.exit_code, done.output.partition(" bytes")[0].partition(", ")[0]) == (0, "1 results removed")
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["notes"]
    assert CliRunner().invoke(main, ["clean"]).output == "0 results removed, 0 bytes\n"
    project.check("k.s")
    assert project.checked == ["k.s"]


def test_two_calls_at_once_agree(project: Project, tmp_path: Path) -> None:
    for number in range(6):
        (project.folder / f"{number}.s").write_text(KERNEL)
    command = [sys.executable, "-m", "gcn_lsp", "check", "-j2", "."]
    calls = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    outputs = [call.communicate() for call in calls]
    assert outputs[0] == outputs[1]
    project.check(".")
    assert project.checked == []
    assert not [path for path in kept_files(tmp_path) if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/gcn-lsp"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/gcn-lsp"),
        ("linux", {}, "/home/me/.cache/gcn-lsp"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "/home/me/Library/Caches/gcn-lsp"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/gcn-lsp"),
        ("win32", {}, None),
        ("linux", {"GCN_LSP_CACHE_DIR": "/own"}, "/own"),
        ("win32", {"GCN_LSP_CACHE_DIR": ""}, None),
    ],
)
def test_the_directory_is_the_system_s(
    platform: str, environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert store.folder(platform, environment) == expected


def test_no_home_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert store.folder("linux", {}) is None
