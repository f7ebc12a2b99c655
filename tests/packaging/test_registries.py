"""The files for registries: versions, dependencies and names are those of the package."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gcn_lsp import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

VERSIONED = {
    "mason/package.yaml": f"pkg:pypi/gcn-lsp@{__version__}",
    "homebrew/gcn-lsp.rb": f"gcn_lsp-{__version__}.tar.gz",
    "conda-forge/recipe.yaml": f'version: "{__version__}"',
    "nixpkgs/package.nix": f'version = "{__version__}";',
}
# Names of other package sets, where they are not PyPI's; what only some Pythons need is in none.
CONDA: dict[str, tuple[str, ...]] = {"pygls[ws]": ("pygls", "websockets")}
NIX: dict[str, tuple[str, ...]] = {
    **CONDA,
    "tree-sitter-cpp": ("tree-sitter-grammars.tree-sitter-cpp",),
    "tree-sitter-python": ("tree-sitter-grammars.tree-sitter-python",),
}


def dependencies(names: dict[str, tuple[str, ...]]) -> set[str]:
    """The run-time dependencies under the names of another package set."""
    found: set[str] = set()
    for each in PROJECT["dependencies"]:
        requirement, _, condition = each.partition(";")
        if not condition:
            name = re.split("[<>=]", requirement)[0]
            found.update(names.get(name, (name,)))
    return found


@pytest.mark.parametrize(("name", "text"), VERSIONED.items())
def test_the_version_is_that_of_the_package(name: str, text: str) -> None:
    assert text in (PACKAGING / name).read_text()


def test_conda_forge_needs_what_the_package_needs() -> None:
    recipe = yaml.safe_load((PACKAGING / "conda-forge/recipe.yaml").read_text().replace("${{", "").replace("}}", ""))
    listed = {each.split()[0] for each in recipe["requirements"]["run"]}
    assert listed == dependencies(CONDA) | {"python"}


def test_nixpkgs_needs_what_the_package_needs() -> None:
    text = (PACKAGING / "nixpkgs/package.nix").read_text()
    found = re.search(r"dependencies = with python3Packages; \[(.*?)\]", text, re.DOTALL)
    assert found is not None
    assert set(found[1].split()) == dependencies(NIX)


def test_recipes_run_tests_that_the_source_distribution_has() -> None:
    recipe = (PACKAGING / "conda-forge/recipe.yaml").read_text()
    package = (PACKAGING / "nixpkgs/package.nix").read_text()
    folders = re.findall(r"\btests/\w+", recipe)
    assert folders == re.findall(r'"(tests/\w+)"', package)
    assert len(folders) > 5
    assert [name for name in folders if not list((ROOT / name).glob("test_*.py"))] == []
    assert "graft tests" in (ROOT / "MANIFEST.in").read_text().splitlines()
    for needed in ("hypothesis", "jsonschema", "numpy", "pytest"):
        assert needed in recipe
        assert needed in package


def test_the_mcp_registry_starts_the_tools_of_this_version() -> None:
    described = json.loads((PACKAGING / "mcp/server.json").read_text())
    (package,) = described["packages"]
    assert described["version"] == package["version"] == __version__
    assert package["identifier"] == PROJECT["name"]  # which the registry looks up on PyPI: an extra would not be found
    assert [each["value"] for each in package["runtimeArguments"]] == PROJECT["optional-dependencies"]["mcp"]
    assert [each["value"] for each in package["packageArguments"]] == ["mcp"]
    assert len(described["description"]) <= 100
    assert f"mcp-name: {described['name']}" in (ROOT / "README.md").read_text()


def test_mason_installs_the_command_of_the_package() -> None:
    described = yaml.safe_load((PACKAGING / "mason/package.yaml").read_text())
    assert list(described["bin"]) == list(PROJECT["scripts"])


def neovim(*commands: str) -> str:
    """What Neovim without any configuration prints."""
    arguments = (part for command in (*commands, "qa") for part in ("-c", command))
    done = subprocess.run(
        ("nvim", "--headless", "-u", "NONE", *arguments), capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim_reads_the_table_of_lspconfig() -> None:
    code = f"print(vim.inspect(dofile([[{PACKAGING / 'nvim-lspconfig/gcn_lsp.lua'}]]).cmd))"
    assert '{ "gcn-lsp", "serve" }' in neovim(f"lua {code}")


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim, which reads Vim's files")
def test_vim_takes_names_that_are_ours_alone() -> None:
    setup = f"source {PACKAGING / 'vim/filetype.vim'}"
    assert "gcn" in neovim(setup, "edit kernel.amdgcn", "echo &filetype").split()


@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")
def test_the_formula_is_ruby() -> None:
    subprocess.run(("ruby", "-c", str(PACKAGING / "homebrew/gcn-lsp.rb")), check=True, capture_output=True)


def test_every_file_is_in_the_readme() -> None:
    text = (PACKAGING / "README.md").read_text()
    files = {str(path.relative_to(PACKAGING)) for path in PACKAGING.rglob("*") if path.is_file()} - {"README.md"}
    assert {name for name in files if f"]({name})" not in text} == set()


def test_workflows_are_valid_and_release_by_trusted_publishing() -> None:
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    assert release["jobs"]["pypi"]["permissions"] == {"id-token": "write"}
    assert release["jobs"]["pypi"]["environment"] == "pypi"
    test = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())
    assert {"run": "bash .ci/run"} in test["jobs"]["everything"]["steps"]


def test_links_of_the_description_work_away_from_the_repository() -> None:
    """On PyPI no link is relative: setup.py makes them absolute, to files that there are."""
    code = (
        "import setuptools; setuptools.setup = lambda **given: print(given['long_description']);"
        "import runpy; runpy.run_path('setup.py')"
    )
    done = subprocess.run((sys.executable, "-c", code), cwd=ROOT, capture_output=True, text=True, check=True)
    links = re.findall(r"\]\(([^)]+)\)", done.stdout)
    base = PROJECT["urls"]["Repository"]
    own = [re.sub(f"{re.escape(base)}/(raw|blob)/main/", "", link) for link in links if link.startswith(base)]
    assert len(own) > 5
    assert [link for link in links if "://" not in link] == []
    assert [name for name in own if not (ROOT / name).exists()] == []


def test_a_release_uploads_both_packages_of_pypi() -> None:
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]["pypi"]["steps"]
    (moved,) = (each["run"].split() for each in steps if "run" in each)
    assert {"dist/*.whl", "dist/*.tar.gz", "dist/grammar/*.whl", "dist/grammar/*.tar.gz"} <= set(moved)


def test_the_page_says_which_recipes_wait_for_a_digest() -> None:
    rows = [row for row in (PACKAGING / "README.md").read_text().splitlines() if row.startswith("| ")]
    blank = re.compile(r"\b0{64}\b|\bfakeHash\b")
    waiting = [path for path in PACKAGING.glob("*/*") if blank.search(path.read_text())]
    assert len(waiting) == 3
    for path in waiting:
        (row,) = (each for each in rows if f"({path.relative_to(PACKAGING)})" in each)
        assert "until PyPI has the version" in row.split("|")[5]
