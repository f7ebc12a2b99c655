"""The table of directives against LLVM, and what consumers read from it."""

import os
import re
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

from gcn_lsp.syntax import directives
from gcn_lsp.syntax.directives import DIRECTIVES, BlockKind, Directive, Family, words
from tests.support import llvm


def test_each_word_has_one_row() -> None:
    assert len(directives._rows()) == len(DIRECTIVES)


def test_blocks_name_their_partners() -> None:
    for row in DIRECTIVES.values():
        if row.family is Family.OPENS:
            assert DIRECTIVES[row.other].family is Family.CLOSES
            assert DIRECTIVES[row.other].block is row.block
        elif row.family in (Family.CLOSES, Family.BRANCHES):
            assert DIRECTIVES[row.other].family is Family.OPENS
            assert DIRECTIVES[row.other].block is row.block
        else:
            assert (row.block, row.other) == (None, "")


def test_words_of_a_family() -> None:
    assert words(Family.CLOSES, BlockKind.MACRO) == {".endm", ".endmacro"}
    assert words(Family.BRANCHES) == {".else", ".elseif"}


def _unknown(names: list[str], triple: str, version: int = llvm.USUAL) -> set[str]:
    """Those of `names` that the reference assembler does not know, whatever it says of their arguments."""
    alone = [name for name in names if _SWALLOWING.fullmatch(name)]
    return _refused([name for name in names if name not in alone], triple, version).union(
        *(_refused([name], triple, version) for name in alone)
    )


def _refused(names: list[str], triple: str, version: int) -> set[str]:
    lines: list[str] = []
    places = {}
    for name in names:
        opener = _OPENERS.get(name)
        lines += [opener] if opener else []
        lines.append(name if opener else f"{name} a, 1")
        places[len(lines)] = name
    command = [f"llvm-mc-{version}", f"-triple={triple}", "-mcpu=gfx900", "-filetype=null", "-"]
    text = "\n".join(lines) + "\n"
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False, timeout=60)
    messages = _ERROR.findall(done.stderr.decode("utf-8", "replace"))
    return {places[int(line)] for line, message in messages if int(line) in places and _NOT_KNOWN.search(message)}


_ERROR = re.compile(r"<stdin>:(\d+):\d+: error: (.*)")
_NOT_KNOWN = re.compile("unknown directive|is not available")
# Those that consume the following lines, or end the file.
_SWALLOWING = re.compile(
    r"\.(macro|rep|rept|irp|irpc|if.*|else|elseif|end|abort|include|purgem|altmacro|amd.*|end_.*|exitm|bss|popsection)"
)
_OPENERS = {
    ".end_amdhsa_kernel": ".amdhsa_kernel a",
    ".end_amdgpu_metadata": ".amdgpu_metadata",
    ".end_amdgpu_pal_metadata": ".amdgpu_pal_metadata",
    ".end_amd_kernel_code_t": ".amd_kernel_code_t",
    ".end_amdgpu_info": ".amdgpu_info a",
}


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_the_reference_knows_every_row() -> None:
    unknown = _unknown(sorted(DIRECTIVES), "amdgcn-amd-amdhsa")
    known_elsewhere = unknown - _unknown(sorted(unknown), "amdgcn-amd-amdpal")
    assert known_elsewhere == directives.OTHER_SYSTEMS
    assert unknown - known_elsewhere == directives.FORMER.keys()


# LLVM knows these as words for other object files or processors, or only refuses them.
_WITHOUT_ROW = frozenset(
    [
        ".code16", ".code16gcc", ".cold", ".dc.x", ".dcb.x", ".lazy_reference", ".prefalign", ".private_extern",
        ".reference", ".stabs", ".symbol_resolver", ".weak_def_can_be_hidden", ".weak_definition",
    ]
)  # fmt: skip
# Every directive of LLVM 23 that its assembler knows for ELF on some system of AMDGPU.
_OF_LLVM = frozenset((Path(__file__).parent / "llvm_directives.txt").read_text().split())

LLVM_SOURCE = Path(os.environ.get("GCN_LSP_LLVM_SOURCE", "/nonexistent"), "llvm")


def test_each_directive_of_the_reference_has_a_row() -> None:
    assert DIRECTIVES.keys() - directives.FORMER.keys() == _OF_LLVM - _WITHOUT_ROW


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_the_reference_knows_each_listed_directive() -> None:
    assert _unknown_on_every_system(_OF_LLVM) == set()


@pytest.mark.skipif(not llvm.available(22), reason="llvm-mc-22 is not installed (Debian package llvm-22)")
def test_the_earlier_reference_knows_all_but_the_newer_directives() -> None:
    newer = _unknown_on_every_system(_OF_LLVM - _WITHOUT_ROW, version=22)
    assert newer == directives.NEWER


@pytest.mark.skipif(not LLVM_SOURCE.is_dir(), reason="GCN_LSP_LLVM_SOURCE names no LLVM source tree")
@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_the_list_has_every_directive_in_the_sources_of_the_reference() -> None:
    places = ("lib/MC/MCParser", "lib/Target/AMDGPU/AsmParser", "lib/Target/AMDGPU/Utils", "include/llvm/Support")
    files = [path for place in places for kind in ("*.cpp", "*AMDGPU*.h") for path in (LLVM_SOURCE / place).glob(kind)]
    written = {word for path in files for word in re.findall(r'"(\.\d?[a-z][a-z0-9_.]*)"', path.read_text())}
    assert written - _unknown_on_every_system(written) == _OF_LLVM
    assert len(written) > len(_OF_LLVM)


def _unknown_on_every_system(names: Collection[str], version: int = llvm.USUAL) -> set[str]:
    unknown = _unknown(sorted(names), "amdgcn-amd-amdhsa", version)
    return unknown & _unknown(sorted(unknown), "amdgcn-amd-amdpal", version)


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("word", [".eqv", ".endrep", ".elseifdef"])
def test_words_of_other_assemblers_have_no_row(word: str) -> None:
    assert word not in DIRECTIVES
    assert _unknown([word], "amdgcn-amd-amdhsa") == {word}


_COLLECTED = [
    row
    for row in DIRECTIVES.values()
    if row.family is Family.OPENS and row.block in (BlockKind.MACRO, BlockKind.REPETITION, BlockKind.CONDITION)
]


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("row", _COLLECTED, ids=lambda row: row.word)
def test_the_reference_closes_each_block_with_its_word(row: Directive) -> None:
    text = f"{row.word} {_ARGUMENTS.get(row.word, '1')}\n{row.other}\n"
    command = [llvm.LLVM_MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=null", "-"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False, timeout=60)
    assert done.stderr == b""


_ARGUMENTS = {
    ".macro": "m",
    **dict.fromkeys((".irp", ".irpc"), "x, 1"),
    **dict.fromkeys((".ifdef", ".ifndef", ".ifnotdef"), "a"),
    **dict.fromkeys((".ifc", ".ifnc", ".ifeqs", ".ifnes"), '"a", "b"'),
}
