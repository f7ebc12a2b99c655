"""Files that cannot be read."""

from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.cli import kernel
from tests.support.check import project_findings

RULE = "unreadable-file"


@pytest.mark.parametrize(("name", "reason"), [("missing.s", "there is no such file"), ("folder", "")])
def test_it_is_the_only_finding(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    path = str(tmp_path / name)
    (found,) = kernel.open_kernel(path, project.Settings()).findings()
    assert (found.rule, found.severity.value) == (RULE, "error")
    assert (found.where.path, found.where.line, found.where.end) == (path, 0, 0)
    assert found.message.startswith(f"cannot read {path}: {reason}")


def test_bytes_that_are_no_text_are_read(tmp_path: Path) -> None:
    (tmp_path / "k.s").write_bytes(b"; gcn-lsp: target=gfx900\n; \xff\xfe\ns_nop 0\n")
    assert kernel.open_kernel(str(tmp_path / "k.s"), project.Settings()).findings() == ()


def test_an_include_that_is_missing_is_another_mistake(tmp_path: Path) -> None:
    found = project_findings(tmp_path, '; gcn-lsp: target=gfx900\n.include "missing.inc"\n')
    assert [each.rule for each in found] == ["include-not-found"]


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("k.cpp", b"int main() {}\n", "is C++ and not assembly: `clang -S` makes assembly of it"),
        ("k.cl", b"__kernel void k() {}\n", "is OpenCL C and not assembly"),
        ("k.s", bytes(range(256)) * 4, "is binary and not a code object"),
        ("k.hsaco", b"s_endpgm\n", "is text and not a code object"),
    ],
)
def test_what_is_not_assembly_is_said_in_one_line(tmp_path: Path, name: str, data: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(data)
    (found,) = kernel.open_kernel(str(tmp_path / name), project.Settings()).findings()
    assert found.rule == RULE
    assert what in found.message


def test_a_source_without_assembly_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("int main() {}\n")
    report = kernel.report(kernel.open_kernel(str(tmp_path / "k.cpp"), project.Settings(), takes_inline=True))
    assert [(each.rule, each.severity.value) for each in report.findings] == [(RULE, "information")]
    assert not report.unreadable


def test_a_little_junk_is_no_binary(tmp_path: Path) -> None:
    (tmp_path / "k.s").write_bytes(b"; gcn-lsp: target=gfx900\ns_nop 0\n" * 20 + b"\0\xff\x01\ns_nop 0\n")
    assert "syntax-error" in {
        each.rule for each in kernel.open_kernel(str(tmp_path / "k.s"), project.Settings()).findings()
    }
