"""`gcn-lsp check --diff`: only findings on lines that have changed since a commit."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

WRONG = "v_mov_b33 v0, v1\n"
HEAD = "; gcn-lsp: target=gfx900\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.org")
    subprocess.run(("git", *identity, *arguments), cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose only commit has a file with a mistake on line 2."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    (tmp_path / "k.s").write_text(HEAD + WRONG)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--quiet", *arguments])


def lines(*arguments: str) -> list[str]:
    """The places of the errors, as `file:line`."""
    text = check(*arguments).stdout
    return [":".join(line.split(":")[:2]) for line in text.splitlines() if " error[" in line]


def test_a_finding_of_the_commit_is_not_shown(repository: Path) -> None:
    assert lines("k.s") == ["k.s:2"]
    result = check("--diff", "HEAD", "k.s")
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_finding_on_a_new_line_is_shown(repository: Path) -> None:
    (repository / "k.s").write_text(HEAD + "s_nop 0\n" + WRONG + "s_nop 0\n" + WRONG)
    # git takes the first of the equal lines for the new one, or the last: one of them is in the commit.
    assert len(lines("--diff", "HEAD", ".")) == 1
    assert check("--diff", "HEAD", ".").exit_code == 1


def test_lines_of_a_file_that_was_renamed_are_not_new(repository: Path) -> None:
    (repository / "k.s").write_text(HEAD + WRONG + "s_nop 0\n" * 20)
    git(repository, "commit", "-q", "-a", "-m", "second")
    git(repository, "mv", "k.s", "a name.s")
    assert lines("--diff", "HEAD", ".") == []
    with (repository / "a name.s").open("a") as file:
        file.write(WRONG)
    assert lines("--diff", "HEAD", ".") == ["a name.s:23"]


def test_a_mode_that_changes_makes_no_line_new(repository: Path) -> None:
    (repository / "k.s").chmod(0o755)
    assert lines("--diff", "HEAD", ".") == []


def test_all_lines_of_a_file_that_git_lacks_are_new(repository: Path) -> None:
    (repository / "new name.s").write_text(HEAD + WRONG)
    assert lines("--diff", "HEAD", ".") == ["new name.s:2"]


def test_a_finding_in_a_macro_belongs_to_the_call(repository: Path) -> None:
    body = HEAD + ".macro m r\n  s_mov_b64 s[\\r:\\r+1], 0\n.endm\n"
    (repository / "k.s").write_text(body)
    git(repository, "commit", "-q", "-a", "-m", "second")
    (repository / "k.s").write_text(body + "m 1\n")
    assert "misaligned-register" in check("--diff", "HEAD", "k.s").stdout
    git(repository, "commit", "-q", "-a", "-m", "third")
    assert check("--diff", "HEAD", "k.s").stdout == ""


def test_a_file_with_only_deleted_lines_shows_nothing(repository: Path) -> None:
    (repository / "k.s").write_text(WRONG)
    assert lines("--target", "gfx900", "--diff", "HEAD", "k.s") == []


@pytest.mark.parametrize("commit", ["no-such-commit", "--help", ""])
def test_an_unknown_commit_is_wrong_usage(repository: Path, commit: str) -> None:
    result = check(f"--diff={commit}", "k.s")
    assert result.exit_code == 2
    assert "--diff: git knows no such commit" in result.stderr


def test_outside_of_a_repository_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "k.s").write_text(HEAD)
    result = check("--diff", "HEAD", "k.s")
    assert result.exit_code == 2
    assert "--diff: fatal: not a git repository" in result.stderr


def test_without_git_it_says_so(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    result = check("--diff", "HEAD", "k.s")
    assert result.exit_code == 2
    assert "--diff needs git" in result.stderr
