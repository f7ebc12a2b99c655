"""What the editor clients declare agrees with what the server reads, and their packages are fit to publish."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gcn_lsp
from editors.vscode import make
from gcn_lsp.ide import token_types
from gcn_lsp.project import settings

ROOT = Path(__file__).parents[2]
VSCODE = ROOT / "editors" / "vscode"
NEOVIM = ROOT / "editors" / "neovim"

# Settings of the VS Code client itself.
CLIENT_ONLY = {"server.path", "server.python", "recogniseByContent", "trace.server"}


@pytest.fixture(scope="module")
def package() -> dict[str, Any]:
    return dict(json.loads((VSCODE / "package.json").read_text()))


def properties(package: dict[str, Any]) -> dict[str, Any]:
    groups = package["contributes"]["configuration"]
    return {name: about for group in groups for name, about in group["properties"].items()}


def test_vscode_offers_the_names_of_targets_and_rules() -> None:
    assert make.FILE.read_text() == make.made(), "run python -m editors.vscode.make"


def test_vscode_has_every_setting_of_the_server(package: dict[str, Any]) -> None:
    names = {name.removeprefix("gcn-lsp.") for name in properties(package)}
    # A setting with a dot is a key in a table: `inlayHints.registers`.
    assert {settings.kebab_case(name.partition(".")[0]) for name in names - CLIENT_ONLY} == set(settings.FIELDS)
    assert names > CLIENT_ONLY
    hints = {settings.kebab_case(name.partition(".")[2]) for name in names if name.startswith("inlayHints.")}
    assert hints == {field.encode_name for field in msgspec.structs.fields(settings.InlayHints)}
    layout = {name.partition(".")[2] for name in names if name.startswith("format.")}
    assert layout == {field.encode_name for field in msgspec.structs.fields(settings.Format)}


def test_vscode_has_a_colour_for_every_kind_of_word_that_is_the_servers_own(package: dict[str, Any]) -> None:
    own = set(token_types.OWN_TYPES)
    assert {kind["id"] for kind in package["contributes"]["semanticTokenTypes"]} == own
    (scopes,) = package["contributes"]["semanticTokenScopes"]
    assert set(scopes["scopes"]) == own | {"modifier"}  # which VS Code's themes do not know


def test_vscode_knows_the_types_of_semantic_tokens(package: dict[str, Any]) -> None:
    types = {row["id"]: row["superType"] for row in package["contributes"]["semanticTokenTypes"]}
    assert set(token_types.OWN_TYPES) <= set(types)
    (scopes,) = package["contributes"]["semanticTokenScopes"]
    assert set(scopes["scopes"]) - {"modifier"} == set(types)


def test_vscode_walkthrough_and_menus_run_commands_that_there_are(package: dict[str, Any]) -> None:
    sources = "".join(path.read_text() for path in (VSCODE / "src").glob("*.ts"))
    registered = set(re.findall(r'registerCommand\("([\w.-]+)"', sources)) | {"gcn-lsp.explain"}
    assert 'EXPLAIN = "gcn-lsp.explain"' in sources
    contributes = package["contributes"]
    assert {command["command"] for command in contributes["commands"]} <= registered
    menus = [entry["command"] for entries in contributes["menus"].values() for entry in entries]
    steps = [step["description"] for walkthrough in contributes["walkthroughs"] for step in walkthrough["steps"]]
    linked = re.findall(r"command:(gcn-lsp\.[\w.-]+)", "".join(steps))
    assert menus
    assert linked
    assert {*menus, *linked} <= registered
    assert "`" not in "".join(steps), "a step's description shows backticks as they are"


def test_vscode_readme_names_every_setting(package: dict[str, Any]) -> None:
    readme = (VSCODE / "README.md").read_text()
    assert [name for name in properties(package) if f"`{name}`" not in readme] == []


def test_neovim_has_every_setting_of_the_server() -> None:
    lua = (NEOVIM / "lua" / "gcn_lsp" / "init.lua").read_text()
    defaults = re.search(r"^M\.defaults = \{(.*?)^\}", lua, re.MULTILINE | re.DOTALL)
    assert defaults is not None
    names = set(re.findall(r"^  (\w+) =", defaults[1], re.MULTILINE))
    assert {field.replace("-", "_") for field in settings.FIELDS} <= names
    manual = (NEOVIM / "doc" / "gcn-lsp.txt").read_text()
    assert [name for name in sorted(names) if not re.search(rf"^{name}\b", manual, re.MULTILINE)] == []


def test_vscode_extension_has_the_version_of_the_server(package: dict[str, Any]) -> None:
    assert package["version"] == gcn_lsp.__version__


def test_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (VSCODE / "package-lock.json").read_text()
