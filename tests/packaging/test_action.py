"""The GitHub action: its steps are run by a shell as GitHub runs them, without GitHub."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]

GOOD = "; gcn-lsp: target=gfx900\ns_nop 0\n"
BAD = "; gcn-lsp: target=gfx900\ns_load_dwordx2 s[1:2], s[4:5], 0x0\n"


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "action.yml").read_text()))


def test_every_input_has_a_description_and_is_used(action: dict[str, Any]) -> None:
    steps = json.dumps([action["runs"], action["outputs"]])
    for name, described in action["inputs"].items():
        assert described["description"]
        assert f"inputs.{name}" in steps


def test_steps_say_their_shell_or_what_they_use(action: dict[str, Any]) -> None:
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step and "shell" in step), step


def check(action: dict[str, Any], folder: Path, **inputs: str) -> tuple[int, str, dict[str, Any] | None]:
    """Runs the step `check` in `folder`: its exit code, what it sets, the SARIF log."""
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == "check")
    command = folder / "bin" / "gcn-lsp"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gcn_lsp "$@"\n')
    command.chmod(0o755)
    values = {name: str(described.get("default", "")) for name, described in action["inputs"].items()} | inputs
    environment = {
        **os.environ,
        **{name: values[text.split("inputs.")[1].rstrip(" }")] for name, text in step["env"].items()},
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_OUTPUT": str(folder / "output"),
    }
    # GitHub's own words for `shell: bash`.
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    result = subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True)
    output, log = folder / "output", folder / "gcn-lsp.sarif"
    return (
        result.returncode,
        output.read_text() if output.exists() else "",
        json.loads(log.read_text()) if log.exists() else None,
    )


def test_a_clean_repository(action: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "good.s").write_text(GOOD)
    code, output, log = check(action, tmp_path)
    assert (code, output) == (0, "findings=false\n")
    assert log is not None
    assert log["runs"][0]["results"] == []


def test_findings_are_in_the_log_and_said(action: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "good.s").write_text(GOOD)
    (tmp_path / "bad.s").write_text(BAD)
    code, output, log = check(action, tmp_path, paths="good.s\nbad.s", arguments="--ignore\nunused-symbol\n")
    assert (code, output) == (0, "findings=true\n")
    assert log is not None
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["misaligned-register"]


def test_wrong_use_fails_the_step(action: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "good.s").write_text(GOOD)
    assert check(action, tmp_path, target="gfx9999")[0] == 2


def test_the_workflow_of_the_readme(action: dict[str, Any], tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    workflow = yaml.safe_load(readme.partition("## In CI")[2].partition("```yaml\n")[2].partition("```")[0])
    (job,) = workflow["jobs"].values()
    assert job["permissions"]["security-events"] == "write"  # for the upload of the log
    (step,) = (each for each in job["steps"] if each["uses"].startswith("OWNER/gcn-lsp@"))
    assert step["with"].keys() <= action["inputs"].keys()
    kernels = tmp_path / step["with"]["paths"]
    kernels.mkdir()
    (kernels / "good.s").write_text(GOOD)
    assert check(action, tmp_path, **step["with"])[:2] == (0, "findings=false\n")
    (kernels / "bad.s").write_text(BAD)
    (tmp_path / "output").unlink()
    assert check(action, tmp_path, **step["with"])[:2] == (0, "findings=true\n")
