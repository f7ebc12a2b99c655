"""The Emacs modes against the real server, with eglot: Emacs runs without a screen and prints what it sees."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.editors.metadata import METADATA

HERE = Path(__file__).parent
MODE = HERE.parents[1] / "editors" / "emacs"

EMACS = shutil.which("emacs")
PACKAGES = ("-f", "package-activate-all")  # of the system; eglot is one before Emacs 29


def has(library: str) -> bool:
    if EMACS is None:
        return False
    # As in the tests: packages of the system count, a user's own do not.
    environment = {**os.environ, "HOME": "/nonexistent"}
    program = f'(kill-emacs (if (locate-library "{library}") 0 1))'
    command = [EMACS, "--batch", *PACKAGES, "--eval", program]
    return subprocess.run(command, env=environment, capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(
    not has("eglot"), reason="Emacs with eglot is not installed (emacs-nox; elpa-eglot for 28)"
)


def run(project: Path, *arguments: str, program: str = "emacs.el") -> dict[str, Any]:
    command = [str(EMACS), "--batch", *PACKAGES, "-L", str(MODE), *arguments, "-l", str(HERE / program)]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=180)
    assert result.stdout.startswith("{"), result.stdout + result.stderr
    return dict(json.loads(result.stdout))


def test_the_mode_compiles_without_a_warning(tmp_path: Path) -> None:
    shutil.copy(MODE / "gcn-mode.el", tmp_path)
    program = "(setq byte-compile-error-on-warn t)"
    command = [str(EMACS), "--batch", "--eval", program, "-f", "batch-byte-compile", "gcn-mode.el"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


_TYPED = f"k:\n    s_endpgm\n{METADATA}"


def test_metadata_are_indented_as_they_are_typed() -> None:
    lines = " ".join(json.dumps(line.strip()) for line in _TYPED.splitlines())
    program = f"""
        (with-temp-buffer
          (gcn-mode)
          (setq tab-width 4 indent-tabs-mode nil)
          (dolist (line '({lines}))
            (insert line) (gcn-indent-line) (end-of-line) (newline) (gcn-indent-line))
          (delete-trailing-whitespace)
          (princ (buffer-string)))
    """
    command = [str(EMACS), "--batch", "-l", str(MODE / "gcn-mode.el"), "--eval", program]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.stdout.rstrip() == _TYPED.rstrip(), result.stderr


def test_hints_are_notes_only_if_asked_for(project: Path) -> None:
    seen = run(project, "--eval", "(setq gcn-show-hints t)")
    assert [found for found in seen["diagnostics"] if "s_size" in found["text"]]


def test_a_session_with_eglot(project: Path) -> None:
    seen = run(project)
    assert seen["kernel"] == "gcn-mode"
    assert seen["x86"] != "gcn-mode"
    assert seen["hip"] == "c++-mode"
    assert (seen["mnemonic-face"], seen["label-face"]) == ("font-lock-keyword-face", "font-lock-function-name-face")
    assert seen["symbol-face"] == "font-lock-variable-name-face"
    assert [(found["line"], "s[1:2]" in found["text"]) for found in seen["diagnostics"]][:1] == [(4, True)]
    assert not [found for found in seen["diagnostics"] if "s_size" in found["text"]]  # a hint
    assert "v_add_f32" in seen["hover"]
    assert "v35" in seen["hover"]
    assert "v_mfma_f32_32x32x8f16" in seen["completion"]
    assert seen["target"] == "gfx90a"
    assert seen["hints"] == ["v35"]
    assert seen["declaration"] == 3  # the label itself, which nothing else declares
    assert "gcn-lsp/checkProject" in seen["commands"]
    assert seen["command"] == "gfx90a"


@pytest.mark.skipif(not has("lsp-mode"), reason="lsp-mode is not installed for Emacs (Debian package elpa-lsp-mode)")
def test_a_session_with_lsp_mode(project: Path) -> None:
    seen = run(project, program="emacs-lsp-mode.el")
    assert (seen["kernel"], seen["server"]) == ("gcn-mode", "gcn-lsp")
    assert [(found["line"], "s[1:2]" in found["text"]) for found in seen["diagnostics"]][:1] == [(4, True)]
    assert "v_add_f32" in seen["hover"]
    assert "v35" in seen["hover"]
    assert "v_mfma_f32_32x32x8f16" in seen["completion"]
    assert seen["target"] == "gfx90a"


@pytest.mark.skipif(not has("treesit"), reason="Emacs 29 or newer, which has tree-sitter, is not installed")
@pytest.mark.skipif(shutil.which("cc") is None, reason="a C compiler is not installed (Debian packages gcc libc6-dev)")
def test_the_tree_sitter_mode(project: Path) -> None:
    grammar = HERE.parents[1] / "grammar"
    folder = project / "tree-sitter"
    folder.mkdir()
    library = folder / "libtree-sitter-amdgpu.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-I.", "parser.c", "scanner.c", "-o", str(library)]
    subprocess.run(command, cwd=grammar / "abi14" / "src", check=True)
    where = f'(setq treesit-extra-load-path (list "{folder}"))'
    seen = run(project, "--eval", where)
    assert seen["kernel"] == "gcn-ts-mode"
    assert (seen["mnemonic-face"], seen["label-face"]) == ("font-lock-keyword-face", "font-lock-function-name-face")
    assert seen["register-face"] == "font-lock-variable-name-face"
    assert seen["diagnostics"]
