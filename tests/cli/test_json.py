"""What `check` and `report` print as JSON, against the schemas that `gcn-lsp schema` prints."""

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from gcn_lsp.api import reports
from gcn_lsp.cli.main import main

KERNEL = """\
; gcn-lsp: target=gfx90a
k:
  s_mov_b99 s0, s1
  global_load_dword v1, v0, s[0:1]
  v_add_u32 v2, v1, v1
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 24
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 24
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
"""


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "kernel.s"
    path.write_text(KERNEL)
    return str(path)


def printed(*arguments: str) -> "list[dict[str, object]] | dict[str, object]":
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code in (0, 1), result.output
    made: list[dict[str, object]] | dict[str, object] = json.loads(result.stdout)
    return made


def schema(command: str) -> "dict[str, object]":
    made = printed("schema", command)
    assert isinstance(made, dict)
    return made


def test_the_schemas_are_schemas() -> None:
    for command in reports.SCHEMAS:
        jsonschema.Draft202012Validator.check_schema(schema(command))


def test_check_prints_what_its_schema_says(kernel: str) -> None:
    found = printed("check", "--format", "json", "--severity", "hint", kernel)
    jsonschema.validate(found, schema("check"))
    assert {"unknown-mnemonic", "missing-wait"} <= {each["rule"] for each in found if isinstance(each, dict)}


def test_report_prints_what_its_schema_says(kernel: str) -> None:
    found = printed("report", "--format", "json", kernel)
    jsonschema.validate(found, schema("report"))
    assert isinstance(found, dict)
    kernels = found["kernels"]
    assert isinstance(kernels, list)
    made = kernels[0]
    assert (made["name"], made["vgprs"], made["lds"], made["lanes"]) == ("k", 24, 1024, 64)
    assert found["target"] == "gfx90a"


def test_a_value_of_another_kind_is_not_what_the_schema_says(kernel: str) -> None:
    found = printed("report", "--format", "json", kernel)
    assert isinstance(found, dict)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**found, "kernels": [{"name": "k"}]}, schema("report"))


def test_html_has_one_way_and_its_former_name(kernel: str) -> None:
    pages = [CliRunner().invoke(main, ["report", *how, kernel]).stdout for how in (("--format", "html"), ("--html",))]
    assert pages[0] == pages[1]
    assert pages[0].lower().startswith("<!doctype html>")
    assert "--html" not in CliRunner().invoke(main, ["report", "--help"]).stdout


def test_without_a_path_the_current_folder_is_checked(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(kernel).parent)
    assert "unknown-mnemonic" in CliRunner().invoke(main, ["check"]).stdout
    (Path(kernel).parent / "messy.s").write_text("k:\n  s_nop   0\n  s_nop 0\n  s_nop 0\n")
    assert "messy.s" in CliRunner().invoke(main, ["format"]).stdout
    assert CliRunner().invoke(main, ["fix"]).exit_code in (0, 1)


def test_repeats_of_a_kind_fold_after_three(tmp_path: Path) -> None:
    path = tmp_path / "kernel.s"
    lines = [f"s_mov_b99 s{number}, s1" for number in range(9)]
    path.write_text("\n".join(("; gcn-lsp: target=gfx900", *lines, "v_foo v1", "v_bar v1", "")))
    folded = CliRunner().invoke(main, ["check", str(path)])
    assert folded.stdout.count("error[unknown-mnemonic]") == 3 + 2
    assert "6 more of this kind in " in folded.stdout
    assert "11 errors" in folded.stdout
    everything = CliRunner().invoke(main, ["check", "--all", str(path)])
    assert everything.stdout.count("error[unknown-mnemonic]") == 9 + 2
    assert folded.exit_code == everything.exit_code == 1
    rows = printed("check", "--format", "json", str(path))
    assert len(rows) == 9 + 2
