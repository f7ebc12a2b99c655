"""SARIF logs of real files against the JSON schema of the standard.

The schema in tests/data is that of SARIF 2.1.0 without its prose. It allows no property that it does not name.
"""

import json
from pathlib import Path, PureWindowsPath
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.cli.output import sarif

DATA = Path(__file__).parents[1] / "data"
SCHEMA = json.loads((DATA / "sarif-2.1.0.schema.json").read_text())
FORMATS = jsonschema.FormatChecker()

FILES = {
    "wait.s": "; gcn-lsp: target=gfx900\nk:\n  global_load_dword v1, v0, s[2:3]\n  v_add_f32 v1, v1, v1\n  s_endpgm\n",
    "macro.s": "; gcn-lsp: target=gfx900\n.macro load r\n  s_load_dwordx2 s[\\r:\\r+1], s[4:5], 0x0\n.endm\nload 1\n",
    "with space/é.s": '; gcn-lsp: target=gfx900\n.include "../part.inc"\n',
    "part.inc": "v_mov_b33 v0, v1\n",
    "descriptor.s": "; gcn-lsp: target=gfx900\n.amdhsa_kernel k\n  .amdhsa_next_free_vgrp 4\n.end_amdhsa_kernel\n",
    "clean.s": "; gcn-lsp: target=gfx900\ns_nop 0\n",
}


def log_of(*arguments: str) -> dict[str, Any]:
    """The log of `gcn-lsp check`, which the schema accepts."""
    log = json.loads(CliRunner().invoke(main, ["check", "--format", "sarif", *arguments]).stdout)
    errors = jsonschema.Draft4Validator(SCHEMA, format_checker=FORMATS).iter_errors(log)
    assert [(error.json_path, error.message) for error in errors] == []
    return dict(log)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_schema_is_one_and_knows_uris() -> None:
    jsonschema.Draft4Validator.check_schema(SCHEMA)
    assert {"uri", "uri-reference"} <= set(FORMATS.checkers)


def test_a_folder_with_fixes_and_related_places(folder: Path) -> None:
    results = log_of("--severity", "hint", ".")["runs"][0]["results"]
    assert {"missing-wait", "misaligned-register", "unknown-mnemonic"} <= {result["ruleId"] for result in results}
    assert any("fixes" in result for result in results)
    related = [result for result in results if "relatedLocations" in result]
    assert {"missing-wait", "misaligned-register"} <= {result["ruleId"] for result in related}


@pytest.mark.parametrize("name", FILES)
def test_a_file_by_its_whole_path(folder: Path, name: str) -> None:
    for result in log_of(str(folder / name))["runs"][0]["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.startswith(folder.as_uri())


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (result,) = log_of("missing.s")["runs"][0]["results"]
    assert result["ruleId"] == "unreadable-file"


@pytest.mark.parametrize("path", sorted(DATA.glob("*.s")), ids=lambda path: str(path.name))
def test_the_sample_kernels(path: Path) -> None:
    log_of("--severity", "hint", str(path))


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath("C:/my kernels/k.s"), "file:///C:/my%20kernels/k.s"),
        (PureWindowsPath("kernels\\k.s"), "kernels/k.s"),
    ],
)
def test_paths_of_windows(path: PureWindowsPath, uri: str) -> None:
    assert sarif.uri_of(path) == uri
