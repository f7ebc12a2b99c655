"""What a file is that is no assembly."""

import pytest

from gcn_lsp.project import other_files
from gcn_lsp.text import SourceText


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("k.cpp", b"", "C++ and not assembly: `clang -S`"),
        ("k.cuh", b"", "CUDA C++ and not assembly"),
        ("k.HPP", b"", "C++ and not assembly"),
        ("k.h", b'#pragma once\n  extern "C" int f(int);\n', "C or C++ and not assembly"),
        ("k.inl", b"template <int N>\nvoid f();\n", "C or C++ and not assembly"),
        ("k.s", bytes(range(256)), "binary"),
    ],
)
def test_other_files(name: str, text: bytes, said: str) -> None:
    assert other_files.what_else(SourceText.from_bytes(name, text)).startswith(said)


@pytest.mark.parametrize("name", ["k.s", "k.h", "k.inl", "k.inc", "k"])
def test_assembly(name: str) -> None:
    text = b"#define ACC v3\n.macro move to, from\n  v_mov_b32 \\to, \\from\n.endm\n"
    assert other_files.what_else(SourceText.from_bytes(name, text)) == ""


def test_assembly_for_another_processor() -> None:
    other = SourceText.from_bytes("k.s", b"main:\n\tpushq %rbp\n\tret\n")
    assert other_files.for_another_processor(other).startswith("assembly for another processor")
    for name, text in (("k.s", b"main:\n\tpushq %rbp\n\ts_endpgm\n"), ("k.gcn", b"main:\n\tpushq %rbp\n")):
        assert other_files.for_another_processor(SourceText.from_bytes(name, text)) == ""
