"""The configurations for editors that are not run in the tests: well formed, current, and about the same files."""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import tree_sitter

from editors.sublime import make
from gcn_lsp.syntax import language, tree

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EDITORS = Path(__file__).parents[2] / "editors"
SURE = {"gcn", "amdgcn", "isa"}


def without_comments(text: str) -> str:
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


def test_sublimes_colours_are_those_of_vs_code() -> None:
    assert make.FILE.read_bytes() == make.made(), "run python editors/sublime/make.py"


def test_sublimes_settings() -> None:
    settings = json.loads(without_comments((EDITORS / "sublime" / "LSP-gcn.sublime-settings").read_text()))
    client = settings["clients"]["gcn-lsp"]
    assert client["command"] == ["gcn-lsp", "serve"]
    assert client["selector"] == json.loads(make.SOURCE.read_text())["scopeName"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="a C compiler is not installed (Debian packages gcc libc6-dev)")
def test_one_script_sets_helix_up(tmp_path: Path) -> None:
    command = ["sh", str(EDITORS / "helix" / "install"), str(tmp_path)]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    written = tmp_path / ".helix" / "languages.toml"
    for _ in range(2):  # again is no mistake
        subprocess.run(command, env=environment, check=True, capture_output=True)
        assert tomllib.loads(written.read_text())["language"][0]["name"] == "gcn"
    runtime = tmp_path / "config" / "helix" / "runtime"
    assert ctypes.CDLL(str(runtime / "grammars" / "amdgpu.so")).tree_sitter_amdgpu
    assert (runtime / "queries" / "gcn" / "highlights.scm").exists()
    assert (runtime / "queries" / "hip" / "highlights.scm").read_text() == "; inherits: cpp\n"
    written.write_text("theirs")
    refused = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (refused.returncode, written.read_text()) == (1, "theirs")
    assert "exists" in refused.stdout


def test_kates_colours_name_only_what_they_define() -> None:
    language = ElementTree.parse(EDITORS / "kate" / "gcn.xml").getroot()
    contexts = {context.get("name") for context in language.iter("context")}
    styles = {item.get("name") for item in language.iter("itemData")}
    rules = [rule for context in language.iter("context") for rule in context]
    for rule in rules:
        target = rule.get("context", "#stay")
        assert target.startswith("#") or "##" in target or target in contexts, rule.attrib
        assert rule.get("attribute") is None or rule.get("attribute") in styles, rule.attrib
        if rule.tag == "RegExpr":
            re.compile(rule.get("String", ""))
    assert {f"*.{ending}" for ending in SURE} <= set(language.get("extensions", "").split(";"))
    server = json.loads((EDITORS / "kate" / "lspclient.json").read_text())["servers"]["gcn"]
    assert re.fullmatch(server["highlightingModeRegex"], language.get("name", ""))


@pytest.mark.parametrize("path", ["helix/languages.toml", "zed/extension.toml", "zed/languages/gcn/config.toml"])
def test_toml(path: str) -> None:
    assert tomllib.loads((EDITORS / path).read_text())


def test_helix_and_zed_take_the_files_that_are_ours_alone() -> None:
    language, hip = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())["language"]
    assert (hip["name"], hip["file-types"]) == ("hip", ["hip"])
    assert set(language["file-types"][:3]) == SURE
    zed = tomllib.loads((EDITORS / "zed" / "languages" / "gcn" / "config.toml").read_text())
    assert set(zed["path_suffixes"]) > SURE


@pytest.mark.parametrize(
    ("name", "captures"),
    [("highlights", {"function", "label", "comment"}), ("outline", {"item", "name"}), ("brackets", {"open", "close"})],
)
def test_zeds_queries_fit_the_grammar(name: str, captures: set[str]) -> None:
    query = tree_sitter.Query(language.LANGUAGE, (EDITORS / "zed" / "languages" / "gcn" / f"{name}.scm").read_text())
    kernel = (Path(__file__).parents[1] / "data" / "saxpy_gfx900.s").read_bytes()
    assert captures <= set(tree_sitter.QueryCursor(query).captures(tree.parse(kernel).root_node))


def test_every_editor_has_its_part_of_the_page() -> None:
    page = (EDITORS / "README.md").read_text()
    for folder in (
        folder.name for folder in EDITORS.iterdir() if folder.is_dir() and not folder.name.startswith((".", "_"))
    ):
        assert f"]({folder}" in page, folder


@pytest.mark.parametrize(
    "path", sorted((EDITORS.parent / "grammar" / "queries").glob("*.scm")), ids=lambda path: path.stem
)
def test_the_grammars_queries_fit_it(path: Path) -> None:
    query = tree_sitter.Query(language.LANGUAGE, path.read_text())
    text = b".macro m a\n  v_add_f32 v0, \\a, v1\n.endm\n.if x\n  m v0 ; note\n.else\n  s_nop 0\n.endif\nk:\n"
    found = set(tree_sitter.QueryCursor(query).captures(tree.parse(text).root_node))
    assert found or path.stem == "injections"
    if path.stem == "indents":
        assert {"indent", "outdent", "indent.begin", "indent.branch", "indent.end"} <= found
