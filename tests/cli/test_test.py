"""`gcn-lsp test`: tests of kernels in TOML files."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main
from tests.running.compiled import FOLDER

SAXPY = (FOLDER / "saxpy.s").read_text()
TEST = """
[[test]]
name = "short"
grid = 256
block = 256
arguments = { x = "arange:f32:100", y = "ones:f32:100", a = 2.0, n = 100 }
reference = "reference.py:saxpy"
"""
REFERENCE = """
def saxpy(x, y, a, n):
    return {"y": a * x + y}
def wrong(x, y, a, n):
    return a * x
def broken(x, y, a, n):
    return x[1000]
"""


def run(folder: Path, text: str, *options: str, source: str = SAXPY) -> Result:
    (folder / "saxpy.s").write_text(source)
    (folder / "reference.py").write_text(REFERENCE)
    (folder / "saxpy.kernel.toml").write_text(text)
    return CliRunner().invoke(main, ["test", str(folder), *options])


def test_a_test_that_passes(tmp_path: Path) -> None:
    result = run(tmp_path, TEST)
    assert result.exit_code == 0, result.output
    assert "1 passed, 0 failed, 0 cannot run" in result.stderr


def test_a_wrong_result_fails_with_values(tmp_path: Path) -> None:
    result = run(tmp_path, TEST.replace(":saxpy", ":wrong"))
    assert result.exit_code == 1
    assert "100 of 100 elements differ: y[0] is 1.0, not 0.0, y[1] is 3.0, not 2.0" in result.stdout


def test_a_tolerance(tmp_path: Path) -> None:
    result = run(tmp_path, TEST.replace(":saxpy", ":wrong").replace("grid", "tolerance = 1.0\ngrid"))
    assert result.exit_code == 0, result.output


def test_expected_values_and_findings(tmp_path: Path) -> None:
    expected = TEST.replace('reference = "reference.py:saxpy"', 'expect = { x = "arange:f32:100" }')
    finding = TEST.replace('reference = "reference.py:saxpy"', 'fails = "missing-wait"').replace("short", "waits")
    result = run(tmp_path, expected + finding)
    assert result.exit_code == 1
    assert "no missing-wait is found; found: nothing" in result.stdout
    result = run(tmp_path, finding, source=SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0"))
    assert result.exit_code == 0, result.output


def test_a_finding_fails_a_test(tmp_path: Path) -> None:
    result = run(tmp_path, TEST, source=SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0"))
    assert result.exit_code == 1
    assert "error[missing-wait]" in result.stdout


def test_junit(tmp_path: Path) -> None:
    both = TEST + TEST.replace("short", "wrong").replace(":saxpy", ":wrong")
    result = run(tmp_path, both, "--junit", str(tmp_path / "out.xml"))
    assert result.exit_code == 1
    root = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert [case.get("name") for case in root.iter("testcase")] == ["short", "wrong"]
    assert len(list(root.iter("failure"))) == 1


def test_one_test_is_chosen(tmp_path: Path) -> None:
    result = run(tmp_path, TEST + TEST.replace("short", "other"), "-k", "other")
    assert "1 passed" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = [", "is not TOML"),
        ("", "has no [[test]]"),
        ("[[test]]\n", "needs `grid`"),
        ("[[test]]\ngrid = 64\nblok = 3\n", "unknown key `blok`"),
        ("[[test]]\ngrid = 'x'\n", "`grid` is one to three numbers above 0"),
        ("[[test]]\ngrid = 64\narguments = { x = [1] }\n", "`arguments.x` is a number, or text"),
        ("file = 'absent.s'\n[[test]]\ngrid = 64\n", "absent.s"),
        (TEST.replace(":saxpy", ":broken"), "reference.py:broken fails: IndexError"),
        (TEST.replace(":saxpy", ":nothing"), "has no function nothing"),
        (TEST.replace("reference.py", "absent.py"), "absent.py cannot be read"),
    ],
)
def test_a_test_that_cannot_run_is_a_sentence_and_exit_2(text: str, said: str, tmp_path: Path) -> None:
    result = run(tmp_path, text)
    assert result.exit_code == 2
    assert said in result.stdout


def test_a_folder_without_tests(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["test", str(tmp_path)])
    assert result.exit_code == 2
    assert "tests are in files *.kernel.toml" in result.stderr


def test_processes_report_in_the_order_of_the_tests(tmp_path: Path) -> None:
    names = ("first", "second", "third")
    several = "".join(TEST.replace("short", name) for name in names)
    wrong = several.replace(":saxpy", ":wrong", 1)
    one, two = (run(tmp_path, wrong, "--jobs", jobs) for jobs in ("1", "2"))
    assert [line.split(": ")[1].split(" (")[0] for line in two.stdout.splitlines()] == list(names)
    assert two.stdout.splitlines()[0] == one.stdout.splitlines()[0]
    assert (one.exit_code, two.exit_code) == (1, 1)
    assert two.stderr == one.stderr
