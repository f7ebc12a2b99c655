"""The formats `junit` and `gitlab` on real files, against schemas of what CI servers read."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.cli.output import junit

DATA = Path(__file__).parents[1] / "data"
JUNIT = xmlschema.XMLSchema(str(DATA / "junit.xsd"))
GITLAB = json.loads((DATA / "gitlab-code-quality.schema.json").read_text())

WAIT = "; gcn-lsp: target=gfx900\nk:\n  global_load_dword v1, v0, s[2:3]\n  v_add_f32 v1, v1, v1\n  s_endpgm\n"
FILES = {
    "wait.s": WAIT,
    "clean.s": "; gcn-lsp: target=gfx900\ns_nop 0\n",
    "twice.s": "; gcn-lsp: target=gfx900\nv_mov_b33 v0, v1\nv_mov_b33 v0, v1\n",
    "odd & <name>.s": '; gcn-lsp: target=gfx900\n.error "\x01\x1b[31m <&>"\n',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def output(form: str, *arguments: str) -> str:
    return CliRunner().invoke(main, ["check", "--format", form, *arguments]).stdout


def suites(*arguments: str) -> dict[str, ElementTree.Element]:
    """The suites of `--format junit`, which the schema accepts, by name."""
    text = output("junit", *arguments)
    JUNIT.validate(text)
    return {suite.attrib["name"]: suite for suite in ElementTree.fromstring(text)}


def issues(*arguments: str) -> list[dict[str, Any]]:
    """The issues of `--format gitlab`, which the schema accepts."""
    found = json.loads(output("gitlab", *arguments))
    assert [error.message for error in jsonschema.Draft7Validator(GITLAB).iter_errors(found)] == []
    return list(found)


def test_junit_has_a_suite_for_each_file_and_fails_for_errors_and_warnings(folder: Path) -> None:
    found = suites("--severity", "hint", ".")
    assert set(found) == set(FILES)
    clean = found["clean.s"].attrib
    assert [clean[name] for name in ("tests", "failures", "errors", "skipped")] == ["1", "0", "0", "0"]
    (failed,) = (case for case in found["wait.s"] if case.attrib["name"].startswith("missing-wait "))
    assert failed.attrib["line"] == "4"
    (failure,) = failed
    assert failure.attrib["message"].startswith("error: ")
    assert "v_add_f32 v1, v1, v1" in (failure.text or "")


def test_junit_passes_a_hint_and_has_its_message_as_output(folder: Path) -> None:
    (folder / "hint.s").write_text("; gcn-lsp: target=gfx900\n.set unused, 1\ns_nop 0\n")
    (suite,) = suites("--severity", "hint", "hint.s").values()
    assert suite.attrib["failures"] == "0"
    assert "unused" in (suite[0][0].text or "")
    assert suite[0][0].tag == "system-out"


def test_junit_replaces_characters_that_xml_cannot_hold(folder: Path) -> None:
    (suite,) = suites("odd & <name>.s").values()
    message = suite[0][0].attrib["message"]
    assert "<&>" in message
    assert "\x1b" not in message


def test_junit_calls_an_unreadable_file_an_error(folder: Path) -> None:
    (suite,) = suites("none.s").values()
    assert (suite.attrib["errors"], suite.attrib["failures"]) == ("1", "0")


def test_a_measured_time_is_the_sum_of_its_suite() -> None:
    text = junit.document("run", [("k", [junit.TestCase("a", "k.s", seconds=0.5), junit.TestCase("b", "k.s")])])
    JUNIT.validate(text)
    assert ElementTree.fromstring(text)[0].attrib["time"] == "0.500"


def test_gitlab_tells_equal_lines_apart_and_keeps_fingerprints(folder: Path) -> None:
    first, second = issues("twice.s")
    assert first["fingerprint"] != second["fingerprint"]
    assert (first["location"]["lines"]["begin"], first["severity"]) == (2, "critical")
    (folder / "twice.s").write_text(FILES["twice.s"].replace("v_mov", "s_nop 0\nv_mov", 1))
    assert [each["fingerprint"] for each in issues("twice.s")] == [first["fingerprint"], second["fingerprint"]]


def test_gitlab_has_no_issue_for_a_clean_file(folder: Path) -> None:
    assert issues("clean.s") == []
