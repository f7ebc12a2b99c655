"""The parts by themselves, for pytest-benchmark: `pytest tests/benchmarks -m slow --benchmark-columns=median,ops`."""

import itertools
from typing import Any

import pytest
from lsprotocol import types

from gcn_lsp import isa, rules
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.instruction import assembler
from gcn_lsp.program import program
from gcn_lsp.project import TargetHints
from gcn_lsp.server.client import Client
from gcn_lsp.server.diagnostics import diagnose
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.snapshot import FileSnapshot
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import Location, SourceText
from tests.benchmarks.kernel import kernel

pytestmark = pytest.mark.slow

TEXT = kernel(10_800)
SOURCE = SourceText.from_bytes("kernel.s", TEXT.encode())
OPTIONS = program.Options("gfx90a")


def test_read(benchmark: Any) -> None:
    benchmark(SourceText.from_bytes, "kernel.s", TEXT.encode())


def test_parse_distinct_lines(benchmark: Any) -> None:
    lines = sorted(set(SOURCE.lines))
    rounds = itertools.count()

    def fresh_lines() -> tuple[tuple[list[bytes]], dict[str, Any]]:
        mark = b" // %d" % next(rounds)  # so that none is remembered
        return ([line + mark for line in lines],), {}

    def parse(texts: list[bytes]) -> None:
        for text in texts:
            for statement in parse_line(text).statements:
                _ = statement.operands

    benchmark.extra_info["lines"] = len(lines)
    benchmark.pedantic(parse, setup=fresh_lines, rounds=10)


def test_assemble_distinct_instructions(benchmark: Any) -> None:
    target = isa.load_target("gfx90a")
    built = program.build(SOURCE, OPTIONS)
    items = (placed.item for placed in built.items())
    texts = {item.statement.line: item.statement for item in items if item.instruction is not None}
    benchmark.extra_info["instructions"] = len(texts)
    symbols = {
        name: symbol for name in built.final_state.symbols if (symbol := built.symbol_value(name, 200)) is not None
    }

    def assemble() -> None:
        for statement in texts.values():
            assembler.assemble(target, statement, symbols)

    benchmark(assemble)


def test_interpret_with_warm_caches(benchmark: Any) -> None:
    program.build(SOURCE, OPTIONS)
    benchmark(program.build, SOURCE, OPTIONS)


def test_rebuild_after_an_edit(benchmark: Any) -> None:
    built = program.build(SOURCE, OPTIONS)
    edited = SOURCE.replace(5000, 0, 5000, 0, b" ")
    benchmark(program.build, edited, OPTIONS, built)


def test_analyse(benchmark: Any) -> None:
    built = program.build(SOURCE, OPTIONS)

    def analyse() -> list[Finding]:
        return rules.check(program.build(SOURCE, OPTIONS, built))

    assert benchmark(analyse) == []


def test_look_for_the_target(benchmark: Any) -> None:
    benchmark(TargetHints.of, SOURCE.lines)


def test_edit_the_text(benchmark: Any) -> None:
    benchmark(SOURCE.replace, 5000, 0, 5000, 0, b"x")


def test_a_thousand_diagnostics(benchmark: Any) -> None:
    store = Documents(Client())
    document = store.open(types.TextDocumentItem("untitled:kernel.s", "asm", 1, TEXT))
    path = document.path
    snapshot = document.snapshot
    assert isinstance(snapshot, FileSnapshot)
    snapshot._findings = [Finding("a-rule", Severity.ERROR, Location(path, n, 0, 1), "it is so") for n in range(1000)]
    benchmark(diagnose, snapshot)
