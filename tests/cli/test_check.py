"""`gcn-lsp check`: paths, settings, exit codes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main
from gcn_lsp.program import program
from gcn_lsp.text import SourceText

GOOD = "; gcn-lsp: target=gfx900\ns_nop 0\n"
BAD = "; gcn-lsp: target=gfx900\ns_load_dwordx2 s[1:2], s[4:5], 0x0\n"
WARNING = '; gcn-lsp: target=gfx900\n.warning "look"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.s").write_text(GOOD)
    (tmp_path / "bad.s").write_text(BAD)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=stdin)


def findings(*arguments: str, stdin: str | None = None) -> list[tuple[str, int, str]]:
    rows = json.loads(run("--format", "json", *arguments, stdin=stdin).stdout)
    return [(row["file"], row["line"], row["rule"]) for row in rows]


def test_clean_file_ends_with_0(folder: Path) -> None:
    result = run("good.s")
    assert (result.exit_code, result.stdout) == (0, "1 file checked: no findings\n")


def test_errors_end_with_1_and_show_the_line(folder: Path) -> None:
    result = run("bad.s")
    assert result.exit_code == 1
    first, line, underline, *_ = result.stdout.splitlines()
    assert first.startswith("bad.s:2:16: error[misaligned-register]: ")
    assert line == "    s_load_dwordx2 s[1:2], s[4:5], 0x0"
    assert underline == "                   ^^^^^^"


def test_warnings_end_with_1_information_with_0(folder: Path) -> None:
    (folder / "warning.s").write_text(WARNING)
    (folder / "unknown.s").write_text("s_nop 0\n")
    assert run("warning.s").exit_code == 1
    assert findings("unknown.s") == [("unknown.s", 1, "unknown-target")]
    assert run("unknown.s").exit_code == 0


def test_missing_files_end_with_2_and_do_not_stop_the_others(folder: Path) -> None:
    assert run("missing.s", "bad.s").exit_code == 2
    assert [rule for _, _, rule in findings("missing.s", "bad.s")] == ["unreadable-file", "misaligned-register"]


def test_directories_are_walked(folder: Path) -> None:
    for name in ("b/k.S", "b/k.asm", "b/part.inc", "b/k.txt", ".hidden/k.s"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(BAD)
    checked = [file for file, _, _ in findings(".")]
    assert checked == ["bad.s", "b/k.S", "b/k.asm"]
    assert [file for file, _, _ in findings("b/part.inc")] == ["b/part.inc"]


def test_a_directory_without_assembly_is_said_so(folder: Path) -> None:
    (folder / "empty").mkdir()
    result = run("empty")
    assert result.exit_code == 2
    assert "no assembly files" in result.stderr


def test_standard_input(folder: Path) -> None:
    assert findings("-", stdin=BAD) == [("<stdin>", 2, "misaligned-register")]


def test_target_option_wins_and_the_conflict_is_told(folder: Path) -> None:
    (folder / "k.s").write_text("; gcn-lsp: target=gfx90a\nglobal_load_dwordx2 v[1:2], v[4:5], off\n")
    assert findings("--target", "gfx900", "k.s") == [("k.s", 1, "conflicting-targets")]
    assert findings("k.s") == [("k.s", 2, "misaligned-register")]


def test_symbols_and_include_paths(folder: Path) -> None:
    (folder / "k.s").write_text('; gcn-lsp: target=gfx900\n.include "a.inc"\n.if wide\nwait\n.endif\n')
    (folder / "inc").mkdir()
    (folder / "inc" / "a.inc").write_text('.macro wait\n.error "in the macro"\n.endm\n')
    assert findings("k.s")[0] == ("k.s", 2, "include-not-found")
    assert findings("-I", "inc", "--defsym", "wide=0", "k.s") == []
    assert findings("-I", "inc", "--defsym", "wide=1", "k.s") == [("k.s", 4, "user-error")]


def test_severities_of_rules_are_those_of_the_project(folder: Path) -> None:
    (folder / "gcn-lsp.toml").write_text("severity = { misaligned-register = 'information', user-warning = 'off' }\n")
    (folder / "warning.s").write_text(WARNING)
    assert run("bad.s").exit_code == 0
    assert "bad.s:2:16: information[misaligned-register]" in run("bad.s").stdout
    assert findings("warning.s") == []


def test_select_and_ignore(folder: Path) -> None:
    (folder / "k.s").write_text(BAD + '.warning "look"\n')
    assert [rule for _, _, rule in findings("--select", "user-warning", "k.s")] == ["user-warning"]
    assert [rule for _, _, rule in findings("--ignore", "user-warning,user-error", "k.s")] == ["misaligned-register"]


def test_hints_are_shown_when_asked_for_and_never_fail(folder: Path) -> None:
    (folder / "k.s").write_text(GOOD + ".set spare, 1\n.if 0\n/* \u00e9 */ s_nop 1\n  s_nop 2\n.endif\n")
    assert findings("k.s") == []
    assert findings("--severity", "hint", "k.s") == [("k.s", 3, "unused-symbol"), ("k.s", 5, "unreachable-branch")]
    result = run("--severity", "hint", "k.s")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "1 file checked: 2 hints")
    (row,) = json.loads(run("--severity", "hint", "--select", "unreachable-branch", "--format", "json", "k.s").stdout)
    assert [row[key] for key in ("line", "column", "end_line", "end_column", "unnecessary")] == [5, 1, 6, 10, True]


def test_severity_sets_what_is_shown_and_counts(folder: Path) -> None:
    (folder / "k.s").write_text(WARNING)
    assert findings("--severity", "warning", "k.s", "bad.s") == [
        ("k.s", 2, "user-warning"),
        ("bad.s", 2, "misaligned-register"),
    ]
    assert findings("--severity", "error", "k.s", "bad.s") == [("bad.s", 2, "misaligned-register")]
    assert run("--severity", "error", "k.s").exit_code == 0


def test_suppressed_findings_do_not_count(folder: Path) -> None:
    (folder / "k.s").write_text(BAD + "; gcn-lsp: disable-file=misaligned-register\n")
    assert run("k.s").exit_code == 0


def test_findings_about_the_target_can_be_switched_off_too(folder: Path) -> None:
    (folder / "k.s").write_text("; gcn-lsp: target=gfx90a\n; gcn-lsp: disable-file=conflicting-targets\ns_nop 0\n")
    assert findings("--target", "gfx900", "k.s") == []
    (folder / "k.s").write_text("; gcn-lsp: disable-file=unknown-target\ns_nop 0\n")
    assert findings("k.s") == []


def test_mistakes_in_the_configuration_are_shown_at_their_line(folder: Path) -> None:
    (folder / "gcn-lsp.toml").write_text('target = "gfx900"\nmatr = "-xnack"\n')
    result = run("good.s")
    assert "gcn-lsp.toml:2:1: warning[configuration-error]" in result.stdout
    assert '    matr = "-xnack"\n    ^' in result.stdout
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--target", "gfx99", "good.s"),
        ("--mattr", "+nonsense", "good.s"),
        ("--defsym", "a", "good.s"),
        ("--defsym", "a=b", "good.s"),
        ("--select", "misaligned", "good.s"),
        ("--format", "xml", "good.s"),
        ("--nonsense", "good.s"),
    ],
)
def test_wrong_use_ends_with_2(folder: Path, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_wrong_names_are_answered_with_the_nearest(folder: Path) -> None:
    assert "did you mean gfx90a?" in run("--target", "gfx90aa", "good.s").stderr
    assert "did you mean misaligned-register?" in run("--ignore", "misalined-register", "good.s").stderr


def test_many_files_come_in_order(folder: Path) -> None:
    names = [f"k{number:02}.s" for number in range(12)]
    for name in names:
        (folder / name).write_text(BAD)
    assert [file for file, _, _ in findings(*names)] == names


def test_a_mistake_in_a_shared_file_is_told_once(folder: Path) -> None:
    (folder / "shared.inc").write_text("s_load_dwordx2 s[1:2], s[4:5], 0x0\n")
    for name in ("a.s", "b.s"):
        (folder / name).write_text('; gcn-lsp: target=gfx900\n.include "shared.inc"\n')
    assert findings("a.s", "b.s") == [("shared.inc", 1, "misaligned-register")]


def test_verbose_says_which_target_was_taken_and_why(folder: Path) -> None:
    (folder / "unknown.s").write_text("s_nop 0\n")
    first, second = run("--verbose", "good.s", "unknown.s").stderr.splitlines()
    assert first.startswith("good.s: gfx900: ")
    assert "line 1" in first
    assert second.startswith(
        "unknown.s: gfx942 assumed: nothing names a target for this file; it may also be for gfx90a,"
    )


def test_of_files_without_a_target_there_is_one_line(folder: Path) -> None:
    for name in ("one.s", "two.s", "three.s"):
        (folder / name).write_text("s_nop 0\n" if name != "two.s" else "s_wait_loadcnt 0\n")
    assert run("one.s").stdout == (
        "one.s names no target, gfx942 assumed: name it with --target or in gcn-lsp.toml\n1 file checked: no findings\n"
    )
    first, _ = run("one.s", "two.s", "three.s").stdout.splitlines()
    assert first.startswith("3 files name no target, gfx942 for 2, gfx1200 for 1 assumed: ")
    (notice,) = run("--format", "github", "one.s", "three.s").stdout.splitlines()
    assert notice.startswith("::notice title=gcn-lsp unknown-target::2 files name no target, gfx942 assumed: ")
    assert run("--ignore", "unknown-target", "one.s").stdout == "1 file checked: no findings\n"


def test_the_same_file_is_checked_once(folder: Path) -> None:
    assert len(findings("bad.s", "bad.s")) == 1
    assert len(findings("bad.s", ".")) == 1


def test_a_bug_in_one_file_does_not_hide_the_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(source: SourceText, options: program.Options) -> program.Program:
        if source.path == "good.s":
            raise RuntimeError("oops")
        return original(source, options)

    original = program.build
    monkeypatch.setattr(program, "build", build)
    result = run("--format", "json", "-", "good.s", "bad.s", stdin="")
    assert result.exit_code == 2
    rules = {row["file"]: row["rule"] for row in json.loads(result.stdout)}
    assert (rules["good.s"], rules["bad.s"]) == ("unreadable-file", "misaligned-register")


@pytest.mark.parametrize("data", [b"", b"\0\xff\xfe" * 500, b"x" * 2_000_000, b"\r\n\r\n\xff", b'.macro a\n"', b"/*"])
def test_any_input_is_survived(folder: Path, data: bytes) -> None:
    (folder / "k.s").write_bytes(data)
    result = run("--target", "gfx900", "--format", "json", "k.s")
    is_binary = data.startswith(b"\0\xff")
    assert result.exit_code in ((2,) if is_binary else (0, 1)), result.output
    json.loads(result.stdout)


def test_several_targets(folder: Path) -> None:
    (folder / "mad.s").write_text("v_mad_f32 v0, v1, v2, v3\n")
    assert findings("--targets", "gfx900,gfx1100", "mad.s") == [("mad.s", 1, "portability")]
    assert findings("--targets", "gfx900", "--targets", "gfx906:xnack+", "mad.s") == []
    assert run("--targets", "gfx900,gfx99", "mad.s").exit_code == 2


def test_the_features_of_a_target_id_are_kept(folder: Path) -> None:
    (folder / "nop.s").write_text("s_nop 0\n")
    assert "nop.s: gfx90a -xnack: " in run("-v", "--target", "gfx90a:xnack-", "nop.s").stderr


def test_the_expansion_limit_is_an_option_and_a_setting(folder: Path) -> None:
    (folder / "long.s").write_text("; gcn-lsp: target=gfx900\n.rept 50\ns_nop 0\n.endr\ns_nop 0\n")
    assert findings("long.s") == []
    assert findings("--expansion-limit", "99", "long.s") == [("long.s", 2, "expansion-limit")]
    assert findings("--expansion-limit", "100", "long.s") == []
    assert "more than 99 lines" in run("--expansion-limit", "99", "long.s").stdout
    assert run("--expansion-limit", "0", "long.s").exit_code == 2
    (folder / "gcn-lsp.toml").write_text("expansion-limit = 10\n")
    assert findings("long.s") == [("long.s", 2, "expansion-limit")]
    assert findings("--expansion-limit", "1000", "long.s") == []


def test_findings_of_an_included_file_are_told_in_it(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "outer.inc").write_text('.include "inner.inc"\n')
    (folder / "parts" / "inner.inc").write_text("s_nop 0\ns_load_dwordx2 s[1:2], s[4:5], 0x0\n")
    (folder / "k.s").write_text('; gcn-lsp: target=gfx900\n.include "parts/outer.inc"\n')
    assert findings("k.s") == [("parts/inner.inc", 2, "misaligned-register")]
    result = run("k.s")
    first, *rest = result.stdout.splitlines()
    assert first.startswith("parts/inner.inc:2:16: error[misaligned-register]: ")
    assert [line.partition(": note")[0] for line in rest if ": note" in line] == ["parts/outer.inc:1:1", "k.s:2:1"]
    assert result.exit_code == 1
    # The folder of the includer comes first, then the paths in their order.
    for name, text in (("a", "s_nop 1"), ("b", "v_mov_b33 v0, v1")):
        (folder / name).mkdir()
        (folder / name / "other.inc").write_text(text)
    (folder / "parts" / "outer.inc").write_text('.include "other.inc"\n')
    assert findings("-I", "a", "-I", "b", "k.s") == []
    assert findings("-I", "b", "-I", "a", "k.s") == [("b/other.inc", 1, "unknown-mnemonic")]
    (folder / "parts" / "other.inc").write_text("s_nop 2\n")
    assert findings("-I", "b", "-I", "a", "k.s") == []


def test_statistics_count_findings_by_rule(folder: Path) -> None:
    (folder / "many.s").write_text("; gcn-lsp: target=gfx900\ns_waitcn 0\nv_no_such v0\ns_mov_b32 s0, v1\n")
    first, second = run("--statistics", "many.s").stdout.splitlines()
    assert first.split()[:4] == ["2", "1", "fixable", "unknown-mnemonic"]
    assert second.split()[:2] == ["1", "wrong-operand-kind"]
    assert run("--statistics", "--format", "json", "many.s").exit_code == 2


def test_output_goes_to_a_file_in_utf_8(folder: Path) -> None:
    (folder / "many.s").write_text("; gcn-lsp: target=gfx900\nv_no_such v0 // é\n")
    result = run("-o", "out.txt", "-q", "many.s")
    assert (result.exit_code, result.stdout) == (1, "")
    assert (folder / "out.txt").read_bytes().decode() == run("-q", "many.s").stdout
    assert "é" in (folder / "out.txt").read_bytes().decode()
    assert run("-o", "no/folder", "many.s").exit_code == 2


def test_what_is_freed_between_files_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"k{number}.s" for number in range(5)]
    for name in names:
        (folder / name).write_text(BAD)
    alone = run("-j", "1", *names).stdout
    assert alone.count("k3.s:") > 0
    monkeypatch.setattr("gcn_lsp.garbage_collection._MUCH", -1)
    monkeypatch.setattr("gcn_lsp.cli.check._KNOWN", 0)
    assert run("-j", "1", *names).stdout == run("-j", "2", *names).stdout == alone


def test_exit_zero_and_jobs(folder: Path) -> None:
    (folder / "many.s").write_text("; gcn-lsp: target=gfx900\nv_no_such v0\n")
    assert run("--exit-zero", "many.s").exit_code == 0
    assert run("--exit-zero", "missing.s").exit_code == 2
    assert run("-j", "1", "many.s").stdout == run("-j", "2", "many.s").stdout


def test_a_file_behind_the_preprocessor(folder: Path) -> None:
    (folder / "regs.h").write_text("#define ACC v3\n#define BAD s_nop 1, 2\n")
    (folder / "k.S").write_text('#include "regs.h"\n#if WIDE\nBAD\n#endif\nv_mov_b32 ACC, TYPE, 1\ns_endpgm\n')
    assert findings("--target", "gfx900", "-DTYPE=v1", "k.S") == [("k.S", 5, "wrong-operand-count")]
    assert findings("--target", "gfx900", "-DTYPE=v1", "-D", "WIDE", "k.S") == [
        ("k.S", 3, "wrong-operand-count"),
        ("k.S", 5, "wrong-operand-count"),
    ]
    (folder / "k.S").write_text('#include "gone.h"\nv_mov_b32 ACC, 1\nMOVE(1)\ns_endpgm\n')
    assert findings("--target", "gfx900", "k.S") == [("k.S", 1, "include-not-found")]
    assert run("fix", "k.S").exit_code == 2


def test_findings_at_the_source(folder: Path) -> None:
    (folder / "k.cl").write_text("one\ntwo\n")
    text = f'; gcn-lsp: target=gfx900\n.file 0 "{folder}" "k.cl"\n.loc 0 2 1\ns_nop 1, 2\n'
    (folder / "k.s").write_text(text)
    assert findings("--at", "source", "k.s") == [(str(folder / "k.cl"), 2, "wrong-operand-count")]
    (folder / "gcn-lsp.toml").write_text("report-at = 'source'\n")
    assert findings("k.s") == [(str(folder / "k.cl"), 2, "wrong-operand-count")]
    assert findings("--at", "assembly", "k.s") == [("k.s", 4, "wrong-operand-count")]
