"""The lines that have changed since a commit, by git: `check --diff main` shows only findings there."""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator

import click
import msgspec

from gcn_lsp.findings.model import Finding
from gcn_lsp.project.report import Report
from gcn_lsp.text import Location

# A repository decides neither which programs git runs nor how a difference looks.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames")
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_BINARY = re.compile(rb"^Binary files ", re.MULTILINE)
_TWO_NAMES = (b"R", b"C")  # of a file that was renamed or copied


class ChangedLines(msgspec.Struct, frozen=True):
    """Ranges of lines from 0 by the file's real path; None stands for all lines of a file."""

    by_path: dict[str, tuple[range, ...] | None]

    def has(self, where: Location) -> bool:
        """Whether the line of a place has changed."""
        ranges = self.by_path.get(os.path.realpath(where.path), ())
        return ranges is None or any(where.line in each for each in ranges)

    def only(self, reports: Iterable[Report]) -> Iterator[Report]:
        """`reports` with the findings on changed lines: their own, or that of a call that leads to them."""
        for report in reports:
            kept = tuple(finding for finding in report.findings if report.unreadable or self._concerns(finding))
            yield msgspec.structs.replace(report, findings=kept)

    def _concerns(self, finding: Finding) -> bool:
        steps = (related.where for related in finding.related if related.is_step)
        return any(map(self.has, (finding.where, *steps)))


def since(commit: str, folders: Iterable[str]) -> ChangedLines:
    """What the work tree has changed since `commit` in the repositories of `folders`; files git lacks are all new.

    Raises `UsageError` without git, outside of a repository, and for an unknown commit.
    """
    found: dict[str, tuple[range, ...] | None] = {}
    for root in sorted({_root(folder) for folder in folders}):
        base = (
            _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}").decode().strip()
        )
        for names in _pairs(_git(root, *_DIFF, "--name-status", "-z", "--diff-filter=d", base)):
            both = map(os.fsdecode, names)
            found[_path(root, names[-1])] = _ranges(_git(root, *_DIFF, "--unified=0", base, "--", *both))
        for name in _names(_git(root, "ls-files", "--others", "-z")):
            found[_path(root, name)] = None
    return ChangedLines(found)


def _ranges(difference: bytes) -> tuple[range, ...] | None:
    """The lines that a difference without context adds; None for a file that git does not compare by lines."""
    hunks = list(_HUNK.finditer(difference))
    if not hunks and _BINARY.search(difference):
        return None
    return tuple(range(int(hunk[1]) - 1, int(hunk[1]) - 1 + int(hunk[2] or 1)) for hunk in hunks)


def _root(folder: str) -> str:
    return os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n"))


def _names(listed: bytes) -> list[bytes]:
    return [name for name in listed.split(b"\0") if name]


def _pairs(listed: bytes) -> Iterator[tuple[bytes, ...]]:
    """The name of each file in a list of states, after its old name if it had another."""
    words = iter(_names(listed))
    for state in words:
        yield (next(words), next(words)) if state[:1] in _TWO_NAMES else (next(words),)


def _path(root: str, name: bytes) -> str:
    return os.path.realpath(os.path.join(root, os.fsdecode(name)))


def _git(folder: str, *arguments: str) -> bytes:
    """What git prints; ends with wrong usage if it fails."""
    try:
        done = subprocess.run((*_GIT, *arguments), cwd=folder or ".", capture_output=True, check=True)
    except FileNotFoundError as error:
        raise click.UsageError("--diff needs git, which is not on the PATH") from error
    except (OSError, subprocess.CalledProcessError) as error:
        said = (
            error.stderr.decode("utf-8", "replace").strip() if isinstance(error, subprocess.CalledProcessError) else ""
        )
        reason = said.splitlines()[-1] if said else "git knows no such commit"
        raise click.UsageError(f"--diff: {reason}") from error
    return done.stdout
