"""`gcn-lsp graph` and `gcn-lsp report`."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

KERNEL = str(Path(__file__).parents[1] / "data" / "gemm_tile_gfx90a.s")


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


class Outline(HTMLParser):
    """Headings of a page, and whether every element is closed."""

    VOID = {"meta", "input"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("h1", "h2", "h3"):
            self.headings.append(data)


def outline(page: str) -> list[str]:
    parser = Outline()
    parser.feed(page)
    assert parser.open == []
    return parser.headings


def test_svg_is_well_formed_and_has_every_block_and_way() -> None:
    result = run("graph", KERNEL)
    assert result.exit_code == 0
    root = ElementTree.fromstring(result.stdout)
    blocks = [group.get("data-line") for group in root.iter("{http://www.w3.org/2000/svg}g")]
    assert blocks == ["48", "66", "81", "100"]
    ways = [path.get("marker-end") for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("marker-end")]
    assert sorted(way for way in ways if way) == ["url(#back)", "url(#branch)", "url(#next)", "url(#next)"]


def test_a_drawing_in_a_file(tmp_path: Path) -> None:
    drawn = tmp_path / "kernel.svg"
    result = run("graph", "-o", str(drawn), KERNEL)
    assert (result.exit_code, result.stdout) == (0, "")
    assert drawn.read_text() == run("graph", KERNEL).stdout


def test_dot() -> None:
    result = run("graph", "--format", "dot", KERNEL)
    assert result.exit_code == 0
    assert 'digraph "gemm_tile" {' in result.stdout
    assert "b1 -> b1 [color=firebrick" in result.stdout
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=result.stdout, text=True, check=True, capture_output=True)


def test_html() -> None:
    result = run("graph", "--format", "html", "--kernel", "gemm_tile", KERNEL)
    assert outline(result.stdout) == ["Control flow of gemm_tile"]
    assert "http" not in result.stdout.replace("http://www.w3.org/2000/svg", "")


def test_text_of_the_file_is_text_on_the_page() -> None:
    text = '; gcn-lsp: target=gfx900\n"a<b>&":\n s_nop 0 // <img>\n s_endpgm\n'
    for form in ("svg", "html", "dot"):
        result = run("graph", "--format", form, "-", stdin=text)
        assert result.exit_code == 0, result.output
        assert "<img>" not in result.stdout
        if form == "svg":
            ElementTree.fromstring(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("--kernel", "nothing", KERNEL), None, "'nothing' has no code; the kernels are gemm_tile"),
        (("-",), "; gcn-lsp: target=gfx900\n", "no code"),
        (("missing.s",), None, "cannot read missing.s"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], stdin: str | None, message: str) -> None:
    result = run("graph", *arguments, stdin=stdin)
    assert result.exit_code == 2
    assert message in result.stderr


def test_report() -> None:
    result = run("report", "--html", KERNEL)
    assert result.exit_code == 0
    assert outline(result.stdout) == [
        Path(KERNEL).name, "Findings", "gemm_tile", "Registers in use", "Waits", "Control flow",
    ]  # fmt: skip
    assert "4 waves on a SIMD, limited by LDS (alone: 8 by wave slots, 5 by VGPRs, 8 by SGPRs)" in result.stdout
    assert "At most 11 VGPRs on line 67, 16 AGPRs on line 62, 11 SGPRs on line 52." in result.stdout
    waiting = "<code>s_waitcnt vmcnt(0) &amp; lgkmcnt(0)</code></td><td>2 on vmcnt (<code>v[0:7]</code>)</td>"
    assert f'<td><a class="line" data-line="68">68</a></td><td>{waiting}' in result.stdout
    assert 'data-line="67"><title>line 67: ' in result.stdout  # a place in the chart


def test_report_as_text() -> None:
    result = run("report", KERNEL)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == KERNEL
    assert lines[lines.index("Findings") + 1].startswith("  24  hint  unreachable-branch  never assembled: .ifb")
    assert [line for line in lines if line and not line.startswith(" ")][2:] == [
        "Findings", "Kernel gemm_tile", "Waits of gemm_tile",
    ]  # fmt: skip
    limits = "4 waves on a SIMD, limited by LDS (alone: 8 by wave slots, 5 by VGPRs, 8 by SGPRs)"
    assert f"  occupancy  {limits}" in lines
    assert "  in use     at most 11 VGPRs on line 67, 16 AGPRs on line 62, 11 SGPRs on line 52" in lines
    assert "  68  s_waitcnt vmcnt(0) & lgkmcnt(0)  2 on vmcnt (v[0:7])" in lines


def test_a_report_begins_with_the_worst_and_counts_hints() -> None:
    unused = "".join(f".macro unused{number}\n.endm\n" for number in range(3))
    source = f"; gcn-lsp: target=gfx900\n{unused}s_load_dwordx2 s[1:2], s[4:5], 0x0\n"
    lines = run("report", "-", stdin=source).stdout.splitlines()
    worst, hint = lines[lines.index("Findings") + 1 : lines.index("Findings") + 3]
    assert worst.split()[:3] == ["8", "error", "misaligned-register"]
    assert hint.endswith("unused-macro         macro unused0 is never called (and 2 more)")


def test_report_shows_findings() -> None:
    result = run("report", "--html", "-", stdin="; gcn-lsp: target=gfx900\ns_load_dwordx2 s[1:2], s[4:5], 0x0\n")
    assert '<td class="error">error</td><td><code>misaligned-register</code></td>' in result.stdout
    assert "<td><code>s[1:2]</code> starts at 1" in result.stdout
