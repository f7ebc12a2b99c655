"""What runs show of the findings of a check, on the tests of a kernel and on made-up inputs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp import project, rules
from gcn_lsp.cli.main import main
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.project import opened
from gcn_lsp.running import witness
from gcn_lsp.text import Location
from tests.running.compiled import FOLDER

SAXPY = (FOLDER / "saxpy.s").read_text()
UNWAITED = SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0")


def notes(folder: Path, text: str, **more: str) -> dict[str, str]:
    """The notes about the findings of a text by rule, the last one of each. more: further files of the folder."""
    for name, contents in more.items():
        (folder / f"{name}.kernel.toml").write_text(contents)
    path = folder / "k.s"
    path.write_text(text)
    settings = project.Settings()
    found = witness.with_witnesses(str(path), settings, opened.open_file(str(path), settings).findings())
    return {each.rule: each.related[-1].message for each in found if rules.RULES[each.rule].shown_by}


def test_a_missing_wait_shows_on_made_up_arguments(tmp_path: Path) -> None:
    said = notes(tmp_path, UNWAITED)["missing-wait"]
    assert said.startswith("shown on made-up arguments of saxpy: wave 0 of work-group 0,0,0 reads v3 while ")
    assert "v2[0] is 0x0 (0 as a float) in place of 0x3f" in said
    assert "; y[0] turns from 1.91" in said
    assert "when every access completes as late as the waits allow" in said


def test_the_test_of_a_kernel_is_run(tmp_path: Path) -> None:
    test = """file = "k.s"
[[test]]
name = "ones"
grid = 64
arguments = { n = 64, a = 2.0, x = "ones:f32:64", y = "ones:f32:64" }
"""
    said = notes(tmp_path, UNWAITED, other=test)["missing-wait"]
    assert said.startswith("shown on test ones: ")
    assert "y[0] turns from 3.0 into " in said


def test_what_does_not_run_does_not_show(tmp_path: Path) -> None:
    test = (
        '[[test]]\nname = "nothing"\ngrid = 64\narguments = { n = 0, a = 2.0, x = "ones:f32:64", y = "ones:f32:64" }\n'
    )
    said = notes(tmp_path, UNWAITED, k=test)["missing-wait"]
    assert said.startswith("not shown: none of ")
    assert said.endswith(" runs on test nothing reaches this line")


def test_a_test_that_cannot_be_read_is_the_reason(tmp_path: Path) -> None:
    assert notes(tmp_path, UNWAITED, k="[[test]\n")["missing-wait"].startswith("not shown: ")


@pytest.mark.parametrize(
    ("load", "use", "said"),
    [
        ("global_load_dword v1, v0, s[2:3]", "v_add_f32 v2, v1, v1", "v1[0] is 0x0"),
        ("global_load_dword v1, v[4:5], off", "v_add_f32 v2, v1, v1", "v1[0] is 0x0"),
        ("buffer_load_dword v1, v0, s[8:11], 0 offen", "v_add_f32 v2, v1, v1", "v1[0] is 0x0"),
        ("s_load_dword s0, s[2:3], 0x0", "s_add_u32 s1, s0, s0", "s0 is 0x0"),
        ("ds_read_b32 v1, v0", "v_add_f32 v2, v1, v1", "reads v1 while `ds_read_b32` may still write it"),
        ("global_load_dword v1, v0, s[2:3]", "v_mov_b32 v1, 0", "overwrites v1"),
    ],
)
def test_code_without_a_kernel_runs_on_made_up_registers(load: str, use: str, said: str, tmp_path: Path) -> None:
    found = notes(tmp_path, f"; gcn-lsp: target=gfx900\n {load}\n {use}\n s_endpgm\n")["missing-wait"]
    assert found.startswith("shown on made-up registers: ")
    assert said in found


@pytest.mark.parametrize(
    ("target", "load"),
    [
        ("gfx600", "buffer_load_dword v1, v0, s[8:11], 0 offen"),
        ("gfx1030", "buffer_load_dword v1, v0, s[8:11], 0 offen"),
        ("gfx1200", "buffer_load_b32 v1, v0, s[8:11], null offen"),
        ("gfx1250", "buffer_load_b32 v1, v0, s[8:11], null offen"),
    ],
)
def test_buffers_of_other_generations_have_memory(target: str, load: str, tmp_path: Path) -> None:
    found = notes(tmp_path, f"; gcn-lsp: target={target}\n {load}\n v_add_f32 v2, v1, v1\n s_endpgm\n")
    assert "v1[0] is 0x0 (0 as a float) in place of 0x3f230fec" in found["missing-wait"]


def test_a_race_in_lds_shows(tmp_path: Path) -> None:
    write = "; gcn-lsp: target=gfx900\n ds_write_b32 v0, v1\n s_barrier\n ds_read_b32 v2, v3\n"
    said = notes(tmp_path, f"{write} s_waitcnt lgkmcnt(0)\n v_mov_b32 v4, v2\n s_endpgm\n")
    assert said["unpublished-lds-write"].startswith("shown on made-up registers: "), said


def test_a_missing_wait_state_shows(tmp_path: Path) -> None:
    said = notes(
        tmp_path,
        "; gcn-lsp: target=gfx900\n v_readfirstlane_b32 s0, v0\n s_nop 0\n v_readlane_b32 s1, v1, s0\n s_endpgm\n",
    )["missing-wait-states"]
    assert said.startswith("shown on made-up registers: ")


def test_what_runs_without_harm_is_not_safe() -> None:
    place = Location("k.s", 3, 0, 4)
    finding = Finding("missing-wait", Severity.ERROR, place, "...")
    seen = witness._ShownFindings("test ones", 9, (), {}, "", frozenset({("k.s", 3)}))
    said = witness._with_witness(finding, [seen], "").related[-1].message
    assert said == "not shown in 9 runs on test ones, which does not make it safe"


def test_files_without_such_findings_are_not_run(tmp_path: Path) -> None:
    assert notes(tmp_path, SAXPY) == {}


def test_the_rules_exist() -> None:
    shown = {name for rule in rules.RULES.values() for name in rule.shown_by}
    assert "missing-wait" in shown
    assert shown <= set(rules.RULES)


def test_check_with_witness(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(UNWAITED)
    result = CliRunner().invoke(main, ["check", "--witness", "-q", str(path)])
    assert result.exit_code == 1
    assert "note: shown on made-up arguments of saxpy: " in result.stdout
    found = CliRunner().invoke(main, ["check", "--witness", "--format", "json", str(path)]).stdout
    assert "shown on made-up" in json.dumps(json.loads(found))
