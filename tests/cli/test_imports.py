"""What a command loads: time before the first line is read, so the set is bounded here."""

import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n.text\nk:\n  v_mov_b32 v0, 1\n  s_endpgm\n'

_REPORT = """
import sys
opened = []
sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
from gcn_lsp.cli.main import main
try:
    main()
except SystemExit:
    pass
print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
print(*(path.replace("\\\\", "/") for path in opened), sep="\\n", file=sys.stderr)
"""

# What no check of an assembly file needs, whatever it finds.
OF_OTHERS = (
    *("asyncio", "attrs", "cattrs", "lsprotocol", "pygls", "gcn_lsp.server"),
    *("markdown_it", "rich", "gcn_lsp.site", "gcn_lsp.isa.documentation", "gcn_lsp.ide.hover"),
    *("elftools", "tree_sitter_cpp", "tree_sitter_python", "gcn_lsp.views.sp3", "gcn_lsp.views.objects.view"),
    *("numpy", "gcn_lsp.machine", "gcn_lsp.running", "gcn_lsp.api"),
    *("concurrent", "multiprocessing", "subprocess", "tempfile", "hashlib", "secrets", "json", "xml", "http"),
    *("gcn_lsp.cli.fix", "gcn_lsp.cli.report", "gcn_lsp.cli.output.sarif", "gcn_lsp.cli.output.junit"),
)
OF_METADATA = ("yaml",)
# What a call that answers from kept reports needs none of.
OF_THE_ASSEMBLER = (
    *("tree_sitter", "immutables", "tomllib", "gcn_lsp.syntax", "gcn_lsp.preproc", "gcn_lsp.instruction"),
    *("gcn_lsp.program", "gcn_lsp.analysis", "gcn_lsp.rules", "gcn_lsp.views", "gcn_lsp.ide", "gcn_lsp.project.setup"),
)
MOST = 700
MOST_TO_ANSWER = 260


def loaded(folder: Path, *arguments: str) -> tuple[list[str], list[str]]:
    """The modules that a command loads, and the tables of ours that it reads."""
    path = folder / "k.s"
    path.write_text(KERNEL)
    run = subprocess.run(
        [sys.executable, "-c", _REPORT, "check", *arguments, str(path)], capture_output=True, text=True, check=True
    )
    lines = run.stderr.splitlines()
    assert "no findings" in run.stdout
    return [line for line in lines if "/" not in line], [line for line in lines if "isa/data/" in line]


def are_in(modules: list[str], packages: tuple[str, ...]) -> list[str]:
    return [name for name in modules if any(name == each or name.startswith(f"{each}.") for each in packages)]


def test_a_check_loads_nothing_of_others(tmp_path: Path) -> None:
    modules, tables = loaded(tmp_path, "--no-cache")
    assert are_in(modules, OF_OTHERS + OF_METADATA) == []
    assert len(modules) <= MOST
    forms = [path.rpartition("/")[2] for path in tables if "/forms/" in path]
    assert forms
    assert [name for name in forms if "gfx9" not in name] == []  # those of gfx90a are shared by its generation


def test_an_answer_from_a_kept_report_loads_no_assembler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GCN_LSP_CACHE_DIR", str(tmp_path / "cache"))
    loaded(tmp_path)
    modules, tables = loaded(tmp_path)
    assert are_in(modules, OF_OTHERS + OF_METADATA + OF_THE_ASSEMBLER) == []
    assert len(modules) <= MOST_TO_ANSWER
    assert tables == []
