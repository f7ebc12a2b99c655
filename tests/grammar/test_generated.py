"""The committed parsers are the ones that the grammar gives, and the one for old editors makes the same trees.

`src/` has ABI 15; `abi14/src/` is for Neovim before 0.11, Helix before 25.07 and Emacs with tree-sitter before 0.25.
"""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest
import tree_sitter

from gcn_lsp.syntax.language import LANGUAGE
from tests.grammar.sources import OWN_KERNELS, REPOSITORY

GRAMMAR = REPOSITORY / "grammar"
OLD = GRAMMAR / "abi14" / "src"
CLI = shutil.which("tree-sitter") or shutil.which("tree-sitter", path=str(Path.home() / ".cargo" / "bin"))
CC = shutil.which("cc")
needs_cli = pytest.mark.skipif(CLI is None, reason="needs the tree-sitter command: cargo install tree-sitter-cli")


def files(folder: Path) -> dict[str, bytes]:
    """What is generated: all files of a folder but the scanner."""
    found = (path for path in folder.rglob("*") if path.suffix in (".c", ".h", ".json") and path.name != "scanner.c")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@needs_cli
def test_the_parsers_are_up_to_date(tmp_path: Path) -> None:
    assert CLI is not None
    for name in ("grammar.js", "tree-sitter.json", "package.json", "Makefile"):
        shutil.copy(GRAMMAR / name, tmp_path)
    path = f"{Path(CLI).parent}:/usr/bin:/bin"
    subprocess.run(["make", "-s", "generate"], cwd=tmp_path, env={"PATH": path}, check=True, capture_output=True)
    assert files(tmp_path / "src").keys() > {"parser.c", "grammar.json", "node-types.json"}
    assert files(tmp_path / "src") == files(GRAMMAR / "src")
    assert files(tmp_path / "abi14" / "src") == files(OLD)


@needs_cli
def test_the_grammars_own_tests_pass() -> None:
    assert CLI is not None
    result = subprocess.run([CLI, "test"], cwd=GRAMMAR, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> tree_sitter.Language:
    """The language at ABI 14, compiled as an editor compiles it: in its folder, with the headers of that folder."""
    if CC is None:
        pytest.skip("a C compiler is not installed (Debian packages gcc libc6-dev)")
    library = tmp_path_factory.mktemp("abi14") / "amdgpu.so"
    command = [CC, "-shared", "-fPIC", "-I.", "parser.c", "scanner.c", "-o", str(library)]
    subprocess.run(command, cwd=OLD, check=True)
    function = ctypes.CDLL(str(library)).tree_sitter_amdgpu
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(capsule(function(), b"tree_sitter.Language", None))


def test_there_is_one_of_the_newest_and_one_of_the_older_abi(older: tree_sitter.Language) -> None:
    assert (LANGUAGE.abi_version, older.abi_version) == (15, 14)
    assert tree_sitter.LANGUAGE_VERSION == 15, "tree-sitter knows a newer ABI: generate src/ for that"


def shape(node: tree_sitter.Node) -> list[tuple[str, int, int, bool]]:
    """All nodes below one, in their order."""
    found = [(node.type, node.start_byte, node.end_byte, node.has_error)]
    for child in node.children:
        found.extend(shape(child))
    return found


@pytest.mark.parametrize(
    "path", [*OWN_KERNELS, *sorted((GRAMMAR / "test" / "corpus").glob("*.txt"))], ids=lambda path: path.name
)
def test_both_make_the_same_trees(path: Path, older: tree_sitter.Language) -> None:
    text = path.read_bytes()
    newest, old = (tree_sitter.Parser(language).parse(text).root_node for language in (LANGUAGE, older))
    assert shape(newest) == shape(old)
