"""A file with more findings than are shown."""

import json
from pathlib import Path

from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.rules.too_many_findings import capped
from gcn_lsp.text import Location


def found(line: int, severity: Severity) -> Finding:
    return Finding("syntax-error", severity, Location("k.s", line, 0, 1), "wrong")


def test_the_worst_stay_in_their_order() -> None:
    findings = [found(0, Severity.HINT), found(1, Severity.ERROR), found(2, Severity.HINT), found(3, Severity.WARNING)]
    assert capped(findings, 4) is findings
    *kept, last = capped(findings, 2)
    assert kept == [findings[1], findings[3]]
    assert (last.rule, last.where.line) == ("too-many-findings", 0)
    assert last.message == "2 more findings are not shown, 0 of them errors"
    assert capped(findings * 2, 1)[-1].message == "7 more findings are not shown, 1 of them errors"


def test_people_see_a_thousand_and_programs_all(tmp_path: Path) -> None:
    path = tmp_path / "junk.s"
    path.write_text("; gcn-lsp: target=gfx900\n" + "v_no_such v0\n" * 1500)
    result = CliRunner().invoke(main, ["check", "--all", str(path)])
    assert result.exit_code == 1
    assert result.stdout.count("error[unknown-mnemonic]") == 1000
    assert ":1002:1: information[too-many-findings]: 500 more findings are not shown, 500 of them" in result.stdout
    assert result.stdout.endswith("1 file checked: 1500 errors\n")
    assert len(json.loads(CliRunner().invoke(main, ["check", "--format", "json", str(path)]).stdout)) == 1500
