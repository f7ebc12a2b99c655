"""Every client recognises AMD GPU assembly by the one table of editors/recognition.py, and so judges the same files."""

import fnmatch
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from editors import recognition
from gcn_lsp.project import file_signs
from tests.editors.test_emacs import EMACS, MODE

SAMPLES = sorted((Path(__file__).parent / "recognition").glob("*/*"))
FOR_AMDGPU = {path.name for path in SAMPLES if path.parent.name == "amdgpu"}


@pytest.mark.parametrize("name", recognition.FILES)
def test_the_clients_have_the_table(name: str) -> None:
    made = recognition.FILES[name]()
    assert (recognition.HERE / name).read_text() == made, "run python -m editors.recognition"


ROWS = (*file_signs.SIGNS, file_signs.COMMENT_LINE)


@pytest.mark.parametrize("row", ROWS)
def test_every_sign_has_a_sample_with_no_other(row: str) -> None:
    """A client without a sign fails for a sample."""
    alone = {
        path.name
        for path in SAMPLES
        if [other for other in ROWS if re.search(other, path.read_text(), re.MULTILINE)] == [row]
    }
    assert alone & FOR_AMDGPU


@pytest.mark.skipif(EMACS is None, reason="Emacs is not installed (Debian package emacs-nox)")
def test_emacs_takes_the_files_for_amd_gpus() -> None:
    program = """(progn (require 'gcn-mode) (dolist (file command-line-args-left)
      (with-temp-buffer (insert-file-contents file) (setq buffer-file-name file)
        (when (gcn-buffer-p) (princ (concat (file-name-nondirectory file) "\\n"))) (set-buffer-modified-p nil)
        (setq buffer-file-name nil))) (kill-emacs 0))"""
    command = [str(EMACS), "--batch", "-L", str(MODE), "--eval", program, *map(str, SAMPLES)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert set(result.stdout.split()) == FOR_AMDGPU


@pytest.mark.skipif(shutil.which("grep") is None, reason="there is no grep, which Kakoune's hook runs")
def test_kakoune_takes_the_files_for_amd_gpus() -> None:
    source = (recognition.HERE / "kakoune" / "gcn.kak").read_text()
    hook = re.search(r"evaluate-commands %sh\{\n(.*?)\n    \}", source, re.DOTALL)
    assert hook is not None
    taken = {
        path.name
        for path in SAMPLES
        if subprocess.run(["sh", "-c", hook[1]], env={"kak_buffile": str(path), "PATH": "/bin:/usr/bin"},
                          capture_output=True, text=True).stdout
    }  # fmt: skip
    assert taken == FOR_AMDGPU


@pytest.mark.parametrize("ending", file_signs.SURE_ENDINGS)
def test_names_of_amd_gpu_assembly_alone(ending: str) -> None:
    lisp = re.search(r'gcn--sure-file-regexp "(.*?)"\n', (recognition.HERE / "emacs" / "gcn-mode.el").read_text())
    kakoune = re.search(r"BufCreate (\S+) %", (recognition.HERE / "kakoune" / "gcn.kak").read_text())
    assert lisp is not None
    assert kakoune is not None
    emacs = lisp[1].replace("\\\\", "\\")
    for spelling, python in ((r"\(?:", "(?:"), (r"\)", ")"), (r"\|", "|"), (r"\'", r"\Z")):
        emacs = emacs.replace(spelling, python)
    assert re.search(emacs, f"kernel.{ending}")
    assert re.fullmatch(kakoune[1], f"kernel.{ending}")
    language = json.loads((recognition.HERE / "vscode" / "package.json").read_text())["contributes"]["languages"][0]
    patterns = [*(f"*{suffix}" for suffix in language["extensions"]), *language["filenamePatterns"]]
    assert any(fnmatch.fnmatch(f"kernel.{ending}", pattern) for pattern in patterns)
