"""Text that expands to far more text than anybody writes: one finding, in bounded time and memory."""

import json
import sys
from pathlib import Path

import pytest

from tests.support import limited

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits for processes")

_SECONDS = 30  # the goal is 10; a machine that does much else needs more of its processor's time
TARGET = '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n'
BOMBS = {
    "arguments doubled by bare words": (
        ".altmacro\n.macro m n, t\n.if n\nm %(n-1), <t&t>\n.endif\n.endm\nm 19, " + "x" * 1000,
        5,
    ),
    "defaults doubled": (
        '.macro k n, a="' + "x" * 500_000 + '"\n.if \\n\nk "(\\n-1)", "\\a\\a"\n.endif\n.endm\nk 18\n',
        4,
    ),
    "a megabyte in a megabyte of lines": (
        ".irp x, " + "a" * 1_000_000 + "\n" + '.ascii "\\x"\n' * 80_000 + ".endr\n",
        2,
    ),
    "half a million arguments": (".irp x" + ",a" * 500_000 + "\n" + ".byte 0\n" * 140_000 + ".endr\n", 2),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_a_finding_at_its_place(name: str, tmp_path: Path) -> None:
    text, line = BOMBS[name]
    (tmp_path / "k.s").write_text(TARGET + text + "\nv_bad v0\n")
    assert ("expansion-limit", line) in findings(tmp_path)


def test_a_large_included_file_is_a_finding_where_it_is_included(tmp_path: Path) -> None:
    (tmp_path / "large.inc").write_bytes(b"v_mov_b32 v0, v1\n" * (64 * 1024 * 1024 // 17))
    (tmp_path / "k.s").write_text(f'{TARGET}s_nop 0\n.include "large.inc"\nv_bad v0\n')
    assert {("expansion-limit", 3), ("unknown-mnemonic", 4)} <= findings(tmp_path)


def findings(folder: Path) -> set[tuple[str, int]]:
    done = limited.run(["-m", "gcn_lsp", "check", "--format", "json", "k.s"], folder, _SECONDS)
    assert done.returncode == 1, (done.returncode, done.stderr[-1000:])
    return {(each["rule"], each["line"]) for each in json.loads(done.stdout)}
