"""What is published apart says the same version, and files that packages need are in the source distribution."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import gcn_lsp
from gcn_lsp.cli import files
from gcn_lsp.cli.main import COMMANDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "grammar"


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text())


def test_the_grammar_has_one_version() -> None:
    versions = {
        json.loads((GRAMMAR / "package.json").read_text())["version"],
        json.loads((GRAMMAR / "tree-sitter.json").read_text())["metadata"]["version"],
        toml(GRAMMAR / "pyproject.toml")["project"]["version"],
    }
    assert versions == {gcn_lsp.__version__}


def test_wheels_are_built_for_the_oldest_python_and_the_three_systems() -> None:
    project = toml(ROOT / "pyproject.toml")
    oldest = project["project"]["requires-python"].removeprefix(">=").replace(".", "")
    wheels = project["tool"]["cibuildwheel"]
    assert wheels["build"] == f"cp{oldest}-*"
    assert {"linux", "macos", "windows"} <= set(wheels)
    assert f'"cp{oldest}"' in (ROOT / "setup.py").read_text()


@pytest.mark.parametrize("name", ["kernel.s", "KERNEL.S", "k.gcn", "k.amdgcn", "k.isa", "k.rdna3", "k.cdna", "k.asm"])
def test_the_pre_commit_hook_takes_what_a_directory_is_searched_for(name: str, tmp_path: Path) -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        assert re.search(hook["files"], name)
        assert hook["entry"].split()[1] in COMMANDS
    (tmp_path / name).touch()
    (tmp_path / "k.c").touch()
    assert list(files.walk(str(tmp_path))) == [str(tmp_path / name)]


def test_every_source_of_the_extension_module_is_in_the_source_distribution() -> None:
    setup = (ROOT / "setup.py").read_text()
    manifest = (ROOT / "MANIFEST.in").read_text()
    for source in re.findall(r'"(grammar/[\w/]+\.[ch])"', setup):
        assert (ROOT / source).exists()
        folder = source.rsplit("/", 1)[0]
        assert any(
            folder.startswith(kept) for kept in re.findall(r"recursive-include (\S+) [^\n]*\*\.[ch]", manifest)
        ), source
