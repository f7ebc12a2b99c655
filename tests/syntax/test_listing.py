"""Lines that only disassemblers write."""

import pytest

from gcn_lsp.syntax import listing
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import StatementKind


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"0000000000001c00 <axpy>:", "axpy"),
        (b"00001C00 <_ZN5tools4axpyEv>:", "_ZN5tools4axpyEv"),
        (b"<L0>:", "L0"),
        (b"\t<axpy(float, float*)>:", "axpy(float, float*)"),
    ],
)
def test_a_label(line: bytes, name: str) -> None:
    (statement,) = parse_line(line).statements
    assert (statement.kind, statement.name) == (StatementKind.LABEL, name)
    assert line[statement.name_start : statement.name_end].decode() == name


@pytest.mark.parametrize(
    "line", [b"kernel.co:\tfile format elf64-amdgpu", b"Disassembly of section .text:", b"\t\t..."]
)
def test_text_is_a_comment(line: bytes) -> None:
    read = parse_line(line)
    assert read.statements == ()
    assert read.comment_start == len(line) - len(line.lstrip())


@pytest.mark.parametrize(
    "line", [b"1:", b"loop:", b"s_nop 0 // <axpy>:", b'.ascii "<axpy>:"', b"<axpy>: s_nop 0", b"0x1c00 <axpy>:", b"<>:"]
)
def test_other_lines_stay_what_they_are(line: bytes) -> None:
    assert listing.as_assembly(line) is None


def test_in_a_block_comment_nothing_is_read() -> None:
    assert parse_line(b"0000000000001c00 <axpy>:", True).statements == ()


@pytest.mark.parametrize(
    ("line", "assembly"),
    [
        (b"0000000000001c00 <axpy>:", b"axpy:"),
        (b"0000000000001c00 <axpy(float)>:", b'"axpy(float)":'),
        (b"Disassembly of section .text:", b".text"),
        (b"Disassembly of section .rodata:", b".section .rodata"),
        (b"a.co:\tfile format elf64-amdgpu", b"// a.co:\tfile format elf64-amdgpu"),
        (b"\t\t...", b"// ..."),
    ],
)
def test_as_assembly(line: bytes, assembly: bytes) -> None:
    assert listing.as_assembly(line) == assembly
