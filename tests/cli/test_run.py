"""`gcn-lsp run`: launches from options, findings in every format, exit codes."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main
from gcn_lsp.machine.run import LIMIT
from tests.running.compiled import FOLDER

SAXPY = (FOLDER / "saxpy.s").read_text()
ARGUMENTS = ("--arg", "a=2.0", "--arg", "n=100", "--arg", "x=arange:f32:100", "--arg", "y=ones:f32:100")

WITHOUT_X = (*ARGUMENTS[:4], *ARGUMENTS[6:])


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
        ((), ARGUMENTS[2:], "kernel saxpy needs an argument a (a value of 4 bytes, float). For example, --arg a=1."),
        (("--arg", "z=1"), ARGUMENTS, "has no argument z. Its arguments: x, y, a, n."),
        (("--arg", "xs=1"), WITHOUT_X, "has no argument xs; did you mean x? Its arguments: x, y, a, n."),
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


def test_without_a_block_it_says_which_it_took(tmp_path: Path) -> None:
    path = tmp_path / "saxpy.s"
    path.write_text(SAXPY)
    result = CliRunner().invoke(main, ["run", str(path), "--grid", "256", *ARGUMENTS])
    assert result.stderr.strip().endswith(" (--block sets another size)")
    assert "in work-groups of " in result.stderr
    assert "in work-groups" not in run(tmp_path).stderr


def test_it_says_that_descriptor_and_metadata_differ_in_lds(tmp_path: Path) -> None:
    said = (
        "the descriptor of saxpy requests 0 bytes of LDS, and the metadata say 64: a launch gives what the descriptor"
    )
    assert (
        said
        in run(tmp_path, text=SAXPY.replace(".group_segment_fixed_size: 0", ".group_segment_fixed_size: 64")).stderr
    )
    assert "LDS" not in run(tmp_path).stderr


def test_without_a_size_it_says_how_to_give_one(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("k:\n  s_endpgm\n")
    result = CliRunner().invoke(main, ["run", str(path), "--kernel", "k", "--target", "gfx900"])
    assert result.exit_code == 2
    assert "Missing option '--grid': the number of work-items. For example, --grid 1024." in result.stderr


def test_what_is_missing_is_listed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "saxpy.s"
    path.write_text(SAXPY)
    arguments = "--arg x=random:f32:1024 --arg y=random:f32:1024 --arg a=1 --arg n=1."
    told = CliRunner().invoke(main, ["run", str(path)]).stderr
    assert f"For example, --grid 1024 {arguments}" in told
    told = CliRunner().invoke(main, ["run", str(path), "--grid", "64"]).stderr
    assert f"kernel saxpy needs an argument x (a buffer). For example, {arguments}" in told


def test_without_numpy_it_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "running kernels needs numpy: pip install 'gcn-lsp[run]'" in result.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["run", str(tmp_path / "absent.s"), "--grid", "64"])
    assert result.exit_code == 2
    assert "absent.s" in result.stderr


def test_processes_that_share_the_orders_find_the_same(tmp_path: Path) -> None:
    text = SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0")
    one, two = (run(tmp_path, "--orders", "--format", "json", "--jobs", jobs, text=text) for jobs in ("1", "2"))
    assert "order-dependent-result" in one.stdout
    assert (one.stdout, one.stderr, one.exit_code) == (two.stdout, two.stderr, 1)


ENDLESS = SAXPY.replace("s_endpgm", "s_branch done")


def command(folder: Path, *options: str) -> list[str]:
    (folder / "saxpy.s").write_text(ENDLESS)
    # Whoever runs the tests may ignore the signal, and children would then too.
    code = "import signal as s; s.signal(s.SIGINT, s.default_int_handler); from gcn_lsp.cli.main import main; main()"
    start = [sys.executable, "-c", code, "run", str(folder / "saxpy.s"), "--grid", "256", "--block", "256"]
    return [*start, *ARGUMENTS, *options]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_an_interruption_shows_the_state_so_far(tmp_path: Path) -> None:
    saved = tmp_path / "y.npy"
    line = command(tmp_path, "--save", f"y={saved}", "--coverage", str(tmp_path / "cov.info"), "--trace")
    line += ["--limit", "3000000"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        # Two of the waves have something to store.
        lines = iter(process.stdout.readline, "")
        stores = (each for each in lines if "global_store_dword" in each)
        for _ in range(2):
            next(stores)
        for _ in range(300):
            next(lines)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()
    assert process.returncode == 130
    assert "was here when the run was interrupted" in rest
    assert "not to the end" in errors
    assert "Traceback" not in errors
    assert (np.load(saved) == 2 * np.arange(100) + 1).all()
    assert "end_of_record" in (tmp_path / "cov.info").read_text()


SPIN = SAXPY.replace("s_endpgm", "spin:\n  s_nop 0\n  s_branch spin")


def test_a_run_that_spins_says_where_it_stays_once(tmp_path: Path) -> None:
    first = next(number for number, line in enumerate(SPIN.splitlines(), 1) if line.endswith("spin:")) + 1
    limit = ("--limit", "60000")
    said = f"have been in lines {first} to {first + 1} for 30000 instructions; Ctrl-C ends the run with what it found"
    result = run(tmp_path, *limit, text=SPIN)
    assert result.stderr.count(said) == 1
    assert "wave 0 of work-group 0,0,0 and" in result.stderr
    assert "or it stops after 60000\n" in result.stderr
    assert "stopped-run" in result.stdout
    assert said not in run(tmp_path, *limit, "-q", text=SPIN).stderr


def test_a_run_that_goes_on_says_nothing_of_where_it_is(tmp_path: Path) -> None:
    loop = "s_movk_i32 s20, 900\nspin:\n  s_sub_u32 s20, s20, 1\n  s_cmp_lg_u32 s20, 0\n  s_cbranch_scc1 spin\n"
    result = run(tmp_path, text=SAXPY.replace("s_endpgm", f"{loop}  s_endpgm"))
    assert "to the end" in result.stderr
    assert "have been in" not in result.stderr


def test_the_help_names_the_limit_that_there_is(tmp_path: Path) -> None:
    assert f"[default: {LIMIT}]" in " ".join(CliRunner().invoke(main, ["run", "--help"]).stdout.split())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo terminals")
def test_a_terminal_has_a_progress_bar(tmp_path: Path) -> None:
    import pty

    main_end, other_end = pty.openpty()
    line = command(tmp_path, "--limit", "20000")
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=other_end, env={**os.environ, "TERM": "xterm"}
    ) as process:
        process.communicate()
    os.close(other_end)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal that nobody has open
        while chunk := os.read(main_end, 4096):
            shown += chunk
    os.close(main_end)
    assert b"Running" in shown
    assert b"0%" in shown


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed (Debian package clang-22)")
def test_a_file_behind_the_preprocessor_and_a_code_object(tmp_path: Path) -> None:
    source = tmp_path / "saxpy.S"
    source.write_text("#define SCALE s8\n" + SAXPY.replace("v_mac_f32 v3, s8", "v_mac_f32 v3, SCALE"))
    other = tmp_path / "saxpy.o"
    (tmp_path / "saxpy.s").write_text(SAXPY)
    clang = (
        "clang-22",
        "-target",
        "amdgcn-amd-amdhsa",
        "-mcpu=gfx900",
        "-c",
        "-o",
        str(other),
        str(tmp_path / "saxpy.s"),
    )
    subprocess.run(clang, check=True)
    for path in (source, other):
        saved = tmp_path / f"{path.suffix[1:]}.npy"
        line = ["run", str(path), "--grid", "256", "--block", "256", *ARGUMENTS, "--save", f"y={saved}"]
        result = CliRunner().invoke(main, line)
        assert result.exit_code == 0, result.output
        assert (np.load(saved) == 2 * np.arange(100) + 1).all()
