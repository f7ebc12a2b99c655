"""`gcn-lsp run`: launches from options, findings in every format, exit codes."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main
from tests.running.compiled import FOLDER

SAXPY = (FOLDER / "saxpy.s").read_text()
ARGUMENTS = ("--arg", "a=2.0", "--arg", "n=100", "--arg", "x=arange:f32:100", "--arg", "y=ones:f32:100")


def run(folder: Path, *options: str, text: str = SAXPY, arguments: tuple[str, ...] = ARGUMENTS) -> Result:
    path = folder / "saxpy.s"
    path.write_text(text)
    return CliRunner().invoke(main, ["run", str(path), "--grid", "256", "--block", "256", *arguments, *options])


def test_a_buffer_is_saved(tmp_path: Path) -> None:
    result = run(tmp_path, "--save", f"y={tmp_path / 'out'}")
    assert result.exit_code == 0, result.output
    assert "to the end" in result.stderr
    assert (np.load(tmp_path / "out.npy") == 2 * np.arange(100) + 1).all()


def test_a_finding_is_an_exit_of_1(tmp_path: Path) -> None:
    result = run(tmp_path, text=SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0"))
    assert result.exit_code == 1
    assert "error[missing-wait]" in result.stdout


@pytest.mark.parametrize("form", ["json", "sarif", "github", "gitlab", "junit"])
def test_findings_in_every_format(form: str, tmp_path: Path) -> None:
    text = SAXPY.replace("v_cmp_gt_u32 vcc, s9, v0", "s_mov_b64 vcc, exec")
    result = run(tmp_path, "--format", form, text=text)
    assert result.exit_code == 1
    assert "access-outside-memory" in result.stdout
    if form in ("json", "sarif", "gitlab"):
        assert json.loads(result.stdout)


def test_coverage_and_trace(tmp_path: Path) -> None:
    result = run(tmp_path, "--coverage", str(tmp_path / "cov.info"), "--trace")
    assert "s_and_saveexec_b64" in result.stdout
    lines = (tmp_path / "cov.info").read_text().splitlines()
    number = next(line for line, text in enumerate(SAXPY.splitlines(), 1) if "v_mac_f32" in text)
    assert f"DA:{number},2" in lines
    assert lines[-1] == "end_of_record"


def test_a_launch_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("k:\n  v_lshlrev_b32 v1, 2, v0\n  global_store_dword v1, v0, s[0:1]\n  s_endpgm\n")
    options = ["--kernel", "k", "--grid", "64", "--register", "s[0:1]=y", "--register", "v0=item_x"]
    saved = ["--arg", "y=zeros:u32:64", "--save", f"y={tmp_path / 'y.npy'}", "--target", "gfx900"]
    result = CliRunner().invoke(main, ["run", str(path), *options, *saved])
    assert result.exit_code == 0, result.output
    assert np.load(tmp_path / "y.npy").tolist() == list(range(64))


@pytest.mark.parametrize(
    ("options", "arguments", "said"),
    [
        (("--kernel", "gemm"), ARGUMENTS, "has no kernel gemm; its kernels: saxpy."),
        ((), ARGUMENTS[2:], "kernel saxpy needs an argument a (a value of 4 bytes, float)."),
        (("--arg", "z=1"), ARGUMENTS, "has no argument z; its arguments: x, y, a, n."),
        (("--arg", "x=what"), ARGUMENTS, "'what' is neither a number nor a file .npy"),
        (("--arg", "x"), ARGUMENTS, "'x' is not NAME=VALUE"),
        (("--grid", "many"), ARGUMENTS, "'many' is not one to three sizes"),
        (("--lds", "99999"), ARGUMENTS, "99999 bytes of LDS are too many"),
        (("--block", "512"), ARGUMENTS, "a work-group of 512 work-items is too large"),
        (("--save", "z=z.npy"), ARGUMENTS, "there is no buffer z to save; the buffers: x, y"),
    ],
)
def test_a_wrong_launch_is_a_sentence_and_exit_2(
    options: tuple[str, ...], arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    result = run(tmp_path, *options, arguments=arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_without_numpy_it_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "running kernels needs numpy: pip install 'gcn-lsp[run]'" in result.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["run", str(tmp_path / "absent.s"), "--grid", "64"])
    assert result.exit_code == 2
    assert "absent.s" in result.stderr
