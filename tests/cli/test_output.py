"""The output formats, on findings made by hand."""

import json
import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gcn_lsp.cli import check
from gcn_lsp.cli.main import main
from gcn_lsp.cli.output import github, sarif, text
from gcn_lsp.cli.output import json as json_format
from gcn_lsp.findings.model import Finding, Fix, Related, Severity
from gcn_lsp.project import report
from gcn_lsp.project.report import Report
from gcn_lsp.rules import RULES
from gcn_lsp.text import Location, SourceText, TextEdit

SOURCE = SourceText.from_bytes("dir/k.s", "/* é */\ts_mov_b32 s0, v1\nv_mov_b33 v0, v1\n".encode())


@pytest.fixture
def made() -> Report:
    where = Location("dir/k.s", 0, 23, 25)
    name = Location("dir/k.s", 1, 0, 9)
    findings = (
        Finding(
            "wrong-operand-kind", Severity.ERROR, where, "v1 is a VGPR: 100% wrong,\nindeed", (Related(name, "see"),)
        ),
        Finding(
            "unknown-mnemonic",
            Severity.WARNING,
            name,
            "no such mnemonic",
            fixes=(Fix("replace by v_mov_b32", (TextEdit(name, "v_mov_b32"),)),),
        ),
    )
    return report.of("dir/k.s", findings, {"dir/k.s": SOURCE}.get)


def test_json_is_one_based_and_counts_characters(made: Report) -> None:
    first, second = json.loads(json_format.render([made]))
    assert first == {
        "file": "dir/k.s",
        "line": 1,
        "column": 23,
        "end_line": 1,
        "end_column": 25,
        "severity": "error",
        "rule": "wrong-operand-kind",
        "message": "v1 is a VGPR: 100% wrong,\nindeed",
        "related": [
            {"file": "dir/k.s", "line": 2, "column": 1, "end_line": 2, "end_column": 10, "message": "see"},
        ],
    }
    assert "related" not in second
    assert second["fix"] == {
        "title": "replace by v_mov_b32",
        "edits": [
            {"file": "dir/k.s", "line": 2, "column": 1, "end_line": 2, "end_column": 10, "text": "v_mov_b32"},
        ],
    }


def test_json_without_findings_is_an_empty_array() -> None:
    assert json.loads(json_format.render([Report("k.s", ())])) == []


def test_text_underlines_the_span(made: Report) -> None:
    assert click.unstyle(text.render([made])).splitlines() == [
        "dir/k.s:1:23: error[wrong-operand-kind]: v1 is a VGPR: 100% wrong, indeed",
        "    /* é */\ts_mov_b32 s0, v1",
        "           \t              ^^",
        "dir/k.s:2:1: note: see",
        "    v_mov_b33 v0, v1",
        "    ---------",
        "dir/k.s:2:1: warning[unknown-mnemonic]: no such mnemonic",
        "    v_mov_b33 v0, v1",
        "    ^^^^^^^^^",
        "    fix: replace by v_mov_b32",
        "1 file checked: 1 error, 1 warning; `gcn-lsp fix` fixes 1",
    ]


def test_text_cuts_a_long_line_around_the_span() -> None:
    line = b"x" * 100_000 + b"wrong" + b"y" * 100_000
    finding = Finding("syntax-error", Severity.ERROR, Location("k.s", 0, 100_000, 100_005), "m")
    source = SourceText("k.s", (line,))
    lines = click.unstyle(text.render([report.of("k.s", [finding], lambda path: source)])).splitlines()
    column = lines[1].index("wrong")
    assert lines[2].index("^^^^^") == column
    assert max(map(len, lines)) < 300


def test_text_says_when_there_is_nothing() -> None:
    assert text.render([Report("a.s", ()), Report("b.s", ())]) == "2 files checked: no findings\n"


def test_github_escapes_what_would_end_a_command(made: Report) -> None:
    assert github.render([made]).splitlines() == [
        "::error file=dir/k.s,line=1,endLine=1,col=23,endColumn=24,title=gcn-lsp wrong-operand-kind"
        "::v1 is a VGPR: 100%25 wrong,%0Aindeed",
        "::warning file=dir/k.s,line=2,endLine=2,col=1,endColumn=9,title=gcn-lsp unknown-mnemonic::no such mnemonic",
    ]


def test_sarif_has_the_parts_that_the_standard_requires(made: Report) -> None:
    log = json.loads(sarif.render([made]))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)
    first, second = run["results"]
    for result in (first, second):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
    assert first["level"] == "error"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "dir/k.s"
    assert place["region"] == {"startLine": 1, "startColumn": 23, "endLine": 1, "endColumn": 25}
    assert first["relatedLocations"][0]["message"]["text"] == "see"
    (change,) = second["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "v_mov_b32"


@pytest.mark.parametrize("form", check.FORMATS)
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_any_text_is_printed(form: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are part of no character, in the file and in its name, and characters that the output lacks."""
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"caf\xc3\xa9\xe9.s")
    data = b"v_mov_b32 v0, \xe2\x82\xac\n\xff\n.set \xfe, 1\nl\xff: s_branch \xff\n.irpc x, \xc3\xa9\n\\x\n.endr\n"
    (tmp_path / name).write_bytes(data)
    result = CliRunner(charset=encoding).invoke(main, ["check", "--format", form, "--target", "gfx90a", name])
    assert result.exit_code == 1, result.exception
    assert result.stdout_bytes.count(b"syntax-error") >= 3


def test_json_and_sarif_with_half_a_character() -> None:
    half = b"\xff".decode("utf-8", "surrogateescape")
    found = Finding("unknown-mnemonic", Severity.ERROR, Location(half, 0, 0, 0), half)
    (row,) = json.loads(json_format.render([Report(half, (found,))]))
    assert (row["file"], row["message"]) == ("?", "?")
    (result,) = json.loads(sarif.render([Report(half, (found,))]))["runs"][0]["results"]
    assert result["message"]["text"] == "\ufffd"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%FF"
