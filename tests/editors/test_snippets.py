"""The VS Code snippets, with their placeholders as offered, assemble for the targets that they are for."""

import json
import re
from pathlib import Path

import pytest

from gcn_lsp.cli.check import check_file
from gcn_lsp.findings.model import Severity
from gcn_lsp.project import Settings

FILE = Path(__file__).parents[2] / "editors" / "vscode" / "snippets" / "gcn.json"
SNIPPETS = json.loads(FILE.read_text())

KERNEL = ".globl kernel\n.type kernel,@function\nkernel:\n  s_endpgm\n"


def expanded(name: str) -> str:
    """The text of a snippet, each placeholder standing for what it offers first."""
    body = "\n".join(SNIPPETS[name]["body"])
    offered: dict[str, str] = {}
    # Innermost first: a placeholder may hold another.
    pattern = re.compile(r"\$\{(\d+)(?::([^${}]*)|\|([^,|]*)[^}]*)\}")
    while match := pattern.search(body):
        offered[match[1]] = match[2] if match[2] is not None else match[3]
        body = body[: match.start()] + offered[match[1]] + body[match.end() :]
        body = body.replace(f"${{{match[1]}}}", offered[match[1]])
    return body.replace("$0", "").replace("\\\\", "\\") + "\n"


@pytest.mark.parametrize(
    ("name", "before", "target"),
    [
        ("Kernel", "", "gfx90a"),
        ("Kernel descriptor, gfx6 to gfx908", KERNEL, "gfx803"),
        ("Kernel descriptor, gfx6 to gfx908", KERNEL, "gfx908"),
        ("Kernel descriptor, gfx90a to gfx950", KERNEL, "gfx942"),
        ("Kernel descriptor, gfx10 and newer", KERNEL, "gfx1030"),
        ("Kernel descriptor, gfx10 and newer", KERNEL, "gfx1201"),
        ("Kernel metadata", KERNEL, "gfx900"),
        ("Macro", "", "gfx900"),
        ("Loop", "", "gfx1100"),
        ("Repetition", "", "gfx900"),
    ],
)
def test_snippets_assemble(name: str, before: str, target: str, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.s"
    kernel.write_text(before + expanded(name))
    report = check_file(str(kernel), Settings(target=target), Severity.WARNING)
    assert [(finding.rule, finding.message) for finding in report.findings] == []
    assert "$" not in kernel.read_text()


def test_every_snippet_is_tried() -> None:
    (mark,) = (mark for mark in test_snippets_assemble.pytestmark if mark.name == "parametrize")
    assert {case[0] for case in mark.args[1]} == set(SNIPPETS)
