"""Kate's colours, by Kate's own engine: its command line paints a file, and the words of a kind come out alike."""

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

EDITORS = Path(__file__).parents[2] / "editors"
ENGINE = shutil.which("ksyntaxhighlighter6") or shutil.which("kate-syntax-highlighter")
pytestmark = pytest.mark.skipif(
    ENGINE is None, reason="kate-syntax-highlighter is not installed (Debian package libkf6syntaxhighlighting-tools)"
)

SOURCE = """\
.text
# left by a preprocessor
s_x = 8
  .set v_y, s_x + 1 ; comment
.macro load dst:req, wait:vararg
  .if \\dst == 1
    .error "no"
  .endif
.endm
kernel: s_nop 0
  nested_\\@: V_MOV_B32 v1, v[v_y:v_y+1]
  global_load_dword v2, v[2:3], off offset:16
  s_waitcnt vmcnt(0)
  s_endpgm /* block */
"""

# The style of each word of the same kind is the same, and no other kind's.
KINDS = {
    "plain": ["s_x =", "v_y,", "s_x +", "v_y:", "v_y+", "load "],
    "directive": [".text", ".set", ".macro", ".if", ".error", ".endif", ".endm"],
    "mnemonic": ["s_nop", "V_MOV_B32", "global_load_dword", "s_waitcnt", "s_endpgm"],
    "label": ["kernel:", "nested_\\@:"],
    "comment": ["# left", "; comment", "/* block"],
    "string": ['"no"'],
    "modifier or register": ["dst:", "wait:", "offset:", "v1", "v[v", "v2,", "off "],
    "argument": ["\\dst"],
    "function": ["vmcnt"],
    "number": ["8", "16", "0)"],
}


def page_of(folder: Path, name: str, *arguments: str) -> str:
    """The page that the engine makes of the source in a file of this name."""
    syntax = folder / "data" / "org.kde.syntax-highlighting" / "syntax"
    syntax.mkdir(parents=True)
    shutil.copy(EDITORS / "kate" / "gcn.xml", syntax)
    (folder / name).write_text(SOURCE)
    environment = {"XDG_DATA_HOME": str(folder / "data"), "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}
    command = [str(ENGINE), *arguments, str(folder / name)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout


def painted(page: str) -> list[tuple[str, str]]:
    """Each character of the source with its style."""
    body = page.partition("<pre>\n")[2].partition("</pre>")[0]
    found = []
    for style, styled, plain in re.findall(r'<span style="([^"]*)">([^<]*)</span>|([^<]+)', body):
        found += [(character, style) for character in unescape(styled or plain)]
    return found


def test_words_of_a_kind_are_alike(tmp_path: Path) -> None:
    found = painted(page_of(tmp_path, "kernel.s", "--syntax", "AMD GPU assembly"))
    assert "".join(character for character, _ in found).rstrip() == SOURCE.rstrip()
    styles = {kind: {found[SOURCE.index(word)][1] for word in words} for kind, words in KINDS.items()}
    assert {kind for kind, seen in styles.items() if len(seen) != 1} == set()
    assert len(set(map(frozenset, styles.values()))) == len(KINDS), styles


def test_names_that_are_ours_alone_choose_it(tmp_path: Path) -> None:
    assert painted(page_of(tmp_path, "kernel.gcn")) == painted(
        page_of(tmp_path / "chosen", "kernel.s", "--syntax", "AMD GPU assembly")
    )
